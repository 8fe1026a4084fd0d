//! Planted faults in the shaders of stage *json*, each of which some text must reveal.

use boxwood::Context;
use boxwood_cpu::specification::tree::{JsonError, JsonRoots};
use boxwood_tests::{
    Fault, Random, assert_all_caught, bounded_source, gpu, json_families, mutated, random_json,
};

use super::{GROUP, PARTITION, Row, Stage, specified, test_suite};

/// Planted faults: a shader, a text in it, and the text that replaces each occurrence.
const FAULTS: &[Fault] = &[
    // Bytes and words.
    ("json_reduce", "(a & vec4(mask)) | ((b & vec4(mask)) << by)", "a"),
    ("json_lex", "(bytes & is_inside) | (SPACES & ~is_inside)", "bytes"),
    ("json_lex", "config.n_bytes - first >= WORD_BYTES", "true"),
    ("json_lex", "space_row(p) & ~(p.b3 | p.b2) & p.b1 & ~p.b0", "space_row(p) & ~(p.b3 | p.b2) & p.b1"),
    ("json_lex", "& p.b0 & (p.b2 ^ p.b1)", "& p.b0"),
    ("json_lex", "p.b3 & ((~p.b2 & (p.b1 ^ p.b0)) |", "p.b3 & ((~p.b2) |"),
    // The state of the lexer.
    (
        "json_reduce",
        "parity | (hides << 1u) | (((quotes >> after_run) & 1u) << 2u)",
        "parity | (hides << 1u)",
    ),
    ("json_reduce", "return parity | 8u", "return parity"),
    ("json_reduce", "firstTrailingBit(~backslash)", "0u"),
    ("json_reduce", "select(RUN_INTEGER, RUN_POINT, (points(p) & run) != 0u)", "RUN_INTEGER"),
    ("json_reduce", "select(state, RUN_EXPONENT, (exponents(p) & run) != 0u)", "state"),
    (
        "json_reduce",
        "let continues = other == 0u && is_scalar_byte(last_byte)",
        "let continues = other == 0u",
    ),
    ("json_reduce", "continues ||", ""),
    ("json_lex", "let continues = other == 0u && is_scalar_byte(last_byte)", "let continues = other == 0u"),
    ("json_reduce", "(digits(p) | minuses(p)) & run", "digits(p) & run"),
    ("json_reduce", "select(0u, opposite, (x & 2u) != 0u)", "0u"),
    ("json_reduce", "select(0u, opposite, (x & 8u) != 0u)", "0u"),
    ("json_reduce", "max(run_in(x), run_in(y))", "run_in(y)"),
    ("json_reduce", "(x | y) & 0x40u", "y & 0x40u"),
    ("json_start_groups", "effect_then(own, effect_of(first + 2u))", "own"),
    ("json_start_groups", "group_effects[group] = heap[1]", "group_effects[group] = own"),
    ("json_start", "< group {", "+ 1u < group {"),
    ("json_start", "effect_then(before_group, scanned_through(local - 1u))", "scanned_through(local - 1u)"),
    ("json_start", "group + 1u >= n_groups()", "group == 0u"),
    ("json_start", "u32(is_in_string(state))", "0u"),
    ("json_start", "joined = scan_join(joined, scanned[first + i])", "joined = scanned[first + i]"),
    ("json_start", "scan_join(scanned_runs[half + local - distance], joined)", "joined"),
    // Strings.
    ("json_lex", "((may_hide << 1u) | odd) - may_hide", "(may_hide << 1u) | odd"),
    ("json_lex", "let may_hide = backslash & ~hidden", "let may_hide = backslash"),
    ("json_lex", "parity ^= parity << 16u", ""),
    ("json_lex", "select(parity, ~parity, starts_in_string)", "parity"),
    ("json_lex", "state_then(state, scanned_through(local - 1u))", "state"),
    ("json_lex", "control_characters(p) & contents", "control_characters(p) & in_string & p.b0"),
    ("json_lex", "four_digits &=", "four_digits |="),
    (
        "json_lex",
        "followed_by(ahead.u, head >> 6u, 1u) & four_digits",
        "followed_by(ahead.u, head >> 6u, 1u)",
    ),
    ("json_lex", "(bytes >> n) | (head << (32u - n))", "bytes >> n"),
    ("json_lex", "let rt = letter_row & p.b4 & ~p.b3", "let rt = letter_row & p.b4"),
    ("json_lex", "& ~p.b0 & (p.b2 | ~p.b3)", "& ~p.b0"),
    ("json_lex", "(p.b2 | p.b1 | p.b0) & ~(p.b2 & p.b1 & p.b0)", "(p.b2 | p.b1 | p.b0)"),
    // Numbers.
    ("json_lex", "sign & ~number_begins & ~after_exponent", "0u"),
    (
        "json_lex",
        "point & (~after_digit | had_point | had_exponent)",
        "point & (~after_digit | had_exponent)",
    ),
    ("json_lex", "point & (~after_digit | had_point | had_exponent)", "point & (~after_digit | had_point)"),
    ("json_lex", "exponent & (~after_digit | had_exponent)", "exponent & ~after_digit"),
    ("json_lex", "u32(run == RUN_EXPONENT)", "0u"),
    ("json_lex", "u32(run == RUN_POINT)", "0u"),
    ("json_lex", "u32(run != RUN_NONE)", "0u"),
    ("json_lex", "(minus & zero_next & digit_after)", "0u"),
    ("json_lex", "(ahead.zero & digit_next)", "0u"),
    ("json_lex", "~ahead.digit & ~followed_by(ahead.scalar, head >> 15u, 1u)", "0u"),
    ("json_lex", "u32((last_byte | 0x20u) == 0x65u)", "0u"),
    ("json_lex", "u32(last_byte >= 0x30u && last_byte <= 0x39u)", "0u"),
    // Characters.
    ("json_lex", "two & ~(~p.b4 & ~(p.b3 | p.b2 | p.b1)) & next", "two & next"),
    ("json_lex", "(low_nibble_0 & next_high)", "(low_nibble_0 & next)"),
    ("json_lex", "(is_ed & ~next_high & next)", "(is_ed & next)"),
    ("json_lex", "(low_nibble_0 & (next_middle | next_high))", "(low_nibble_0 & next)"),
    ("json_lex", "(is_f4 & next_low)", "(is_f4 & next)"),
    ("json_lex", "is_f1_to_f3 & next", "~low_nibble_0 & ~is_f4 & next"),
    ("json_lex", "three & second & (", "three & ("),
    ("json_lex", "four & third & second", "four & second"),
    ("json_lex", "own.continuation & ~expected", "0u"),
    ("json_lex", "(three | four) << 2u", "three << 2u"),
    // Rows and brackets.
    ("json_lex", "bracket | begins_of_strings | begins", "bracket | begins_of_strings | scalar"),
    ("json_lex", "select(AFTER_STRING, AFTER_STRING_VALUE, is_value)", "AFTER_STRING"),
    ("json_lex", "return PENDING_STRING", "return IS_TOKEN + AFTER_STRING"),
    ("json_lex", "select(y, x, y == 0u)", "y"),
    ("json_lex", "is_second_scan = true", ""),
    ("json_lex", "atomicMin(&partitions.first_error, part)", "atomicStore(&partitions.first_error, part)"),
    ("json_count_groups", "x.xy + y.xy", "y.xy"),
    ("json_count_groups", "before_then(x.z, y.z)", "x.z"),
    (
        "json_count_groups",
        "vec3(own.n_rows, own.n_brackets, own.before)",
        "vec3(own.n_rows, own.n_rows, own.before)",
    ),
    ("json_count", "earlier = effect_then(earlier, group_effects[N_OWN * local + 0u])", ""),
    ("json_count", "before_then(x.z, y.z)", "y.z"),
    ("json_count", "x == IS_TOKEN + AFTER_COLON", "false"),
    ("json_count", "clear_word(before.y);", ""),
    ("json_count", "n_brackets + 1u", "n_brackets"),
    ("json_count", "effect_then(own, effects[1u])", "own"),
    ("json_brackets", "(p.b1 & rest & (0u - rest))", "(rest & (0u - rest))"),
    ("json_brackets", "word_bits << (at % 32u)", "word_bits"),
    ("json_brackets", "if high != 0u", "if false"),
    ("json_brackets", "&& end_bracket % 32u != 0u", ""),
    ("json_brackets", "local == 0u || (local", "(local"),
    ("json_brackets", "countOneBits(pending.rows & (bit - 1u))", "0u"),
    ("json_brackets", "(pending.braces & bit) != 0u", "true"),
    ("json_brackets", "((own >> 13u) & STAGED_ROW)", "0u"),
    ("json_links", "item_of(matches[begin])", "item_of(begin)"),
    ("json_links", "contexts[others + u32(begin)] = bracket", ""),
    ("json_links", "is_open(brackets[bracket])", "false"),
    // The grammar.
    ("json_rows", "containers.array |= select(0u, here, is_inside && !is_brace(context))", ""),
    ("json_rows", "next = first + countOneBits(", "next = first + 1u + countOneBits("),
    ("json_rows", "here = reached(close << 1u, ~bracket)", "here = reached(close, ~bracket)"),
    ("json_rows", "u32(after == AFTER_COLON)", "0u"),
    ("json_rows", "starts_in_string && after == AFTER_STRING_VALUE", "false"),
    ("json_rows", "((after >> 1u) & 1u)", "0u"),
    ("json_rows", "(values & (before.b2 | before.b1 | before.b0))", "0u"),
    ("json_rows", "(tokens.comma & ~after_value)", "0u"),
    ("json_rows", "(close_squares & ~after_value & ~after_open_array)", "0u"),
    ("json_rows", "(values & after_value)", "0u"),
    ("json_rows", "(after_key & ~tokens.colon)", "0u"),
    ("json_rows", "(tokens.colon & ~after_key)", "0u"),
    ("json_rows", "(after_colon & (tokens.comma | close_braces))", "0u"),
    ("json_rows", "(values & ~tokens.strings)", "values"),
    ("json_rows", "(close_braces & ~after_open_object)", "close_braces"),
    ("json_rows", "select(0u, line_breaks(p) & outside, config.has_lines != 0u)", "0u"),
    ("json_rows", "select(OUTSIDE_ROOT, UNOPENED, is_close)", "OUTSIDE_ROOT"),
    ("json_rows", "is_close && is_of_brace != is_in_object", "false"),
    ("json_rows", "select(MISSING_KEY, MISSING_COMMA, is_after_value)", "MISSING_KEY"),
    // Rows.
    ("json_rows", "u32(byte < 0x60u)", "0u"),
    ("json_rows", "select(KIND_STRING, KIND_KEY, is_key)", "KIND_STRING"),
    ("json_rows", "select(UNEXPECTED_BYTE, VALID, is_number)", "VALID"),
    ("json_rows", "&& byte_at(position + 4u) == 0x65u", ""),
    ("json_rows", "&& !is_scalar_byte(byte_at(position + length))", ""),
    ("json_rows", "(low | high) == four", "low == (four & (0xffffffffu >> (8u * (position % 4u))))"),
    ("json_rows", "(u32(next_is_scalar) << 31u)", "0u"),
    ("json_rows", "if continues && ends != 0u", "if false && ends != 0u"),
    ("json_rows", "word_ends[word] & ~(bit - 1u)", "word_ends[word]"),
    ("json_rows", "pending.row < batch + STAGED", "pending.row < STAGED"),
    ("json_rows", "min(partitions.items[part].error, error)", "error"),
    ("json_report", "error % 32u", "error % 16u"),
    ("json_report", "first_error * PARTITION_BYTES + error / 32u", "error / 32u"),
    ("json_report", "spans[open].first", "0u"),
    ("json_report", "spans[n_rows - 1u].first", "0u"),
    ("json_report", "&& config.has_lines == 0u", ""),
];

