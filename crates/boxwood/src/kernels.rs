//! Compiled shaders.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use boxwood_shaders::Shader;

use crate::kernel::Kernel;

/// Some shaders, each compiled when it is first needed.
#[derive(Debug)]
pub(crate) struct Kernels {
    device: wgpu::Device,
    by_name: BTreeMap<&'static str, Arc<LazyKernel>>,
}

#[derive(Debug)]
struct LazyKernel {
    shader: &'static Shader,
    /// What is compiled with wgpu's checks instead of the shader as it is.
    source: Option<String>,
    kernel: OnceLock<Kernel>,
}

impl LazyKernel {
    fn new(shader: &'static Shader, source: Option<String>) -> Arc<Self> {
        Arc::new(Self { shader, source, kernel: OnceLock::new() })
    }
}

impl Kernels {
    /// These shaders, each counted once: from the source that `source` gives for one, with wgpu's checks, or else as it is.
    pub(crate) fn new(
        device: &wgpu::Device,
        shaders: impl Iterator<Item = &'static Shader>,
        source: impl Fn(&'static Shader) -> Option<String>,
    ) -> Self {
        let mut by_name = BTreeMap::new();
        for shader in shaders {
            by_name.entry(shader.name).or_insert_with(|| LazyKernel::new(shader, source(shader)));
        }
        Self { device: device.clone(), by_name }
    }

    /// The same from the source that `source` gives now, with wgpu's checks. Where it is the one that a shader has been checked in,
    /// they share what is compiled.
    pub(crate) fn with_changes(&self, source: impl Fn(&'static Shader) -> String) -> Self {
        let changed = |lazy: &Arc<LazyKernel>| {
            let source = Some(source(lazy.shader));
            if source == lazy.source { lazy.clone() } else { LazyKernel::new(lazy.shader, source) }
        };
        let by_name = self.by_name.iter().map(|(&name, lazy)| (name, changed(lazy))).collect();
        Self { device: self.device.clone(), by_name }
    }

    /// Compiles these shaders, which are among those that it was made for.
    pub(crate) fn compile(self, shaders: impl Iterator<Item = &'static Shader>) -> Self {
        for shader in shaders {
            self.get(shader);
        }
        self
    }

    pub(crate) fn get(&self, shader: &Shader) -> &Kernel {
        let LazyKernel { shader, source, kernel } = &*self.by_name[shader.name];
        kernel.get_or_init(|| match source {
            Some(source) => Kernel::with_source(&self.device, shader, source),
            None => Kernel::new(&self.device, shader),
        })
    }
}
