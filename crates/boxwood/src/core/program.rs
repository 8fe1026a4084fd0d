//! Stages with the buffers that they run over.

use std::num::NonZeroU64;
use std::ops::{Index, Range};

use bytemuck::Zeroable as _;
use wgpu::util::{BufferInitDescriptor, DeviceExt as _};

use super::context::Context;
use super::kernel::BoundKernel;
use super::limits::max_binding_size;
use super::plan::{Chunk, ChunkAxis, Plan, PlannedBuffer, PlannedDispatch, Slot, Source, Step, Workgroups};

/// Stages with the buffers that they run over, for inputs up to a capacity.
///
/// Each buffer has room for the capacity, and [`set_size`](Self::set_size) refuses a larger input.
/// Shaders that run without bounds checks rely on this.
#[derive(Debug)]
pub struct Program<W: Workgroups> {
    buffers: Vec<wgpu::Buffer>,
    steps: Vec<Step<BoundDispatch<W>>>,
    config: Option<Slot>,
    capacity: W::Size,
    size: W::Size,
}

/// A dispatch that is compiled and bound.
#[derive(Debug)]
struct BoundDispatch<W> {
    name: &'static str,
    workgroups: W,
    /// How often the rounds run for the present input.
    n_repeats: u32,
    /// The bound chunks of each round.
    rounds: Vec<Vec<BoundChunk>>,
}

/// A kernel bound to the parts of the buffers that are in a chunk.
#[derive(Debug)]
struct BoundChunk {
    chunk: Chunk,
    kernel: BoundKernel,
    /// The uniform with the size of the part of the input, if the shader runs on a chunk as on a
    /// whole input.
    config: Option<wgpu::Buffer>,
    /// The number of workgroups for the present input.
    n_workgroups: u32,
}

/// A stage or a dispatch that can be recorded alone.
#[cfg(feature = "testing")]
#[derive(Clone, Debug)]
pub struct Part<'a> {
    stage: &'static str,
    name: &'static str,
    kernels: Vec<(&'a BoundKernel, u32)>,
}

#[cfg(feature = "testing")]
impl Part<'_> {
    /// The name of its stage.
    pub fn stage(&self) -> &'static str {
        self.stage
    }

    /// The name of the stage, or of the shader that the dispatch runs.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether it has nothing to do for the present input.
    pub fn is_empty(&self) -> bool {
        self.kernels.iter().all(|(_, n_workgroups)| *n_workgroups == 0)
    }

    /// Records the part once.
    ///
    /// # Safety
    ///
    /// The parts before it must run on the same input earlier in the same queue, and nothing may
    /// write the buffers in between. The shaders use indices from these buffers unchecked.
    #[expect(unsafe_code, reason = "indices come from buffers that earlier dispatches fill")]
    pub unsafe fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.kernels.iter().for_each(|(kernel, n_workgroups)| kernel.record(pass, *n_workgroups));
    }
}

impl<W: Workgroups> Program<W> {
    /// Allocates the buffers of a plan and binds them as a whole.
    ///
    /// The plan must have passed `Plan::check`, or be known to fit in other ways.
    pub fn new(context: &Context, plan: Plan<W>) -> Self {
        Self::in_chunks(context, plan, |_| vec![Chunk::WHOLE])
    }