/// The maximum length of a text in buffers for short ones, which take less time.
const SHORT: usize = 1000;

/// The maximum length of the other texts.
const LONG: usize = 1 << 17;

/// A text, how its roots are divided, and its result.
struct Input {
    text: Vec<u8>,
    roots: JsonRoots,
    expected: Result<Vec<Row>, Option<JsonError>>,
}

/// Texts that reveal the faults, the short ones first.
fn inputs() -> Vec<Input> {
    let mut texts: Vec<Vec<u8>> = test_suite::cases().into_iter().map(|case| case.text).collect();
    texts.retain(|text| text.len() < 2000);
    texts.extend(super::SMALL_TEXTS.iter().map(|text| text.as_bytes().to_vec()));
    texts.extend(super::texts_with_every_byte());
    for shift in [3, 30, 31] {
        texts.extend(super::texts_with_long_tokens(PARTITION + 5, shift));
    }
    // A malformed number that begins with a word, and continues through another one.
    texts.push(format!("{}[{}x]", " ".repeat(31), "1".repeat(32)).into_bytes());
    // An error in each of several partitions.
    texts.push(["[\"", &"\u{1}".repeat(5 * PARTITION)].concat().into_bytes());
    // A member whose value begins with a partition, and ends in the one after it.
    let key = format!("{}{{\"a\":", " ".repeat(PARTITION - 5));
    texts.push(format!("{key}\"{}\",\"b\":1}}", "x".repeat(PARTITION + 9)).into_bytes());
    for length in [1, 2, 31, 32, 33, 64, 65, PARTITION, PARTITION + 1] {
        for after in ["\"", "\\\"", "u00e9\""] {
            let run = "\\".repeat(length);
            texts.push(format!("[\"{run}{after},\"{after}]").into_bytes());
        }
    }
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let n_values = [30, 300, 1500][random.below(3)];
        let text = random_json(&mut random, n_values);
        texts.push(mutated(&text, &mut random));
        texts.push(text);
    }
    texts.extend(json_families().map(|family| family.generate(9 * PARTITION, 1)));
    texts.retain(|text| text.len() <= LONG);
    texts.sort_by_key(Vec::len);
    // Without a line break, lines differ from one root in the empty text alone.
    let is_tried =
        |text: &Vec<u8>, roots| roots == JsonRoots::One || text.is_empty() || text.contains(&b'\n');
    let of = |text: Vec<u8>| {
        let roots = [JsonRoots::One, JsonRoots::Lines].into_iter().filter(|roots| is_tried(&text, *roots));
        let input = |roots| Input { text: text.clone(), roots, expected: specified(&text, roots) };
        roots.map(input).collect::<Vec<_>>()
    };
    texts.into_iter().flat_map(of).collect()
}

