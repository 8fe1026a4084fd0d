//! Faults in the shaders of stage *pairs* are noticed.

use boxwood::Aabb;
use boxwood::Context;
use boxwood_tests::{Fault, assert_all_caught, bounded_source, gpu};

use super::{
    difference, difference_after_more_boxes, difference_in_long_chunks, difference_of_too_many_candidates,
    family,
};

/// Planted faults: a shader, a text in it, and the text that replaces each occurrence.
pub(in super::super) const FAULTS: &[Fault] = &[
    ("pairs_keys", "is_empty(box));", "false);"),
    ("pairs_keys", "bits | vec4(0x80000000u)", "bits"),
    ("pairs_keys", "~bits", "bits"),
    ("pairs_keys", "= keys.y", "= keys.x"),
    ("pairs_keys", "if item < n", "if item + 1u < n"),
    ("pairs_keys", "a.x >= a.z", "a.x > a.z"),
    ("pairs_candidates", "coordinate_keys(box).z", "coordinate_keys(box).w"),
    ("pairs_candidates", "- place - 1u", "- place"),
    ("pairs_candidates", "max(bound_of(end, n), place + 1u)", "bound_of(end, n)"),
    ("pairs_candidates", "key < query", "key <= query"),
    ("pairs_candidates", "length -= half", "length = half"),
    ("pairs_candidates", "place >= n", "place + 1u >= n"),
    ("pairs_candidates_along_y", "coordinate_keys(box).w", "coordinate_keys(box).z"),
    ("pairs_choose", "y_sums[n] < x_sums[n]", "y_sums[n] <= x_sums[n]"),
    ("pairs_choose", "y_sums[n] < x_sums[n]", "false"),
    ("pairs_choose", "if place > n", "if place >= n"),
    ("pairs_choose", "ends.yw, ends.xz", "ends.xz, ends.yw"),
    ("pairs_choose", "sum = y_sums[place]", "sum = x_sums[place]"),
    ("pairs_choose", "item = y_order[place]", "item = x_order[place]"),
    ("pairs_sweep_count", "u32(n_candidates % OUTPUTS_PER_PARTITION != 0u)", "0u"),
    ("pairs_sweep_count", "u32(n_partitions % config.n_chunks != 0u)", "0u"),
    ("pairs_sweep_count", "chunk * n_per_chunk", "chunk"),
    ("pairs_sweep_count", "local <= last", "local < last"),
    ("pairs_sweep_count", "owner + 1u + candidate", "owner + candidate"),
    ("pairs_sweep_count", "other.y) <", "other.y) <="),
    ("pairs_sweep_count", "max(own.y, other.y)", "own.y"),
    ("pairs_sweep_count", "is_pair_of(owners[7u], others[7u])", "is_pair_of(owners[7u], others[6u])"),
    ("pairs_sweep_count", "n_own += u32(is_pair)", "n_own = u32(is_pair)"),
    ("pairs_sweep_count", "0xffffffffu, atomicLoad", "0u, atomicLoad"),
    ("pairs_sweep_list", "first_pair == pair_sums[chunk + 1u]", "first_pair == 0u"),
    ("pairs_sweep_list", "n_before = first_pair", "n_before = 0u"),
    ("pairs_sweep_list", "atomicStore(&pair_bits[local], 0u)", "atomicStore(&pair_bits[local], 1u)"),
    ("pairs_sweep_list", "~(own_bit - 1u)", "~own_bit"),
    ("pairs_sweep_list", "vec2(min(items.x, items.y), max(items.x, items.y))", "items"),
    ("pairs_sweep_list", "n_before + prefix_sums[WORKGROUP_SIZE - 1u]", "n_before"),
    (
        "pairs_sweep_list",
        "atomicOr(&pair_bits[(5u * WORKGROUP_SIZE",
        "atomicOr(&pair_bits[(4u * WORKGROUP_SIZE",
    ),
    ("pairs_tree_count", "span.y > own_item", "span.y >= own_item"),
    ("pairs_tree_count", "span.y > own_item", "span.x > own_item"),
    ("pairs_tree_count", "max(box.xy, own_box.xy) <", "max(box.xy, own_box.xy) <="),
    ("pairs_tree_count", "spans.zw, slot % 2u == 1u", "spans.zw, false"),
    ("pairs_tree_count", "answer = 0u", "answer = 1u"),
    ("pairs_tree_count", "tree.first_leaf + leaf", "tree.first_leaf + leaf / 2u"),
    ("pairs_tree_count", "leaf >= n_items()", "leaf + 1u >= n_items()"),
    ("pairs_tree_list", "pair_sums[leaf];", "pair_sums[0u];"),
    ("pairs_tree_list", "vec2(own_item, span.y)", "vec2(span.y, own_item)"),
    ("pairs_tree_list", "answer += 1u;", ""),
    ("pairs_tree_list", "return answer >= config.output_capacity", "return true"),
];

