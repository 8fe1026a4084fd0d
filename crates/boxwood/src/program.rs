//! Stages with the buffers that they run over.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use boxwood_layout::{Config, Window};

use crate::kernels::Kernels;
use crate::stage::{
    BufferLayout, Dispatch, Stage, Step, WHOLE, WindowLengths, config_in, pairs_of_rounds, window_bytes,
};
use crate::uniforms::Uniforms;

/// Stages with the buffers that they run over, for inputs up to some size.
#[derive(Debug)]
pub(crate) struct Program {
    by_name: BTreeMap<&'static str, wgpu::Buffer>,
    stages: Vec<BoundStage>,
    /// The configurations of the windows of partitions, if there are windows.
    window_configs: Option<WindowConfigs>,
    config: Config,
    max_workgroups_per_dimension: u32,
}

/// The windows of partitions, in order, each with the configuration of what it has of the scene.
#[derive(Debug)]
struct WindowConfigs {
    windows: Vec<Window>,
    uniforms: Uniforms<Config>,
}

impl WindowConfigs {
    /// That of the window with the same partitions.
    fn binding_of(&self, window: &Window) -> wgpu::BufferBinding<'_> {
        let index = self.windows.iter().position(|own| own.first_partition == window.first_partition);
        self.uniforms.binding(index.expect("all windows of partitions are there"))
    }

    fn write(&self, queue: &wgpu::Queue, scene: &Config) {
        let configs: Vec<Config> = self.windows.iter().map(|window| config_in(window, scene)).collect();
        self.uniforms.write(queue, &configs);
    }
}

/// A stage with what its dispatches bind.
#[derive(Debug)]
struct BoundStage {
    stage: &'static Stage,
    /// One a dispatch, those of rounds once each: a group for each of its windows.
    bind_groups: Vec<Vec<(Window, wgpu::BindGroup)>>,
}

impl Program {
    /// Allocates the buffers of `stages` and the `inputs` for a size of up to `capacity`, and binds them, in windows of these
    /// lengths where the stages have some.
    pub(crate) fn new(
        device: &wgpu::Device,
        kernels: &Kernels,
        stages: &[&'static Stage],
        inputs: &[BufferLayout],
        capacity: &Config,
        windows: Option<WindowLengths>,
    ) -> Self {
        let mut by_name = BTreeMap::new();
        let mut create = |stage: &str, layout: &BufferLayout| {
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(&format!("boxwood.{stage}.{}", layout.name)),
                size: layout.bytes(capacity),
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
        let window_configs = windows.map(|lengths| {
            let windows = lengths.partition_windows(capacity);
            let configs: Vec<Config> = windows.iter().map(|w| config_in(w, &Config::default())).collect();
            WindowConfigs { uniforms: Uniforms::new(device, "window_configs", &configs), windows }
        });
        let part_of = |dispatch: &Dispatch, variable: &str, window: &Window| {
            let name = dispatch.buffer_of(variable);
            let buffer = &by_name[name];
            let Some(axis) = dispatch.axis_of(variable) else {
                return buffer.as_entire_buffer_binding();
            };
            let mut layouts = stages.iter().flat_map(|stage| stage.buffers).chain(inputs);
            let layout = layouts.find(|layout| layout.name == name).expect("each buffer has its layout");
            let (offset, size) = window_bytes(layout, axis, window, buffer.size());
            wgpu::BufferBinding { buffer, offset, size: NonZeroU64::new(size) }
        };
        let bind = |dispatch: &Dispatch| {
            let all = windows.map_or_else(|| vec![WHOLE], |lengths| lengths.windows_of(dispatch, capacity));
            let uniforms = windows.map(|_| Uniforms::new(device, "windows", &all));
            let has_own_config = dispatch.axis_of("config").is_some();
            let bind_to = |index: usize, window: &Window| {
                let part = |variable: &str| match (variable, &uniforms, &window_configs) {
                    ("window", Some(uniforms), _) => uniforms.binding(index),
                    ("config", _, Some(configs)) if has_own_config => configs.binding_of(window),
                    _ => part_of(dispatch, variable, window),
                };
                (*window, kernels.get(dispatch.shader).bind_parts(device, part))
            };
            all.iter().enumerate().map(|(index, window)| bind_to(index, window)).collect()
        };
        let stages = stages
            .iter()
            .map(|stage| BoundStage { stage, bind_groups: stage.dispatches().map(bind).collect() })
            .collect();
        Self {
            by_name,
            stages,
            window_configs,
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
            if let Some(window_configs) = &self.window_configs {
                window_configs.write(queue, &config);
            }
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
                    for (dispatch, groups) in &bound {
                        self.dispatch(pass, kernels, dispatch, groups);
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
        if let Some((dispatch, groups)) = all.into_iter().nth(index) {
            self.dispatch(pass, kernels, dispatch, groups);
        }
    }

    fn dispatch(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        kernels: &Kernels,
        dispatch: &Dispatch,
        groups: &[(Window, wgpu::BindGroup)],
    ) {
        for (window, group) in groups {
            // After the last entry of the node stream there may be partitions without any.
            if window.first_node > self.config.n_nodes {
                continue;
            }
            let size = config_in(window, &self.config);
            if let Some([x, y, z]) = dispatch.grid.workgroups(&size, self.max_workgroups_per_dimension) {
                pass.set_pipeline(&kernels.get(dispatch.shader).pipeline);
                pass.set_bind_group(0, group, &[]);
                pass.dispatch_workgroups(x, y, z);
            }
        }
    }
}
