//! The suite can fail: each stage is broken on purpose, and each time some scene tells.

use boxwood::Pipelines;
use boxwood_shaders::SHADERS;
use boxwood_tests::{
    Boxes, elements, families, first_difference, gpu, gpu_boxes_with, nest_clipped_outermost,
};

/// A fault: in this shader, this text becomes that text.
struct Mutation {
    shader: &'static str,
    from: &'static str,
    to: &'static str,
}

const MUTATIONS: &[Mutation] = &[
    Mutation { shader: "compact_reduce", from: "|| tag == TAG_END", to: "" },
    Mutation { shader: "compact_reduce", from: "stride > 0u", to: "stride > 1u" },
    Mutation {
        shader: "compact_scan",
        from: "var nodes_before = sum - run_sum",
        to: "var nodes_before = sum",
    },
    Mutation { shader: "compact_scan", from: "nodes_before += count", to: "nodes_before = count" },
    Mutation { shader: "compact_scatter", from: "+ count - u32(is_node)", to: "+ count" },
    Mutation { shader: "compact_scatter", from: "partition_nodes[part] + count", to: "count" },
    Mutation { shader: "compact_scatter", from: "tag == TAG_BEGIN)", to: "tag == TAG_END)" },
    Mutation {
        shader: "match_reduce",
        from: "ends_after = suffix_bics[local + 1u].a",
        to: "ends_after = suffix_bics[local + 1u].b",
    },
    Mutation { shader: "match_reduce", from: "partition_bic.b - bic.b] = index", to: "bic.b - 1u] = index" },
    Mutation { shader: "match_reduce", from: "bic = bic_then(bic, after)", to: "bic = bic_then(after, bic)" },
    Mutation { shader: "match_reduce", from: "links[index] = NodeLink(-1, -1)", to: "" },
    Mutation { shader: "match_leaf", from: "i -= 1u << level", to: "i -= 1u" },
    Mutation { shader: "match_leaf", from: "if q.b == 0u", to: "if q.b <= 1u" },
    Mutation {
        shader: "match_leaf",
        from: "level <= LG_WORKGROUP_SIZE; level++",
        to: "level < LG_WORKGROUP_SIZE - 1u; level++",
    },
    Mutation { shader: "match_leaf", from: "- 1u - after.a", to: "- 1u" },
    Mutation { shader: "match_leaf", from: "(depth - after.b)", to: "depth" },
    Mutation {
        shader: "match_leaf",
        from: "search_top(local, Bic(1u, 0u))",
        to: "search_top(local, Bic(0u, 0u))",
    },
    Mutation { shader: "match_leaf", from: "links[top].partner = i32(index)", to: "" },
    Mutation { shader: "clip_reduce", from: "box = meet(below, box)", to: "" },
    Mutation { shader: "clip_reduce", from: "stride < WORKGROUP_SIZE", to: "stride < WORKGROUP_SIZE / 2u" },
    Mutation { shader: "clip_leaf", from: "entry_box = meet(below, entry_box)", to: "" },
    Mutation { shader: "clip_leaf", from: "n_slice - n_closed - 1u", to: "n_slice - 1u" },
    Mutation { shader: "clip_leaf", from: "round < LG_WORKGROUP_SIZE", to: "round < LG_WORKGROUP_SIZE - 2u" },
    Mutation { shader: "clip_leaf", from: "box = meet(entry_boxes[source - 1u], box)", to: "" },
    Mutation { shader: "clip_leaf", from: "= canonical(box)", to: "= box" },
    Mutation { shader: "clip_leaf", from: "run_boxes[index] = ordered_from_f32(EMPTY)", to: "" },
    Mutation { shader: "clip_elements", from: "box = canonical(box)", to: "" },
    Mutation { shader: "clip_elements", from: "clip_boxes[place - 1u]", to: "clip_boxes[0]" },
    Mutation { shader: "clip_elements", from: "joined_places[local - stride] == place", to: "true" },
    Mutation { shader: "clip_elements", from: "atomicMin(&run_boxes[run + 1u], key.y)", to: "" },
    Mutation { shader: "clip_elements", from: "bits ^ vec4(0x7fffffff)", to: "bits" },
    Mutation { shader: "union_reduce", from: "box = join(box, after)", to: "" },
    Mutation { shader: "union_reduce", from: "stride < WORKGROUP_SIZE", to: "stride < WORKGROUP_SIZE / 2u" },
    Mutation { shader: "union_leaf", from: "range_union(PARTITIONS, source + 1u, part)", to: "EMPTY" },
    Mutation { shader: "union_leaf", from: "range_union(PARTITIONS, part + 1u, n_partitions)", to: "EMPTY" },
    Mutation { shader: "union_leaf", from: "range_union(ENTRIES, 0u, local)", to: "EMPTY" },
    Mutation {
        shader: "union_leaf",
        from: "begin % WORKGROUP_SIZE, local)",
        to: "begin % WORKGROUP_SIZE + 1u, local)",
    },
    Mutation { shader: "union_leaf", from: "group_boxes[begin] = box", to: "" },
];

#[test]
fn every_stage_has_a_fault_in_the_list() {
    for dispatch in boxwood::stage::STAGES.iter().flat_map(|stage| stage.dispatches) {
        let name = dispatch.shader.name;
        assert!(MUTATIONS.iter().any(|m| m.shader == name), "{name} is never broken");
    }
}

#[test]
fn every_fault_is_caught() {
    let mut scenes = Vec::new();
    for family in families() {
        scenes.push(elements(&family.generate(5 * 256 + 7, 1), Boxes::Large, 1));
        scenes.push(elements(&family.generate(3 * 256, 2), Boxes::Odd, 2));
    }
    scenes.push(elements(&families()[3].generate(70_000, 1), Boxes::Large, 1));
    scenes.extend([100, 700].map(nest_clipped_outermost));
    let expected: Vec<_> = scenes.iter().map(boxwood_cpu::boxes).collect();
    let is_caught = |pipelines: &Pipelines| {
        let mut runs = scenes.iter().zip(&expected);
        runs.any(|(scene, expected)| first_difference(expected, &gpu_boxes_with(pipelines, scene)).is_some())
    };
    assert!(!is_caught(boxwood_tests::pipelines()), "the shaders as they are pass");

    let mut survivors = Vec::new();
    for Mutation { shader, from, to } in MUTATIONS {
        let original = SHADERS.all().into_iter().find(|s| s.name == *shader).expect("it is in the table");
        assert!(original.source.contains(from), "{shader}.wgsl no longer has `{from}`");
        let broken = Pipelines::with_sources(&gpu().device, |s| {
            if s.name == *shader { s.source.replacen(from, to, 1) } else { s.source.to_owned() }
        });
        if !is_caught(&broken) {
            survivors.push(format!("{shader}: `{from}` as `{to}`"));
        }
    }
    assert!(survivors.is_empty(), "faults that no scene shows:\n{}", survivors.join("\n"));
}
