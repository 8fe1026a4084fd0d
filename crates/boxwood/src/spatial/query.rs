//! Stage *query*: the boxes at points, in rectangles, or near points, by a tree or without one.
//!
//! Specification: `boxwood_cpu::specification::spatial::{find_all, top_most, nearest}`.

use boxwood_cpu::Aabb;
use bytemuck::{Pod, Zeroable};

use super::SpatialError;
use super::check::{MAX_ITEMS, check_items, check_result};
use super::count::{CountBuffer, Items};
use super::index::Index;
use super::query_dispatches::{Dispatch, streams_of, walks_of};
use super::result::{no_buffer, result_buffer};
use super::scan::Scan;
use crate::core::context::Context;
use crate::core::kernel::BoundKernel;
use crate::core::limits::max_binding_size;
use crate::core::program::{one_binding, uniform};

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

/// What to find for each query.
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
    count: CountBuffer,
    found: wgpu::Buffer,
    starts: wgpu::Buffer,
    dispatches: Vec<(BoundKernel, u32)>,
    /// For all boxes: the sums of their numbers, and the dispatch that lists them.
    list: Option<(Scan, (BoundKernel, u32))>,
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
        let device = context.device();
        let capacity = queries.capacity;
        let binding = max_binding_size(&device.limits());
        queries.check::<Aabb>("queries", binding)?;
        let count = queries.count_buffer(device)?;
        let minus_zero = -0.0;
        let mut config =
            QueryConfig { capacity, count_word: count.word, minus_zero, ..QueryConfig::zeroed() };
        if let Question::All { output_capacity, .. } = question {
            config.output_capacity = output_capacity;
        }
        let mut streamed = None;
        match source {
            Source::Index(index) => index.check_walk(device)?,
            Source::Boxes(boxes) => {
                boxes.check::<Aabb>("boxes", binding)?;
                let count = boxes.count_buffer(device)?;
                (config.box_capacity, config.box_count_word) = (boxes.capacity, count.word);
                config.n_shares = n_shares(boxes.capacity, capacity);
                streamed = Some((boxes.buffer, count.buffer));
            }
        }
        let n_shares = config.n_shares.max(1);
        let n_answers = u64::from(capacity) * u64::from(n_shares);
        let n_found = n_words_found(question, capacity);
        check_result::<u32>("found", n_found, binding)?;
        check_result::<u32>("share_answers", 2 * n_answers, binding)?;
        check_items(n_found.max(2 * n_answers), MAX_ITEMS)?;
        let create = |name: &'static str, words: u64| result_buffer::<u32>(device, name, words);
        let found = create("found", n_found)?;
        let [is_all, is_streamed] = [matches!(question, Question::All { .. }), streamed.is_some()];
        let answers = create("share_answers", if is_all || is_streamed { 2 * n_answers } else { 0 })?;
        let n_answers = u32::try_from(n_answers).expect("it is checked above");
        let scan = if is_all {
            // Without a tree, the answers beyond the number of queries are 0.
            let answers = if is_streamed { Items::new(&answers, n_answers) } else { count.items(&answers) };
            Some(Scan::new(context, answers)?)
        } else {
            None
        };
        let starts = match &scan {
            Some(scan) if !is_streamed => scan.sums().clone(),
            Some(_) => create("starts", u64::from(capacity) + 1)?,
            None => found.clone(),
        };
        let config = uniform(device, "boxwood.spatial.query_config", &config);
        let bind = |(shader, n_workgroups): Dispatch| {
            let buffer = |variable: &str| match (variable, source, &streamed) {
                ("config", ..) => &config,
                ("item_counts", ..) => &count.buffer,
                ("queries", ..) => queries.buffer,
                ("n_found" | "share_answers" | "share_nearest", ..) => &answers,
                ("sums", ..) => scan.as_ref().map_or(&found, Scan::sums),
                ("starts", ..) => &starts,
                ("boxes", _, Some((boxes, _))) => *boxes,
                ("box_counts", _, Some((_, count))) => count,
                ("found", ..) => &found,
                (other, Source::Index(index), _) => index.buffer(other),
                (other, ..) => no_buffer(other),
            };
            let kernel = context.kernel(shader);
            (kernel.bind_parts(device, |name| one_binding(buffer(name), binding)), n_workgroups)
        };
        let (first, last) = match source {
            Source::Index(_) => walks_of(question, capacity),
            Source::Boxes(_) => streams_of(question, capacity, n_shares),
        };
        let dispatches = first.into_iter().map(bind).collect();
        let last = last.map(bind);
        let list = scan.zip(last);
        Ok(Self { count, found, starts, dispatches, list })
    }

    /// Sets the number of queries.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::AboveCapacity`] if it exceeds the capacity.
    /// - [`SpatialError::CountOfCaller`] if it is in a buffer of the caller.
    pub fn set_count(&self, queue: &wgpu::Queue, n: u32) -> Result<(), SpatialError> {
        self.count.set(queue, n)
    }

    /// Records the stage into a compute pass. This does not submit or wait.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.push_debug_group("boxwood.query");
        self.dispatches.iter().for_each(|(kernel, n_workgroups)| kernel.record(pass, *n_workgroups));
        if let Some((scan, (kernel, n_workgroups))) = &self.list {
            scan.record(pass);
            kernel.record(pass, *n_workgroups);
        }
        pass.pop_debug_group();
    }

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
        &self.found
    }

    /// Out, with [`Question::All`]: the number of boxes before those of each query, and then
    /// [`needed`](Self::needed), `array<u32>`.
    pub fn starts(&self) -> Option<&wgpu::Buffer> {
        self.list.as_ref().map(|_| &self.starts)
    }

    /// Out, with [`Question::All`]: the number of boxes of all queries, one `u32`. It is `u32::MAX`
    /// if it is this or more. If it exceeds the capacity, the boxes beyond the capacity are
    /// missing.
    pub fn needed(&self) -> Option<&wgpu::Buffer> {
        self.list.as_ref().map(|(scan, _)| scan.total())
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
