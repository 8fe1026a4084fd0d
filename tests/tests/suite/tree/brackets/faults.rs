//! Planted faults in the shaders of stage *brackets*, each of which some text must reveal.

use boxwood::Context;
use boxwood_cpu::specification::tree::{BracketError, BracketSyntax};
use boxwood_tests::{
    Fault, Random, assert_all_caught, bounded_source, bracket_families, gpu, random_brackets, random_syntax,
};

use super::{LONG, Row, Stage, long_inputs, specified, texts, texts_of_length};

/// Planted faults: a shader, a text in it, and the text that replaces each occurrence.
const FAULTS: &[Fault] = &[
    // The state.
    ("bracket_reduce", "steps[2u + 0u / 4u]", "steps[0u / 4u]"),
    ("bracket_reduce", "(x.y >> (4u * 3u)) & 15u", "(x.x >> (4u * 3u)) & 15u"),
    ("bracket_reduce", "select(effect.y, effect.x, state < 8u)", "effect.x"),
    (
        "bracket_reduce",
        "effect_then(own, byte_effects[",
        "effect_then(byte_effects[byte_in(bytes, i)], byte_effects[",
    ),
    ("bracket_reduce", "select(bytes.high, bytes.low, i < 16u)", "bytes.low"),
    ("bracket_reduce", "before = scanned_through(local - 1u)", "before = scanned_through(local)"),
    (
        "bracket_reduce",
        "effects[part] = scanned_through(local)",
        "effects[part] = scanned_through(local - 2u)",
    ),
    ("bracket_reduce", "min(config.n_bytes - first, WORD_BYTES)", "WORD_BYTES"),
    ("bracket_start_groups", "effect_then(own, effect_of(first + 2u))", "own"),
    ("bracket_start_groups", "group_effects[group] = heap[1]", "group_effects[group] = own"),
    ("bracket_start", "< group {", "+ 1u < group {"),
    (
        "bracket_start",
        "effect_then(before_group, scanned_through(local - 1u))",
        "scanned_through(local - 1u)",
    ),
    ("bracket_start", "state = state_after(effects[first + 1u], state)", ""),
    ("bracket_start", "own = effect_then(own, effects[first + 3u])", ""),
    ("bracket_start", "summary.state = state", "summary.state = 0u"),
    ("bracket_start", "atomicStore(&summary.first_errors[1u], NO_ERROR)", ""),
    // Brackets.
    ("bracket_count", "state_after(words[word], states[part])", "state_after(words[word], 0u)"),
    ("bracket_count", "is_bracket(step.y)) << i", "is_open(step.y)) << i"),
    ("bracket_count", "prefix_sum(local, n_brackets) - n_brackets", "prefix_sum(local, n_brackets)"),
    ("bracket_count", "keep_error(INVALID_BYTE, WORD_BYTES * word + i);", ""),
    ("bracket_count", "role != ROLE_INVALID", "true"),
    ("bracket_count", "if offset < atomicLoad(&summary.first_errors[reason - 1u])", "if false"),
    ("bracket_count", "state = step.x", ""),
    ("bracket_offset_groups", "effect_then(own, effect_of(first + 3u))", "own"),
    ("bracket_offset_groups", "group_effects[group] = heap[1]", "group_effects[group] = own"),
    ("bracket_offsets", "earlier = effect_then(earlier, group_effects[N_OWN * local + 0u])", ""),
    ("bracket_offsets", "own += own_counts[2u]", ""),
    ("bracket_offsets", "before += own_counts[1u]", ""),
    ("bracket_offsets", "n_brackets + 1u", "n_brackets"),
    ("bracket_offsets", "summary.n_rows = before", "summary.n_rows = before - own"),
    ("bracket_rows", "counts[part] + brackets_before_word(item)", "counts[part]"),
    ("bracket_rows", "return item.x >> 4u", "return (item.x >> 4u) & 0xfffu"),
    ("bracket_rows", "state_before_word(item)", "0u"),
    ("bracket_rows", "WORD_BYTES * word + i", "WORD_BYTES * word"),
    ("bracket_rows", "WORD_BYTES - countLeadingZeros(item.y)", "31u - countLeadingZeros(item.y)"),
    ("bracket_bits", "role < ROLE_CLOSES", "true"),
    ("bracket_bits", "< config.n_entries) << (4u * quad + 2u)", "< config.n_entries) << (4u * quad + 1u)"),
    ("bracket_bits", "quad < 8u", "quad < 7u"),
    // Links and errors.
    ("bracket_links", "links[bracket].parent = begin", ""),
    ("bracket_links", "EntryLink(matches[begin], begin)", "EntryLink(begin, begin)"),
    ("bracket_links", "links[begin].partner = i32(bracket)", ""),
    ("bracket_links", "keep_error(UNOPENED, positions[bracket])", ""),
    (
        "bracket_links",
        "keep_error(MISMATCHED, positions[bracket])",
        "keep_error(MISMATCHED, positions[begin])",
    ),
    ("bracket_links", "kind_of_role(roles[begin]) != kind_of_role(roles[bracket])", "false"),
    (
        "bracket_links",
        "atomicMin(&summary.first_errors[reason - 1u], offset)",
        "atomicStore(&summary.first_errors[reason - 1u], offset)",
    ),
    ("bracket_report", "i <= N_ERRORS", "i < N_ERRORS"),
    ("bracket_report", "if first < offset", "if first != NO_ERROR"),
    ("bracket_report", "(syntax.final_states >> summary.state) & 1u", "1u"),
    ("bracket_report", "offset = config.n_bytes", ""),
    ("bracket_report", "offset = positions[open]", "offset = positions[0]"),
    ("bracket_report", "open >= 0", "open > 0"),
];

