//! The compiled shaders of a device.

use boxwood_shaders::Shader;

use super::algorithm::Algorithm;
use crate::core::kernel::Kernels;

/// The pipelines of all algorithms. Make one per device.
///
/// Each shader is compiled when the first [`Buffers`](crate::Buffers) or
/// [`ClippedBuffers`](crate::ClippedBuffers) need it, or by [`warm_up`](Self::warm_up) or
/// [`warm_up_clipped`](Self::warm_up_clipped).
#[derive(Debug)]
pub struct Pipelines {
    pub(super) kernels: Kernels,
}

impl Pipelines {
    /// Pipelines for `device`, which needs no optional feature and only WebGPU's default limits.
    /// Compiles nothing yet.
    pub fn new(device: &wgpu::Device) -> Self {
        Self { kernels: Kernels::new(device, shaders(), |_| None) }
    }

    /// Compiles the shaders of an algorithm now, so that the first buffers for it do not have to.
    ///
    /// The shaders for arrays that are larger than a storage binding are not among them.
    pub fn warm_up(&self, algorithm: Algorithm) {
        self.kernels.warm_up(algorithm.stages().iter().flat_map(|stage| stage.shaders()));
    }

    /// Compiles the shaders of an algorithm for [`ClippedBuffers`](crate::ClippedBuffers) now.
    /// There are none if the algorithm does not compute the clipped boxes alone.
    pub fn warm_up_clipped(&self, algorithm: Algorithm) {
        let stages = algorithm.clipped_stages().unwrap_or_default();
        self.kernels.warm_up(stages.iter().flat_map(|stage| stage.shaders()));
    }

    /// The number of shaders that have been compiled.
    #[cfg(feature = "testing")]
    pub fn n_compiled(&self) -> usize {
        self.kernels.n_compiled()
    }

    /// The same pipelines with other sources, compiled with wgpu's runtime checks. The sources must
    /// bind the same resources. A shader that already has this source is not compiled again.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn with_changes(&self, source: impl Fn(&Shader) -> String) -> Self {
        Self { kernels: self.kernels.with_changes(source) }
    }
}

fn shaders() -> impl Iterator<Item = &'static Shader> {
    let whole = Algorithm::ALL.iter().map(|algorithm| algorithm.stages());
    let chunked = Algorithm::ALL.iter().filter_map(|algorithm| algorithm.chunked_stages());
    let clipped = Algorithm::ALL.iter().filter_map(|algorithm| algorithm.clipped_stages());
    whole.chain(chunked).chain(clipped).flatten().flat_map(|stage| stage.shaders())
}
