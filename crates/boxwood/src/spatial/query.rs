//! Stage *query*: the boxes at points, in rectangles, or near points, by a tree or without one.
//!
//! Specification: `boxwood_cpu::specification::spatial::{find_all, top_most, nearest}`.

use boxwood_cpu::Aabb;
use boxwood_shaders::spatial::{
    self as shaders, Query, QueryCount, QueryJoin, QueryJoinNearest, QueryList, QueryNearest, QueryStream,
    QueryStreamList, QueryStreamNearest,
};
use bytemuck::{Pod, Zeroable};

use super::check::{MAX_ITEMS, check_items};
use super::count::{CountSlot, Counted, Items};
use super::error::SpatialError;
use super::index::{Index, NodeSlots, WALKS_PER_WORKGROUP};
use super::scan::{Scan, Sums};
use super::stage::{Stage, stage_methods};
use crate::core::context::Context;
use crate::core::plan::{Plan, Slot};

/// The number of queries whose answers a workgroup joins, as in `query_join.wgsl`.
const JOINED_QUERIES: u32 = 32;

/// The maximum number of boxes of a share, while there are fewer shares than the maximum: two
/// rounds of a workgroup.
const BOXES_PER_SHARE: u32 = 4096;

/// The maximum number of shares: eight invocations join the shares of a query, up to 32 each.
const MAX_SHARES: u32 = 256;

/// The target number of workgroups that stream boxes. A large GPU runs about a thousand at a time.
/// If there are more queries than this, each query has one workgroup.
const STREAMING_WORKGROUPS: u32 = 4096;

/// Which boxes a query finds. Empty boxes are never found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Those that contain the point (x, y). The other two components are not used.
    At,
    /// Those that overlap the rectangle (x0, y0, x1, y1). Boxes that only touch it do not.
    Overlapping,
    /// Those within the rectangle (x0, y0, x1, y1).
    Within,
}

impl Condition {
    /// Every condition.
    pub const ALL: [Self; 3] = [Self::At, Self::Overlapping, Self::Within];
}

/// The answer that each query gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// The last box in paint order.
    TopMost(Condition),
    /// Whether there is a box.
    Any(Condition),
    /// All boxes.
    All {
        /// Which boxes are found.
        condition: Condition,
        /// The maximum number of boxes that all queries find together.
        output_capacity: u32,
    },
    /// The box that is nearest to the point (x, y), and the last one of several. The third
    /// component is the maximum distance, for which a negative number and NaN count as 0. The
    /// fourth is not used.
    Nearest,
}

/// The boxes of queries or of pairs.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// The boxes of a tree. Record it before the stage.
    Index(&'a Index),
    /// Boxes without a tree: each query tests all of them. This is faster for a few queries, up to
    /// about 32, and for few boxes, up to about 4,000.
    ///
    /// The boxes are an `array<vec4<f32>>`.
    Boxes(Items<'a>),
}

/// The parameters of the stage. `query_config.wgsl` has the same layout.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct QueryConfig {
    /// The number of queries that the buffers have room for.
    pub capacity: u32,
    /// The word of the buffer of the count.
    pub count_word: u32,
    /// The number of boxes that the buffer of the results has room for.
    pub output_capacity: u32,
    /// -0, which a compiler does not know, so that it cannot fuse a product into a sum. The sum of
    /// any x and -0 is x.
    pub minus_zero: f32,
    /// The number of boxes that there is room for, without a tree.
    pub box_capacity: u32,
    /// The word of the buffer of the number of boxes.
    pub box_count_word: u32,
    /// The number of shares of the boxes.
    pub n_shares: u32,
    /// The size of a uniform is a multiple of 16 bytes.
    pub padding: u32,
}

