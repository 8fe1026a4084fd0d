//! Queries find what the specification finds.

use boxwood::spatial::{
    Condition, Count, Index, IndexDescriptor, Order, Queries, QueriesDescriptor, Question, SpatialError,
    SpatialPipelines,
};
use boxwood_cpu::Aabb;
use boxwood_cpu::spatial::{self as cpu, Query, find_all, key_bits, nearest, scan, top_most};
use boxwood_tests::{
    BoxFamily, Fault, Random, assert_all_caught, bounded_source, box_families, box_family, gpu,
};

use super::{buffer, read, record};

const ORDERS: [Order; 3] = [Order::Paint, Order::Morton, Order::Hilbert];

fn as_u32(n: usize) -> u32 {
    u32::try_from(n).expect("it is small")
}

fn questions() -> impl Iterator<Item = Question> {
    let by_condition =
        |condition| [Question::TopMost(condition), Question::Any(condition), Question::All(condition)];
    Condition::ALL.into_iter().flat_map(by_condition).chain([Question::Nearest])
}

/// Points and rectangles at the edges of boxes, and anywhere else.
fn queries_for(boxes: &[Aabb], n: usize) -> Vec<Aabb> {
    let mut random = Random::new(n as u64);
    let mut one = |i: usize| {
        let Aabb { x0, y0, x1, y1 } = match boxes.len() {
            0 => Aabb::PLANE,
            n => boxes[random.below(n)],
        };
        let [x, y] = [(); 2].map(|()| f32::from(u16::try_from(random.below(10_000)).expect("it is small")));
        match i % 7 {
            0 => Aabb { x0, y0, x1, y1 },
            1 => Aabb { x0: x1, y0, x1: x1 + 50.0, y1: y1 + 50.0 },
            2 => Aabb { x0, y0: y1, x1: 50.0, y1: y1 + 50.0 },
            3 => Aabb { x0: x, y0: y, x1: x + 300.0, y1: y + 400.0 },
            4 => Aabb { x0: x, y0: y, x1: f32::MAX, y1: f32::MAX },
            5 if i % 4 == 1 => Aabb::PLANE,
            5 => Aabb::EMPTY,
            _ => Aabb { x0: x, y0: y, x1: 30.0, y1: y },
        }
    };
    (0..n).map(&mut one).collect()
}

fn query_of(condition: Condition, Aabb { x0, y0, x1, y1 }: Aabb) -> Query {
    match condition {
        Condition::At => Query::At([x0, y0]),
        Condition::Overlapping => Query::Overlapping(Aabb { x0, y0, x1, y1 }),
        Condition::Within => Query::Within(Aabb { x0, y0, x1, y1 }),
    }
}

/// The boxes of a test, with their tree.
struct Input<'a> {
    boxes: &'a [Aabb],
    permutation: Vec<u32>,
    index: Index,
}

impl<'a> Input<'a> {
    fn new(pipelines: &SpatialPipelines, boxes: &'a [Aabb], order: Order) -> Self {
        let input = buffer(boxes);
        let descriptor = IndexDescriptor { order, ..IndexDescriptor::new(&input, as_u32(boxes.len())) };
        let index = Index::new(&gpu().device, pipelines, &descriptor).expect("it is within the limits");
        record(|pass| index.record(pass));
        let permutation = cpu::Index::new(boxes, order, key_bits(boxes.len())).permutation;
        Self { boxes, permutation, index }
    }

