//! The matcher with look-back does not rely on the progress of any workgroup, and follows its back
//! links.

use boxwood::Context;
use boxwood::tree::Matcher;
use boxwood_tests::{bounded_source, changed_source, families, gpu, sampled};

use super::matchers::{Input, buffers_of, difference, run};
use super::{begins, family};

/// Entries per partition.
const P: usize = 8192;

type Edit = (&'static str, &'static str);

/// The code in `main` that publishes the aggregate of the workgroup.
const PUBLISH: &str = "    if local == 0u {\n        publish_aggregate(part);\n    }\n    var mask_before";

/// The code that handles an aggregate that does not appear.
const RECOMPUTE: &str = "recompute_aggregate(look.end - 1u, local);";

const NEVER_PUBLISH: Edit = (PUBLISH, "    var mask_before");
const EVERY_THIRD_DOES_NOT_PUBLISH: Edit = (
    PUBLISH,
    "    if local == 0u && part % 3u != 1u {\n        publish_aggregate(part);\n    }\n    var mask_before",
);
/// Publishes the aggregate after everything else that the workgroup does.
const PUBLISH_LAST: [Edit; 3] = [
    NEVER_PUBLISH,
    (
        "build_level_tree(local, pack_bic(own.a,",
        "let sum = pack_bic(own.a, countOneBits(own.mask));\n    build_level_tree(local, pack_bic(own.a,",
    ),
    (
        "staged[at + 3u]);\n            }\n        }\n        workgroupBarrier();\n    }\n",
        "staged[at + 3u]);\n            }\n        }\n        workgroupBarrier();\n    }\n    build_level_tree(local, sum);\n    if local == 0u {\n        publish_aggregate(part);\n    }\n",
    ),
];
/// Publishes no back links. To the others, it is as if the workgroups had not come that far.
const NO_LINKS: [Edit; 2] =
    [("atomicMax(&back_links[part], PUBLISHED | place);", ""), ("atomicMax(&back_links[part], BOTTOM);", "")];
/// Makes batches so small that the look-back of a short input needs several.
const SMALL_BATCHES: Edit = ("const BATCH = WORKGROUP_SIZE", "const BATCH = 3u");

/// The matchers with these edits in the shader.
fn edited(edits: &[Edit]) -> Context {
    let shader = &boxwood_shaders::papers::MATCHER_LOOK_BACK;
    for (from, _) in edits {
        assert_eq!(shader.source.matches(from).count(), 1, "the shader contains `{from}` once");
    }
    let source_of = |other: &boxwood_shaders::Shader| {
        if other.name == shader.name { changed_source(shader, edits) } else { bounded_source(other) }
    };
    Context::new(&gpu().device).with_changes(source_of)
}

/// Every family, with few and with many partitions.
fn inputs() -> Vec<(String, Input)> {
    let lengths = [P + 1, 5 * P, 20 * P + 99];
    let input = |family: boxwood_tests::Family, n| {
        (format!("{family:?}"), Input::new(begins(&family.generate(n, n as u64))))
    };
    let mut inputs: Vec<_> = lengths
        .into_iter()
        .flat_map(|n| families().into_iter().map(move |family| input(family, n)))
        .collect();
    // Many partitions each leave two begins open, and one partition closes them all.
    let chain = ("()".repeat(P / 2 - 1) + "((").repeat(18) + &")".repeat(P + P / 2);
    inputs.push(("chain over partitions".to_owned(), Input::new(begins(&chain))));
    inputs
}

