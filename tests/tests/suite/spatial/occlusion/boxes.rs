//! Elements that single boxes hide, by a tree of inner boxes.

use boxwood::Aabb;
use boxwood::Context;
use boxwood::spatial::{Count, Covers, Index, Items, Occlusion, SpatialError};
use boxwood_cpu::specification::spatial::{Order, TileGrid, visible_by_boxes};
use boxwood_tests::{Fault, Random, assert_all_caught, bounded_source, box_family, gpu};

use super::{buffer, cases, read, record, small};

/// The elements of a picture, the order of the tree over their inner boxes, and their groups.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) case: super::Case,
    pub(super) order: Order,
    pub(super) scope_starts: Option<Vec<u32>>,
}

impl Case {
    /// The visible ones of the first `n` elements.
    pub(super) fn expected(&self, n: usize) -> Vec<u32> {
        let starts = self.scope_starts.as_ref().map(|starts| &starts[..n]);
        visible_by_boxes(&self.case.boxes[..n], &self.case.inner_boxes[..n], starts)
    }

    /// What differs from the specification, if anything does.
    pub(super) fn difference(&self, context: &Context) -> Option<String> {
        let Self { case, order, scope_starts } = self;
        let n = case.boxes.len();
        let inner_boxes = buffer(&case.inner_boxes);
        let index = index_of(context, &inner_boxes, n, *order);
        let starts = scope_starts.as_ref().map(|starts| buffer(starts));
        let occlusion = new(context, &case.boxes, &index, starts.as_ref()).expect("it is within the limits");
        // The second run is over the buffers that the first one leaves.
        for n in [n, n / 2] {
            index.set_count(&gpu().queue, small(n)).expect("it is within the capacity");
            record(|pass| {
                index.record(pass);
                occlusion.record(pass);
            });
            let found: Vec<u32> = read(occlusion.visible(), n.div_ceil(32));
            let mut words = found.iter().zip(self.expected(n));
            if let Some(word) = words.position(|(found, expected)| *found != expected) {
                let has_groups = scope_starts.is_some();
                let name = &case.name;
                return Some(format!("{name}, {order:?}, groups: {has_groups}, n = {n}, word {word}"));
            }
        }
        None
    }
}

/// A tree over `n` boxes.
fn index_of(context: &Context, boxes: &wgpu::Buffer, n: usize, order: Order) -> Index {
    Index::new(context, Items::new(boxes, small(n)), order).expect("it is within the limits")
}

fn new(
    context: &Context,
    boxes: &[Aabb],
    index: &Index,
    scope_starts: Option<&wgpu::Buffer>,
) -> Result<Occlusion, SpatialError> {
    Occlusion::new(context, &buffer(boxes), Covers::Boxes { inner_boxes: index, scope_starts })
}

/// The first element of the innermost group around each of `n` elements, in groups of any depth.
fn groups(n: usize, random: &mut Random) -> Vec<u32> {
    let mut open = vec![0];
    let start = |i| {
        match random.below(24) {
            0 | 1 => open.push(i),
            2 if open.len() > 1 => drop(open.pop()),
            _ => {}
        }
        *open.last().expect("the picture stays")
    };
    (0..small(n)).map(start).collect()
}

/// The same elements as for tiles, with and without groups.
fn all_cases(sizes: &[usize]) -> Vec<Case> {
    let random = &mut Random::new(3);
    let mut all = Vec::new();
    for (i, case) in cases(sizes, &[TileGrid::new(800, 600)]).into_iter().enumerate() {
        let order = [Order::Hilbert, Order::Paint, Order::Morton][i % 3];
        let scope_starts = Some(groups(case.boxes.len(), random));
        all.push(Case { case: case.clone(), order, scope_starts: None });
        all.push(Case { case, order, scope_starts });
    }
    all
}

fn first_difference(context: &Context, cases: &[Case]) -> Option<String> {
    cases.iter().find_map(|case| case.difference(context))
}

#[test]
fn the_visible_elements_are_those_of_the_specification() {
    let context = Context::new(&gpu().device);
    let cases = all_cases(&[0, 1, 33, 65, 257, 700]);
    assert_eq!(first_difference(&context, &cases), None);
    let n_hidden = |case: &Case| {
        let n = case.case.boxes.len();
        let n_empty = case.case.boxes.iter().filter(|own| own.is_empty()).count();
        n - n_empty - case.expected(n).iter().map(|word| word.count_ones() as usize).sum::<usize>()
    };
    let (with, without): (Vec<_>, Vec<_>) = cases.iter().partition(|case| case.scope_starts.is_some());
    let [n_with, n_without] = [with, without].map(|cases| cases.into_iter().map(n_hidden).sum::<usize>());
    assert!(500 < n_with && n_with < n_without, "{n_with} are hidden with groups, {n_without} without");
}

