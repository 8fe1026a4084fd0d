//! The tree over boxes equals that of the specification.

use boxwood::Context;
use boxwood::spatial::{Count, Index, Items, Order, SpatialError};
use boxwood_cpu::Aabb;
use boxwood_cpu::specification::spatial::{self as cpu, IndexNode, curve_keys, key_bits, union_of};
use boxwood_tests::{
    BoxFamily, Fault, assert_all_caught, bounded_source, box_families, box_family, gpu, sampled,
};

use super::{buffer, read, record};

const ORDERS: [Order; 3] = [Order::Paint, Order::Morton, Order::Hilbert];

/// The number of leaves that a workgroup packs.
const PARTITION: usize = 1024;

/// Around every border of siblings, workgroups, and heights.
const SIZES: [usize; 21] = [
    0,
    1,
    2,
    3,
    4,
    5,
    15,
    16,
    17,
    31,
    33,
    64,
    65,
    255,
    257,
    PARTITION - 1,
    PARTITION,
    PARTITION + 1,
    4 * PARTITION - 1,
    4 * PARTITION + 1,
    16 * PARTITION + 21,
];

fn as_u32(n: usize) -> u32 {
    u32::try_from(n).expect("it is small")
}

/// The index of boxes in a buffer.
fn index_of(context: &Context, boxes: &[Aabb], order: Order, capacity: usize) -> (Index, wgpu::Buffer) {
    let padded: Vec<Aabb> = boxes.iter().copied().chain([Aabb::PLANE; 200]).collect();
    let input = buffer(&padded);
    let count = Count::Host(as_u32(boxes.len()));
    let items = Items { buffer: &input, count, capacity: as_u32(capacity) };
    let index = Index::new(context, items, order).expect("the input is within the limits");
    (index, input)
}

/// What differs from the specification, if anything does.
fn difference(
    index: &Index,
    expected: &cpu::Index,
    boxes: &[Aabb],
    order: Order,
    bits: u32,
) -> Option<String> {
    let n = boxes.len();
    if let Some(permutation) = index.permutation() {
        if read::<Aabb>(index.bounds().expect("it is sorted"), 1) != [union_of(boxes)] {
            return Some("the union of all boxes".to_owned());
        }
        if read::<u32>(permutation, n) != expected.permutation {
            return Some("the permutation".to_owned());
        }
        let keys = curve_keys(boxes, order, bits);
        let sorted: Vec<u32> = expected.permutation.iter().map(|item| keys[*item as usize]).collect();
        if read::<u32>(index.sorted_keys().expect("it is sorted"), n) != sorted {
            return Some("the keys".to_owned());
        }
    }
    let tree = index.tree();
    let n_slots = (index.node_spans().size() / 8) as usize;
    let node_boxes: Vec<Aabb> = read(index.node_boxes(), n_slots);
    let node_spans: Vec<[u32; 2]> = read(index.node_spans(), n_slots);
    let mut expected_nodes: Vec<IndexNode> = expected.levels[0].clone();
    for height in 0..=tree.height {
        if let Some(level) = expected.levels.get(height as usize) {
            expected_nodes.clone_from(level);
        }
        // Above the root of the specification, the nodes have one child. Siblings exist together.
        let n_siblings =
            if height == tree.height { 1 } else { expected_nodes.len().max(1).next_multiple_of(4) };
        expected_nodes.resize(n_siblings, IndexNode::EMPTY);
        for (place, expected) in expected_nodes.iter().enumerate() {
            let slot = tree.slot(height, as_u32(place)) as usize;
            let found = IndexNode { aabb: node_boxes[slot], span: node_spans[slot] };
            if found != *expected {
                return Some(format!("node {place} of height {height}: {found:?}, {expected:?} expected"));
            }
        }
        expected_nodes.truncate(1);
    }
    None
}

fn built_difference(context: &Context, boxes: &[Aabb], order: Order, capacity: usize) -> Option<String> {
    let bits = key_bits(capacity);
    let (index, _input) = index_of(context, boxes, order, capacity);
    record(|pass| index.record(pass));
    let expected = cpu::Index::new(boxes, order, bits);
    let found = difference(&index, &expected, boxes, order, bits)?;
    Some(format!("{order:?}, n = {}, capacity {capacity}: {found}", boxes.len()))
}