    /// What differs from the specification, if anything does. There is room for so many boxes.
    fn difference(
        &self,
        pipelines: &SpatialPipelines,
        queries: &[Aabb],
        question: Question,
        output_capacity: usize,
    ) -> Option<String> {
        let n = queries.len();
        let input = buffer(queries);
        let descriptor = QueriesDescriptor {
            output_capacity: as_u32(output_capacity),
            ..QueriesDescriptor::new(&self.index, &input, as_u32(n), question)
        };
        let stage = Queries::new(&gpu().device, pipelines, &descriptor).expect("it is within the limits");
        record(|pass| stage.record(pass));
        let found = |words| read::<u32>(stage.found(), words);
        let is_right = match question {
            Question::TopMost(condition) => {
                let expected = queries.iter().map(|query| top_most(self.boxes, query_of(condition, *query)));
                found(n).into_iter().eq(expected.map(|item| item.unwrap_or(u32::MAX)))
            }
            Question::Any(condition) => {
                let any = |query: &Aabb| top_most(self.boxes, query_of(condition, *query)).is_some();
                let word = |queries: &[Aabb]| {
                    queries
                        .iter()
                        .enumerate()
                        .fold(0, |word, (bit, query)| word | (u32::from(any(query)) << bit))
                };
                found(n.div_ceil(32)).into_iter().eq(queries.chunks(32).map(word))
            }
            Question::All(condition) => {
                let all = |query: &Aabb| self.in_order(find_all(self.boxes, query_of(condition, *query)));
                let lists: Vec<Vec<u32>> = queries.iter().map(all).collect();
                let starts = scan(&lists.iter().map(|list| as_u32(list.len())).collect::<Vec<_>>());
                let mut items = lists.concat();
                items.resize(output_capacity, 0);
                read::<u32>(stage.needed().expect("it asks for all"), 1)[0] == starts[n]
                    && read::<u32>(stage.starts().expect("it asks for all"), n + 1) == starts
                    && found(output_capacity) == items
            }
            Question::Nearest => {
                let expected = queries.iter().flat_map(|query| {
                    let found = nearest(self.boxes, [query.x0, query.y0], query.x1);
                    found.map_or([u32::MAX, 0], |found| [found.item, found.squared_distance.to_bits()])
                });
                found(2 * n).into_iter().eq(expected)
            }
        };
        (!is_right).then(|| format!("{question:?}, {n} queries"))
    }

    /// Items in the order of their leaves.
    fn in_order(&self, items: Vec<u32>) -> Vec<u32> {
        let mut is_found = vec![false; self.boxes.len()];
        items.into_iter().for_each(|item| is_found[item as usize] = true);
        self.permutation.iter().copied().filter(|item| is_found[*item as usize]).collect()
    }
}

fn family(name: &str) -> BoxFamily {
    box_family(name).expect("there is such a family")
}

/// The first difference for some numbers of boxes, each with a number of queries.
fn first_difference(
    pipelines: &SpatialPipelines,
    families: &[BoxFamily],
    sizes: &[(usize, usize)],
) -> Option<String> {
    let inputs = families.iter().flat_map(|family| sizes.iter().map(move |sizes| (family, *sizes)));
    inputs.into_iter().find_map(|(family, (n, n_queries))| {
        let boxes = family.generate(n, 4);
        let queries = queries_for(&boxes, n_queries);
        ORDERS.into_iter().find_map(|order| {
            let input = Input::new(pipelines, &boxes, order);
            let found = questions().find_map(|question| {
                // For all boxes, and for only a few.
                let found = input.difference(pipelines, &queries, question, n * n_queries);
                found.or_else(|| input.difference(pipelines, &queries, question, n_queries / 3))
            });
            found.map(|found| format!("{family:?}, {order:?}, n = {n}: {found}"))
        })
    })
}

#[test]
fn queries_are_answered_at_every_border() {
    let pipelines = SpatialPipelines::new(&gpu().device);
    let sizes =
        [(0, 7), (1, 0), (1, 1), (2, 31), (4, 32), (5, 33), (17, 63), (64, 64), (65, 65), (1025, 257)];
    let families = ["small boxes", "nested panels", "every ninth empty"].map(family);
    assert_eq!(first_difference(&pipelines, &families, &sizes), None);
}

#[test]
fn queries_are_answered_for_every_family() {
    let pipelines = SpatialPipelines::new(&gpu().device);
    assert_eq!(first_difference(&pipelines, &box_families(), &[(33, 40), (700, 100)]), None);
}

#[test]
fn large_trees_are_walked() {
    let pipelines = SpatialPipelines::new(&gpu().device);
    let boxes = family("nested panels").generate(100_000, 2);
    let queries = queries_for(&boxes, 70);
    for order in ORDERS {
        let input = Input::new(&pipelines, &boxes, order);
        for question in questions() {
            assert_eq!(input.difference(&pipelines, &queries, question, 1000), None, "{order:?}");
        }
    }
}