/// The stage with its buffers. Create it once per size.
///
/// It takes 4 bytes per query, 8 for [`Question::Nearest`], and a bit for [`Question::Any`].
/// [`Question::All`] takes 8 bytes per query and 4 per box. Without a tree, it takes up to 48 KiB
/// more, and 12 bytes per query.
///
/// ```no_run
/// use boxwood::Context;
/// use boxwood::spatial::{Condition, Index, Items, Order, Queries, Question, Source};
/// # use boxwood::wgpu;
///
/// # fn example(device: &wgpu::Device, queue: &wgpu::Queue, boxes: &wgpu::Buffer, points: &wgpu::Buffer) -> Result<(), Box<dyn std::error::Error>> {
/// let context = Context::new(device); // once per device
/// let index = Index::new(&context, Items::new(boxes, 10_000), Order::Hilbert)?; // once per size
/// let question = Question::TopMost(Condition::At);
/// let picks = Queries::new(&context, Source::Index(&index), Items::new(points, 500), question)?;
///
/// let mut encoder = device.create_command_encoder(&Default::default());
/// let mut pass = encoder.begin_compute_pass(&Default::default());
/// index.record(&mut pass); // whenever the boxes change
/// picks.record(&mut pass);
/// drop(pass);
/// queue.submit([encoder.finish()]);
/// // `picks.found()` has the index of the top-most box at each of the 500 points, or `u32::MAX`.
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Queries {
    stage: Stage,
    found: Slot,
    list: Option<List>,
}

/// For all boxes: the numbers of boxes, in a plan.
#[derive(Clone, Copy, Debug)]
struct List {
    starts: Slot,
    total: Slot,
}

/// The queries of a plan.
#[derive(Clone, Copy)]
struct Asked {
    question: Question,
    queries: Slot,
    count: CountSlot,
    found: Slot,
}

impl Queries {
    /// Allocates and binds the buffers. `queries` is an `array<vec4<f32>>`.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::TooLarge`] if a buffer of the caller has no room for its items, or a
    ///   result is larger than a storage binding of the device.
    /// - [`SpatialError::TooManyRounds`] on a software adapter, if the tree is so large that a walk
    ///   could be cut off there.
    pub fn new(
        context: &Context,
        source: Source<'_>,
        queries: Items<'_>,
        question: Question,
    ) -> Result<Self, SpatialError> {
        let mut plan = Plan::new("boxwood.spatial", ());
        let counted = queries.add_to::<Aabb>(context, &mut plan, "queries")?;
        let capacity = queries.capacity;
        let n_found = n_words_found(question, capacity);
        check_items(n_found, MAX_ITEMS)?;
        let found = plan.buffer::<u32>("found", n_found);
        let asked = Asked { question, queries: counted.items, count: counted.count, found };
        let config = QueryConfig {
            capacity,
            count_word: counted.count.word,
            output_capacity: if let Question::All { output_capacity, .. } = question {
                output_capacity
            } else {
                0
            },
            minus_zero: -0.0,
            ..QueryConfig::zeroed()
        };
        plan.begin("boxwood.query");
        let list = match source {
            Source::Index(index) => {
                index.check_walk(context.device())?;
                let nodes = index.add_to(&mut plan);
                let config = plan.uniform("query_config", &config);
                asked.plan_walks(&mut plan, config, nodes)
            }
            Source::Boxes(boxes) => {
                let boxes = boxes.add_to::<Aabb>(context, &mut plan, "boxes")?;
                let streamed = Streamed::plan(&mut plan, boxes, config)?;
                asked.plan_streams(&mut plan, streamed)
            }
        };
        plan.end();
        Ok(Self { stage: Stage::new(context, plan, counted.count)?, found, list })
    }

    stage_methods!("queries");

    /// Out: what is found.
    ///
    /// Indices are those of the items of the source. If these are what a [`Select`](super::Select)
    /// kept, its [`selected`](super::Select::selected) has the indices that they had before.
    ///
    /// | question | result |
    /// |---|---|
    /// | [`TopMost`](Question::TopMost) | `array<u32>`: for each query, the index of a box, or `u32::MAX` |
    /// | [`Any`](Question::Any) | `array<u32>`: a bit per query, the first one in the lowest bit |
    /// | [`All`](Question::All) | `array<u32>`: the indices of boxes, query by query, in the order of the leaves, or in paint order without a tree |
    /// | [`Nearest`](Question::Nearest) | `array<vec2<u32>>`: for each query, the index of a box, or `u32::MAX`, and the bits of the squared distance |
    pub fn found(&self) -> &wgpu::Buffer {
        &self.stage[self.found]
    }

