//! Boxwood's stages over a scene that one shader makes of Vello's buffers, and whose boxes another may bring back to them.

use boxwood::testing::WORKGROUP_SIZE;
use boxwood::{Algorithm, Buffers, Kernel, LimitsError, Pipelines};

/// A shader that gathers a scene, Boxwood's stages, and, if there is one, a shader that scatters their results.
#[derive(Debug)]
pub(crate) struct ScenePass {
    gather: Kernel,
    scatter: Option<Kernel>,
    /// What the shaders bind of Vello's, by their names for it.
    names: &'static [&'static str],
    scene: SceneBuffers,
    bound: Option<Bound>,
}

/// What the two shaders are bound to, beside the buffers of the scene.
#[derive(Debug)]
struct Bound {
    buffers: Vec<wgpu::Buffer>,
    gather: wgpu::BindGroup,
    scatter: Option<wgpu::BindGroup>,
}

/// How large the scene of a pass is, and how many items its shaders take.
pub(crate) struct PassSize {
    pub(crate) n_elements: u32,
    pub(crate) n_nodes: u32,
    pub(crate) n_gathered: u32,
    pub(crate) n_scattered: u32,
}

impl ScenePass {
    /// A pass of these shaders.
    pub(crate) fn new(gather: Kernel, scatter: Option<Kernel>, names: &'static [&'static str]) -> Self {
        Self { gather, scatter, names, scene: SceneBuffers::default(), bound: None }
    }

    /// Chooses the algorithm, or `None` for the fastest.
    pub(crate) fn set_algorithm(&mut self, algorithm: Option<Algorithm>) {
        self.scene.algorithm = algorithm;
    }

    /// The scene of the last recording.
    pub(crate) fn scene(&self) -> Option<&Buffers> {
        self.scene.buffers.as_ref()
    }

    /// Records it into a compute pass over `buffers`, which are those of the names.
    ///
    /// # Errors
    ///
    /// More than the device holds. Nothing is recorded then.
    pub(crate) fn record_in(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        pass: &mut wgpu::ComputePass<'_>,
        size: &PassSize,
        buffers: &[wgpu::Buffer],
    ) -> Result<(), LimitsError> {
        let is_new = self.scene.set_size(device, queue, pipelines, size.n_elements, size.n_nodes)?;
        let Some(scene) = &self.scene.buffers else { return Ok(()) };
        let bound = match self.bound.take().filter(|bound| !is_new && bound.buffers == buffers) {
            Some(bound) => bound,
            None => self.bind(device, scene, buffers),
        };
        let max_rows = self.scene.max_workgroups_per_dimension;
        dispatch(pass, max_rows, &self.gather, &bound.gather, size.n_gathered);
        scene.record_in(pass);
        if let (Some(scatter), Some(group)) = (&self.scatter, &bound.scatter) {
            dispatch(pass, max_rows, scatter, group, size.n_scattered);
        }
        self.bound = Some(bound);
        Ok(())
    }

    fn bind(&self, device: &wgpu::Device, scene: &Buffers, buffers: &[wgpu::Buffer]) -> Bound {
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
        Bound {
            buffers: buffers.to_vec(),
            gather: self.gather.bind(device, buffer),
            scatter: self.scatter.as_ref().map(|scatter| scatter.bind(device, buffer)),
        }
    }
}

/// Buffers that are made anew where a scene is larger, or another algorithm is the fastest for it.
#[derive(Debug, Default)]
struct SceneBuffers {
    buffers: Option<Buffers>,
    /// The algorithm, or none for the fastest.
    algorithm: Option<Algorithm>,
    /// Which is the fastest for so many elements.
    fastest: Option<(usize, Algorithm)>,
    max_workgroups_per_dimension: u32,
}

impl SceneBuffers {
    /// Sets the buffers to a size, and says whether they are new.
    ///
    /// # Errors
    ///
    /// More than the device holds.
    fn set_size(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        n_elements: u32,
        n_nodes: u32,
    ) -> Result<bool, LimitsError> {
        let (n_elements, n_nodes) = (n_elements as usize, n_nodes as usize);
        let algorithm = self.algorithm.unwrap_or_else(|| self.fastest(device, n_elements));
        let does = |buffers: &Buffers| {
            buffers.algorithm() == algorithm && buffers.capacity().check(n_elements, n_nodes).is_ok()
        };
        let kept = self.buffers.take().filter(does);
        let is_new = kept.is_none();
        let mut buffers = match kept {
            Some(buffers) => buffers,
            None => {
                // Scenes that grow a little each frame do not need others each frame.
                // The two shaders bind whole buffers.
                let limits = algorithm.limits_in_one_binding(&device.limits());
                limits.check(n_elements, n_nodes)?;
                let more = |n: usize, max: u64| {
                    n.max(n.next_power_of_two().min(usize::try_from(max).unwrap_or(usize::MAX)))
                };
                let n_elements = more(n_elements, limits.max_elements);
                let n_nodes = more(n_nodes, limits.max_nodes);
                self.max_workgroups_per_dimension = device.limits().max_compute_workgroups_per_dimension;
                Buffers::with_algorithm(device, pipelines, n_elements, n_nodes, algorithm)?
            }
        };
        buffers.set_size(queue, n_elements, n_nodes)?;
        self.buffers = Some(buffers);
        Ok(is_new)
    }

    /// To look it up takes longer than to record the stages.
    fn fastest(&mut self, device: &wgpu::Device, n_elements: usize) -> Algorithm {
        match self.fastest {
            Some((n, algorithm)) if n == n_elements => algorithm,
            _ => {
                let algorithm = Algorithm::for_elements(n_elements, &device.adapter_info());
                self.fastest.insert((n_elements, algorithm)).1
            }
        }
    }
}

/// Records a kernel with an invocation for each of `n` items.
fn dispatch(
    pass: &mut wgpu::ComputePass<'_>,
    max_workgroups_per_dimension: u32,
    kernel: &Kernel,
    group: &wgpu::BindGroup,
    n: u32,
) {
    let n_workgroups = n.div_ceil(WORKGROUP_SIZE);
    let n_rows = n_workgroups.div_ceil(max_workgroups_per_dimension);
    if n_rows > 0 {
        pass.set_pipeline(kernel.pipeline());
        pass.set_bind_group(0, group, &[]);
        pass.dispatch_workgroups(n_workgroups.div_ceil(n_rows), n_rows, 1);
    }
}
