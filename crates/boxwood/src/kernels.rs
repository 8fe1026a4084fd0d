//! The compiled shaders of some stages.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use boxwood_shaders::Shader;

use crate::kernel::Kernel;
use crate::stage::Stage;

/// The shaders of some stages, each compiled when it is first needed.
#[derive(Debug)]
pub(crate) struct Kernels {
    device: wgpu::Device,
    by_name: BTreeMap<&'static str, LazyKernel>,
}

#[derive(Debug)]
struct LazyKernel {
    shader: &'static Shader,
    /// Another source than the shader's own.
    source: Option<String>,
    kernel: OnceLock<Kernel>,
}

impl Kernels {
    /// What `stages` run: from the source that `source` gives for a shader, with wgpu's checks, or else as it is.
    pub(crate) fn new(
        device: &wgpu::Device,
        stages: impl Iterator<Item = &'static Stage>,
        source: impl Fn(&'static Shader) -> Option<String>,
    ) -> Self {
        let mut by_name = BTreeMap::new();
        for shader in stages.flat_map(Stage::dispatches).map(|dispatch| dispatch.shader) {
            let lazy = || LazyKernel { shader, source: source(shader), kernel: OnceLock::new() };
            by_name.entry(shader.name).or_insert_with(lazy);
        }
        Self { device: device.clone(), by_name }
    }

    /// Compiles what `stages` run, which are among those that it was made for.
    pub(crate) fn compile(self, stages: impl Iterator<Item = &'static Stage>) -> Self {
        for dispatch in stages.flat_map(Stage::dispatches) {
            self.get(dispatch.shader);
        }
        self
    }

    pub(crate) fn get(&self, shader: &Shader) -> &Kernel {
        let LazyKernel { shader, source, kernel } = &self.by_name[shader.name];
        kernel.get_or_init(|| match source {
            Some(source) => Kernel::with_source(&self.device, shader, source),
            None => Kernel::new(&self.device, shader),
        })
    }
}
