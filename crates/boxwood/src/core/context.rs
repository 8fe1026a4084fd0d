//! The compiled shaders of a device.

use std::fmt;
use std::sync::Arc;

use boxwood_shaders::Shader;

use super::kernel::{Kernel, Kernels};

/// A device, and the shaders of this crate that are compiled for it. Make one per device.
///
/// Each shader is compiled when it is first needed. A clone shares the compiled shaders.
#[derive(Clone)]
pub struct Context {
    kernels: Arc<Kernels>,
}

/// The device alone, since there are more than a hundred shaders.
impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("device", self.device()).finish_non_exhaustive()
    }
}

impl Context {
    /// A context for `device`, which needs no optional feature and only WebGPU's default limits.
    /// Compiles nothing yet.
    pub fn new(device: &wgpu::Device) -> Self {
        Self { kernels: Arc::new(Kernels::new(device, boxwood_shaders::all(), |_| None)) }
    }

    /// The device.
    pub fn device(&self) -> &wgpu::Device {
        self.kernels.device()
    }

    /// The compiled shaders.
    pub(crate) fn kernels(&self) -> &Kernels {
        &self.kernels
    }

    /// The compiled shader.
    pub(crate) fn kernel(&self, shader: &Shader) -> &Kernel {
        self.kernels.get(shader)
    }

    /// The number of shaders that have been compiled.
    #[cfg(feature = "testing")]
    pub fn n_compiled(&self) -> usize {
        self.kernels.n_compiled()
    }

    /// The same context with other sources, compiled with wgpu's runtime checks. The sources must
    /// bind the same resources. A shader that already has this source is not compiled again.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn with_changes(&self, source: impl Fn(&Shader) -> String) -> Self {
        Self { kernels: Arc::new(self.kernels.with_changes(source)) }
    }
}
