//! The pairs of boxes are those of the specification, in the same order.

pub(super) mod faults;
pub(super) mod strips;

use boxwood::Aabb;
use boxwood::Context;
use boxwood::spatial::{Axis, Count, Index, Items, Order, Pairs, Source, SpatialError, Strips};
use boxwood_cpu::specification::spatial::{self as cpu, StripSweep, Sweep, key_bits, tree_pairs};
use boxwood_tests::{box_families, box_family, gpu, sampled};

use super::{buffer, read, record};

/// Around every border of workgroups and partitions of boxes. 65 boxes have more candidates than a
/// partition.
const SIZES: [usize; 14] = [0, 1, 2, 3, 31, 33, 63, 64, 65, 255, 257, 512, 1023, 1025];

/// How the pairs are found.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// By a sweep along the better axis.
    Sweep,
    /// By a sweep along an axis, in a number of strips with this logarithm.
    Strips(Axis, u32),
    /// By a tree with its leaves in an order.
    Tree(Order),
}

/// All algorithms except strips.
const WAYS: [Way; 3] = [Way::Sweep, Way::Tree(Order::Paint), Way::Tree(Order::Hilbert)];

fn as_u32(n: usize) -> u32 {
    u32::try_from(n).expect("it is small")
}

fn family(name: &str, n: usize) -> Vec<Aabb> {
    box_family(name).expect("it exists").generate(n, 1)
}

/// The pairs in the order of the stage.
fn expected_pairs(boxes: &[Aabb], way: Way) -> Vec<[u32; 2]> {
    match way {
        Way::Sweep => Sweep::best(boxes).pairs(boxes),
        Way::Strips(axis, lg_strips) => StripSweep::new(boxes, axis, lg_strips).pairs(boxes),
        Way::Tree(order) => tree_pairs(boxes, &cpu::Index::new(boxes, order, key_bits(boxes.len()))),
    }
}

/// The stage without a tree.
fn swept(context: &Context, boxes: Items<'_>, output_capacity: u32) -> Pairs {
    Pairs::new(context, Source::Boxes(boxes), output_capacity).expect("it is within the limits")
}

/// What differs from the specification, if anything does. There is room for so many pairs.
fn difference_from(
    context: &Context,
    boxes: &[Aabb],
    way: Way,
    expected: &[[u32; 2]],
    output_capacity: usize,
) -> Option<String> {
    let n = as_u32(boxes.len());
    // Boxes beyond their number are in no pair.
    let padded: Vec<Aabb> = boxes.iter().copied().chain([Aabb::PLANE; 5]).collect();
    let input = buffer(&padded);
    let (items, pair_capacity) =
        (Items { buffer: &input, count: Count::Host(n), capacity: n + 5 }, as_u32(output_capacity));
    let stage = match way {
        Way::Sweep => Pairs::new(context, Source::Boxes(items), pair_capacity),
        Way::Strips(axis, lg_strips) => {
            // There is just enough room for the entries.
            let entry_capacity = as_u32(StripSweep::new(boxes, axis, lg_strips).entries.len());
            let strips = Strips { axis, lg_strips, entry_capacity };
            Pairs::with_strips(context, items, strips, pair_capacity)
        }
        Way::Tree(order) => {
            let index = Index::new(context, Items::new(&input, n), order).expect("it is within the limits");
            record(|pass| index.record(pass));
            Pairs::new(context, Source::Index(&index), pair_capacity)
        }
    };
    let stage = stage.expect("it is within the limits");
    record(|pass| stage.record(pass));
    let needed = read::<u32>(stage.needed(), 1)[0];
    if needed != as_u32(expected.len()) {
        return Some(format!("{n} boxes, {way:?}: {} pairs expected, {needed} found", expected.len()));
    }
    // The places after the last pair stay as they are.
    let found: Vec<[u32; 2]> = read(stage.pairs(), output_capacity);
    let expected = |place: usize| expected.get(place).copied().unwrap_or([0; 2]);
    let place = (0..output_capacity).find(|place| found[*place] != expected(*place))?;
    let (expected, found) = (expected(place), found[place]);
    Some(format!("{n} boxes, {way:?}, pair {place}: {expected:?} expected, {found:?} found"))
}

/// The same with room for a few pairs more, for half of them, and for none.
fn difference(context: &Context, boxes: &[Aabb]) -> Option<String> {
    WAYS.into_iter().find_map(|way| {
        let expected = expected_pairs(boxes, way);
        let capacities = [expected.len() + 3, expected.len() / 2, 0];
        let with_capacity = |capacity| difference_from(context, boxes, way, &expected, capacity);
        capacities.into_iter().find_map(with_capacity)
    })
}

#[test]
fn pairs_are_those_of_the_specification() {
    let context = Context::new(&gpu().device);
    for (family, n) in sampled(box_families().into_iter().flat_map(|family| SIZES.map(|n| (family, n)))) {
        let found = difference(&context, &family.generate(n, 1));
        assert_eq!(found, None, "{}, {n} boxes", family.name);
    }
}

#[test]
fn all_algorithms_find_the_pairs_of_two_loops() {
    for family in box_families() {
        let boxes = family.generate(500, 2);
        for way in WAYS.into_iter().chain(Axis::ALL.map(|axis| Way::Strips(axis, 4))) {
            let mut found = expected_pairs(&boxes, way);
            found.sort_unstable();
            assert_eq!(found, cpu::pairs(&boxes), "{}, {way:?}", family.name);
        }
    }
}