/// Whether an input reveals a fault of a shader.
fn is_caught(broken: &Context, shader: &str, inputs: &[Input]) -> bool {
    let [mut short, mut long] =
        [SHORT, LONG].map(|n| [JsonRoots::One, JsonRoots::Lines].map(|roots| Stage::new(broken, n, roots)));
    let mut differs = |input: &Input| {
        let stages = if input.text.len() <= SHORT { &mut short } else { &mut long };
        stages[usize::from(input.roots == JsonRoots::Lines)].run(&input.text) != input.expected
    };
    inputs.iter().any(&mut differs)
        || ["json_start_groups", "json_start", "json_count_groups", "json_count"].contains(&shader)
            && long_text_differs(broken)
}

/// Texts of several groups of partitions.
fn long_text_differs(broken: &Context) -> bool {
    let mut stage = Stage::new(broken, 2 * GROUP + 9 * PARTITION, JsonRoots::One);
    let family = json_families().into_iter().find(|family| family.name == "long strings").expect("it exists");
    let strings = family.generate(2 * GROUP + 8 * PARTITION, 1);
    // A comma is missing between two values, with a bracket before them. They are in different
    // partitions, and the last one is in the last group.
    let mut far = vec![b' '; 2 * GROUP + 100];
    for (at, byte) in [(0, b'['), (500 * PARTITION, b'1'), (2 * GROUP + 50, b'2'), (2 * GROUP + 60, b']')] {
        far[at] = byte;
    }
    // A string begins in the third partition, and ends in the second group.
    let mut string = vec![b' '; GROUP + 100];
    for (at, byte) in [(0, b'['), (2 * PARTITION + 9, b'"'), (GROUP + 50, b'"'), (GROUP + 60, b']')] {
        string[at] = byte;
    }
    [&strings[..], &far, &string, &strings[..GROUP + 5]]
        .into_iter()
        .any(|text| stage.difference(text).is_some())
}

#[test]
fn every_shader_has_a_planted_fault() {
    for shader in boxwood_shaders::all().into_iter().filter(|shader| shader.name.starts_with("json_")) {
        assert!(FAULTS.iter().any(|fault| fault.0 == shader.name), "{} has no fault", shader.name);
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn planted_faults_are_caught() {
    let inputs = inputs();
    let unbroken = Context::new(&gpu().device).with_changes(bounded_source);
    assert!(!is_caught(&unbroken, "json_start", &inputs), "the shaders pass without a fault");
    assert_all_caught(
        FAULTS,
        |source| unbroken.with_changes(source),
        |broken, shader| is_caught(broken, shader, &inputs),
    );
}
