//! Boxwood's buffers for a scene that is on the GPU.

use boxwood::{Buffers, Kernel, LimitsError, Matching, Pipelines, WORKGROUP_SIZE};

/// Buffers that are made anew where a scene is larger, or another algorithm is the fastest for it.
#[derive(Debug, Default)]
pub(crate) struct SceneBuffers {
    buffers: Option<Buffers>,
    /// The algorithm, or none for the fastest.
    pub(crate) matching: Option<Matching>,
}

impl SceneBuffers {
    /// Buffers set to a size.
    ///
    /// # Errors
    ///
    /// More than the device holds.
    pub(crate) fn of_size(
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
                let limits = matching.limits_on(Buffers::limits_of(device));
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
pub(crate) fn dispatch(
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