    /// Allocates the buffers of a plan, and binds them in the chunks that a dispatch runs for.
    pub(crate) fn in_chunks(
        context: &Context,
        plan: Plan<W>,
        chunks_of: impl Fn(&PlannedDispatch<W>) -> Vec<Chunk>,
    ) -> Self {
        let device = context.device();
        let binding = max_binding_size(&device.limits());
        let buffers = create_all(device, &plan);
        let bind = |shader, slots: &[Slot], chunk: Chunk| {
            let uniform = |name, contents: &[u8]| {
                let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
                create_filled(device, &format!("{}.{name}", plan.label), contents, usage)
            };
            let has_chunk = slots.iter().any(|slot| slot.is_same(plan.chunk));
            let chunk_uniform = has_chunk.then(|| uniform("chunk", bytemuck::bytes_of(&chunk)));
            let has_own_config = slots.iter().any(|slot| slot.axis.is_some() && slot.is_same(plan.config));
            let config =
                has_own_config.then(|| uniform("chunk_config", bytemuck::bytes_of(&W::Size::zeroed())));
            let part = |slot: &Slot| match (slot.axis, &chunk_uniform, &config) {
                (_, Some(own), _) if slot.is_same(plan.chunk) => own.as_entire_buffer_binding(),
                (Some(_), _, Some(own)) if slot.is_same(plan.config) => own.as_entire_buffer_binding(),
                (Some(axis), ..) => {
                    bound_chunk(&buffers[slot.index], &plan.buffers[slot.index], axis, &chunk)
                }
                (None, ..) => one_binding(&buffers[slot.index], binding),
            };
            let kernel = context.kernel(shader, plan.checks).bind(device, slots.iter().map(part));
            BoundChunk { chunk, kernel, config, n_workgroups: 0 }
        };
        let prepare = |planned: PlannedDispatch<W>| {
            let chunks = chunks_of(&planned);
            let PlannedDispatch { shader, workgroups, rounds } = planned;
            let round = |slots: Vec<Slot>| chunks.iter().map(|chunk| bind(shader, &slots, *chunk)).collect();
            let rounds = rounds.into_iter().map(round).collect();
            BoundDispatch { name: shader.name, workgroups, n_repeats: 1, rounds }
        };
        // Without anything to compute, no shader is compiled.
        let is_empty = W::is_empty(&plan.capacity);
        let steps = plan.steps.into_iter().filter(|_| !is_empty).map(|step| match step {
            Step::Begin(stage) => Step::Begin(stage),
            Step::Dispatch(planned) => Step::Dispatch(prepare(planned)),
            Step::End => Step::End,
        });
        let steps = steps.collect();
        let (config, capacity, size) = (plan.config, plan.capacity, plan.size);
        let mut program = Self { buffers, steps, config, capacity, size };
        program.set_workgroups();
        program
    }

    /// The largest input.
    pub(crate) fn capacity(&self) -> &W::Size {
        &self.capacity
    }

    /// The size of the present input.
    pub(crate) fn size(&self) -> &W::Size {
        &self.size
    }

    /// Sets the size of the present input.
    ///
    /// # Panics
    ///
    /// Panics if the input exceeds the capacity. The callers check this and return an error.
    pub fn set_size(&mut self, queue: &wgpu::Queue, size: W::Size) {
        assert!(W::is_within(&size, &self.capacity), "{size:?} exceeds {:?}", self.capacity);
        if self.size == size {
            return;
        }
        self.size = size;
        self.set_workgroups();
        if let Some(config) = self.config {
            queue.write_buffer(&self[config], 0, bytemuck::bytes_of(&size));
        }
        for own in self.dispatches_in(0..self.steps.len()).flat_map(|dispatch| &dispatch.rounds).flatten() {
            if let (Some(buffer), Some(part)) = (&own.config, W::part_in(&size, &own.chunk)) {
                queue.write_buffer(buffer, 0, bytemuck::bytes_of(&part));
            }
        }
    }

    /// Computes the numbers of workgroups for the present input.
    fn set_workgroups(&mut self) {
        let size = &self.size;
        for step in &mut self.steps {
            let Step::Dispatch(BoundDispatch { workgroups, n_repeats, rounds, .. }) = step else { continue };
            *n_repeats = if rounds.len() > 1 { W::n_repeats(size) } else { 1 };
            for own in rounds.iter_mut().flatten() {
                own.n_workgroups =
                    W::part_in(size, &own.chunk).map_or(0, |part| workgroups.workgroups(&part));
            }
        }
    }