fn first_difference(context: &Context, families: &[BoxFamily], sizes: &[usize]) -> Option<String> {
    let inputs = families.iter().flat_map(|family| sizes.iter().map(move |n| (family, *n)));
    inputs.into_iter().find_map(|(family, n)| {
        let boxes = family.generate(n, 3);
        ORDERS.into_iter().find_map(|order| {
            let found = built_difference(context, &boxes, order, n);
            found.map(|found| format!("{family:?}, {found}"))
        })
    })
}

/// What differs for boxes that are inverted, or too small for the grid.
fn difference_for_odd_boxes(context: &Context) -> Option<String> {
    let inverted = |(i, Aabb { x0, y0, x1, y1 }): (usize, Aabb)| match i % 7 {
        0 => Aabb { x0: -x0, y0, x1: -9.0 * x1, y1 },
        1 => Aabb { x0, y0: y1, x1, y1: y0 },
        _ => Aabb { x0, y0, x1, y1 },
    };
    // 2^-115
    let scale = f32::from_bits(12 << 23);
    let tiny = |Aabb { x0, y0, x1, y1 }: Aabb| Aabb {
        x0: scale * x0,
        y0: scale * y0,
        x1: scale * x1,
        y1: scale * y1,
    };
    let boxes = family("small boxes").generate(3000, 8);
    let inverted: Vec<Aabb> = boxes.iter().copied().enumerate().map(inverted).collect();
    let tiny: Vec<Aabb> = boxes.into_iter().map(tiny).collect();
    [inverted, tiny].iter().find_map(|boxes| {
        ORDERS.into_iter().find_map(|order| built_difference(context, boxes, order, boxes.len()))
    })
}

#[test]
fn inverted_and_tiny_boxes_are_indexed() {
    assert_eq!(difference_for_odd_boxes(&Context::new(&gpu().device)), None);
}

fn family(name: &str) -> BoxFamily {
    box_family(name).expect("there is such a family")
}

#[test]
fn an_index_is_right_at_every_border() {
    let context = Context::new(&gpu().device);
    let families = ["small boxes", "every ninth empty", "limits of f32"].map(family);
    assert_eq!(first_difference(&context, &families, &SIZES), None);
}

#[test]
fn an_index_is_right_for_every_family() {
    let context = Context::new(&gpu().device);
    assert_eq!(
        first_difference(&context, &sampled(box_families()).collect::<Vec<_>>(), &[2, 33, 700, 2500]),
        None
    );
}

#[test]
fn an_index_of_a_million_boxes_is_right() {
    let context = Context::new(&gpu().device);
    let families = ["small boxes", "few centers"].map(family);
    assert_eq!(first_difference(&context, &families, &[(1 << 20) + 1]), None);
}

#[test]
fn a_few_boxes_in_large_buffers_are_indexed_alone() {
    let context = Context::new(&gpu().device);
    for n in [0, 1, 5, 1024, 1030] {
        for order in ORDERS {
            let boxes = family("small boxes").generate(n, 5);
            assert_eq!(built_difference(&context, &boxes, order, n + 123), None);
        }
    }
}

/// What differs if fewer boxes follow more boxes, and if boxes move.
fn difference_after_changes(context: &Context) -> Option<String> {
    let boxes = family("small boxes").generate(9000, 1);
    let moved = family("drawing").generate(9000, 2);
    let bits = key_bits(boxes.len());
    ORDERS.into_iter().find_map(|order| {
        let (index, input) = index_of(context, &boxes, order, boxes.len());
        [9000, 0, 4097, 3000, 1024, 3, 0].into_iter().find_map(|n| {
            gpu().queue.write_buffer(&input, 0, bytemuck::cast_slice(&boxes));
            index.set_count(&gpu().queue, as_u32(n)).expect("it is within the capacity");
            record(|pass| index.record(pass));
            let mut expected = cpu::Index::new(&boxes[..n], order, bits);
            let built = difference(&index, &expected, &boxes[..n], order, bits);
            // The bounds and the keys stay the same.
            gpu().queue.write_buffer(&input, 0, bytemuck::cast_slice(&moved));
            record(|pass| index.record_refit(pass));
            expected.refit(&moved[..n]);
            let refitted = difference(&index, &expected, &boxes[..n], order, bits);
            built.or(refitted).map(|found| format!("{order:?}, n = {n}: {found}"))
        })
    })
}