#[test]
fn many_small_boxes_have_their_pairs() {
    let context = Context::new(&gpu().device);
    for name in ["small boxes", "windows"] {
        assert_eq!(difference(&context, &family(name, 6000)), None, "{name}");
    }
}

/// What differs if a chunk has several partitions of candidates, and the last chunks have none.
fn difference_in_long_chunks(context: &Context) -> Option<String> {
    // There are chunks for 8,388,608 candidates, of which identical boxes have a few more.
    let boxes = family("identical boxes", 4200);
    let expected = expected_pairs(&boxes, Way::Sweep);
    difference_from(context, &boxes, Way::Sweep, &expected, 600_001)
}

#[test]
fn a_chunk_can_have_several_partitions_of_candidates() {
    assert_eq!(difference_in_long_chunks(&Context::new(&gpu().device)), None);
}

#[test]
#[ignore = "takes minutes on software Vulkan"]
fn a_thousand_runs_find_the_same_pairs() {
    let context = Context::new(&gpu().device);
    for (name, n) in [("windows", 1025), ("identical boxes", 65), ("small boxes", 6000)] {
        let boxes = family(name, n);
        let expected = WAYS.map(|way| expected_pairs(&boxes, way));
        for run in 0..1000 {
            for (way, expected) in WAYS.into_iter().zip(&expected) {
                let found = difference_from(&context, &boxes, way, expected, expected.len());
                assert_eq!(found, None, "{name}, run {run}");
            }
        }
    }
}

/// What differs if there are more candidates than a `u32` can count.
fn difference_of_too_many_candidates(context: &Context) -> Option<String> {
    const N: u32 = 93_000;
    let input = buffer(&family("identical boxes", N as usize));
    let stage = swept(context, Items::new(&input, N), 9);
    record(|pass| stage.record(pass));
    let is_right =
        read::<u32>(stage.needed(), 1) == [u32::MAX] && read::<[u32; 2]>(stage.pairs(), 9) == [[0; 2]; 9];
    (!is_right).then(|| "there are too many candidates".to_owned())
}

#[test]
fn too_many_candidates_are_noticed() {
    assert_eq!(difference_of_too_many_candidates(&Context::new(&gpu().device)), None);
}

/// What differs if fewer boxes follow more in the same buffers.
fn difference_after_more_boxes(context: &Context) -> Option<String> {
    let boxes = family("windows", 700);
    let (input, n) = (buffer(&boxes), as_u32(boxes.len()));
    let stage = swept(context, Items::new(&input, n), 100_000);
    [700, 256, 255, 1, 0].into_iter().find_map(|n| {
        stage.set_count(&gpu().queue, as_u32(n)).expect("it is within the capacity");
        record(|pass| stage.record(pass));
        let expected = expected_pairs(&boxes[..n], Way::Sweep);
        let is_right = read::<u32>(stage.needed(), 1) == [as_u32(expected.len())]
            && read::<[u32; 2]>(stage.pairs(), expected.len()) == expected;
        (!is_right).then(|| format!("{n} boxes after more"))
    })
}

#[test]
fn fewer_boxes_after_more_count_alone() {
    assert_eq!(difference_after_more_boxes(&Context::new(&gpu().device)), None);
}

#[test]
fn the_number_of_boxes_can_be_on_the_gpu() {
    let context = Context::new(&gpu().device);
    let (input, counts) = (buffer(&[Aabb::PLANE; 9]), buffer(&[7_u32, 3, 999]));
    for (word, needed) in [(1, 3), (2, 36)] {
        let count = Count::Gpu { buffer: &counts, word };
        let stage = swept(&context, Items { buffer: &input, count, capacity: 9 }, 2);
        record(|pass| stage.record(pass));
        assert_eq!(read::<u32>(stage.needed(), 1), [needed]);
        assert_eq!(read::<[u32; 2]>(stage.pairs(), 2), [[0, 1], [0, 2]]);
        assert_eq!(stage.set_count(&gpu().queue, 1), Err(SpatialError::CountOfCaller));
    }
}

#[test]
fn boxes_that_are_none_break_nothing() {
    let context = Context::new(&gpu().device);
    let inverted = Aabb { x0: 9.0, y0: 0.0, x1: 1.0, y1: 10.0 };
    let nan = Aabb { x0: f32::NAN, ..Aabb::PLANE };
    let boxes = [inverted, Aabb::PLANE, Aabb { x1: f32::INFINITY, ..Aabb::PLANE }, inverted];
    assert_eq!(difference(&context, &boxes), None);
    let input = buffer(&[nan; 300]);
    let stage = swept(&context, Items::new(&input, 300), 9);
    record(|pass| stage.record(pass));
    read::<[u32; 2]>(stage.pairs(), 9);
}

#[test]
fn a_buffer_without_room_is_refused() {
    let context = Context::new(&gpu().device);
    let input = buffer(&[Aabb::PLANE; 3]);
    let error = |capacity, output_capacity| {
        let items = Items { buffer: &input, count: Count::Host(0), capacity };
        let stage = Pairs::new(&context, Source::Boxes(items), output_capacity);
        stage.expect_err("it is too large")
    };
    assert_eq!(error(4, 4), SpatialError::TooLarge { buffer: "boxes", need: 4, limit: 3 });
    let limits = gpu().device.limits();
    let binding = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    let most = u32::MAX / 2;
    let (need, limit) = (most.into(), binding / 8);
    assert_eq!(error(3, most), SpatialError::TooLarge { buffer: "pairs", need, limit });
    assert_eq!(error(3, most + 1), SpatialError::TooManyItems { need: need + 1, limit: need });
}