    /// Out, with [`Question::All`]: the number of boxes before those of each query, and then
    /// [`needed`](Self::needed), `array<u32>`.
    pub fn starts(&self) -> Option<&wgpu::Buffer> {
        self.list.map(|list| &self.stage[list.starts])
    }

    /// Out, with [`Question::All`]: the number of boxes of all queries, one `u32`. It is `u32::MAX`
    /// if it is this or more. If it exceeds the capacity, the boxes beyond the capacity are
    /// missing.
    pub fn needed(&self) -> Option<&wgpu::Buffer> {
        self.list.map(|list| &self.stage[list.total])
    }
}

/// Boxes without a tree, in a plan. Each query has an answer per share of the boxes.
#[derive(Clone, Copy)]
struct Streamed {
    config: Slot,
    boxes: Slot,
    box_counts: Slot,
    n_answers: u32,
    answers: Slot,
}

impl Streamed {
    /// Adds the answers, and the uniform with the fields of `config` that concern the boxes.
    fn plan(plan: &mut Plan<u32>, boxes: Counted, config: QueryConfig) -> Result<Self, SpatialError> {
        let Counted { items, count } = boxes;
        let n_shares = n_shares(count.capacity, config.capacity);
        let n_answers = u64::from(config.capacity) * u64::from(n_shares);
        // An answer has two words.
        check_items(2 * n_answers, MAX_ITEMS)?;
        let n_answers = u32::try_from(n_answers).expect("it is checked above");
        let (box_capacity, box_count_word) = (count.capacity, count.word);
        let config = QueryConfig { box_capacity, box_count_word, n_shares, ..config };
        Ok(Self {
            config: plan.uniform("query_config", &config),
            boxes: items,
            box_counts: count.buffer,
            n_answers,
            answers: plan.buffer::<[u32; 2]>("share_answers", n_answers),
        })
    }
}

impl Asked {
    /// Adds the dispatches that walk over a tree.
    fn plan_walks(self, plan: &mut Plan<u32>, config: Slot, nodes: NodeSlots) -> Option<List> {
        let Self { question, queries, count, found } = self;
        let NodeSlots { tree, node_boxes, node_spans } = nodes;
        let item_counts = count.buffer;
        let n_workgroups = count.capacity.div_ceil(WALKS_PER_WORKGROUP);
        match question {
            Question::TopMost(condition) | Question::Any(condition) => {
                let top =
                    [&shaders::QUERY_TOP_AT, &shaders::QUERY_TOP_OVERLAPPING, &shaders::QUERY_TOP_WITHIN];
                let any =
                    [&shaders::QUERY_ANY_AT, &shaders::QUERY_ANY_OVERLAPPING, &shaders::QUERY_ANY_WITHIN];
                let shaders = if matches!(question, Question::Any(_)) { any } else { top };
                let walk = Query { config, item_counts, queries, found, tree, node_boxes, node_spans };
                plan.dispatch_with(shaders[condition as usize], walk, n_workgroups);
                None
            }
            Question::Nearest => {
                let walk = QueryNearest { config, item_counts, queries, found, tree, node_boxes, node_spans };
                plan.dispatch(walk, n_workgroups);
                None
            }
            Question::All { condition, .. } => {
                let n_found = plan.buffer::<u32>("n_found", count.capacity);
                let counting = [
                    &shaders::QUERY_COUNT_AT,
                    &shaders::QUERY_COUNT_OVERLAPPING,
                    &shaders::QUERY_COUNT_WITHIN,
                ];
                let walk = QueryCount { config, item_counts, queries, n_found, tree, node_boxes, node_spans };
                plan.dispatch_with(counting[condition as usize], walk, n_workgroups);
                let Sums { sums, total } = Scan::plan(plan, count.of(n_found));
                let listing =
                    [&shaders::QUERY_LIST_AT, &shaders::QUERY_LIST_OVERLAPPING, &shaders::QUERY_LIST_WITHIN];
                let walk =
                    QueryList { config, item_counts, queries, found, sums, tree, node_boxes, node_spans };
                plan.dispatch_with(listing[condition as usize], walk, n_workgroups);
                Some(List { starts: sums, total })
            }
        }
    }