    /// Records every stage.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.record_steps(pass, 0..self.steps.len());
    }

    /// Records some steps, which must contain whole stages.
    pub fn record_steps(&self, pass: &mut wgpu::ComputePass<'_>, steps: Range<usize>) {
        for step in &self.steps[steps] {
            match step {
                Step::Begin(stage) => pass.push_debug_group(stage),
                Step::Dispatch(dispatch) => {
                    dispatch.kernels().for_each(|(kernel, n_workgroups)| kernel.record(pass, n_workgroups));
                }
                Step::End => pass.pop_debug_group(),
            }
        }
    }

    /// The number of steps.
    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// Records every dispatch except the last one.
    #[cfg(feature = "plans")]
    pub(crate) fn record_all_but_last(&self, pass: &mut wgpu::ComputePass<'_>) {
        let mut dispatches = self.dispatches_in(0..self.steps.len()).peekable();
        while let Some(dispatch) = dispatches.next() {
            if dispatches.peek().is_some() {
                dispatch.kernels().for_each(|(kernel, n_workgroups)| kernel.record(pass, n_workgroups));
            }
        }
    }

    fn dispatches_in(&self, steps: Range<usize>) -> impl Iterator<Item = &BoundDispatch<W>> {
        self.steps[steps].iter().filter_map(|step| match step {
            Step::Dispatch(dispatch) => Some(dispatch),
            _ => None,
        })
    }

    /// The stages, in order. Those inside of others are parts of them.
    #[cfg(feature = "testing")]
    pub(crate) fn stages(&self) -> Vec<Part<'_>> {
        self.parts(|stage, dispatches| {
            let kernels = dispatches.iter().flat_map(|own| own.kernels()).collect();
            vec![Part { stage, name: stage, kernels }]
        })
    }

    /// The dispatches, in order, with one part for each of a pair of rounds.
    #[cfg(feature = "testing")]
    pub(crate) fn dispatches(&self) -> Vec<Part<'_>> {
        self.parts(|stage, dispatches| {
            let mut parts = Vec::new();
            for own in dispatches {
                for round in &own.rounds {
                    let kernels = BoundDispatch::<W>::kernels_in(round).collect();
                    parts.push(Part { stage, name: own.name, kernels });
                }
            }
            parts
        })
    }

    /// The parts of each outermost stage, from its name and its dispatches.
    #[cfg(feature = "testing")]
    fn parts<'a>(
        &'a self,
        of: impl Fn(&'static str, &[&'a BoundDispatch<W>]) -> Vec<Part<'a>>,
    ) -> Vec<Part<'a>> {
        let (mut parts, mut depth, mut first) = (Vec::new(), 0, 0);
        for (index, step) in self.steps.iter().enumerate() {
            match step {
                Step::Begin(_) => {
                    first = if depth == 0 { index } else { first };
                    depth += 1;
                }
                Step::Dispatch(_) => {}
                Step::End => {
                    depth -= 1;
                    // The dispatches of the stages inside count as those of the outermost one.
                    if let (0, Step::Begin(stage)) = (depth, &self.steps[first]) {
                        let stage = stage.strip_prefix("boxwood.").unwrap_or(stage);
                        let dispatches: Vec<_> = self.dispatches_in(first..index).collect();
                        parts.extend(of(stage, &dispatches));
                    }
                }
            }
        }
        parts
    }
}

/// The buffer of a slot of the plan.
impl<W: Workgroups> Index<Slot> for Program<W> {
    type Output = wgpu::Buffer;

    fn index(&self, slot: Slot) -> &wgpu::Buffer {
        &self.buffers[slot.index]
    }
}

impl<W> BoundDispatch<W> {
    /// The kernels in order, with their numbers of workgroups.
    fn kernels(&self) -> impl Iterator<Item = (&BoundKernel, u32)> {
        let rounds = (0..self.n_repeats).flat_map(|_| &self.rounds);
        rounds.flat_map(|round| Self::kernels_in(round))
    }

    /// The kernels of a round, one per chunk.
    fn kernels_in(round: &[BoundChunk]) -> impl Iterator<Item = (&BoundKernel, u32)> {
        round.iter().map(|own| (&own.kernel, own.n_workgroups))
    }
}

