//! Stages with the buffers that they run over.

use std::collections::BTreeMap;

use boxwood_layout::Config;
use boxwood_shaders::Shader;

use crate::kernel::Kernel;
use crate::stage::{BufferLayout, Dispatch, Grid, Stage, Step, pairs_of_rounds};

/// Compiled shaders by their names.
#[derive(Debug, Default)]
pub(crate) struct Kernels(BTreeMap<&'static str, Kernel>);

impl Kernels {
    /// Compiles what some stages run.
    pub(crate) fn new(
        stages: impl Iterator<Item = &'static Stage>,
        compile: impl Fn(&'static Shader) -> Kernel,
    ) -> Self {
        let mut kernels = BTreeMap::new();
        for shader in stages.flat_map(Stage::dispatches).map(|dispatch| dispatch.shader) {
            kernels.entry(shader.name).or_insert_with(|| compile(shader));
        }
        Self(kernels)
    }
}

/// Stages with the buffers that they run over, for inputs up to some size.
#[derive(Debug)]
pub(crate) struct Program {
    by_name: BTreeMap<&'static str, wgpu::Buffer>,
    stages: Vec<BoundStage>,
    config: Config,
    max_workgroups_per_dimension: u32,
}

/// A stage with what its dispatches bind.
#[derive(Debug)]
struct BoundStage {
    stage: &'static Stage,
    /// One group a dispatch, those of rounds once each.
    bind_groups: Vec<wgpu::BindGroup>,
}

impl Program {
    /// Allocates the buffers of `stages` and the `inputs` for a size of up to `capacity`.
    pub(crate) fn new(
        device: &wgpu::Device,
        kernels: &Kernels,
        stages: &[&'static Stage],
        inputs: &[BufferLayout],
        capacity: &Config,
    ) -> Self {
        let mut by_name = BTreeMap::new();
        let mut create = |stage: &str, layout: &BufferLayout| {
            // A binding of a runtime-sized array has room for one item at least.
            let size = layout.stride * layout.per.count(capacity).max(1);
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(&format!("boxwood.{stage}.{}", layout.name)),
                size: size as u64,
                usage: wgpu::BufferUsages::STORAGE
                    | wgpu::BufferUsages::COPY_DST
                    | wgpu::BufferUsages::COPY_SRC
                    | wgpu::BufferUsages::VERTEX,
                mapped_at_creation: false,
            });
            by_name.insert(layout.name, buffer);
        };
        for layout in inputs {
            create("scene", layout);
        }
        for stage in stages {
            for layout in stage.buffers {
                create(stage.name, layout);
            }
        }
        by_name.insert(
            "config",
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("boxwood.scene.config"),
                size: size_of::<Config>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
        );
        let bind = |dispatch: &Dispatch| {
            let buffer_of = |variable: &str| {
                let renamed = dispatch.bound_to.iter().find(|(v, _)| *v == variable);
                &by_name[renamed.map_or(variable, |(_, buffer)| *buffer)]
            };
            kernels.0[dispatch.shader.name].bind(device, buffer_of)
        };
        let stages = stages
            .iter()
            .map(|stage| BoundStage { stage, bind_groups: stage.dispatches().map(bind).collect() })
            .collect();
        Self {
            by_name,
            stages,
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

    /// Sets the size of the present input, which is within the capacity.
    pub(crate) fn set_config(&mut self, queue: &wgpu::Queue, config: Config) {
        // A new buffer holds zeros, which is the configuration of the empty input.
        if self.config != config {
            self.config = config;
            queue.write_buffer(self.buffer("config"), 0, bytemuck::bytes_of(&config));
        }
    }

    /// Records every stage.
    pub(crate) fn record(&self, pass: &mut wgpu::ComputePass<'_>, kernels: &Kernels) {
        for bound in &self.stages {
            self.record_stage(pass, kernels, bound.stage.name);
        }
    }

    /// The names of its stages, in order.
    pub(crate) fn stage_names(&self) -> impl Iterator<Item = &'static str> {
        self.stages.iter().map(|bound| bound.stage.name)
    }

    /// Records the stage of this name.
    pub(crate) fn record_stage(&self, pass: &mut wgpu::ComputePass<'_>, kernels: &Kernels, name: &str) {
        for BoundStage { stage, bind_groups } in self.stages.iter().filter(|bound| bound.stage.name == name) {
            pass.push_debug_group(&format!("boxwood.{}", stage.name));
            let mut groups = bind_groups.iter();
            for step in stage.steps {
                let (dispatches, repeats) = match step {
                    Step::Once(dispatch) => (std::slice::from_ref(dispatch), 1),
                    Step::Rounds(pair) => (pair.as_slice(), pairs_of_rounds(&self.config)),
                };
                let bound: Vec<_> = dispatches.iter().zip(groups.by_ref()).collect();
                for _ in 0..repeats {
                    for (dispatch, group) in &bound {
                        self.dispatch(pass, kernels, dispatch.shader, dispatch.grid, group);
                    }
                }
            }
            pass.pop_debug_group();
        }
    }

    /// The names of the shaders that it dispatches, in order, those of rounds once each.
    pub(crate) fn dispatch_names(&self) -> impl Iterator<Item = &'static str> {
        self.stages.iter().flat_map(|bound| bound.stage.dispatches()).map(|dispatch| dispatch.shader.name)
    }

    /// Records one of these alone, once.
    pub(crate) fn record_dispatch(&self, pass: &mut wgpu::ComputePass<'_>, kernels: &Kernels, index: usize) {
        let all = self.stages.iter().flat_map(|bound| bound.stage.dispatches().zip(&bound.bind_groups));
        if let Some((dispatch, group)) = all.into_iter().nth(index) {
            self.dispatch(pass, kernels, dispatch.shader, dispatch.grid, group);
        }
    }

    fn dispatch(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        kernels: &Kernels,
        shader: &Shader,
        grid: Grid,
        group: &wgpu::BindGroup,
    ) {
        if let Some([x, y, z]) = grid.workgroups(&self.config, self.max_workgroups_per_dimension) {
            pass.set_pipeline(&kernels.0[shader.name].pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.dispatch_workgroups(x, y, z);
        }
    }
}
