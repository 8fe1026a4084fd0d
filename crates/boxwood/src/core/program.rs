//! Stages with the buffers that they run over.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use boxwood_shaders::Shader;

use super::chunk::{Chunk, ChunkLengths};
use super::config::Config;
use super::kernel::Kernels;
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
    chunk_configs: Option<ChunkConfigs>,
    capacity: Config,
    config: Config,
    max_workgroups_per_dimension: u32,
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
    pipeline: wgpu::ComputePipeline,
    /// A bind group per chunk.
    groups: Vec<(Chunk, wgpu::BindGroup)>,
}

/// The chunks of partitions, in order, and the configuration of each chunk.
#[derive(Debug)]
struct ChunkConfigs {
    chunks: Vec<Chunk>,
    uniforms: Uniforms<Config>,
}

impl ChunkConfigs {
    fn new(device: &wgpu::Device, chunks: Vec<Chunk>) -> Self {
        let configs: Vec<Config> = chunks.iter().map(|chunk| chunk.config(&Config::default())).collect();
        Self { uniforms: Uniforms::new(device, "chunk_configs", &configs), chunks }
    }

    /// The binding for the chunk with the same partitions.
    fn binding_of(&self, chunk: &Chunk) -> wgpu::BufferBinding<'_> {
        let index = self.chunks.iter().position(|own| own.first_partition == chunk.first_partition);
        self.uniforms.binding(index.expect("every chunk of partitions has a configuration"))
    }

    fn write(&self, queue: &wgpu::Queue, scene: &Config) {
        let configs: Vec<Config> = self.chunks.iter().map(|chunk| chunk.config(scene)).collect();
        self.uniforms.write(queue, &configs);
    }
}

/// A stage that can be recorded alone.
#[derive(Clone, Copy, Debug)]
pub struct StageRef<'a> {
    program: &'a Program,
    stage: &'a PreparedStage,
}

impl StageRef<'_> {
    /// The name of the stage.
    pub fn name(&self) -> StageName {
        self.stage.stage.name
    }

    /// Records the stage.
    ///
    /// # Safety
    ///
    /// The stages before it must run on the same scene earlier in the same queue, and nothing may
    /// write the buffers in between. The shaders use indices from these buffers unchecked.
    #[expect(unsafe_code, reason = "indices come from buffers that earlier dispatches fill")]
    pub unsafe fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.program.record_stage(pass, self.stage);
    }
}

/// A dispatch that can be recorded alone.
#[derive(Clone, Copy, Debug)]
pub struct DispatchRef<'a> {
    program: &'a Program,
    stage: StageName,
    dispatch: &'a PreparedDispatch,
}

