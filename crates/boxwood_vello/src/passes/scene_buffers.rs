//! The buffers of Boxwood's stages, from frame to frame.

use boxwood::{Algorithm, BoundKernel, Buffers, LimitsError, Pipelines};

/// The buffers of a scene, and the bind groups that use them.
#[derive(Debug)]
pub(super) struct SceneBuffers {
    pub(super) buffers: Buffers,
    pub(super) bindings: Option<Bindings>,
}

/// The buffers of Vello that a pass binds, and a bind group per kernel.
pub(super) type Bindings = (Vec<wgpu::Buffer>, Vec<BoundKernel>);

impl SceneBuffers {
    /// The buffers of the `last` scene, with another size, if they have room for it and are for the
    /// same algorithm; or else new ones. `None` stands for the fastest algorithm.
    ///
    /// # Errors
    ///
    /// [`LimitsError`] if the device cannot hold the scene.
    pub(super) fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        (n_elements, n_entries): (usize, usize),
        algorithm: Option<Algorithm>,
        last: Option<Self>,
    ) -> Result<Self, LimitsError> {
        // Looking up the fastest algorithm takes longer than recording.
        let same_size = last.as_ref().filter(|last| last.buffers.n_elements() as usize == n_elements);
        let algorithm = algorithm
            .or(same_size.map(|last| last.buffers.algorithm()))
            .unwrap_or_else(|| Algorithm::for_elements(n_elements, &device.adapter_info()));
        let is_enough = |Self { buffers, .. }: &Self| {
            buffers.algorithm() == algorithm && buffers.capacity().check(n_elements, n_entries).is_ok()
        };
        let mut scene = match last.filter(is_enough) {
            Some(last) => last,
            None => {
                // The shaders of a pass bind whole buffers.
                let limits = algorithm.limits_in_one_binding(&device.limits());
                limits.check(n_elements, n_entries)?;
                // Powers of two: scenes that grow a little do not need new buffers every frame.
                let room = |n: usize, max: u64| {
                    n.max(n.next_power_of_two().min(usize::try_from(max).unwrap_or(usize::MAX)))
                };
                let n_elements = room(n_elements, limits.max_elements);
                let n_entries = room(n_entries, limits.max_entries);
                let buffers = Buffers::with_algorithm(device, pipelines, n_elements, n_entries, algorithm)?;
                Self { buffers, bindings: None }
            }
        };
        scene.buffers.set_size(queue, n_elements, n_entries)?;
        Ok(scene)
    }
}
