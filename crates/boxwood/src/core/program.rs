//! Stages with the buffers that they run over.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use super::chunk::{Chunk, ChunkLengths};
use super::config::Config;
use super::kernel::{BoundKernel, Kernels};
use super::schedule::{BufferLayout, Dispatch, Stage, StageName};
use super::uniforms::Uniforms;

/// Stages with the buffers that they run over, for inputs up to a capacity.
///
/// Each buffer has room for the capacity, and [`set_config`](Self::set_config) refuses a larger
/// input. The shaders, which run without bounds checks, rely on this.
#[derive(Debug)]
pub(crate) struct Program {
    by_name: BTreeMap<&'static str, wgpu::Buffer>,
    stages: Vec<PreparedStage>,
    capacity: Config,
    config: Config,
}

/// A stage whose dispatches are compiled and bound.
#[derive(Debug)]
struct PreparedStage {
    stage: &'static Stage,
    dispatches: Vec<PreparedDispatch>,
}

#[derive(Debug)]
struct PreparedDispatch {
    dispatch: &'static Dispatch,
    /// A bound kernel per chunk.
    kernels: Vec<(Chunk, BoundKernel)>,
    /// The configuration of each chunk, if the shader runs on a chunk as on a whole scene.
    configs: Option<Uniforms<Config>>,
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
        device: &wgpu::Device,
        kernels: &Kernels,
        stages: &[&'static Stage],
        inputs: &[BufferLayout],
        capacity: &Config,
        chunks: Option<ChunkLengths>,
    ) -> Self {
        let layouts: Vec<&BufferLayout> =
            inputs.iter().chain(stages.iter().flat_map(|stage| stage.buffers)).collect();
        let by_name = create_buffers(device, stages, inputs, capacity);
        let part_of = |dispatch: &Dispatch, variable: &str, chunk: &Chunk| {
            let name = dispatch.buffer_of(variable);
            let buffer = &by_name[name];
            let Some(axis) = dispatch.axis_of(variable) else {
                return buffer.as_entire_buffer_binding();
            };
            let layout = layouts.iter().find(|layout| layout.name == name).expect("each buffer has a layout");
            let (offset, size) = chunk.bytes(layout, axis, buffer.size());
            wgpu::BufferBinding { buffer, offset, size: NonZeroU64::new(size) }
        };
        let prepare = |dispatch: &'static Dispatch| {
            let kernel = kernels.get(dispatch.shader);
            let all =
                chunks.map_or_else(|| vec![Chunk::WHOLE], |lengths| lengths.chunks_of(dispatch, capacity));
            let uniforms = chunks.map(|_| Uniforms::new(device, "chunks", &all));
            let empty = vec![Config::default(); all.len()];
            let configs = dispatch.axis_of("config").map(|_| Uniforms::new(device, "chunk_configs", &empty));
            let bind = |(index, chunk): (usize, &Chunk)| {
                let part = |variable: &str| match (variable, &uniforms, &configs) {
                    ("chunk", Some(uniforms), _) => uniforms.binding(index),
                    ("config", _, Some(configs)) => configs.binding(index),
                    _ => part_of(dispatch, variable, chunk),
                };
                (*chunk, kernel.bind_parts(device, part))
            };
            PreparedDispatch { dispatch, kernels: all.iter().enumerate().map(bind).collect(), configs }
        };
        let stages = stages
            .iter()
            .map(|stage| PreparedStage { stage, dispatches: stage.dispatches().map(prepare).collect() })
            .collect();
        Self { by_name, stages, capacity: *capacity, config: Config::default() }
    }

    /// The buffer of this name.
    pub(crate) fn buffer(&self, name: &str) -> &wgpu::Buffer {
        &self.by_name[name]
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
            && config.n_nodes <= self.capacity.n_nodes
            && config.n_partitions <= self.capacity.n_partitions;
        assert!(is_within, "{config:?} exceeds {:?}", self.capacity);
        // A new buffer contains zeros, which are the configuration of the empty input.
        if self.config != config {
            self.config = config;
            queue.write_buffer(self.buffer("config"), 0, bytemuck::bytes_of(&config));
            for dispatch in self.stages.iter().flat_map(|stage| &stage.dispatches) {
                if let Some(configs) = &dispatch.configs {
                    let chunks = dispatch.kernels.iter().map(|(chunk, _)| chunk.config(&config));
                    configs.write(queue, &chunks.collect::<Vec<_>>());
                }
            }
        }
    }

    /// Records every stage.
    pub(crate) fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        for stage in &self.stages {
            pass.push_debug_group(&format!("boxwood.{}", stage.stage.name.label()));
            self.kernels_of(stage).for_each(|(kernel, n_workgroups)| kernel.record(pass, n_workgroups));
            pass.pop_debug_group();
        }
    }

    /// The stages, in order.
    #[cfg(feature = "testing")]
    pub(crate) fn stages(&self) -> impl Iterator<Item = Part<'_>> {
        self.stages.iter().map(|own| Part::new(own.stage.name, own.stage.name.label(), self.kernels_of(own)))
    }

    /// The dispatches, in order, with those of [`Step::Rounds`](super::schedule::Step::Rounds) once
    /// each.
    #[cfg(feature = "testing")]
    pub(crate) fn dispatches(&self) -> impl Iterator<Item = Part<'_>> {
        self.stages.iter().flat_map(|PreparedStage { stage, dispatches }| {
            let parts = dispatches.iter().map(|own| (own.dispatch.shader.name, self.kernels_in(own)));
            parts.map(|(name, kernels)| Part::new(stage.name, name, kernels))
        })
    }

    /// The kernels of a stage in order, with their numbers of workgroups.
    fn kernels_of<'a>(&'a self, own: &'a PreparedStage) -> impl Iterator<Item = (&'a BoundKernel, u32)> {
        let mut rest = own.dispatches.as_slice();
        own.stage.steps.iter().flat_map(move |step| {
            let dispatches = rest.split_off(..step.dispatches().len()).expect("each dispatch is prepared");
            let rounds = (0..step.repeats(&self.config)).flat_map(move |_| dispatches);
            rounds.flat_map(|dispatch| self.kernels_in(dispatch))
        })
    }

    /// The kernels of a dispatch, one per chunk, with their numbers of workgroups.
    fn kernels_in<'a>(&'a self, own: &'a PreparedDispatch) -> impl Iterator<Item = (&'a BoundKernel, u32)> {
        // After the last entry of the node stream there may be partitions without entries.
        let chunks = own.kernels.iter().filter(|(chunk, _)| chunk.first_node <= self.config.n_nodes);
        chunks.map(|(chunk, kernel)| (kernel, own.dispatch.grid.workgroups(&chunk.config(&self.config))))
    }
}