fn first_difference(context: &Context, inputs: &[(String, Input)]) -> Option<String> {
    inputs.iter().find_map(|(name, input)| {
        difference(context, Matcher::LookBack, input).map(|difference| format!("{name}: {difference}"))
    })
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn aggregates_of_stalled_workgroups_are_recomputed() {
    let inputs = inputs();
    let stalls: [(&str, Vec<Edit>); 6] = [
        ("some workgroups never publish", vec![EVERY_THIRD_DOES_NOT_PUBLISH]),
        ("no workgroup publishes", vec![NEVER_PUBLISH]),
        ("workgroups publish last", PUBLISH_LAST.to_vec()),
        ("no workgroup publishes a link", NO_LINKS.to_vec()),
        ("no workgroup publishes anything", [&[NEVER_PUBLISH][..], &NO_LINKS].concat()),
        (
            "some workgroups never publish, in small batches",
            vec![EVERY_THIRD_DOES_NOT_PUBLISH, SMALL_BATCHES],
        ),
    ];
    for (stall, edits) in stalls {
        if let Some(difference) = first_difference(&edited(&edits), &inputs) {
            panic!("{stall}: {difference}");
        }
    }
}

/// The stalls of the test above are effective: with no recomputation, or a wrong one, results
/// differ.
#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn wrong_recomputations_are_caught() {
    let inputs = inputs();
    for stall in [&[EVERY_THIRD_DOES_NOT_PUBLISH][..], &[NEVER_PUBLISH]] {
        for fault in [
            (RECOMPUTE, "break;"),
            (RECOMPUTE, "look.end -= 1u;"),
            (RECOMPUTE, "recompute_aggregate(part, local);\n                break;"),
            (RECOMPUTE, "if local == 0u {\n atomicMax(&aggregates[look.end - 1u], PUBLISHED);\n}"),
            ("begin_bits[part * WORKGROUP_SIZE + local]", "begin_bits[local]"),
        ] {
            let found = first_difference(&edited(&[stall, &[fault]].concat()), &inputs);
            assert!(found.is_some(), "no input reveals `{}` as `{}`", fault.0, fault.1);
        }
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn back_links_are_followed() {
    let inputs = inputs();
    assert_eq!(first_difference(&edited(&[SMALL_BATCHES]), &inputs), None);
    let faults = [
        ("(bic.b - n_missing)", "0u"),
        ("look.n_found + open_from(index) - 1u", "open_from(index) - 1u"),
        ("(source << SLOT_BITS)", "((source / 2u) << SLOT_BITS)"),
        ("link == BOTTOM", "false"),
        ("next.end = (place >> SLOT_BITS) + 1u", "next.end = place >> SLOT_BITS"),
        ("next.n_open = (place & ((1u << SLOT_BITS) - 1u)) + 1u", "next.n_open = PARTITION_LENGTH"),
        ("next.n_ends = bic.a - own.a", "next.n_ends = bic.a"),
        ("Look(last, PARTITION_LENGTH, bic.a,", "Look(last, PARTITION_LENGTH, 0u,"),
    ];
    for fault in faults {
        let mut edits = vec![SMALL_BATCHES, fault];
        // Without links, every look-back takes the path that this fault breaks.
        if fault.0.starts_with("Look(last") {
            edits.extend(NO_LINKS);
        }
        let found = first_difference(&edited(&edits), &inputs);
        assert!(found.is_some(), "no input reveals `{}` as `{}`", fault.0, fault.1);
    }
}

/// The results depend neither on the order in which workgroups run, nor on the words that an
/// earlier run has published.
#[test]
fn a_hundred_runs_agree() {
    let mut contexts = vec![Context::new(&gpu().device)];
    // Tint refuses the edited shader: it has barriers in loops with a limit.
    if cfg!(not(target_arch = "wasm32")) {
        contexts.push(edited(&[EVERY_THIRD_DOES_NOT_PUBLISH, SMALL_BATCHES]));
    }
    for context in contexts {
        for name in ["random walk", "begins then ends"] {
            for n in [20_000, 300_000] {
                let Input { begins, expected } = Input::new(begins(&family(name).generate(n, 1)));
                let buffers = buffers_of(&context, Matcher::LookBack, &begins);
                for round in sampled(0..100) {
                    assert!(run(&buffers) == expected, "{name}, n = {n}, run {round}");
                }
            }
        }
    }
}
