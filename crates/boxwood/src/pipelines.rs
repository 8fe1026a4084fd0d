//! What is made once a device.

use boxwood_shaders::Shader;

use crate::kernel::Kernel;
use crate::program::Kernels;
use crate::stage::{Matching, Stage};

/// The compiled stages. Make it once a device.
#[derive(Debug)]
pub struct Pipelines {
    pub(crate) kernels: Kernels,
}

impl Pipelines {
    /// Compiles every stage for `device`, which needs no feature and no more than WebGPU's default limits.
    pub fn new(device: &wgpu::Device) -> Self {
        Self { kernels: Kernels::new(stages(), |shader| Kernel::new(device, shader)) }
    }

    /// Compiles every stage from the source that `source` gives for its shaders, which must bind the same resources.
    /// This is for those who experiment with a stage, and for tests that break one: wgpu checks what these shaders do.
    pub fn with_sources(device: &wgpu::Device, source: impl Fn(&Shader) -> String) -> Self {
        let compile = |shader| Kernel::with_source(device, shader, &source(shader));
        Self { kernels: Kernels::new(stages(), compile) }
    }
}

fn stages() -> impl Iterator<Item = &'static Stage> {
    Matching::ALL.iter().flat_map(|matching| matching.stages()).copied()
}