/// The buffers of the stages and the inputs, and the uniform with the configuration, by name.
fn create_buffers(
    device: &wgpu::Device,
    stages: &[&'static Stage],
    inputs: &[BufferLayout],
    capacity: &Config,
) -> BTreeMap<&'static str, wgpu::Buffer> {
    let mut by_name = BTreeMap::new();
    let mut create = |room: &str, name: &'static str, size: u64, usage: wgpu::BufferUsages| {
        by_name.insert(name, create_buffer(device, &format!("boxwood.{room}.{name}"), size, usage));
    };
    let of_stages = stages.iter().map(|stage| (stage.name.label(), stage.buffers));
    for (room, layouts) in of_stages.chain([("scene", inputs)]) {
        for layout in layouts {
            create(room, layout.name, layout.bytes(capacity), RESULT_USAGES);
        }
    }
    create("scene", "config", size_of::<Config>() as u64, CONFIG_USAGES);
    by_name
}

/// The usages of the buffers, so that later passes of the caller can bind them, copy them, or draw
/// an instance per item.
pub(crate) const RESULT_USAGES: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE
    .union(wgpu::BufferUsages::COPY_DST)
    .union(wgpu::BufferUsages::COPY_SRC)
    .union(wgpu::BufferUsages::VERTEX);

/// The usages of the uniform with the size of the input.
pub(crate) const CONFIG_USAGES: wgpu::BufferUsages =
    wgpu::BufferUsages::UNIFORM.union(wgpu::BufferUsages::COPY_DST);

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
