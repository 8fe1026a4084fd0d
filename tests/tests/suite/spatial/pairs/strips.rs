//! The pairs of strips are those of the specification, in the same order.

use boxwood::Context;
use boxwood_cpu::specification::spatial::StripSweep;
use boxwood_tests::{Fault, assert_all_caught, bounded_source};

use super::*;

/// The logarithms of numbers of strips: one, a few, and the maximum.
const LG_STRIPS: [u32; 3] = [0, 3, 8];

/// What differs from the specification, if anything does.
fn difference_in_strips(context: &Context, boxes: &[Aabb]) -> Option<String> {
    let ways = Axis::ALL.into_iter().flat_map(|axis| LG_STRIPS.map(|lg| Way::Strips(axis, lg)));
    ways.into_iter().find_map(|way| {
        let expected = expected_pairs(boxes, way);
        let with_capacity = |capacity| difference_from(context, boxes, way, &expected, capacity);
        [expected.len() + 3, expected.len() / 2].into_iter().find_map(with_capacity)
    })
}

#[test]
fn pairs_of_strips_are_those_of_the_specification() {
    let context = Context::new(&gpu().device);
    let inputs = box_families().into_iter().flat_map(|family| [0, 1, 8, 257].map(|n| (family, n)));
    for (family, n) in sampled(inputs) {
        let found = difference_in_strips(&context, &family.generate(n, 1));
        assert_eq!(found, None, "{}, {n} boxes", family.name);
    }
    for (name, n) in [("small boxes", 3000), ("drawing", 1025)] {
        assert_eq!(difference_in_strips(&context, &family(name, n)), None, "{name}");
    }
}

#[test]
fn one_strip_has_the_pairs_and_the_order_of_a_sweep() {
    let context = Context::new(&gpu().device);
    for family in sampled(box_families()) {
        let boxes = family.generate(300, 3);
        for axis in Axis::ALL {
            let expected = Sweep::new(&boxes, axis).pairs(&boxes);
            let found = difference_from(&context, &boxes, Way::Strips(axis, 0), &expected, expected.len());
            assert_eq!(found, None, "{}", family.name);
        }
    }
}

#[test]
fn touching_boxes_are_no_pair_of_a_strip_and_the_plane_is_in_all() {
    let context = Context::new(&gpu().device);
    // The boxes touch where strips begin.
    let tile = |i: u8| {
        let [x, y] = [i % 8, i / 8].map(f64::from);
        Aabb::new(x, y, x + 1.0, y + 1.0).expect("no NaN")
    };
    let tiles: Vec<Aabb> = (0..64).map(tile).collect();
    let with_plane: Vec<Aabb> = tiles.iter().copied().chain([Aabb::EMPTY, Aabb::PLANE]).collect();
    for way in LG_STRIPS.map(|lg| Way::Strips(Axis::X, lg)) {
        assert_eq!(difference_from(&context, &tiles, way, &[], 3), None);
        let expected = expected_pairs(&with_plane, way);
        let mut sorted = expected.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..64).map(|i| [i, 65]).collect::<Vec<_>>());
        assert_eq!(difference_from(&context, &with_plane, way, &expected, 64), None);
    }
}

/// What differs if there is no room for all entries, and fewer boxes follow more.
fn difference_with_few_entries(context: &Context) -> Option<String> {
    let boxes = family("windows", 700);
    let entries = |n: usize| as_u32(StripSweep::new(&boxes[..n], Axis::X, 4).entries.len());
    let (input, n) = (buffer(&boxes), as_u32(boxes.len()));
    let strips = Strips { axis: Axis::X, lg_strips: 4, entry_capacity: entries(300) };
    let stage = Pairs::with_strips(context, Items::new(&input, n), strips, 100_000);
    let stage = stage.expect("it is within the limits");
    [700, 300, 301, 64, 0].into_iter().find_map(|n| {
        stage.set_count(&gpu().queue, as_u32(n)).expect("it is within the capacity");
        record(|pass| stage.record(pass));
        let has_room = entries(n) <= entries(300);
        let expected = if has_room { expected_pairs(&boxes[..n], Way::Strips(Axis::X, 4)) } else { vec![] };
        let needed = if has_room { as_u32(expected.len()) } else { u32::MAX };
        let entries_needed = stage.entries_needed().expect("there are strips");
        let is_right = read::<u32>(entries_needed, 1) == [entries(n)]
            && read::<u32>(stage.needed(), 1) == [needed]
            && read::<[u32; 2]>(stage.pairs(), expected.len()) == expected;
        (!is_right).then(|| format!("{n} boxes, {} entries", entries(n)))
    })
}

#[test]
fn missing_room_for_entries_is_noticed() {
    let context = Context::new(&gpu().device);
    assert_eq!(difference_with_few_entries(&context), None);
    // There is always room for an entry, so that the number is noticed.
    let input = buffer(&[Aabb::PLANE; 3]);
    let strips = Strips { axis: Axis::Y, lg_strips: 0, entry_capacity: 0 };
    let stage = Pairs::with_strips(&context, Items::new(&input, 3), strips, 3);
    let stage = stage.expect("it is within the limits");
    record(|pass| stage.record(pass));
    assert_eq!(read::<u32>(stage.needed(), 1), [u32::MAX]);
    assert_eq!(read::<u32>(stage.entries_needed().expect("there are strips"), 1), [3]);
}