#[test]
fn translating_and_scaling_boxes_and_queries_keeps_the_answers() {
    let pipelines = SpatialPipelines::new(&gpu().device);
    // Coordinates with few bits, so that no sum rounds.
    let boxes: Vec<Aabb> = family("staircase").generate(500, 1);
    let moved = |Aabb { x0, y0, x1, y1 }: Aabb| {
        let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(|v| 0.25 * (v + 4096.0));
        Aabb { x0, y0, x1, y1 }
    };
    let queries: Vec<Aabb> = family("few centers").generate(200, 1);
    let [moved_boxes, moved_queries] =
        [&boxes, &queries].map(|all| all.iter().copied().map(moved).collect::<Vec<_>>());
    let found = |boxes: &[Aabb], queries: &[Aabb]| {
        let input = Input::new(&pipelines, boxes, Order::Hilbert);
        let query_buffer = buffer(queries);
        let question = Question::TopMost(Condition::Overlapping);
        let descriptor = QueriesDescriptor::new(&input.index, &query_buffer, 200, question);
        let stage = Queries::new(&gpu().device, &pipelines, &descriptor).expect("it is within the limits");
        record(|pass| stage.record(pass));
        read::<u32>(stage.found(), 200)
    };
    assert_eq!(found(&boxes, &queries), found(&moved_boxes, &moved_queries));
}

/// llvmpipe ends the loops of an invocation after 65,535 rounds.
#[test]
fn no_walk_is_cut_off() {
    let pipelines = SpatialPipelines::new(&gpu().device);
    let is_software = gpu().adapter.get_info().device_type == wgpu::DeviceType::Cpu;
    // Every box is found.
    let boxes = family("identical boxes").generate(194_000, 1);
    let input = Input::new(&pipelines, &boxes, Order::Hilbert);
    let all = Question::All(Condition::Overlapping);
    assert_eq!(input.difference(&pipelines, &[Aabb::PLANE], all, boxes.len()), None);
    // Neighbors in paint order are far from each other, so that a walk visits most nodes.
    let boxes = family("small boxes").generate(200_000, 1);
    let input = Input::new(&pipelines, &boxes, Order::Paint);
    let query_buffer = buffer(&[Aabb { x0: 5000.0, y0: 5000.0, x1: 6000.0, y1: 6000.0 }]);
    let descriptor = QueriesDescriptor::new(&input.index, &query_buffer, 1, all);
    let stage = Queries::new(&gpu().device, &pipelines, &descriptor);
    if is_software {
        let error = SpatialError::TooManyRounds { need: 66_670, limit: 65_000 };
        assert_eq!(stage.expect_err("it could be cut off"), error);
    } else {
        let query = [Aabb { x0: 5000.0, y0: 5000.0, x1: 6000.0, y1: 6000.0 }];
        assert_eq!(input.difference(&pipelines, &query, all, 200_000), None);
    }
}

#[test]
fn the_number_of_queries_can_change() {
    let pipelines = SpatialPipelines::new(&gpu().device);
    let boxes = family("windows").generate(300, 1);
    let queries = queries_for(&boxes, 500);
    let input = Input::new(&pipelines, &boxes, Order::Hilbert);
    let (query_buffer, counts) = (buffer(&queries), buffer(&[0, 100_u32]));
    let question = Question::Any(Condition::At);
    let host = QueriesDescriptor::new(&input.index, &query_buffer, 500, question);
    let descriptor = QueriesDescriptor { count: Count::Gpu { buffer: &counts, word: 1 }, ..host };
    let stage =
        |descriptor| Queries::new(&gpu().device, &pipelines, &descriptor).expect("it is within the limits");
    let of_caller = stage(descriptor);
    record(|pass| of_caller.record(pass));
    let n_ones = |queries: &[Aabb]| {
        let any = |query: &&Aabb| top_most(&boxes, query_of(Condition::At, **query)).is_some();
        as_u32(queries.iter().filter(any).count())
    };
    let found: Vec<u32> = read(of_caller.found(), 16);
    assert_eq!(found.iter().map(|word| word.count_ones()).sum::<u32>(), n_ones(&queries[..100]));
    assert_eq!(of_caller.set_count(&gpu().queue, 1), Err(SpatialError::CountOfCaller));
    let own = stage(host);
    own.set_count(&gpu().queue, 31).expect("it is within the capacity");
    record(|pass| own.record(pass));
    assert_eq!(read::<u32>(own.found(), 1)[0].count_ones(), n_ones(&queries[..31]));
}