#[test]
fn many_elements_are_compared_with_the_workspace_of_the_cpu() {
    let context = Context::new(&gpu().device);
    let boxes = box_family("nested panels").expect("it exists").generate(50_000, 2);
    let inner: Vec<Aabb> =
        boxes.iter().enumerate().map(|(i, own)| if i % 3 == 0 { *own } else { Aabb::EMPTY }).collect();
    let starts = groups(boxes.len(), &mut Random::new(7));
    let inner_buffer = buffer(&inner);
    let index = index_of(&context, &inner_buffer, 50_000, Order::Hilbert);
    let mut expected = boxwood_cpu::Occlusion::new();
    for starts in [None, Some(&*starts)] {
        let start_buffer = starts.map(buffer);
        let occlusion =
            new(&context, &boxes, &index, start_buffer.as_ref()).expect("it is within the limits");
        record(|pass| {
            index.record(pass);
            occlusion.record(pass);
        });
        let found: Vec<u32> = read(occlusion.visible(), boxes.len().div_ceil(32));
        assert!(found == expected.by_boxes(&boxes, &inner, starts), "with groups: {}", starts.is_some());
    }
}

#[test]
fn the_number_of_elements_is_that_of_the_tree() {
    let context = Context::new(&gpu().device);
    let boxes = box_family("windows").expect("it exists").generate(600, 4);
    let (inner_boxes, counts) = (buffer(&boxes), buffer(&[3_u32, 301, 5000]));
    for (word, n) in [(1, 301), (2, 600)] {
        let count = Count::Gpu { buffer: &counts, word };
        let items = Items { buffer: &inner_boxes, count, capacity: 600 };
        let index = Index::new(&context, items, Order::Hilbert).expect("it is within the limits");
        let occlusion = new(&context, &boxes, &index, None).expect("it is within the limits");
        record(|pass| {
            index.record(pass);
            occlusion.record(pass);
        });
        let expected = visible_by_boxes(&boxes[..n], &boxes[..n], None);
        assert_eq!(read::<u32>(occlusion.visible(), n.div_ceil(32)), expected);
        assert_eq!(occlusion.set_count(&gpu().queue, 1), Err(SpatialError::CountOfCaller));
    }
}

#[test]
fn boxes_that_are_none_break_nothing() {
    let context = Context::new(&gpu().device);
    let nan = Aabb { x0: f32::NAN, y0: f32::NAN, x1: f32::NAN, y1: f32::NAN };
    let inverted = Aabb { x0: 90.0, y0: 90.0, x1: 1.0, y1: 1.0 };
    let small = Aabb { x0: 1.0, y0: 1.0, x1: 9.0, y1: 9.0 };
    let inner_boxes = buffer(&[nan, inverted, nan, small, inverted, nan]);
    let index = index_of(&context, &inner_boxes, 6, Order::Hilbert);
    // A group that starts too late has no members. That is not checked, but stays in the buffers.
    let starts = buffer(&[0, 0, 0, u32::MAX, 0, 0]);
    for starts in [None, Some(&starts)] {
        let boxes = [inverted, nan, small, small, inverted, small];
        let occlusion = new(&context, &boxes, &index, starts).expect("it is within the limits");
        // The tree is not built yet.
        record(|pass| occlusion.record(pass));
        record(|pass| {
            index.record(pass);
            occlusion.record(pass);
        });
        assert_eq!(read::<u32>(occlusion.visible(), 1)[0] & 0b11_1001, 0b10_1000);
    }
}

#[test]
fn buffers_without_room_are_refused() {
    let context = Context::new(&gpu().device);
    let boxes = buffer(&[Aabb::PLANE; 9]);
    let index = index_of(&context, &boxes, 9, Order::Hilbert);
    let error = |n, n_starts| {
        let starts = buffer(&vec![0_u32; n_starts]);
        let boxes = vec![Aabb::PLANE; n];
        new(&context, &boxes, &index, Some(&starts)).expect_err("it is too large")
    };
    let too_large = |buffer, need, limit| SpatialError::TooLarge { buffer, need, limit };
    assert_eq!(error(8, 9), too_large("boxes", 9, 8));
    assert_eq!(error(9, 8), too_large("scope_starts", 9, 8));
}