#[test]
fn boxes_that_are_none_break_nothing_in_strips() {
    let context = Context::new(&gpu().device);
    let inverted = Aabb { x0: 9.0, y0: 0.0, x1: 1.0, y1: 10.0 };
    let boxes = [inverted, Aabb::PLANE, Aabb { x1: f32::INFINITY, ..Aabb::PLANE }, inverted];
    assert_eq!(difference_in_strips(&context, &boxes), None);
    let input = buffer(&[Aabb { x0: f32::NAN, y1: f32::NAN, ..Aabb::PLANE }; 300]);
    let strips = Strips { axis: Axis::X, lg_strips: 8, entry_capacity: 500 };
    let stage = Pairs::with_strips(&context, Items::new(&input, 300), strips, 9);
    let stage = stage.expect("it is within the limits");
    record(|pass| stage.record(pass));
    read::<[u32; 2]>(stage.pairs(), 9);
}

#[test]
fn too_many_strips_and_entries_are_refused() {
    let (context, device) = (Context::new(&gpu().device), &gpu().device);
    let input = buffer(&[Aabb::PLANE; 3]);
    let error = |n, lg_strips, entry_capacity| {
        let strips = Strips { axis: Axis::X, lg_strips, entry_capacity };
        let stage = Pairs::with_strips(&context, Items::new(&input, n), strips, 3);
        stage.expect_err("it is too large")
    };
    assert_eq!(error(4, 1, 3), SpatialError::TooLarge { buffer: "boxes", need: 4, limit: 3 });
    let out_of_range = |name, value, limit| SpatialError::OutOfRange { name, value, limit };
    assert_eq!(error(3, 9, 3), out_of_range("lg_strips", 9, 8));
    let limits = device.limits();
    let limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) / 16;
    let most = u32::MAX / 2;
    let need = most.into();
    assert_eq!(error(3, 1, most), SpatialError::TooLarge { buffer: "swept", need, limit });
    assert_eq!(error(3, 1, most + 1), SpatialError::TooManyItems { need: need + 1, limit: need });
}

/// Planted faults: a shader, a text in it, and the text that replaces each occurrence.
pub(in super::super) const FAULTS: &[Fault] = &[
    ("pairs_strips", "bit != 0u", "bit > 1u"),
    ("pairs_strips", "(n_before + bit) * step", "n_before * step"),
    ("pairs_strips", "n_before += bit", "n_before = bit"),
    ("pairs_strips", "place >= n", "place + 1u >= n"),
    ("pairs_strips", "other_ends.x + 1u", "other_ends.x"),
    ("pairs_strips", "n_borders_before(other_ends.y, step)", "n_borders_before(other_ends.y + 1u, step)"),
    ("pairs_strips", "n_borders_before(other_ends.y, step)", "first"),
    ("pairs_strips", "0u, is_empty(box)", "0u, false"),
    ("pairs_strips", "end = keys.z", "end = keys.w"),
    ("pairs_strips", "n >> config.lg_strips", "config.capacity >> config.lg_strips"),
    ("pairs_strips_along_y", "other_ends = keys.xz", "other_ends = keys.yw"),
    ("pairs_strips_along_y", "end = keys.w", "end = keys.z"),
    ("pairs_entries", "first_strips[place] + rank", "first_strips[place]"),
    ("pairs_entries", "first_strips[place] + rank", "rank"),
    ("pairs_entries", "select(CONTINUED, 0u, rank == 0u)", "0u"),
    ("pairs_entries", "entry < n_entries", "entry + 1u < n_entries"),
    ("pairs_entries", "config.box_count_word], config.box_capacity", "config.box_count_word], 1u"),
    ("pairs_entry_candidates", "item_counts[config.count_word] > config.capacity", "false"),
    ("pairs_entry_candidates", "entry_strips[middle] == strip &&", ""),
    ("pairs_entry_candidates", "< end", "<= end"),
    ("pairs_entry_candidates", "places[middle] & INDEX_MASK", "middle"),
    ("pairs_entry_candidates", "low - entry - 1u", "low - entry"),
    ("pairs_entry_sums", "box.x | (place & CONTINUED)", "box.x"),
    ("pairs_entry_sums", "entry >= n_items()", "entry + 1u >= n_items()"),
    ("pairs_entry_sums", "sums[entry])", "sums[0u])"),
    ("pairs_sweep_count", "(own.x & other.x & CONTINUED) == 0u", "true"),
    ("pairs_sweep_count", "(own.x & other.x & CONTINUED) == 0u", "(own.x & CONTINUED) == 0u"),
    (
        "pairs_sweep_list",
        "vec2(owners[0u].x, others[0u].x) & vec2(INDEX_MASK)",
        "vec2(owners[0u].x, others[0u].x)",
    ),
];

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn planted_faults_in_strips_are_caught() {
    let unbroken = Context::new(&gpu().device).with_changes(bounded_source);
    let inputs: Vec<Vec<Aabb>> = ["every ninth empty", "touching tiles", "identical boxes", "windows"]
        .map(|name| family(name, 260))
        .into_iter()
        .chain([family("windows", 1025)])
        .collect();
    let first_difference = |context: &Context| {
        let found = inputs.iter().find_map(|boxes| difference_in_strips(context, boxes));
        found.or_else(|| difference_with_few_entries(context))
    };
    assert_eq!(first_difference(&unbroken), None);
    assert_all_caught(
        FAULTS,
        |source| unbroken.with_changes(source),
        |broken, _| first_difference(broken).is_some(),
    );
}
