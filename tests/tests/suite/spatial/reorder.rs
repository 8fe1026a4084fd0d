//! The order of queries is that of the specification.

use boxwood::Context;
use boxwood::spatial::{
    Condition, Count, Index, Items, Order, Packets, Queries, Question, Reorder, Source, SpatialError,
};
use boxwood_cpu::Aabb;
use boxwood_cpu::specification::spatial::{packets, query_keys, reorder};
use boxwood_tests::{Fault, Random, assert_all_caught, bounded_source, box_family, gpu};

use super::{buffer, read, record};

const BOUNDS: Aabb = Aabb { x0: 0.0, y0: 0.0, x1: 10_000.0, y1: 10_000.0 };

/// Around every border of workgroups and partitions.
const SIZES: [usize; 12] = [0, 1, 2, 33, 255, 256, 257, 2047, 2048, 2049, 4097, 9000];

fn as_u32(n: usize) -> u32 {
    u32::try_from(n).expect("it is small")
}

fn point(x0: f32, y0: f32) -> Aabb {
    Aabb { x0, y0, x1: 7.0, y1: -7.0 }
}

/// Queries at random places, along a line, at one place, and outside of the bounds.
fn families(n: usize) -> Vec<Vec<Aabb>> {
    let mut random = Random::new(n as u64);
    let mut coordinate = || f32::from(u16::try_from(random.below(20_000)).expect("it is small")) - 1000.0;
    let boxes = box_family("windows").expect("it exists").generate(n, 1);
    let scattered = (0..n).map(|_| point(coordinate(), coordinate())).collect();
    let line = (0..n).map(|i| point(f32::from(u16::try_from(i / 9 % 10_000).expect("it is small")), 5000.0));
    vec![boxes, scattered, line.collect(), vec![point(3.0, 4.0); n], vec![Aabb::EMPTY; n]]
}

/// What differs from the specification, if anything does.
fn difference(context: &Context, queries: &[Aabb], is_point: bool) -> Option<String> {
    let n = queries.len();
    // Queries beyond their number are not in the result.
    let padded: Vec<Aabb> = queries.iter().copied().chain([BOUNDS; 5]).collect();
    let (query_buffer, bounds) = (buffer(&padded), buffer(&[BOUNDS]));
    let items = Items { buffer: &query_buffer, count: Count::Host(as_u32(n)), capacity: as_u32(n + 5) };
    let new = if is_point { Reorder::points } else { Reorder::rectangles };
    let stage = new(context, items, &bounds).expect("it is within the limits");
    let packet_stage = Packets::new(context, &stage).expect("it is within the limits");
    record(|pass| {
        stage.record(pass);
        packet_stage.record(pass);
    });
    let keys = query_keys(queries, is_point, BOUNDS);
    let mut expected = reorder(&keys);
    let mut reordered: Vec<Aabb> = expected.iter().map(|item| queries[*item as usize]).collect();
    expected.resize(n + 5, 0);
    reordered.resize(n + 5, Aabb { x0: 0.0, y0: 0.0, x1: 0.0, y1: 0.0 });
    let is_right = read::<u32>(stage.permutation(), n + 5) == expected
        && read::<Aabb>(stage.reordered(), n + 5) == reordered
        && are_packets_right(&packet_stage, &keys);
    (!is_right).then(|| format!("{n} queries, points: {is_point}"))
}

/// Whether the packets are those of the specification, and nothing follows them.
fn are_packets_right(stage: &Packets, keys: &[u32]) -> bool {
    let expected = packets(keys);
    let Count::Gpu { buffer, word } = stage.n_packets() else { panic!("it is on the GPU") };
    read::<u32>(buffer, word as usize + 1)[word as usize] == as_u32(expected.len())
        && read::<[u32; 2]>(stage.packets(), expected.len()) == expected
}

