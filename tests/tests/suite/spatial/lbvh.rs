//! The binary tree over boxes equals that of the specification.

use boxwood::Context;
use boxwood::spatial::{Index, Items, Lbvh, LbvhLinks, Order, SpatialError};
use boxwood_cpu::Aabb;
use boxwood_cpu::specification::spatial::{self as cpu, LbvhNode, curve_keys, key_bits};
use boxwood_tests::{
    BoxFamily, Fault, assert_all_caught, bounded_source, box_families, box_family, gpu, sampled,
};

use super::{buffer, read, record};

/// What differs from the specification, if anything does, for the first `n` boxes.
fn difference(context: &Context, boxes: &[Aabb], order: Order, n: usize) -> Option<String> {
    let capacity = u32::try_from(boxes.len()).expect("it is small");
    let input = buffer(boxes);
    let index = Index::new(context, Items::new(&input, capacity), order).expect("it is within the limits");
    index.set_count(&gpu().queue, u32::try_from(n).expect("it is small")).expect("it is within the capacity");
    let lbvh = Lbvh::new(context, &index).expect("it is within the limits");
    record(|pass| index.record(pass));
    record(|pass| lbvh.record(pass));

    let bits = key_bits(boxes.len());
    let keys = curve_keys(&boxes[..n], order, bits);
    let permutation = cpu::Index::new(&boxes[..n], order, bits).permutation;
    let sorted_keys: Vec<u32> = permutation.iter().map(|item| keys[*item as usize]).collect();
    let sorted_boxes: Vec<Aabb> = permutation.iter().map(|item| boxes[*item as usize]).collect();
    let expected = cpu::Lbvh::new(&sorted_keys, &sorted_boxes);
    let n_nodes = n.saturating_sub(1);
    let links: Vec<LbvhLinks> = read(lbvh.links(), n_nodes);
    let node_boxes: Vec<Aabb> = read(lbvh.boxes(), n_nodes);
    let node = |(place, (links, aabb)): (u32, (&LbvhLinks, &Aabb))| {
        let LbvhLinks { children, rope, other_end } = *links;
        LbvhNode { range: [place.min(other_end), place.max(other_end)], children, rope, aabb: *aabb }
    };
    let nodes: Vec<LbvhNode> = (0..).zip(links.iter().zip(&node_boxes)).map(node).collect();
    if let Some(at) = (0..n_nodes).find(|at| nodes[*at] != expected.nodes[*at]) {
        return Some(format!("n = {n}, node {at}: {:?}, {:?} expected", nodes[at], expected.nodes[at]));
    }
    let is_same = read::<u32>(lbvh.leaf_ropes(), n) == expected.leaf_ropes;
    (!is_same).then(|| format!("n = {n}: the ropes of the leaves"))
}

fn first_difference(context: &Context, families: &[BoxFamily], sizes: &[usize]) -> Option<String> {
    let inputs = families.iter().flat_map(|family| sizes.iter().map(move |n| (family, *n)));
    inputs.into_iter().find_map(|(family, n)| {
        let boxes = family.generate(n, 6);
        [Order::Morton, Order::Hilbert].into_iter().find_map(|order| {
            let found = difference(context, &boxes, order, n);
            found.map(|found| format!("{family:?}, {order:?}, {found}"))
        })
    })
}

/// What differs for a few boxes in buffers for so many that all 32 bits of the keys count.
fn difference_for_long_keys(context: &Context) -> Option<String> {
    let boxes = family("small boxes").generate((1 << 20) + 1, 1);
    [2, 3, 33].into_iter().find_map(|n| difference(context, &boxes, Order::Hilbert, n))
}

#[test]
fn keys_can_differ_in_the_first_bit() {
    assert_eq!(difference_for_long_keys(&Context::new(&gpu().device)), None);
}

fn family(name: &str) -> BoxFamily {
    box_family(name).expect("there is such a family")
}

