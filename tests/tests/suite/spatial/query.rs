//! Queries find what the specification finds.

pub(super) mod faults;

use boxwood::Context;
use boxwood::spatial::{
    Condition, Count, Index, Items, Order, Pairs, Queries, Question, Source, SpatialError,
};
use boxwood_cpu::Aabb;
use boxwood_cpu::specification::spatial::{self as cpu, Query, find_all, key_bits, nearest, scan, top_most};
use boxwood_tests::{BoxFamily, Random, box_families, box_family, gpu, sampled};

use super::{buffer, read, record};

const ORDERS: [Order; 3] = [Order::Paint, Order::Morton, Order::Hilbert];

fn as_u32(n: usize) -> u32 {
    u32::try_from(n).expect("it is small")
}

/// Every question. There is room for `output_capacity` boxes if all are asked for.
fn questions(output_capacity: usize) -> impl Iterator<Item = Question> {
    let output_capacity = as_u32(output_capacity);
    let by_condition = move |condition| {
        let all = Question::All { condition, output_capacity };
        [Question::TopMost(condition), Question::Any(condition), all]
    };
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

/// The boxes of a test, with their tree if they have one.
struct Input<'a> {
    boxes: &'a [Aabb],
    buffer: wgpu::Buffer,
    permutation: Vec<u32>,
    index: Option<Index>,
}

impl<'a> Input<'a> {
    fn without_tree(boxes: &'a [Aabb]) -> Self {
        // Boxes beyond their number are not found.
        let padded: Vec<Aabb> = boxes.iter().copied().chain([Aabb::PLANE; 5]).collect();
        Self { boxes, buffer: buffer(&padded), permutation: (0..as_u32(boxes.len())).collect(), index: None }
    }

    fn new(context: &Context, boxes: &'a [Aabb], order: Order) -> Self {
        let mut input = Self::without_tree(boxes);
        let index = Index::new(context, Items::new(&input.buffer, as_u32(boxes.len())), order);
        let index = index.expect("it is within the limits");
        record(|pass| index.record(pass));
        input.permutation = cpu::Index::new(boxes, order, key_bits(boxes.len())).permutation;
        input.index = Some(index);
        input
    }