impl Slot {
    /// Whether it is the buffer of another slot.
    fn is_same(self, other: Option<Self>) -> bool {
        other.is_some_and(|other| other.index == self.index)
    }
}

/// Begins a compute pass of its own.
pub(crate) fn begin_pass<'a>(encoder: &'a mut wgpu::CommandEncoder, label: &str) -> wgpu::ComputePass<'a> {
    encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some(label), timestamp_writes: None })
}

/// The usages of the buffers, so that later passes of the caller can bind them, copy them, or draw
/// an instance per item.
const RESULT_USAGES: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE
    .union(wgpu::BufferUsages::COPY_DST)
    .union(wgpu::BufferUsages::COPY_SRC)
    .union(wgpu::BufferUsages::VERTEX);

/// Buffers of this size or more are allocated first.
const LARGE_BUFFER: u64 = 8 << 20;

/// Creates the buffers of a plan.
///
/// The placement of buffers in memory decides up to a fifth of the time of some stages. On an
/// NVIDIA H200, this order is at least as fast as that of the plan and those by size: large buffers
/// first, and then the others, the last one of the plan first (`tests/benches/record/README.md`).
fn create_all<W: Workgroups>(device: &wgpu::Device, plan: &Plan<W>) -> Vec<wgpu::Buffer> {
    let (large, mut others): (Vec<usize>, Vec<usize>) =
        (0..plan.buffers.len()).partition(|index| plan.buffers[*index].bytes() >= LARGE_BUFFER);
    others.reverse();
    let mut created: Vec<(usize, wgpu::Buffer)> = (large.into_iter().chain(others))
        .map(|index| (index, create(device, plan.label, &plan.buffers[index])))
        .collect();
    created.sort_by_key(|(index, _)| *index);
    created.into_iter().map(|(_, buffer)| buffer).collect()
}

/// The buffer of a plan.
fn create(device: &wgpu::Device, label: &str, planned: &PlannedBuffer) -> wgpu::Buffer {
    let label = format!("{label}.{}", planned.name);
    match &planned.source {
        Source::Own(usage) => create_buffer(device, &label, planned.bytes(), RESULT_USAGES | *usage),
        Source::Filled(usage, contents) => create_filled(device, &label, contents, *usage),
        Source::Given(buffer) => buffer.clone(),
        // Each chunk has its own.
        Source::Chunk => {
            create_filled(device, &label, bytemuck::bytes_of(&Chunk::WHOLE), wgpu::BufferUsages::UNIFORM)
        }
    }
}

/// A buffer with these contents. Zeros are written by the device.
fn create_filled(
    device: &wgpu::Device,
    label: &str,
    contents: &[u8],
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    // A buffer that is mapped at its creation would panic if the device is lost, where a new one
    // without contents reports it to the handler of the device.
    if contents.iter().all(|&byte| byte == 0) {
        return create_buffer(device, label, contents.len() as u64, usage);
    }
    device.create_buffer_init(&BufferInitDescriptor { label: Some(label), contents, usage })
}

/// A buffer of `size` bytes. A new buffer contains zeros.
pub(crate) fn create_buffer(
    device: &wgpu::Device,
    label: &str,
    size: u64,
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage,
        mapped_at_creation: false,
    })
}

/// The beginning of a buffer, as much of it as can be bound at once.
pub(crate) fn one_binding(buffer: &wgpu::Buffer, max_bytes: u64) -> wgpu::BufferBinding<'_> {
    // The size of a binding is a multiple of 4.
    let size = NonZeroU64::new(buffer.size().min(max_bytes) / 4 * 4);
    wgpu::BufferBinding { buffer, offset: 0, size }
}

/// The part of a buffer that is in a chunk.
fn bound_chunk<'a>(
    buffer: &'a wgpu::Buffer,
    planned: &PlannedBuffer,
    axis: ChunkAxis,
    chunk: &Chunk,
) -> wgpu::BufferBinding<'a> {
    let (offset, size) = chunk.bytes(planned, axis);
    wgpu::BufferBinding { buffer, offset, size: NonZeroU64::new(size) }
}