/// llvmpipe ends the loops of an invocation after 65,535 rounds.
#[test]
fn walks_that_could_be_cut_off_are_refused() {
    let context = Context::new(&gpu().device);
    let boxes = vec![Aabb::PLANE; 200_000];
    let inner_boxes = buffer(&boxes);
    let index = index_of(&context, &inner_boxes, 200_000, Order::Hilbert);
    let occlusion = new(&context, &boxes, &index, None);
    if gpu().adapter.get_info().device_type == wgpu::DeviceType::Cpu {
        let error = SpatialError::TooManyRounds { need: 66_670, limit: 65_000 };
        assert_eq!(occlusion.expect_err("it could be cut off"), error);
    } else {
        occlusion.expect("a GPU does not end loops");
    }
}

/// Planted faults: a shader, a text in it, and the text that replaces each occurrence.
pub(in super::super) const FAULTS: &[Fault] = &[
    ("occlusion_boxes", "span.y > own_item", "span.y >= own_item"),
    ("occlusion_boxes", "span.y > own_item && ", ""),
    ("occlusion_boxes", "all(box.xy <= own_box.xy)", "all(box.xy < own_box.xy)"),
    ("occlusion_boxes", "all(box.xy <= own_box.xy) && ", ""),
    ("occlusion_boxes", "all(own_box.zw <= box.zw)", "all(own_box.zw < box.zw)"),
    ("occlusion_boxes", "all(own_box.zw <= box.zw)", "true"),
    ("occlusion_boxes", "if !is_empty(own_box)", "if true"),
    ("occlusion_boxes", "is_hidden = true", "is_hidden = false"),
    ("occlusion_boxes", "atomicStore(&visible_bits[local], 0u)", "atomicStore(&visible_bits[local], 8u)"),
    ("occlusion_boxes", "<< (local % 32u)", "<< (local % 16u)"),
    ("occlusion_boxes", "visible[item / 32u] =", "visible[local / 32u] ="),
    ("occlusion_boxes", "if item < n {", "if item + 1u < n {"),
    ("occlusion_boxes_scopes", "<= own_item", "< own_item"),
    ("occlusion_boxes_scopes", "scope_starts[last] <= own_item", "true"),
    ("occlusion_boxes_scopes", "scope_starts[last]", "scope_starts[own_item]"),
    ("occlusion_boxes_scopes", "return is_hidden", "return true"),
    ("occlusion_boxes_scopes", "return is_hidden", "return false"),
];

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn planted_faults_are_caught() {
    let unbroken = Context::new(&gpu().device).with_changes(bounded_source);
    let cases = all_cases(&[300]);
    assert_eq!(first_difference(&unbroken, &cases), None);
    assert_all_caught(
        FAULTS,
        |source| unbroken.with_changes(source),
        |broken, _| first_difference(broken, &cases).is_some(),
    );
}

/// The nodes of a tree are in buffers that the caller can write, so no index in them is trusted.
#[test]
fn a_tree_that_was_overwritten_is_read_within_the_buffers() {
    let n = 300;
    let boxes = box_family("small boxes").expect("there is such a family").generate(n, 1);
    let own_boxes = buffer(&boxes);
    let context = Context::new(&gpu().device);
    let index = index_of(&context, &own_boxes, n, Order::Paint);
    // Everything is in a scope that starts late, so that nothing is hidden.
    let starts = buffer(&vec![u32::MAX; n]);
    let occlusion = new(&context, &boxes, &index, Some(&starts)).expect("it is within the limits");
    for (nodes, word) in [(index.node_boxes(), None), (index.node_spans(), Some(u32::MAX))] {
        let n_words = usize::try_from(nodes.size() / 4).expect("it is small");
        // In a box, the plane, which contains everything.
        let words = (0..n_words)
            .map(|i| word.unwrap_or_else(|| if i % 4 < 2 { -f32::MAX } else { f32::MAX }.to_bits()));
        gpu().queue.write_buffer(nodes, 0, bytemuck::cast_slice(&words.collect::<Vec<u32>>()));
    }
    record(|pass| occlusion.record(pass));
    let found: Vec<u32> = read(occlusion.visible(), n.div_ceil(32));
    let is_visible = |i: &usize| found[i / 32] >> (i % 32) & 1 == 1;
    assert_eq!((0..n).filter(is_visible).count(), boxes.iter().filter(|own| !own.is_empty()).count());
}