#[test]
fn a_buffer_without_room_for_the_queries_is_refused() {
    let pipelines = SpatialPipelines::new(&gpu().device);
    let input = Input::new(&pipelines, &[Aabb::PLANE], Order::Paint);
    let queries = buffer(&[Aabb::PLANE; 3]);
    let error = |question| {
        let descriptor = QueriesDescriptor::new(&input.index, &queries, 4, question);
        Queries::new(&gpu().device, &pipelines, &descriptor).expect_err("it is too large")
    };
    for question in questions() {
        assert_eq!(error(question), SpatialError::TooLarge { buffer: "queries", need: 4, limit: 3 });
    }
}

#[test]
fn queries_that_are_none_find_nothing_or_something_but_break_nothing() {
    let pipelines = SpatialPipelines::new(&gpu().device);
    let boxes = family("small boxes").generate(3000, 1);
    let input = Input::new(&pipelines, &boxes, Order::Hilbert);
    let nan = Aabb { x0: f32::NAN, y0: f32::NAN, x1: f32::NAN, y1: f32::NAN };
    let infinite = Aabb { x0: f32::NEG_INFINITY, y0: 5.0, x1: f32::INFINITY, y1: f32::INFINITY };
    let query_buffer = buffer(&[nan, infinite]);
    for question in questions() {
        let descriptor = QueriesDescriptor::new(&input.index, &query_buffer, 2, question);
        let stage = Queries::new(&gpu().device, &pipelines, &descriptor).expect("it is within the limits");
        record(|pass| stage.record(pass));
        read::<u32>(stage.found(), 1);
    }
}

/// Planted faults: a shader, a text in it, and the text that replaces each occurrence.
const FAULTS: &[Fault] = &[
    // The walk.
    ("query_top_overlapping", "slot / 2u + 1u", "slot / 2u"),
    ("query_count_overlapping", "id - leaf + tree.first_leaf", "id - leaf"),
    ("query_count_overlapping", "height <= LOW_HEIGHTS", "height <= 2u"),
    ("query_count_overlapping", "4u * height - 4u", "4u * height"),
    ("query_count_overlapping", "& ~3u;", "& ~7u;"),
    ("query_count_overlapping", "firstTrailingBit(word) & 3u", "firstTrailingBit(word) & 1u"),
    ("query_count_overlapping", "2u * (next_height - height)", "next_height - height"),
    ("query_count_overlapping", "select(high, low, is_low)", "low"),
    ("query_count_overlapping", "next_height - 1u;", "next_height;"),
    ("query_list_overlapping", "word ^ (1u << (shift + sibling))", "word & ~(15u << shift)"),
    ("query_list_overlapping", "(wanted >> 3u)", "(wanted >> 2u)"),
    ("query_top_overlapping", "firstLeadingBit((word >> shift) & 15u)", "firstTrailingBit(word) & 1u"),
    // The answers.
    ("query_top_at", "asked.xy < box.zw", "asked.xy <= box.zw"),
    ("query_top_at", "box.xy <= asked.xy", "box.xy < asked.xy"),
    ("query_top_at", "span.y >= answer &&", "span.y > answer &&"),
    ("query_top_at", "span.y + 1u", "span.x"),
    ("query_top_at", "max(answer, span.y + 1u)", "span.y + 1u"),
    ("query_top_at", "answer = 0u;", "answer = 1u;"),
    ("query_top_within", "all(box.zw <= asked.zw)", "all(box.zw < asked.zw)"),
    ("query_top_within", "!meets(box, asked)", "false"),
    ("query_top_overlapping", "< min(box.zw, asked.zw)", "<= min(box.zw, asked.zw)"),
    ("query_top_overlapping", "max(box.xy, asked.xy)", "box.xy"),
    ("query_any_at", "local / 32u], answer", "0u], answer"),
    ("query_any_at", "<< (local % 32u)", "<< 0u"),
    ("query_any_overlapping", "return true;", "return false;"),
    ("query_any_overlapping", "32u * word < n", "32u * word + 32u < n"),
    ("query_any_within", "asked.xy <= box.xy", "asked.xy < box.xy"),
    ("query_count_at", "n_found[query] = answer", "n_found[query] = answer + 1u"),
    ("query_count_within", "meets(box, asked)", "may_meet(box, asked)"),
    ("query_list_at", "sums[query]", "sums[0u]"),
    ("query_list_within", "found[answer] = span.y", "found[answer] = answer"),
    ("query_nearest", "squared == nearest && span.y >= answer", "false"),
    ("query_nearest", "span.y >= answer", "span.y < answer"),
    (
        "query_nearest",
        "max(plain_box.xy - plain_point, plain_point - plain_box.zw)",
        "plain_box.xy - plain_point",
    ),
    ("query_nearest", "squares.x + squares.y", "max(squares.x, squares.y)"),
    ("query_nearest", "distance >= FARTHEST)", "true)"),
    ("query_nearest", "0u, answer == 0u)", "0u, false)"),
    ("query_nearest", "min(distance, vec2(FARTHEST))", "distance"),
    ("query_nearest", "distance < vec2(NEAREST)", "distance < vec2(0.0)"),
    ("query_nearest", "vec2(config.minus_zero)", "vec2(1.0)"),
    ("query_nearest", "if wants(box, span) {", "if true {"),
];