/// Boxes for which the sweep along x is better, or as good, and others that are none.
fn inputs_for_x() -> Vec<Vec<Aabb>> {
    let aabb = |x0, y0, x1, y1| Aabb { x0, y0, x1, y1 };
    // Both axes have as many candidates, in different orders.
    let staircase = [4.0, 3.0, 2.0, 1.0, 0.0].map(|i| aabb(4.0 - i, i, 5.5 - i, i + 1.5)).to_vec();
    // The first box is at the end of the curve, so that the last leaf has a pair.
    let corner = vec![aabb(99.0, 0.0, 100.0, 1.0), aabb(0.0, 0.0, 100.0, 100.0)];
    // Inverted boxes, and one without a width.
    let none = [aabb(9.0, 0.0, 1.0, 10.0), aabb(0.0, 9.0, 9.0, 1.0), aabb(5.0, 0.0, 5.0, 10.0)];
    let row_of = |boxes: Vec<Aabb>| {
        let flat = |aabb: Aabb| Aabb { y0: aabb.y0.min(0.0), y1: aabb.y1.max(9.0), ..aabb };
        boxes.into_iter().map(|aabb| if aabb.is_empty() { aabb } else { flat(aabb) }).collect()
    };
    let small = [("row", 300), ("limits of f32", 100), ("identical boxes", 65), ("touching tiles", 300)];
    let small = small.map(|(name, n)| family(name, n));
    let rows = [row_of(family("every ninth empty", 300)), row_of([corner.clone(), none.to_vec()].concat())];
    [staircase, corner].into_iter().chain(rows).chain(small).collect()
}

/// The same, and the same with the axes exchanged.
fn inputs() -> Vec<Vec<Aabb>> {
    let exchanged = |aabb: &Aabb| Aabb { x0: aabb.y0, y0: aabb.x0, x1: aabb.y1, y1: aabb.x1 };
    let inputs = inputs_for_x();
    let for_y: Vec<Vec<Aabb>> = inputs.iter().map(|boxes| boxes.iter().map(exchanged).collect()).collect();
    [inputs, for_y, vec![family("windows", 700)]].concat()
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn planted_faults_are_caught() {
    let unbroken = Context::new(&gpu().device).with_changes(bounded_source);
    let inputs = inputs();
    let first_difference = |context: &Context, shader: &str| {
        let found = inputs.iter().find_map(|boxes| difference(context, boxes));
        let found = found.or_else(|| difference_after_more_boxes(context));
        let is_sweep = shader.starts_with("pairs_sweep");
        let found = found.or_else(|| is_sweep.then(|| difference_of_too_many_candidates(context)).flatten());
        found.or_else(|| is_sweep.then(|| difference_in_long_chunks(context)).flatten())
    };
    assert_eq!(first_difference(&unbroken, "pairs_sweep"), None);
    assert_all_caught(
        FAULTS,
        |source| unbroken.with_changes(source),
        |broken, shader| first_difference(broken, shader).is_some(),
    );
}