#[test]
fn the_binary_tree_is_right_at_every_border() {
    let context = Context::new(&gpu().device);
    let sizes =
        [0, 1, 2, 3, 4, 5, 15, 16, 17, 63, 64, 65, 255, 256, 257, 1023, 1024, 1025, 4097, 20_000, 70_001];
    let families = ["small boxes", "nested panels", "few centers"].map(family);
    assert_eq!(first_difference(&context, &families, &sizes), None);
}

#[test]
fn the_binary_tree_is_right_for_every_family() {
    let context = Context::new(&gpu().device);
    assert_eq!(
        first_difference(&context, &sampled(box_families()).collect::<Vec<_>>(), &[2, 33, 700, 2500]),
        None
    );
}

#[test]
fn a_few_boxes_in_large_buffers_have_a_tree_of_their_own() {
    let context = Context::new(&gpu().device);
    let boxes = family("windows").generate(3000, 1);
    for n in [0, 1, 2, 700, 2999] {
        assert_eq!(difference(&context, &boxes, Order::Hilbert, n), None);
    }
}

#[test]
fn leaves_in_paint_order_have_no_keys() {
    let context = Context::new(&gpu().device);
    let input = buffer(&[Aabb::PLANE]);
    let index = Index::new(&context, Items::new(&input, 1), Order::Paint).expect("it is within the limits");
    let lbvh = Lbvh::new(&context, &index);
    assert_eq!(lbvh.expect_err("it has no keys"), SpatialError::PaintOrder);
}

/// Planted faults: a shader, a text in it, and the text that replaces each occurrence.
pub(super) const FAULTS: &[Fault] = &[
    ("lbvh_nodes", "32 + i32(countLeadingZeros(u32(i ^ j)))", "32"),
    ("lbvh_nodes", "j < 0 || j >= n", "j < 0"),
    ("lbvh_nodes", "return -1;", "return 0;"),
    ("lbvh_nodes", "last + 1 >= n", "last >= n"),
    ("lbvh_nodes", "< common_bits(last + 1, last + 2, n)", "> common_bits(last + 1, last + 2, n)"),
    ("lbvh_nodes", "u32(last + 1) | LEAF, u32(last + 1)", "u32(last + 1), u32(last + 1)"),
    ("lbvh_nodes", "end >>= 2u", "end >>= 1u"),
    ("lbvh_nodes", "if begin < end {", "if true {"),
    ("lbvh_nodes", "height < tree.height && ", "height + 1u < tree.height && "),
    ("lbvh_nodes", "end -= 1u;", ""),
    ("lbvh_nodes", "common_bits(i, i + 1, n) > common_bits(i, i - 1, n)", "true"),
    ("lbvh_nodes", "i - direction", "i + direction"),
    ("lbvh_nodes", "length_bound *= 2", "length_bound += 2"),
    ("lbvh_nodes", "var step = length_bound / 2; step >= 1", "var step = length_bound / 2; step > 1"),
    ("lbvh_nodes", "> n_common", ">= n_common"),
    ("lbvh_nodes", "+ min(direction, 0)", ""),
    ("lbvh_nodes", "left == first)", "false)"),
    ("lbvh_nodes", "left + 1 == last)", "left == last)"),
    ("lbvh_nodes", "rope_after(last, n)", "rope_after(i, n)"),
];

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn planted_faults_are_caught() {
    let unbroken = Context::new(&gpu().device).with_changes(bounded_source);
    let families = ["small boxes", "every ninth empty", "few centers", "identical boxes"].map(family);
    let sizes = [1, 2, 3, 17, 33, 257, 1500];
    assert_eq!(first_difference(&unbroken, &families, &sizes), None);
    assert_all_caught(
        FAULTS,
        |source| unbroken.with_changes(source),
        |broken, _| {
            let boxes = family("windows").generate(2000, 1);
            first_difference(broken, &families, &sizes)
                .or_else(|| difference(broken, &boxes, Order::Hilbert, 900))
                .or_else(|| difference_for_long_keys(broken))
                .is_some()
        },
    );
}