fn first_difference(context: &Context, sizes: &[usize]) -> Option<String> {
    sizes.iter().find_map(|n| {
        families(*n).iter().enumerate().find_map(|(family, queries)| {
            let found = [true, false].into_iter().find_map(|is_point| difference(context, queries, is_point));
            found.map(|found| format!("family {family}: {found}"))
        })
    })
}

#[test]
fn the_order_is_that_of_the_specification() {
    assert_eq!(first_difference(&Context::new(&gpu().device), &SIZES), None);
}

#[test]
fn packets_partition_the_permutation_and_have_one_key() {
    let context = Context::new(&gpu().device);
    for queries in families(9000) {
        let (query_buffer, bounds) = (buffer(&queries), buffer(&[BOUNDS]));
        let order = Reorder::points(&context, Items::new(&query_buffer, 9000), &bounds);
        let order = order.expect("it is within the limits");
        let stage = Packets::new(&context, &order).expect("it is within the limits");
        record(|pass| {
            order.record(pass);
            stage.record(pass);
        });
        let Count::Gpu { buffer: n_packets, .. } = stage.n_packets() else { panic!("it is on the GPU") };
        let n_packets = read::<u32>(n_packets, 1)[0] as usize;
        let permutation: Vec<u32> = read(order.permutation(), 9000);
        let keys = query_keys(&queries, true, BOUNDS);
        let mut end_before = 0;
        for [first, end] in read::<[u32; 2]>(stage.packets(), n_packets) {
            assert_eq!(first, end_before);
            assert!((1..=256).contains(&(end - first)), "{first} to {end}");
            let key = |place: u32| keys[permutation[place as usize] as usize];
            assert!((first..end).all(|place| key(place) == key(first)), "{first} to {end}");
            end_before = end;
        }
        assert_eq!(end_before, 9000);
    }
}

#[test]
fn reordered_queries_have_the_same_answers() {
    let context = Context::new(&gpu().device);
    let boxes = box_family("windows").expect("it exists").generate(3000, 1);
    let queries = &families(1000)[1];
    let (box_buffer, query_buffer) = (buffer(&boxes), buffer(queries));
    let index = Index::new(&context, Items::new(&box_buffer, 3000), Order::Hilbert);
    let index = index.expect("it is within the limits");
    let bounds = index.bounds().expect("the tree is along a curve");
    let order = Reorder::points(&context, Items::new(&query_buffer, 1000), bounds);
    let order = order.expect("it is within the limits");
    let answers = |queries: &wgpu::Buffer| {
        let question = Question::TopMost(Condition::At);
        let stage = Queries::new(&context, Source::Index(&index), Items::new(queries, 1000), question);
        let stage = stage.expect("it is within the limits");
        record(|pass| {
            index.record(pass);
            order.record(pass);
            stage.record(pass);
        });
        read::<u32>(stage.found(), 1000)
    };
    let (plain, reordered) = (answers(&query_buffer), answers(order.reordered()));
    let permutation: Vec<u32> = read(order.permutation(), 1000);
    assert!(permutation.iter().zip(reordered).all(|(item, answer)| plain[*item as usize] == answer));
}

/// What differs if fewer queries follow more in the same buffers.
fn difference_after_more_queries(context: &Context) -> Option<String> {
    let queries = &families(3000)[1];
    let (query_buffer, bounds) = (buffer(queries), buffer(&[BOUNDS]));
    let stage = Reorder::points(context, Items::new(&query_buffer, 3000), &bounds);
    let stage = stage.expect("it is within the limits");
    let packets = Packets::new(context, &stage).expect("it is within the limits");
    [3000, 2048, 257, 1, 0].into_iter().find_map(|n| {
        stage.set_count(&gpu().queue, as_u32(n)).expect("it is within the capacity");
        record(|pass| {
            stage.record(pass);
            packets.record(pass);
        });
        let keys = query_keys(&queries[..n], true, BOUNDS);
        let is_right =
            read::<u32>(stage.permutation(), n) == reorder(&keys) && are_packets_right(&packets, &keys);
        (!is_right).then(|| format!("{n} queries after more"))
    })
}