/// What differs at distances that are clamped.
fn difference_at_odd_distances(pipelines: &SpatialPipelines) -> Option<String> {
    let tiny = f32::from_bits((127 - 62) << 23);
    let boxes = [
        Aabb { x0: 0.0, y0: 0.0, x1: tiny, y1: tiny },
        Aabb { x0: 3.0 * tiny, y0: 0.0, x1: 4.0 * tiny, y1: tiny },
        Aabb { x0: 1e38, y0: 1e38, x1: 2e38, y1: f32::MAX },
        Aabb { x0: -2e38, y0: -2e38, x1: -1e38, y1: -1e38 },
    ];
    let point = |x0, y0, radius| Aabb { x0, y0, x1: radius, y1: 0.0 };
    let queries = [
        point(2.0 * tiny, 0.0, 0.0),
        point(-tiny, -tiny, 1.0),
        point(-f32::MAX, f32::MAX, f32::MAX),
        point(1e25, 1e25, 1e20),
        point(1e19, 1.0, 1e19),
        point(f32::MAX, f32::MAX, 1.0),
    ];
    let found = |boxes: &[Aabb]| {
        Input::new(pipelines, boxes, Order::Paint).difference(pipelines, &queries, Question::Nearest, 0)
    };
    found(&boxes).or_else(|| found(&boxes[2..])).or_else(|| found(&boxes[..2]))
}

#[test]
fn distances_are_clamped_in_the_same_way() {
    assert_eq!(difference_at_odd_distances(&SpatialPipelines::new(&gpu().device)), None);
}

#[test]
fn planted_faults_are_caught() {
    let pipelines = SpatialPipelines::new(&gpu().device);
    let families = ["small boxes", "nested panels", "few centers", "touching tiles"].map(family);
    let sizes = [(1, 33), (17, 65), (700, 100)];
    assert_eq!(first_difference(&pipelines.with_changes(bounded_source), &families, &sizes), None);
    // A tree of more than 7 heights.
    let boxes = family("drawing").generate(20_000, 2);
    let queries = queries_for(&boxes, 20);
    assert_all_caught(
        FAULTS,
        |source| pipelines.with_changes(source),
        |broken, _| {
            let high = || {
                let input = Input::new(broken, &boxes, Order::Hilbert);
                questions().find_map(|question| input.difference(broken, &queries, question, 500))
            };
            first_difference(broken, &families, &sizes)
                .or_else(|| difference_at_odd_distances(broken))
                .or_else(high)
                .is_some()
        },
    );
}