/// Texts in a syntax, and the result of each.
struct Inputs {
    syntax: BracketSyntax,
    texts: Vec<Text>,
}

type Text = (Vec<u8>, Result<Vec<Row>, Option<BracketError>>);

/// Texts that reveal the faults.
fn inputs() -> Vec<Inputs> {
    let mut random = Random::new(7);
    let with_results = |syntax: BracketSyntax, texts: Vec<Vec<u8>>| {
        let with_result = |text: Vec<u8>| (specified(&text, &syntax), text);
        let texts = texts.into_iter().map(with_result).map(|(result, text)| (text, result)).collect();
        Inputs { syntax, texts }
    };
    let mut inputs = Vec::new();
    for family in bracket_families() {
        let sizes = [30, 300, 300, 2_000, 40_000, 100_000];
        let mut own: Vec<_> = sizes.into_iter().flat_map(|n| texts(&mut random, &family, n)).collect();
        own.extend(
            ["(", ")", "(]", "]", "[()", "())]", "(])", ")(]", "\"", "'\n'(])", "<a"].map(|text| text.into()),
        );
        own.extend([63, 8_200, 33_000].into_iter().flat_map(texts_of_length));
        own.push(")(".repeat(20_000).into_bytes());
        inputs.push(with_results(family.1, own));
    }
    let bytes: Vec<u8> = (0..=u8::MAX).collect();
    for n_bytes in [300, 60_000] {
        let syntax = random_syntax(&mut random);
        let text = random_brackets(&mut random, &syntax, &bytes, n_bytes);
        inputs.push(with_results(syntax, vec![text[..n_bytes - 1].to_vec(), text]));
    }
    inputs
}

/// Whether an input reveals a fault of a shader.
fn is_caught(broken: &Context, shader: &str, inputs: &[Inputs]) -> bool {
    let differs = |Inputs { syntax, texts }: &Inputs| {
        let mut stage = Stage::new(broken, LONG, syntax);
        texts.iter().any(|(text, expected)| stage.run(text) != *expected)
    };
    inputs.iter().any(differs)
        || shader == "bracket_count" && super::invalid_bytes_are_rows(broken)
        || (shader.starts_with("bracket_start") || shader.starts_with("bracket_offset"))
            && long_text_differs(broken)
}

/// Texts of several groups of partitions.
fn long_text_differs(broken: &Context) -> bool {
    let syntax = BracketSyntax::c();
    let mut stage = Stage::new(broken, super::LONGEST, &syntax);
    long_inputs().into_iter().any(|text| stage.run(&text) != specified(&text, &syntax))
}

#[test]
fn every_shader_has_a_planted_fault() {
    for shader in boxwood_shaders::all().into_iter().filter(|shader| shader.name.starts_with("bracket_")) {
        assert!(FAULTS.iter().any(|fault| fault.0 == shader.name), "{} has no fault", shader.name);
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn planted_faults_are_caught() {
    let inputs = inputs();
    let unbroken = Context::new(&gpu().device).with_changes(bounded_source);
    assert!(!is_caught(&unbroken, "bracket_start", &inputs), "the shaders pass without a fault");
    assert_all_caught(
        FAULTS,
        |source| unbroken.with_changes(source),
        |broken, shader| is_caught(broken, shader, &inputs),
    );
}