#[test]
fn an_index_can_be_built_and_refitted_again() {
    assert_eq!(difference_after_changes(&Context::new(&gpu().device)), None);
}

#[test]
fn the_number_of_boxes_can_be_on_the_gpu() {
    let context = Context::new(&gpu().device);
    let boxes = family("windows").generate(3000, 1);
    let (input, counts) = (buffer(&boxes), buffer(&[7, 2000, u32::MAX]));
    for (word, n) in [(1, 2000), (2, 3000)] {
        let count = Count::Gpu { buffer: &counts, word };
        let items = Items { buffer: &input, count, capacity: 3000 };
        let index = Index::new(&context, items, Order::Hilbert).expect("it is within the limits");
        record(|pass| index.record(pass));
        let expected = cpu::Index::new(&boxes[..n], Order::Hilbert, key_bits(3000));
        assert_eq!(difference(&index, &expected, &boxes[..n], Order::Hilbert, key_bits(3000)), None);
        assert_eq!(index.set_count(&gpu().queue, 1), Err(SpatialError::CountOfCaller));
    }
}

#[test]
fn boxes_that_are_none_still_have_a_leaf_each() {
    let context = Context::new(&gpu().device);
    let mut boxes = family("small boxes").generate(2000, 1);
    boxes[7] = Aabb { x0: f32::NAN, y0: f32::NAN, x1: f32::NAN, y1: f32::NAN };
    boxes[1500] = Aabb { x0: 9.0, y0: 9.0, x1: 1.0, y1: 1.0 };
    boxes[1999] = Aabb { x0: f32::INFINITY, y0: 9.0, x1: f32::NEG_INFINITY, y1: 1.0 };
    for order in ORDERS {
        let (index, _input) = index_of(&context, &boxes, order, boxes.len());
        record(|pass| index.record(pass));
        if let Some(permutation) = index.permutation() {
            let mut items: Vec<u32> = read(permutation, boxes.len());
            items.sort_unstable();
            assert!(items.into_iter().eq(0..2000), "{order:?}");
        }
    }
}

#[test]
fn a_buffer_without_room_for_the_boxes_is_refused() {
    let context = Context::new(&gpu().device);
    let input = buffer(&[Aabb::PLANE; 8]);
    let index = |n| Index::new(&context, Items::new(&input, n), Order::Hilbert);
    let error = index(9).expect_err("it is too large");
    assert_eq!(error, SpatialError::TooLarge { buffer: "boxes", need: 9, limit: 8 });
    let index = index(8).expect("there is room");
    let count = SpatialError::AboveCapacity { n: 9, capacity: 8 };
    assert_eq!(index.set_count(&gpu().queue, 9), Err(count));
    let counts = buffer(&[3_u32; 4]);
    let in_word = |word| {
        let count = Count::Gpu { buffer: &counts, word };
        Index::new(&context, Items { buffer: &input, count, capacity: 8 }, Order::Hilbert)
    };
    in_word(3).expect("the buffer has the word");
    let error = in_word(4).expect_err("the buffer ends before the word");
    assert_eq!(error, SpatialError::CountOutside { word: 4, n_words: 4 });
}