    fn source(&self) -> Source<'_> {
        let n = as_u32(self.boxes.len());
        let boxes = Items { buffer: &self.buffer, count: Count::Host(n), capacity: n + 5 };
        self.index.as_ref().map_or(Source::Boxes(boxes), Source::Index)
    }

    /// What differs from the specification, if anything does.
    fn difference(&self, context: &Context, queries: &[Aabb], question: Question) -> Option<String> {
        let n = queries.len();
        // Queries beyond their number are not answered.
        let padded: Vec<Aabb> = queries.iter().copied().chain([Aabb::PLANE; 3]).collect();
        let input = buffer(&padded);
        let items = Items { buffer: &input, count: Count::Host(as_u32(n)), capacity: as_u32(n + 3) };
        let stage = Queries::new(context, self.source(), items, question).expect("it is within the limits");
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
            Question::All { condition, output_capacity } => {
                let all = |query: &Aabb| self.in_order(find_all(self.boxes, query_of(condition, *query)));
                let lists: Vec<Vec<u32>> = queries.iter().map(all).collect();
                let starts = scan(&lists.iter().map(|list| as_u32(list.len())).collect::<Vec<_>>());
                let mut items = lists.concat();
                items.resize(output_capacity as usize, 0);
                read::<u32>(stage.needed().expect("it asks for all"), 1)[0] == starts[n]
                    && read::<u32>(stage.starts().expect("it asks for all"), n + 1) == starts
                    && found(items.len()) == items
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
fn first_difference(context: &Context, families: &[BoxFamily], sizes: &[(usize, usize)]) -> Option<String> {
    let inputs = families.iter().flat_map(|family| sizes.iter().map(move |sizes| (family, *sizes)));
    inputs.into_iter().find_map(|(family, (n, n_queries))| {
        let boxes = family.generate(n, 4);
        let queries = queries_for(&boxes, n_queries);
        ORDERS.into_iter().map(Some).chain([None]).find_map(|order| {
            let with_tree = |order| Input::new(context, &boxes, order);
            let input = order.map_or_else(|| Input::without_tree(&boxes), with_tree);
            // With room for all boxes, and for only a few.
            let mut questions = [n * n_queries, n_queries / 3].into_iter().flat_map(questions);
            let found = questions.find_map(|question| input.difference(context, &queries, question));
            found.map(|found| format!("{family:?}, {order:?}, n = {n}: {found}"))
        })
    })
}

#[test]
fn queries_are_answered_at_every_border() {
    let context = Context::new(&gpu().device);
    let sizes =
        [(0, 7), (1, 0), (1, 1), (2, 31), (4, 32), (5, 33), (17, 63), (64, 64), (65, 65), (1025, 257)];
    let families = ["small boxes", "nested panels", "every ninth empty"].map(family);
    assert_eq!(first_difference(&context, &families, &sizes), None);
}

#[test]
fn queries_are_answered_for_every_family() {
    let context = Context::new(&gpu().device);
    assert_eq!(
        first_difference(&context, &sampled(box_families()).collect::<Vec<_>>(), &[(33, 40), (700, 100)]),
        None
    );
}

#[test]
fn large_trees_are_walked() {
    let context = Context::new(&gpu().device);
    let boxes = family("nested panels").generate(100_000, 2);
    let queries = queries_for(&boxes, 70);
    for order in ORDERS {
        let input = Input::new(&context, &boxes, order);
        for question in questions(1000) {
            assert_eq!(input.difference(&context, &queries, question), None, "{order:?}");
        }
    }
}

#[test]
fn translating_and_scaling_boxes_and_queries_keeps_the_answers() {
    let context = Context::new(&gpu().device);
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
        let input = Input::new(&context, boxes, Order::Hilbert);
        let query_buffer = buffer(queries);
        let question = Question::TopMost(Condition::Overlapping);
        let stage = Queries::new(&context, input.source(), Items::new(&query_buffer, 200), question);
        let stage = stage.expect("it is within the limits");
        record(|pass| stage.record(pass));
        read::<u32>(stage.found(), 200)
    };
    assert_eq!(found(&boxes, &queries), found(&moved_boxes, &moved_queries));
}

/// What differs without a tree, if the boxes are in several shares.
fn difference_in_shares(context: &Context) -> Option<String> {
    let inputs = [("small boxes", 9000, 33), ("windows", 20_001, 5), ("small boxes", 70_000, 9)];
    let found = inputs.into_iter().find_map(|(name, n, n_queries)| {
        let boxes = family(name).generate(n, 2);
        let queries = queries_for(&boxes, n_queries);
        let input = Input::without_tree(&boxes);
        let mut questions = [2 * n, 1000].into_iter().flat_map(questions);
        questions.find_map(|question| input.difference(context, &queries, question))
    });
    // Only a box of the first share is near enough, just.
    let mut boxes = vec![Aabb { x0: 900.0, y0: 900.0, x1: 901.0, y1: 901.0 }; 50_000];
    boxes[7] = Aabb { x0: 3.0, y0: 4.0, x1: 5.0, y1: 5.0 };
    let query = [Aabb { x0: 0.0, y0: 0.0, x1: 5.0, y1: 0.0 }];
    found.or_else(|| Input::without_tree(&boxes).difference(context, &query, Question::Nearest))
}

#[test]
fn several_workgroups_stream_many_boxes() {
    assert_eq!(difference_in_shares(&Context::new(&gpu().device)), None);
}

/// llvmpipe ends the loops of an invocation after 65,535 rounds.
#[test]
fn no_walk_is_cut_off() {
    let context = Context::new(&gpu().device);
    let is_software = gpu().adapter.get_info().device_type == wgpu::DeviceType::Cpu;
    // Every box is found.
    let boxes = family("identical boxes").generate(194_000, 1);
    let input = Input::new(&context, &boxes, Order::Hilbert);
    let all = |output_capacity| Question::All { condition: Condition::Overlapping, output_capacity };
    assert_eq!(input.difference(&context, &[Aabb::PLANE], all(as_u32(boxes.len()))), None);
    // Neighbors in paint order are far from each other, so that a walk visits most nodes.
    let boxes = family("small boxes").generate(200_000, 1);
    let input = Input::new(&context, &boxes, Order::Paint);
    let query_buffer = buffer(&[Aabb { x0: 5000.0, y0: 5000.0, x1: 6000.0, y1: 6000.0 }]);
    let stage = Queries::new(&context, input.source(), Items::new(&query_buffer, 1), all(1));
    if is_software {
        let error = SpatialError::TooManyRounds { need: 66_670, limit: 65_000 };
        assert_eq!(stage.expect_err("it could be cut off"), error);
        let pairs = Pairs::new(&context, input.source(), 1);
        assert_eq!(pairs.expect_err("it could be cut off"), error);
    } else {
        let query = [Aabb { x0: 5000.0, y0: 5000.0, x1: 6000.0, y1: 6000.0 }];
        assert_eq!(input.difference(&context, &query, all(200_000)), None);
    }
}

#[test]
fn the_number_of_queries_can_change() {
    let context = Context::new(&gpu().device);
    let boxes = family("windows").generate(300, 1);
    let queries = queries_for(&boxes, 500);
    let input = Input::new(&context, &boxes, Order::Hilbert);
    let (query_buffer, counts) = (buffer(&queries), buffer(&[0, 100_u32]));
    let question = Question::Any(Condition::At);
    let stage = |count| {
        let items = Items { buffer: &query_buffer, count, capacity: 500 };
        Queries::new(&context, input.source(), items, question).expect("it is within the limits")
    };
    let of_caller = stage(Count::Gpu { buffer: &counts, word: 1 });
    record(|pass| of_caller.record(pass));
    let n_ones = |queries: &[Aabb]| {
        let any = |query: &&Aabb| top_most(&boxes, query_of(Condition::At, **query)).is_some();
        as_u32(queries.iter().filter(any).count())
    };
    let found: Vec<u32> = read(of_caller.found(), 16);
    assert_eq!(found.iter().map(|word| word.count_ones()).sum::<u32>(), n_ones(&queries[..100]));
    assert_eq!(of_caller.set_count(&gpu().queue, 1), Err(SpatialError::CountOfCaller));
    let own = stage(Count::Host(500));
    own.set_count(&gpu().queue, 31).expect("it is within the capacity");
    record(|pass| own.record(pass));
    assert_eq!(read::<u32>(own.found(), 1)[0].count_ones(), n_ones(&queries[..31]));
}

#[test]
fn a_buffer_without_room_for_the_queries_is_refused() {
    let context = Context::new(&gpu().device);
    let input = Input::new(&context, &[Aabb::PLANE], Order::Paint);
    let queries = buffer(&[Aabb::PLANE; 3]);
    let error = |question| {
        let stage = Queries::new(&context, input.source(), Items::new(&queries, 4), question);
        stage.expect_err("it is too large")
    };
    for question in questions(4) {
        assert_eq!(error(question), SpatialError::TooLarge { buffer: "queries", need: 4, limit: 3 });
    }
}

#[test]
fn queries_of_a_tree_that_is_not_built_end() {
    let context = Context::new(&gpu().device);
    let boxes = buffer(&[Aabb::PLANE; 2100]);
    let index = Index::new(&context, Items::new(&boxes, 2100), Order::Hilbert);
    let index = index.expect("it is within the limits");
    for question in questions(40) {
        let stage = Queries::new(&context, Source::Index(&index), Items::new(&boxes, 40), question);
        let stage = stage.expect("it is within the limits");
        record(|pass| stage.record(pass));
        let found: Vec<u32> = read(stage.found(), 1);
        if question == Question::TopMost(Condition::At) {
            assert_eq!(found, [u32::MAX]);
        }
    }
}

#[test]
fn queries_that_are_none_find_nothing_or_something_but_break_nothing() {
    let context = Context::new(&gpu().device);
    let boxes = family("small boxes").generate(3000, 1);
    let input = Input::new(&context, &boxes, Order::Hilbert);
    let nan = Aabb { x0: f32::NAN, y0: f32::NAN, x1: f32::NAN, y1: f32::NAN };
    let infinite = Aabb { x0: f32::NEG_INFINITY, y0: 5.0, x1: f32::INFINITY, y1: f32::INFINITY };
    let query_buffer = buffer(&[nan, infinite]);
    for question in questions(2) {
        let stage = Queries::new(&context, input.source(), Items::new(&query_buffer, 2), question);
        let stage = stage.expect("it is within the limits");
        record(|pass| stage.record(pass));
        read::<u32>(stage.found(), 1);
    }
}

/// What differs at distances that are clamped.
fn difference_at_odd_distances(context: &Context) -> Option<String> {
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
    // In the first box, on its edge, and near it.
    let odd_limits = [0.0, f32::MIN_POSITIVE, 1.0, f32::MAX, f32::INFINITY, f32::NAN];
    let odd_limits = odd_limits.into_iter().flat_map(|limit| [limit, -limit]);
    let near = odd_limits.flat_map(|limit| [0.5, 1.0, 2.0].map(|x| point(x * tiny, 0.0, limit)));
    let queries: Vec<Aabb> = queries.into_iter().chain(near).collect();
    let found = |boxes: &[Aabb]| {
        [Input::new(context, boxes, Order::Paint), Input::without_tree(boxes)]
            .iter()
            .find_map(|input| input.difference(context, &queries, Question::Nearest))
    };
    found(&boxes)
        .or_else(|| found(&boxes[2..]))
        .or_else(|| found(&boxes[..2]))
        .or_else(|| found(&[Aabb::EMPTY; 3]))
}

#[test]
fn distances_are_clamped_in_the_same_way() {
    assert_eq!(difference_at_odd_distances(&Context::new(&gpu().device)), None);
}
