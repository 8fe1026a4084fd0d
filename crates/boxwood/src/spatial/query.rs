//! Stage *query*: the boxes at points, in rectangles, or near points, found by a tree.
//!
//! Specification: `boxwood_cpu::spatial::{find_all, top_most, nearest}`.

use boxwood_shaders::{Shader, spatial as shaders};
use bytemuck::{Pod, Zeroable};

use super::count::{Count, CountBuffer, MAX_ITEMS, check};
use super::index::Index;
use super::scan::{Scan, ScanDescriptor};
use super::{SpatialError, SpatialPipelines};
use crate::core::kernel::BoundKernel;
use crate::core::limits::max_binding_size;
use crate::core::program::{RESULT_USAGES, create_buffer, one_binding, uniform};

/// The number of queries of a workgroup, as in `query.wgsl`.
const QUERIES_PER_WORKGROUP: u32 = 64;

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
    All(Condition),
    /// The box that is nearest to the point (x, y), and the last one of several. The third component
    /// is the maximum distance, and the fourth is not used.
    Nearest,
}

/// What to ask.
#[derive(Clone, Copy, Debug)]
pub struct QueriesDescriptor<'a> {
    /// The tree over the boxes. Record it before the queries.
    pub index: &'a Index,
    /// The queries, `array<vec4<f32>>`. The buffer needs the usage `STORAGE`, and is not changed.
    pub queries: &'a wgpu::Buffer,
    /// The number of queries.
    pub count: Count<'a>,
    /// The maximum number of queries.
    pub capacity: u32,
    /// What to find for each query.
    pub question: Question,
    /// The maximum number of boxes that all queries find together, for [`Question::All`].
    pub output_capacity: u32,
}

impl<'a> QueriesDescriptor<'a> {
    /// `n` queries, which are also the maximum, with room for one box each.
    pub fn new(index: &'a Index, queries: &'a wgpu::Buffer, n: u32, question: Question) -> Self {
        Self { index, queries, count: Count::Host(n), capacity: n, question, output_capacity: n }
    }
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
    /// A zero that a compiler does not know, so that it cannot fuse a product into a sum.
    pub minus_zero: f32,
}

/// The stage with its buffers. Create it once per size.
///
/// It takes 4 bytes per query, 8 for [`Question::Nearest`], and a bit for [`Question::Any`].
/// [`Question::All`] takes 8 bytes per query and 4 per box.
#[derive(Debug)]
pub struct Queries {
    count: CountBuffer,
    found: wgpu::Buffer,
    walk: (BoundKernel, u32),
    /// For all boxes: the sums of their numbers, and the walk that lists them.
    list: Option<(Scan, BoundKernel)>,
}