#[test]
fn fewer_queries_after_more_count_alone() {
    assert_eq!(difference_after_more_queries(&Context::new(&gpu().device)), None);
}

#[test]
fn queries_that_are_none_and_buffers_without_room_break_nothing() {
    let context = Context::new(&gpu().device);
    let nan = Aabb { x0: f32::NAN, y0: f32::NAN, x1: f32::NAN, y1: f32::NAN };
    let (queries, bounds) = (buffer(&[nan; 3]), buffer(&[BOUNDS]));
    let stage = |n| Reorder::rectangles(&context, Items::new(&queries, n), &bounds);
    let error = stage(4).expect_err("it is too large");
    assert_eq!(error, SpatialError::TooLarge { buffer: "queries", need: 4, limit: 3 });
    let stage = stage(3).expect("it is within the limits");
    record(|pass| stage.record(pass));
    let mut permutation: Vec<u32> = read(stage.permutation(), 3);
    permutation.sort_unstable();
    assert_eq!(permutation, [0, 1, 2]);
}

/// Planted faults: a shader, a text in it, and the text that replaces each occurrence.
pub(super) const FAULTS: &[Fault] = &[
    ("reorder_keys", ">> KEY_SHIFT", ">> 15u"),
    ("reorder_keys", "box = query", "box = query.xyxy"),
    ("reorder_keys", "- extremes.xyxy", "- extremes.xyzw"),
    ("reorder_keys_points", "query.xyxy", "query"),
    ("reorder_keys_points", "vec4(LAST_PLACE)", "vec4(LAST_PLACE + 1.0)"),
    ("reorder_keys_points", "item >= n_items()", "item + 1u >= n_items()"),
    ("reorder_runs", "keys[starts[run]]", "keys[run]"),
    ("reorder_runs", "run < n_items()", "run + 1u < n_items()"),
    ("reorder_lengths", "run + 1u < n_runs", "run + 2u < n_runs"),
    ("reorder_lengths", "end - starts[run]", "end - starts[place]"),
    ("reorder_lengths", "min(query_counts[config.query_count_word], config.capacity)", "config.capacity"),
    ("reorder_unpack", "starts[run_order[place]]", "starts[place]"),
    ("reorder_unpack", "+ output - sums[place]", ""),
    ("reorder_unpack", "if output < n_queries", "if output < config.capacity"),
    ("reorder_unpack", "loaded[3u] = queries[items[3u]]", "loaded[3u] = queries[items[2u]]"),
    ("reorder_packet_counts", "query_sums[key_starts[place]]", "query_sums[place]"),
    ("reorder_packet_counts", "place + 1u < n_keys", "place + 2u < n_keys"),
    ("reorder_packet_counts", "end - first + PACKET_LENGTH - 1u", "end - first + PACKET_LENGTH"),
    ("reorder_packet_counts", "end - first + PACKET_LENGTH - 1u", "end - first"),
    ("reorder_packets", "(packet - sums[place]) * PACKET_LENGTH", "0u"),
    ("reorder_packets", "min(first_query + PACKET_LENGTH, range.y)", "range.y"),
    ("reorder_packets", "min(first_query + PACKET_LENGTH, range.y)", "(first_query + PACKET_LENGTH)"),
    ("reorder_packets", "packet < n_packets", "packet + 1u < n_packets"),
];

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn planted_faults_are_caught() {
    let unbroken = Context::new(&gpu().device).with_changes(bounded_source);
    let sizes = [1, 33, 256, 2049];
    assert_eq!(first_difference(&unbroken, &sizes), None);
    assert_all_caught(
        FAULTS,
        |source| unbroken.with_changes(source),
        |broken, _| {
            let found = first_difference(broken, &sizes);
            found.or_else(|| difference_after_more_queries(broken)).is_some()
        },
    );
}
