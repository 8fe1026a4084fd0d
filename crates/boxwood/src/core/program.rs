//! Stages with the buffers that they run over.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use bytemuck::Pod;
use wgpu::util::{BufferInitDescriptor, DeviceExt as _};

use super::chunk::{Chunk, ChunkLengths};
use super::config::Config;
use super::kernel::{BoundKernel, Kernels};
use super::limits::Limits;
use super::schedule::{BufferLayout, Dispatch, Renamed, Stage, StageName, buffer_of};

/// Stages with the buffers that they run over, for inputs up to a capacity.
///
/// Each buffer has room for the capacity, and [`set_config`](Self::set_config) refuses a larger
/// input. The shaders, which run without bounds checks, rely on this.
#[derive(Debug)]
pub(crate) struct Program {
    by_name: BTreeMap<&'static str, wgpu::Buffer>,
    dispatches: Vec<PreparedDispatch>,
    capacity: Config,
    config: Config,
}

/// A dispatch that is compiled and bound.
#[derive(Debug)]
struct PreparedDispatch {
    stage: StageName,
    /// The label of the stage in captures. It is kept, because a recording must not allocate.
    label: String,
    dispatch: &'static Dispatch,
    /// The bound chunks of each round.
    rounds: Vec<Vec<BoundChunk>>,
}

/// A kernel bound to the parts of the buffers that are in a chunk.
#[derive(Debug)]
struct BoundChunk {
    chunk: Chunk,
    kernel: BoundKernel,
    /// The configuration of the chunk, if the shader runs on a chunk as on a whole scene.
    config: Option<wgpu::Buffer>,
}

/// A stage or a dispatch that can be recorded alone.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    stage: StageName,
    name: &'static str,
    kernels: Vec<(&'a BoundKernel, u32)>,
}

impl<'a> Part<'a> {
    /// A part of a stage, with its kernels in order and their numbers of workgroups.
    #[cfg(feature = "testing")]
    pub(crate) fn new(
        stage: StageName,
        name: &'static str,
        kernels: impl Iterator<Item = (&'a BoundKernel, u32)>,
    ) -> Self {
        Self { stage, name, kernels: kernels.collect() }
    }

    /// Its stage.
    pub fn stage(&self) -> StageName {
        self.stage
    }

    /// The name of the stage, or of the shader that the dispatch runs.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Records the part once.
    ///
    /// # Safety
    ///
    /// The parts before it must run on the same scene earlier in the same queue, and nothing may
    /// write the buffers in between. The shaders use indices from these buffers unchecked.
    #[expect(unsafe_code, reason = "indices come from buffers that earlier dispatches fill")]
    pub unsafe fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.kernels.iter().for_each(|(kernel, n_workgroups)| kernel.record(pass, *n_workgroups));
    }
}

impl Program {
    /// Allocates and binds the buffers of `stages` and the `inputs` for a size of up to `capacity`.
    ///
    /// `chunks` are the lengths of the chunks, if arrays are larger than a binding.
    pub(crate) fn new(
        kernels: &Kernels,
        stages: &[&'static Stage],
        inputs: &[BufferLayout],
        capacity: &Config,
        chunks: Option<ChunkLengths>,
    ) -> Self {
        let device = kernels.device();
        // Zeros are an empty scene. A buffer that is mapped at its creation would panic if the
        // device is lost, where this one reports it to the handler of the device.
        let create_config = |label: &str| {
            let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
            create_buffer(device, label, size_of::<Config>() as u64, usage)
        };
        let config = create_config("boxwood.scene.config");
        let mut by_name = BTreeMap::from([("config", config)]);
        let of_stages = stages.iter().map(|stage| (stage.name.label(), stage.buffers));
        let layouts = || of_stages.clone().chain([("scene", inputs)]);
        for (room, layout) in layouts().flat_map(|(room, own)| own.iter().map(move |layout| (room, layout))) {
            let label = format!("boxwood.{room}.{}", layout.name);
            let buffer = create_buffer(device, &label, layout.bytes(capacity), RESULT_USAGES);
            by_name.insert(layout.name, buffer);
        }
        let part_of = |dispatch: &Dispatch, variable: &str, chunk: &Chunk| {
            let buffer = &by_name[variable];
            let Some(axis) = dispatch.axis_of(variable) else {
                return buffer.as_entire_buffer_binding();
            };
            let layout = layouts().flat_map(|(_, own)| own).find(|layout| layout.name == variable);
            let (offset, size) = chunk.bytes(layout.expect("each buffer has a layout"), axis, buffer.size());
            wgpu::BufferBinding { buffer, offset, size: NonZeroU64::new(size) }
        };
        let bind = |dispatch: &Dispatch, renamed: Renamed, chunk: Chunk| {
            let bounds = chunks.map(|_| uniform(device, "boxwood.scene.chunk", &chunk));
            let config = dispatch.axis_of("config").map(|_| create_config("boxwood.scene.chunk_config"));
            let part = |variable: &str| match (variable, &bounds, &config) {
                ("chunk", Some(own), _) | ("config", _, Some(own)) => own.as_entire_buffer_binding(),
                _ => part_of(dispatch, buffer_of(renamed, variable), &chunk),
            };
            let kernel = kernels.get(dispatch.shader).bind_parts(device, part);
            BoundChunk { chunk, kernel, config }
        };
        let prepare = |(stage, dispatch): (StageName, &'static Dispatch)| {
            let chunks =
                chunks.map_or_else(|| vec![Chunk::WHOLE], |lengths| lengths.chunks_of(dispatch, capacity));
            let round = |renamed| chunks.iter().map(|chunk| bind(dispatch, renamed, *chunk)).collect();
            let label = format!("boxwood.{}", stage.label());
            PreparedDispatch { stage, label, dispatch, rounds: dispatch.rounds().map(round).collect() }
        };
        let dispatches = stages.iter().flat_map(|stage| stage.dispatches.iter().map(|own| (stage.name, own)));
        // An empty scene has nothing to compute, so no shader is compiled for it.
        let is_empty = capacity.n_elements == 0 && capacity.n_entries == 0;
        let dispatches = dispatches.filter(|_| !is_empty).map(prepare).collect();
        Self { by_name, dispatches, capacity: *capacity, config: Config::default() }
    }

    /// The buffer of this name.
    pub(crate) fn buffer(&self, name: &str) -> &wgpu::Buffer {
        &self.by_name[name]
    }

    /// The largest input.
    pub(crate) fn capacity(&self) -> Limits {
        let Config { n_elements, n_entries, .. } = self.capacity;
        Limits { max_entries: n_entries.into(), max_elements: n_elements.into() }
    }

    /// The size of the present input.
    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// Sets the size of the present input.
    ///
    /// # Panics
    ///
    /// Panics if the input exceeds the capacity. The callers check this and return an error.
    pub(crate) fn set_config(&mut self, queue: &wgpu::Queue, config: Config) {
        let is_within = config.n_elements <= self.capacity.n_elements
            && config.n_entries <= self.capacity.n_entries
            && config.n_partitions <= self.capacity.n_partitions;
        assert!(is_within, "{config:?} exceeds {:?}", self.capacity);
        if self.config != config {
            self.config = config;
            queue.write_buffer(self.buffer("config"), 0, bytemuck::bytes_of(&config));
            for own in self.dispatches.iter().flat_map(|dispatch| &dispatch.rounds).flatten() {
                if let Some(buffer) = &own.config {
                    queue.write_buffer(buffer, 0, bytemuck::bytes_of(&own.chunk.config(&config)));
                }
            }
        }
    }

    /// Records every stage.
    pub(crate) fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        for stage in self.by_stage() {
            pass.push_debug_group(&stage[0].label);
            self.kernels_of(stage).for_each(|(kernel, n_workgroups)| kernel.record(pass, n_workgroups));
            pass.pop_debug_group();
        }
    }

