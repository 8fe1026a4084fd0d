//! What is made once a device.

use boxwood_shaders::Shader;

use crate::kernels::Kernels;
use crate::stage::Matching;

/// The compiled stages. Make it once a device.
#[derive(Debug)]
pub struct Pipelines {
    pub(crate) kernels: Kernels,
}

impl Pipelines {
    /// Compiles every stage for `device`, which needs no feature and no more than WebGPU's default limits.
    ///
    /// What only scenes with arrays larger than a binding need is compiled with the first [`Buffers`](crate::Buffers) for one.
    pub fn new(device: &wgpu::Device) -> Self {
        Self { kernels: Kernels::new(device, all_shaders(), |_| None).compile(shaders()) }
    }

    /// The stages from the source that `source` gives for their shaders, which must bind the same resources, each compiled with
    /// the first [`Buffers`](crate::Buffers) that need it. This is for those who experiment with a stage, and for tests that
    /// break one: wgpu checks what these shaders do.
    pub fn with_sources(device: &wgpu::Device, source: impl Fn(&Shader) -> String) -> Self {
        Self { kernels: Kernels::new(device, all_shaders(), |shader| Some(source(shader))) }
    }

    /// The same stages from the source that `source` gives now. A shader that [`with_sources`](Self::with_sources) has made
    /// of just that is not compiled again.
    #[must_use]
    pub fn with_changes(&self, source: impl Fn(&Shader) -> String) -> Self {
        Self { kernels: self.kernels.with_changes(source) }
    }
}

/// What scenes run whose arrays fit a binding.
fn shaders() -> impl Iterator<Item = &'static Shader> {
    Matching::ALL.iter().flat_map(|matching| matching.stages()).flat_map(|stage| stage.shaders())
}

fn all_shaders() -> impl Iterator<Item = &'static Shader> {
    let in_windows = Matching::ALL.iter().filter_map(|matching| matching.stages_in_windows()).flatten();
    shaders().chain(in_windows.flat_map(|stage| stage.shaders()))
}