impl DispatchRef<'_> {
    /// The name of its stage.
    pub fn stage(&self) -> StageName {
        self.stage
    }

    /// The shader that it runs.
    pub fn shader(&self) -> &'static Shader {
        self.dispatch.dispatch.shader
    }

    /// Records the dispatch once.
    ///
    /// # Safety
    ///
    /// The same as for [`StageRef::record`], with the dispatches before it.
    #[expect(unsafe_code, reason = "indices come from buffers that earlier dispatches fill")]
    pub unsafe fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.program.record_dispatch(pass, self.dispatch);
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
        let chunk_configs =
            chunks.map(|lengths| ChunkConfigs::new(device, lengths.partition_chunks(capacity)));
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
            let has_own_config = dispatch.axis_of("config").is_some();
            let bind = |(index, chunk): (usize, &Chunk)| {
                let part = |variable: &str| match (variable, &uniforms, &chunk_configs) {
                    ("chunk", Some(uniforms), _) => uniforms.binding(index),
                    ("config", _, Some(configs)) if has_own_config => configs.binding_of(chunk),
                    _ => part_of(dispatch, variable, chunk),
                };
                (*chunk, kernel.bind_parts(device, part))
            };
            let groups = all.iter().enumerate().map(bind).collect();
            PreparedDispatch { dispatch, pipeline: kernel.pipeline().clone(), groups }
        };
        let stages = stages
            .iter()
            .map(|stage| PreparedStage { stage, dispatches: stage.dispatches().map(prepare).collect() })
            .collect();
        Self {
            by_name,
            stages,
            chunk_configs,
            capacity: *capacity,
            config: Config::default(),
            max_workgroups_per_dimension: device.limits().max_compute_workgroups_per_dimension,
        }
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
            if let Some(chunk_configs) = &self.chunk_configs {
                chunk_configs.write(queue, &config);
            }
        }
    }

    /// Records every stage.
    pub(crate) fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        for stage in &self.stages {
            self.record_stage(pass, stage);
        }
    }

    /// The stages, in order.
    #[cfg(feature = "testing")]
    pub(crate) fn stages(&self) -> impl Iterator<Item = StageRef<'_>> {
        self.stages.iter().map(|stage| StageRef { program: self, stage })
    }

    /// The dispatches, in order, with those of [`Step::Rounds`](super::schedule::Step::Rounds) once
    /// each.
    #[cfg(feature = "testing")]
    pub(crate) fn dispatches(&self) -> impl Iterator<Item = DispatchRef<'_>> {
        self.stages.iter().flat_map(|PreparedStage { stage, dispatches }| {
            dispatches.iter().map(|dispatch| DispatchRef { program: self, stage: stage.name, dispatch })
        })
    }

    fn record_stage(&self, pass: &mut wgpu::ComputePass<'_>, prepared: &PreparedStage) {
        let PreparedStage { stage, dispatches } = prepared;
        pass.push_debug_group(&format!("boxwood.{}", stage.name));
        let mut rest = dispatches.as_slice();
        for step in stage.steps {
            let (own, after) = rest.split_at(step.dispatches().len());
            for _ in 0..step.repeats(&self.config) {
                own.iter().for_each(|dispatch| self.record_dispatch(pass, dispatch));
            }
            rest = after;
        }
        pass.pop_debug_group();
    }

    fn record_dispatch(&self, pass: &mut wgpu::ComputePass<'_>, prepared: &PreparedDispatch) {
        for (chunk, group) in &prepared.groups {
            // After the last entry of the node stream there may be partitions without entries.
            if chunk.first_node > self.config.n_nodes {
                continue;
            }
            let size = chunk.config(&self.config);
            let grid = prepared.dispatch.grid;
            if let Some([x, y, z]) = grid.workgroups(&size, self.max_workgroups_per_dimension) {
                pass.set_pipeline(&prepared.pipeline);
                pass.set_bind_group(0, group, &[]);
                pass.dispatch_workgroups(x, y, z);
            }
        }
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
    let mut create = |label: String, name: &'static str, size: u64, usage: wgpu::BufferUsages| {
        let descriptor =
            wgpu::BufferDescriptor { label: Some(&label), size, usage, mapped_at_creation: false };
        by_name.insert(name, device.create_buffer(&descriptor));
    };
    for layout in inputs {
        let label = format!("boxwood.scene.{}", layout.name);
        create(label, layout.name, layout.bytes(capacity), RESULT_USAGES);
    }
    for stage in stages {
        for layout in stage.buffers {
            let label = format!("boxwood.{}.{}", stage.name, layout.name);
            create(label, layout.name, layout.bytes(capacity), RESULT_USAGES);
        }
    }
    let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
    create("boxwood.scene.config".to_owned(), "config", size_of::<Config>() as u64, usage);
    by_name
}

/// The usages of the buffers, so that later passes of the caller can bind them, copy them, or draw
/// an instance per item.
pub(crate) const RESULT_USAGES: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE
    .union(wgpu::BufferUsages::COPY_DST)
    .union(wgpu::BufferUsages::COPY_SRC)
    .union(wgpu::BufferUsages::VERTEX);
