//! The matcher with look-back relies on no workgroup's progress, and its back links lead where they should.

use boxwood::tree::{Matcher, Matchers};
use boxwood_tests::{families, gpu};

use crate::matchers::{Input, begins, difference, run, upload};

/// Entries a partition.
const P: usize = 8192;

type Edit = (&'static str, &'static str);

/// How a partition makes its sum known.
const PUBLISH: &str = "    if local == 0u {\n        publish_aggregate(part);\n    }\n    var mask_before";

/// How it answers a sum that does not appear.
const RECOMPUTE: &str = "recompute_aggregate(look.end - 1u, local);";

const NEVER: Edit = (PUBLISH, "    var mask_before");
const EVERY_THIRD_NEVER: Edit = (
    PUBLISH,
    "    if local == 0u && part % 3u != 1u {\n        publish_aggregate(part);\n    }\n    var mask_before",
);
/// After everything else that the workgroup does.
const AT_THE_END: [Edit; 3] = [
    NEVER,
    (
        "build_packed_tree(local, pack_bic(own.a,",
        "let sum = pack_bic(own.a, countOneBits(own.mask));\n    build_packed_tree(local, pack_bic(own.a,",
    ),
    (
        "        workgroupBarrier();\n    }\n}\n\u{0}",
        "        workgroupBarrier();\n    }\n    build_packed_tree(local, sum);\n    if local == 0u {\n        publish_aggregate(part);\n    }\n}\n",
    ),
];
/// Seen by the others as if the workgroups had not come that far.
const NO_LINKS: [Edit; 2] = [
    ("atomicMax(&back_links[part], PUBLISHED | (source << SLOT_BITS) | (bic.b - n_missing));", ""),
    ("atomicMax(&back_links[part], BOTTOM);", ""),
];
/// As few partitions a look that short inputs take several.
const SMALL_WINDOW: Edit = ("const WINDOW = WORKGROUP_SIZE", "const WINDOW = 3u");

/// The shader with these edits. `\0` stands for its end.
fn edited(edits: &[Edit]) -> Matchers {
    let mut source = boxwood_shaders::papers::MATCHER_LOOK_BACK.source.to_owned() + "\0";
    for (from, to) in edits {
        assert_eq!(source.matches(from).count(), 1, "the shader has `{from}` once");
        source = source.replace(from, to);
    }
    let source = source.trim_end_matches('\0');
    Matchers::with_sources(&gpu().device, |shader| {
        if shader.name == boxwood_shaders::papers::MATCHER_LOOK_BACK.name {
            source.to_owned()
        } else {
            shader.source.to_owned()
        }
    })
}

/// Every family, and lengths of several and of many partitions.
fn inputs() -> Vec<(String, Input)> {
    let lengths = [P + 1, 5 * P, 20 * P + 99];
    let input = |family: boxwood_tests::Family, n| {
        (format!("{family:?}"), Input::new(begins(&family.generate(n, n as u64))))
    };
    let mut inputs: Vec<_> = lengths
        .into_iter()
        .flat_map(|n| families().into_iter().map(move |family| input(family, n)))
        .collect();
    // Of each of many partitions two begins stay open, and one closes them all.
    let chain = ("()".repeat(P / 2 - 1) + "((").repeat(18) + &")".repeat(P + P / 2);
    inputs.push(("chain over partitions".to_owned(), Input::new(begins(&chain))));
    inputs
}

fn first_difference(matchers: &Matchers, inputs: &[(String, Input)]) -> Option<String> {
    inputs.iter().find_map(|(name, input)| {
        difference(matchers, Matcher::LookBack, input).map(|difference| format!("{name}: {difference}"))
    })
}

#[test]
fn stalled_partitions_are_recomputed() {
    let inputs = inputs();
    let stalls: [(&str, Vec<Edit>); 6] = [
        ("some partitions never publish", vec![EVERY_THIRD_NEVER]),
        ("no partition publishes", vec![NEVER]),
        ("partitions publish after they are done", AT_THE_END.to_vec()),
        ("no partition publishes a link", NO_LINKS.to_vec()),
        ("no partition publishes anything", [&[NEVER][..], &NO_LINKS].concat()),
        ("in small windows, some partitions never publish", vec![EVERY_THIRD_NEVER, SMALL_WINDOW]),
    ];
    for (stall, edits) in stalls {
        if let Some(difference) = first_difference(&edited(&edits), &inputs) {
            panic!("{stall}: {difference}");
        }
    }
}

/// The stalls of the test above are stalls: where nobody recomputes a sum, or recomputes it badly, they show.
#[test]
fn without_recomputation_stalls_show() {
    let inputs = inputs();
    for stall in [&[EVERY_THIRD_NEVER][..], &[NEVER]] {
        for fault in [
            (RECOMPUTE, "break;"),
            (RECOMPUTE, "look.end -= 1u;"),
            (RECOMPUTE, "recompute_aggregate(part, local);\n                break;"),
            (RECOMPUTE, "if local == 0u {\n atomicMax(&aggregates[look.end - 1u], PUBLISHED);\n}"),
            ("begin_bits[part * WORKGROUP_SIZE + local]", "begin_bits[local]"),
        ] {
            let found = first_difference(&edited(&[stall, &[fault]].concat()), &inputs);
            assert!(found.is_some(), "nothing shows `{}` as `{}`", fault.0, fault.1);
        }
    }
}

#[test]
fn back_links_lead_on() {
    let inputs = inputs();
    assert_eq!(first_difference(&edited(&[SMALL_WINDOW]), &inputs), None);
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
        let mut edits = vec![SMALL_WINDOW, fault];
        // What is done without a link shows where there is none.
        if fault.0.starts_with("Look(last") {
            edits.extend(NO_LINKS);
        }
        let found = first_difference(&edited(&edits), &inputs);
        assert!(found.is_some(), "nothing shows `{}` as `{}`", fault.0, fault.1);
    }
}

/// Whatever the order in which workgroups come to run; the buffers are used again and again.
#[test]
fn a_hundred_runs_are_alike() {
    for matchers in [Matchers::new(&gpu().device), edited(&[EVERY_THIRD_NEVER, SMALL_WINDOW])] {
        for name in ["random walk", "begins then ends"] {
            let family = families().into_iter().find(|f| f.name == name).expect("there is such a family");
            for n in [20_000, 300_000] {
                let Input { begins, expected } = Input::new(begins(&family.generate(n, 1)));
                let buffers = upload(&matchers, Matcher::LookBack, &begins);
                for round in 0..100 {
                    assert!(run(&buffers) == expected, "{name}, n = {n}, run {round}");
                }
            }
        }
    }
}