    /// Adds the dispatches that test all boxes.
    fn plan_streams(self, plan: &mut Plan<u32>, streamed: Streamed) -> Option<List> {
        let Self { question, queries, count, found } = self;
        let Streamed { config, boxes, box_counts, n_answers, answers: share_answers } = streamed;
        let item_counts = count.buffer;
        let stream = QueryStream { config, item_counts, queries, share_answers, box_counts, boxes };
        let n_joining = count.capacity.div_ceil(JOINED_QUERIES);
        let join = QueryJoin { config, item_counts, share_answers, found };
        match question {
            Question::TopMost(condition) => {
                let top = [
                    &shaders::QUERY_STREAM_TOP_AT,
                    &shaders::QUERY_STREAM_TOP_OVERLAPPING,
                    &shaders::QUERY_STREAM_TOP_WITHIN,
                ];
                plan.dispatch_with(top[condition as usize], stream, n_answers);
                plan.dispatch_with(&shaders::QUERY_JOIN_TOP, join, n_joining);
                None
            }
            Question::Any(condition) => {
                let any = [
                    &shaders::QUERY_STREAM_ANY_AT,
                    &shaders::QUERY_STREAM_ANY_OVERLAPPING,
                    &shaders::QUERY_STREAM_ANY_WITHIN,
                ];
                plan.dispatch_with(any[condition as usize], stream, n_answers);
                plan.dispatch_with(&shaders::QUERY_JOIN_ANY, join, n_joining);
                None
            }
            Question::Nearest => {
                let share_nearest = share_answers;
                let stream =
                    QueryStreamNearest { config, item_counts, queries, share_nearest, box_counts, boxes };
                plan.dispatch(stream, n_answers);
                plan.dispatch(QueryJoinNearest { config, item_counts, share_nearest, found }, n_joining);
                None
            }
            Question::All { condition, .. } => {
                let counting = [
                    &shaders::QUERY_STREAM_COUNT_AT,
                    &shaders::QUERY_STREAM_COUNT_OVERLAPPING,
                    &shaders::QUERY_STREAM_COUNT_WITHIN,
                ];
                plan.dispatch_with(counting[condition as usize], stream, n_answers);
                // The answers beyond the number of queries are 0, so that all of them count.
                let n_all = plan.filled("n_answers", &[n_answers]);
                let answers = CountSlot::written(n_all, 0, n_answers).of(share_answers);
                let Sums { sums, total } = Scan::plan(plan, answers);
                let starts = plan.buffer::<u32>("starts", u64::from(count.capacity) + 1);
                let listing = [
                    &shaders::QUERY_STREAM_LIST_AT,
                    &shaders::QUERY_STREAM_LIST_OVERLAPPING,
                    &shaders::QUERY_STREAM_LIST_WITHIN,
                ];
                let list =
                    QueryStreamList { config, item_counts, queries, sums, found, starts, box_counts, boxes };
                // One more workgroup writes the last start.
                plan.dispatch_with(listing[condition as usize], list, n_answers + 1);
                Some(List { starts, total })
            }
        }
    }
}

/// The number of words of what is found.
fn n_words_found(question: Question, capacity: u32) -> u64 {
    match question {
        Question::TopMost(_) => capacity.into(),
        Question::Any(_) => capacity.div_ceil(u32::BITS).into(),
        Question::All { output_capacity, .. } => output_capacity.into(),
        Question::Nearest => 2 * u64::from(capacity),
    }
}

/// The number of shares of the boxes, each of which a workgroup tests for a query.
fn n_shares(n_boxes: u32, n_queries: u32) -> u32 {
    let max = (STREAMING_WORKGROUPS / n_queries.max(1)).clamp(1, MAX_SHARES);
    n_boxes.div_ceil(BOXES_PER_SHARE).clamp(1, max)
}
