//! Boxwood's stages over a scene that one shader makes of Vello's buffers, and whose boxes another brings back to them.

use boxwood::{Buffers, Kernel, LimitsError, Matching, Pipelines, WORKGROUP_SIZE};
use boxwood_shaders::Shader;

/// A compute pass of a shader that gathers a scene, Boxwood's stages, and a shader that scatters their results.
#[derive(Debug)]
pub(crate) struct ScenePass {
    label: &'static str,
    gather: Kernel,
    scatter: Kernel,
    /// What the shaders bind of Vello's, by their names for it.
    names: &'static [&'static str],
    scene: SceneBuffers,
}

/// How large the scene of a pass is, and how many items its shaders take.
pub(crate) struct PassSize {
    pub(crate) n_elements: u32,
    pub(crate) n_nodes: u32,
    pub(crate) n_gathered: u32,
    pub(crate) n_scattered: u32,
}

impl ScenePass {
    /// Compiles the two shaders.
    pub(crate) fn new(
        label: &'static str,
        [gather, scatter]: [&'static Shader; 2],
        names: &'static [&'static str],
        kernel: impl Fn(&'static Shader) -> Kernel,
    ) -> Self {
        let scene = SceneBuffers::default();
        Self { label, gather: kernel(gather), scatter: kernel(scatter), names, scene }
    }

    /// Chooses the algorithm, or `None` for the fastest.
    pub(crate) fn set_matching(&mut self, matching: Option<Matching>) {
        self.scene.matching = matching;
    }

    /// Records the pass over `buffers`, which are those of the names.
    ///
    /// # Errors
    ///
    /// More than the device holds. Nothing is recorded then.
    pub(crate) fn record(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        encoder: &mut wgpu::CommandEncoder,
        size: &PassSize,
        buffers: &[wgpu::Buffer],
    ) -> Result<(), LimitsError> {
        let scene = self.scene.of_size(device, queue, pipelines, size.n_elements, size.n_nodes)?;
        let buffer = |name: &str| match name {
            "draw_tags" => scene.draw_tags(),
            "element_boxes" => scene.element_boxes(),
            "nodes" => scene.nodes(),
            "links" => scene.links(),
            "clip_boxes" => scene.clip_boxes(),
            "group_boxes" => scene.group_boxes(),
            _ => {
                let place = self.names.iter().position(|own| *own == name);
                &buffers[place.unwrap_or_else(|| panic!("no buffer is called {name}"))]
            }
        };
        let (gather, scatter) = (self.gather.bind(device, buffer), self.scatter.bind(device, buffer));
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(self.label),
            timestamp_writes: None,
        });
        dispatch(device, &mut pass, &self.gather, &gather, size.n_gathered);
        pipelines.record_in(&mut pass, scene);
        dispatch(device, &mut pass, &self.scatter, &scatter, size.n_scattered);
        Ok(())
    }
}

/// Buffers that are made anew where a scene is larger, or another algorithm is the fastest for it.
#[derive(Debug, Default)]
struct SceneBuffers {
    buffers: Option<Buffers>,
    /// The algorithm, or none for the fastest.
    matching: Option<Matching>,
}

impl SceneBuffers {
    /// Buffers set to a size.
    ///
    /// # Errors
    ///
    /// More than the device holds.
    fn of_size(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        n_elements: u32,
        n_nodes: u32,
    ) -> Result<&Buffers, LimitsError> {
        let (n_elements, n_nodes) = (n_elements as usize, n_nodes as usize);
        let fastest = || Matching::for_elements(n_elements, &device.adapter_info());
        let matching = self.matching.unwrap_or_else(fastest);
        let does = |buffers: &Buffers| {
            buffers.matching() == matching && buffers.capacity().check(n_elements, n_nodes).is_ok()
        };
        let mut buffers = match self.buffers.take().filter(does) {
            Some(buffers) => buffers,
            None => {
                // Scenes that grow a little each frame do not need others each frame.
                // The two shaders bind whole buffers.
                let limits = matching.limits_in_one_binding(&device.limits());
                limits.check(n_elements, n_nodes)?;
                let more = |n: usize, max: u64| {
                    n.max(n.next_power_of_two().min(usize::try_from(max).unwrap_or(usize::MAX)))
                };
                let n_elements = more(n_elements, limits.max_elements);
                let n_nodes = more(n_nodes, limits.max_nodes);
                Buffers::with_matching(device, pipelines, n_elements, n_nodes, matching)?
            }
        };
        buffers.set_size(queue, n_elements, n_nodes)?;
        Ok(self.buffers.insert(buffers))
    }
}

/// Records a kernel with an invocation for each of `n` items.
fn dispatch(
    device: &wgpu::Device,
    pass: &mut wgpu::ComputePass<'_>,
    kernel: &Kernel,
    group: &wgpu::BindGroup,
    n: u32,
) {
    let n_workgroups = n.div_ceil(WORKGROUP_SIZE);
    let n_rows = n_workgroups.div_ceil(device.limits().max_compute_workgroups_per_dimension);
    if n_rows > 0 {
        pass.set_pipeline(kernel.pipeline());
        pass.set_bind_group(0, group, &[]);
        pass.dispatch_workgroups(n_workgroups.div_ceil(n_rows), n_rows, 1);
    }
}