    /// Records every dispatch except the last one.
    #[cfg(feature = "kernels")]
    pub(crate) fn record_all_but_last(&self, pass: &mut wgpu::ComputePass<'_>) {
        let Some((_, others)) = self.dispatches.split_last() else { return };
        self.kernels_of(others).for_each(|(kernel, n_workgroups)| kernel.record(pass, n_workgroups));
    }

    /// The stages, in order.
    #[cfg(feature = "testing")]
    pub(crate) fn stages(&self) -> impl Iterator<Item = Part<'_>> {
        self.by_stage().map(|own| Part::new(own[0].stage, own[0].stage.label(), self.kernels_of(own)))
    }

    /// The dispatches, in order, with one part for each of a pair of rounds.
    #[cfg(feature = "testing")]
    pub(crate) fn dispatches(&self) -> impl Iterator<Item = Part<'_>> {
        let rounds = self.dispatches.iter().flat_map(|own| own.rounds.iter().map(move |round| (own, round)));
        rounds.map(|(own, round)| Part::new(own.stage, own.dispatch.shader.name, self.kernels_in(own, round)))
    }

    /// The dispatches of each stage.
    fn by_stage(&self) -> impl Iterator<Item = &[PreparedDispatch]> {
        self.dispatches.chunk_by(|one, next| one.stage == next.stage)
    }

    /// The kernels of a stage in order, with their numbers of workgroups.
    fn kernels_of<'a>(
        &'a self,
        stage: &'a [PreparedDispatch],
    ) -> impl Iterator<Item = (&'a BoundKernel, u32)> {
        stage.iter().flat_map(|own| {
            let rounds = (0..own.dispatch.repeats(&self.config)).flat_map(|_| &own.rounds);
            rounds.flat_map(|round| self.kernels_in(own, round))
        })
    }

    /// The kernels of a round of a dispatch, one per chunk, with their numbers of workgroups.
    fn kernels_in<'a>(
        &'a self,
        own: &'a PreparedDispatch,
        round: &'a [BoundChunk],
    ) -> impl Iterator<Item = (&'a BoundKernel, u32)> {
        // After the last entry of the node stream there may be partitions without entries.
        let chunks = round.iter().filter(|own| own.chunk.first_entry <= self.config.n_entries);
        let workgroups = |chunk: &Chunk| own.dispatch.grid.workgroups(&chunk.config(&self.config));
        chunks.map(move |own| (&own.kernel, workgroups(&own.chunk)))
    }
}

/// Begins a compute pass of its own.
pub(crate) fn begin_pass<'a>(encoder: &'a mut wgpu::CommandEncoder, label: &str) -> wgpu::ComputePass<'a> {
    encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some(label), timestamp_writes: None })
}

/// The usages of the buffers, so that later passes of the caller can bind them, copy them, or draw
/// an instance per item.
pub(crate) const RESULT_USAGES: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE
    .union(wgpu::BufferUsages::COPY_DST)
    .union(wgpu::BufferUsages::COPY_SRC)
    .union(wgpu::BufferUsages::VERTEX);

/// A uniform that the queue can replace.
pub(crate) fn uniform<T: Pod>(device: &wgpu::Device, label: &str, contents: &T) -> wgpu::Buffer {
    device.create_buffer_init(&BufferInitDescriptor {
        label: Some(label),
        contents: bytemuck::bytes_of(contents),
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
    })
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