impl Queries {
    /// Allocates and binds the buffers.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::TooLarge`] if the buffer of the caller has no room for `capacity` queries,
    ///   or a result is larger than a storage binding of `device`.
    /// - [`SpatialError::TooManyRounds`] on a software adapter, if the tree is so large that a walk
    ///   could be cut off there.
    pub fn new(
        device: &wgpu::Device,
        pipelines: &SpatialPipelines,
        descriptor: &QueriesDescriptor<'_>,
    ) -> Result<Self, SpatialError> {
        let QueriesDescriptor { index, queries, count, capacity, question, output_capacity } = *descriptor;
        index.check_walk(device)?;
        let binding = max_binding_size(&device.limits());
        check("queries", capacity.into(), queries.size().min(binding) / size_of::<[f32; 4]>() as u64)?;
        let n_words = match question {
            Question::TopMost(_) => capacity.into(),
            Question::Any(_) => u64::from(capacity.div_ceil(u32::BITS)),
            Question::All(_) => output_capacity.into(),
            Question::Nearest => 2 * u64::from(capacity),
        };
        check("found", n_words, (binding / size_of::<u32>() as u64).min(MAX_ITEMS))?;
        let count = CountBuffer::new(device, count, capacity)?;

        let create = |name: &str, words: u64| {
            // wgpu rejects empty bindings.
            let size = words.max(2) * size_of::<u32>() as u64;
            create_buffer(device, &format!("boxwood.spatial.{name}"), size, RESULT_USAGES)
        };
        let found = create("found", n_words);
        let config = QueryConfig { capacity, count_word: count.word, output_capacity, minus_zero: -0.0 };
        let config = uniform(device, "boxwood.spatial.query_config", &config);
        let bind = |shader: &'static Shader, n_found: Option<&wgpu::Buffer>, sums: Option<&wgpu::Buffer>| {
            let buffer = |variable: &str| match variable {
                "config" => &config,
                "counts" => &count.buffer,
                "queries" => queries,
                "n_found" => n_found.unwrap_or(&found),
                "sums" => sums.unwrap_or(&found),
                _ => index.buffer(variable).unwrap_or(&found),
            };
            pipelines.kernels.get(shader).bind_parts(device, |name| one_binding(buffer(name), binding))
        };
        let n_workgroups = capacity.div_ceil(QUERIES_PER_WORKGROUP);
        let first = |shader| (bind(shader, None, None), n_workgroups);
        let (walk, list) = match question {
            Question::TopMost(condition) => (first(top_by(condition)), None),
            Question::Any(condition) => (first(any_by(condition)), None),
            Question::Nearest => (first(&shaders::QUERY_NEAREST), None),
            Question::All(condition) => {
                let counts = create("n_found", capacity.into());
                let descriptor =
                    ScanDescriptor { count: count.shared(), ..ScanDescriptor::new(&counts, capacity) };
                let scan = Scan::new(device, pipelines, &descriptor)?;
                let [count_shader, list_shader] = all_by(condition);
                let list = bind(list_shader, None, Some(scan.sums()));
                ((bind(count_shader, Some(&counts), None), n_workgroups), Some((scan, list)))
            }
        };
        Ok(Self { count, found, walk, list })
    }

    /// Sets the number of queries.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::TooLarge`] if it exceeds the capacity.
    /// - [`SpatialError::CountOfCaller`] if it is in a buffer of the caller.
    pub fn set_count(&self, queue: &wgpu::Queue, n: u32) -> Result<(), SpatialError> {
        self.count.set(queue, n)
    }

    /// Records the stage into a compute pass. This does not submit or wait.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.push_debug_group("boxwood.query");
        let (kernel, n_workgroups) = &self.walk;
        kernel.record(pass, *n_workgroups);
        if let Some((scan, list)) = &self.list {
            scan.record(pass);
            list.record(pass, *n_workgroups);
        }
        pass.pop_debug_group();
    }

    /// Out: what is found.
    ///
    /// | question | result |
    /// |---|---|
    /// | [`TopMost`](Question::TopMost) | `array<u32>`: for each query, the index of a box, or `u32::MAX` |
    /// | [`Any`](Question::Any) | `array<u32>`: a bit per query, the first one in the lowest bit |
    /// | [`All`](Question::All) | `array<u32>`: the indices of boxes, query by query, in the order of the leaves |
    /// | [`Nearest`](Question::Nearest) | `array<vec2<u32>>`: for each query, the index of a box, or `u32::MAX`, and the bits of the squared distance |
    pub fn found(&self) -> &wgpu::Buffer {
        &self.found
    }

    /// Out, with [`Question::All`]: the number of boxes before those of each query, and then
    /// [`needed`](Self::needed), `array<u32>`.
    pub fn starts(&self) -> Option<&wgpu::Buffer> {
        self.list.as_ref().map(|(scan, _)| scan.sums())
    }

    /// Out, with [`Question::All`]: the number of boxes of all queries, one `u32`. It is `u32::MAX` if
    /// it is this or more. If it exceeds the capacity, the boxes beyond the capacity are missing.
    pub fn needed(&self) -> Option<&wgpu::Buffer> {
        self.list.as_ref().map(|(scan, _)| scan.total())
    }
}

fn top_by(condition: Condition) -> &'static Shader {
    match condition {
        Condition::At => &shaders::QUERY_TOP_AT,
        Condition::Overlapping => &shaders::QUERY_TOP_OVERLAPPING,
        Condition::Within => &shaders::QUERY_TOP_WITHIN,
    }
}

fn any_by(condition: Condition) -> &'static Shader {
    match condition {
        Condition::At => &shaders::QUERY_ANY_AT,
        Condition::Overlapping => &shaders::QUERY_ANY_OVERLAPPING,
        Condition::Within => &shaders::QUERY_ANY_WITHIN,
    }
}

fn all_by(condition: Condition) -> [&'static Shader; 2] {
    match condition {
        Condition::At => [&shaders::QUERY_COUNT_AT, &shaders::QUERY_LIST_AT],
        Condition::Overlapping => [&shaders::QUERY_COUNT_OVERLAPPING, &shaders::QUERY_LIST_OVERLAPPING],
        Condition::Within => [&shaders::QUERY_COUNT_WITHIN, &shaders::QUERY_LIST_WITHIN],
    }
}

pub(super) fn shaders() -> impl Iterator<Item = &'static Shader> {
    let of = |condition| [top_by(condition), any_by(condition)].into_iter().chain(all_by(condition));
    Condition::ALL.into_iter().flat_map(of).chain([&shaders::QUERY_NEAREST])
}
