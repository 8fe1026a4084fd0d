//! The buffers of Boxwood's stages, from frame to frame.

use boxwood::{Algorithm, Buffers, LimitsError, Pipelines};

/// Buffers that are replaced when a scene needs more room or another algorithm.
#[derive(Debug, Default)]
pub(super) struct SceneBuffers {
    buffers: Option<Buffers>,
    /// The algorithm, or `None` for the fastest.
    algorithm: Option<Algorithm>,
}

impl SceneBuffers {
    pub(super) fn new(algorithm: Option<Algorithm>) -> Self {
        Self { buffers: None, algorithm }
    }

    pub(super) fn get(&self) -> Option<&Buffers> {
        self.buffers.as_ref()
    }

    /// Sets the size of the scene. Returns the buffers, and whether they have been replaced.
    ///
    /// # Errors
    ///
    /// [`LimitsError`] if the device cannot hold the scene.
    pub(super) fn set_size(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        (n_elements, n_nodes): (usize, usize),
    ) -> Result<(&Buffers, bool), LimitsError> {
        // Looking up the fastest algorithm takes longer than recording.
        let last = self.buffers.as_ref().filter(|buffers| buffers.n_elements() as usize == n_elements);
        let known = self.algorithm.or(last.map(Buffers::algorithm));
        let algorithm = known.unwrap_or_else(|| Algorithm::for_elements(n_elements, &device.adapter_info()));
        let is_enough = |buffers: &Buffers| {
            buffers.algorithm() == algorithm && buffers.capacity().check(n_elements, n_nodes).is_ok()
        };
        let kept = self.buffers.take().filter(is_enough);
        let is_new = kept.is_none();
        let mut buffers = match kept {
            Some(buffers) => buffers,
            None => {
                // The shaders of a pass bind whole buffers.
                let limits = algorithm.limits_in_one_binding(&device.limits());
                limits.check(n_elements, n_nodes)?;
                // Powers of two: scenes that grow a little do not need new buffers every frame.
                let room = |n: usize, max: u64| {
                    n.max(n.next_power_of_two().min(usize::try_from(max).unwrap_or(usize::MAX)))
                };
                let n_elements = room(n_elements, limits.max_elements);
                let n_nodes = room(n_nodes, limits.max_nodes);
                Buffers::with_algorithm(device, pipelines, n_elements, n_nodes, algorithm)?
            }
        };
        buffers.set_size(queue, n_elements, n_nodes)?;
        Ok((self.buffers.insert(buffers), is_new))
    }
}