/// Planted faults: a shader, a text in it, and the text that replaces each occurrence.
pub(super) const FAULTS: &[Fault] = &[
    ("index_bounds", "canonical(loaded[3u])", "loaded[3u]"),
    ("index_bounds", "join(own, canonical(loaded[1u]))", "own"),
    ("index_bounds", "+ 3u * stride", "+ 2u * stride"),
    ("index_bounds", "first += 4u * width", "first += 2u * width"),
    ("index_bounds", "unions[share] = all", "unions[share] = own"),
    ("index_keys_morton", "local < config.n_unions", "local == 0u"),
    ("index_keys_morton", "vec2(1u)) - 1u", "vec2(1u))"),
    ("index_keys_morton", "abs(v) < vec4(LEAST)", "abs(v) < vec4(0.0)"),
    ("index_keys_morton", "(spread(y) << 1u)", "spread(y)"),
    ("index_keys_morton", "(bits << 4u)) & 0x0f0f0f0fu", "(bits << 4u)) & 0x0fff0f0fu"),
    ("index_keys_hilbert", "clamp(v, vec4(-LIMIT), vec4(LIMIT))", "v"),
    ("index_keys_hilbert", "vec4(LAST_PLACE)", "vec4(LAST_PLACE + 1.0)"),
    ("index_keys_hilbert", "- extremes.xyxy", "- extremes.xyzw"),
    ("index_keys_hilbert", ", 0xffffffffu, is_empty(box))", ", 0u, is_empty(box))"),
    ("index_keys_hilbert", ">> config.key_shift", ">> 0u"),
    ("index_keys_hilbert", "let distance = 2u << 2u", "let distance = 2u << 1u"),
    ("index_keys_hilbert", "(a & (c >> distance)) ^ (b & (d >> distance))", "(a & (c >> distance))"),
    ("index_keys_hilbert", "c ^= flips", "c |= flips"),
    ("index_keys_hilbert", "item < n {", "item + 1u < n {"),
    ("index_keys_hilbert", "part > 0u && ", ""),
    ("index_pack", "min(a.span.x, b.span.x)", "max(a.span.x, b.span.x)"),
    ("index_pack", "max(a.span.y, b.span.y)", "b.span.y"),
    ("index_pack", "vec2<u32>(0xffffffffu, 0u)", "vec2<u32>(0u, 0u)"),
    ("index_pack", "select(vec2(item), NO_SPAN, is_empty(box))", "vec2(item)"),
    ("index_pack", "permutation[existing]", "existing"),
    ("index_pack", "if place < n {", "if place <= n {"),
    ("index_pack", "(WORKGROUP_SIZE / 2u) == 1u", "(WORKGROUP_SIZE / 2u) == 0u"),
    ("index_pack", "nodes[2u * 1u + 1u]", "nodes[2u * 1u]"),
    ("index_pack", "SIBLINGS * width + local", "width + local"),
    ("index_pack", "height <= tree.height", "height < tree.height"),
    ("index_pack", "place < first && ", ""),
    ("index_pack_paint", "part > 0u && ", ""),
    ("index_pack_paint", "canonical(boxes[item])", "boxes[item]"),
    ("index_pack_paint", "packed_node(first + 3u)", "packed_node(first + 2u)"),
    ("index_pack_inner", "((n_leaves - 1u) >> shift) + 1u", "n_leaves >> shift"),
    ("index_pack_inner", "0u, n_leaves == 0u)", "0u, false)"),
    ("index_pack_inner", "if place >= n {", "if place > n {"),
    ("index_pack_inner", "store_inner(config.base_height, ", "store_inner(config.base_height + 1u, "),
    ("index_pack_inner", "config.base_height + 2u", "config.base_height + 3u"),
    ("index_pack_inner", "part * width + local", "local"),
];

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn planted_faults_are_caught() {
    let unbroken = Context::new(&gpu().device).with_changes(bounded_source);
    let families =
        ["small boxes", "every ninth empty", "limits of f32", "few centers", "touching tiles"].map(family);
    let sizes = [0, 1, 5, 33, 65, PARTITION + 1, 5 * PARTITION - 31];
    // More than one workgroup unites boxes, and packs nodes that are not leaves.
    let large = [1025 * PARTITION];
    assert_eq!(first_difference(&unbroken, &families, &sizes), None);
    assert_all_caught(
        FAULTS,
        |source| unbroken.with_changes(source),
        |broken, _| {
            first_difference(broken, &families, &sizes)
                .or_else(|| difference_after_changes(broken))
                .or_else(|| difference_for_odd_boxes(broken))
                .or_else(|| first_difference(broken, &families[..1], &large))
                .is_some()
        },
    );
}
