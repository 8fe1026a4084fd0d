//! Compiled shaders.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use boxwood_shaders::{BindingKind, Shader};

/// The compute pipeline of a shader of the crate `boxwood_shaders`.
#[derive(Debug)]
pub struct Compiled {
    pipeline: wgpu::ComputePipeline,
    bindings: &'static [boxwood_shaders::Binding],
    layout: wgpu::BindGroupLayout,
    label: String,
}

impl Compiled {
    /// Compiles `source`, a variant of `shader` with the same bindings, with wgpu's runtime checks.
    pub fn with_source(device: &wgpu::Device, shader: &Shader, source: &str) -> Self {
        let module = device.create_shader_module(descriptor(shader.name, source));
        // The source may come from a caller, who may read workgroup memory before writing it.
        Self::with_module(device, shader, &module, true)
    }

    /// Compiles a shader without runtime checks.
    ///
    /// # Safety
    ///
    /// In every dispatch, each index that the shader computes must be within the buffer or array
    /// that it indexes, each loop must end, and the shader must write workgroup memory before it
    /// reads it.
    #[expect(unsafe_code, reason = "wgpu has no other way to omit the checks")]
    unsafe fn without_checks(device: &wgpu::Device, shader: &Shader) -> Self {
        let descriptor = descriptor(shader.name, shader.source);
        // SAFETY: the caller guarantees it.
        let module = unsafe {
            device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked())
        };
        Self::with_module(device, shader, &module, false)
    }

    fn with_module(
        device: &wgpu::Device,
        shader: &Shader,
        module: &wgpu::ShaderModule,
        zero_initialize_workgroup_memory: bool,
    ) -> Self {
        let label = format!("boxwood.{}", shader.name);
        let entries: Vec<wgpu::BindGroupLayoutEntry> = shader.bindings.iter().map(layout_entry).collect();
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some(&label),
            entries: &entries,
        });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(&label),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(&label),
            layout: Some(&pipeline_layout),
            module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory,
                ..Default::default()
            },
            cache: None,
        });
        Self { pipeline, bindings: shader.bindings, layout, label }
    }

    /// The kernel with the parts of buffers that it binds, in the order of the bindings of the
    /// shader.
    pub fn bind<'a>(
        &self,
        device: &wgpu::Device,
        parts: impl Iterator<Item = wgpu::BufferBinding<'a>>,
    ) -> BoundKernel {
        let entry = |(binding, part): (&boxwood_shaders::Binding, _)| wgpu::BindGroupEntry {
            binding: binding.index,
            resource: wgpu::BindingResource::Buffer(part),
        };
        let entries: Vec<wgpu::BindGroupEntry<'_>> = self.bindings.iter().zip(parts).map(entry).collect();
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(&self.label),
            layout: &self.layout,
            entries: &entries,
        });
        let max_per_dimension = device.limits().max_compute_workgroups_per_dimension;
        BoundKernel { pipeline: self.pipeline.clone(), group, max_per_dimension }
    }
}

/// A kernel with its resources.
#[derive(Debug)]
pub struct BoundKernel {
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
    /// The device's maximum number of workgroups in each dimension of a dispatch.
    max_per_dimension: u32,
}

impl BoundKernel {
    /// Records a dispatch of `n_workgroups`, or nothing if there are none.
    ///
    /// More workgroups than one dimension allows are in rows. There can be a few too many in the
    /// last row.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>, n_workgroups: u32) {
        if let Some([x, y]) = in_rows(n_workgroups, self.max_per_dimension) {
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.group, &[]);
            pass.dispatch_workgroups(x, y, 1);
        }
    }
}

/// `n` workgroups in rows of at most `max_per_dimension`. `None` for 0.
fn in_rows(n: u32, max_per_dimension: u32) -> Option<[u32; 2]> {
    let n_rows = n.div_ceil(max_per_dimension);
    (n > 0).then(|| [n.div_ceil(n_rows), n_rows])
}

fn layout_entry(binding: &boxwood_shaders::Binding) -> wgpu::BindGroupLayoutEntry {
    let ty = match binding.kind {
        BindingKind::Uniform => wgpu::BufferBindingType::Uniform,
        BindingKind::StorageRead => wgpu::BufferBindingType::Storage { read_only: true },
        BindingKind::StorageReadWrite => wgpu::BufferBindingType::Storage { read_only: false },
    };
    wgpu::BindGroupLayoutEntry {
        binding: binding.index,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
        count: None,
    }
}

fn descriptor<'a>(name: &'a str, source: &'a str) -> wgpu::ShaderModuleDescriptor<'a> {
    wgpu::ShaderModuleDescriptor { label: Some(name), source: wgpu::ShaderSource::Wgsl(source.into()) }
}

/// A set of shaders of this crate, each compiled when it is first used.
#[derive(Debug)]
pub(crate) struct Kernels {
    device: wgpu::Device,
    by_name: BTreeMap<&'static str, Arc<LazyKernel>>,
}

#[derive(Debug)]
struct LazyKernel {
    shader: &'static Shader,
    /// A source to compile with checks in place of the shader's own source without checks.
    source: Option<String>,
    unchecked: OnceLock<Compiled>,
    checked: OnceLock<Compiled>,
}

impl LazyKernel {
    fn new(shader: &'static Shader, source: Option<String>) -> Arc<Self> {
        Arc::new(Self { shader, source, unchecked: OnceLock::new(), checked: OnceLock::new() })
    }
}

impl Kernels {
    /// A set of these shaders, duplicates counted once.
    ///
    /// If `source` returns a source for a shader, that is compiled with wgpu's checks. Otherwise
    /// the shader itself is compiled without them.
    pub(crate) fn new(
        device: &wgpu::Device,
        shaders: impl IntoIterator<Item = &'static Shader>,
        source: impl Fn(&'static Shader) -> Option<String>,
    ) -> Self {
        let mut by_name = BTreeMap::new();
        for shader in shaders {
            by_name.entry(shader.name).or_insert_with(|| LazyKernel::new(shader, source(shader)));
        }
        Self { device: device.clone(), by_name }
    }

    /// The device.
    pub(crate) fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// The same shaders with other sources, compiled with wgpu's checks. A shader that already has
    /// this source is not compiled again.
    #[cfg(feature = "testing")]
    pub(crate) fn with_changes(&self, source: impl Fn(&'static Shader) -> String) -> Self {
        let changed = |lazy: &Arc<LazyKernel>| {
            let source = Some(source(lazy.shader));
            if source == lazy.source { lazy.clone() } else { LazyKernel::new(lazy.shader, source) }
        };
        let by_name = self.by_name.iter().map(|(&name, lazy)| (name, changed(lazy))).collect();
        Self { device: self.device.clone(), by_name }
    }

    /// The number of shaders that have been compiled.
    #[cfg(feature = "testing")]
    pub(crate) fn n_compiled(&self) -> usize {
        let kernels = self.by_name.values().flat_map(|lazy| [&lazy.unchecked, &lazy.checked]);
        kernels.filter(|kernel| kernel.get().is_some()).count()
    }

    /// The kernel of a shader, which must be in the set, compiled with wgpu's checks or without.
    pub(crate) fn get(&self, shader: &Shader, checks: bool) -> &Compiled {
        let LazyKernel { shader, source, unchecked, checked } = &*self.by_name[shader.name];
        match source.as_deref().or(checks.then_some(shader.source)) {
            Some(source) => checked.get_or_init(|| Compiled::with_source(&self.device, shader, source)),
            // Checks of every access cost more than the work of most shaders.
            #[expect(unsafe_code, reason = "wgpu has no other way to omit the checks")]
            // SAFETY: `Kernels` is private to this crate, contains only Boxwood's own shaders, and
            // is bound only by `Program`. Without checks, that binds the plans of this crate, and
            // those of callers of `Plan::without_checks`, who guarantee the same. The plans of this
            // crate allocate or check each buffer for a capacity. A program refuses a larger
            // configuration. The shaders clamp each index that they read from a buffer to that
            // configuration, or an earlier dispatch of the same recording has written it within
            // that range. Their loops are bounded by constants and by it.
            None => unchecked.get_or_init(|| unsafe { Compiled::without_checks(&self.device, shader) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_grids_have_rows() {
        let grid = |n: u32| in_rows(n, 65_535);
        assert_eq!(grid(0), None);
        assert_eq!(grid(65_535), Some([65_535, 1]));
        assert_eq!(grid(65_536), Some([32_768, 2]));
        assert_eq!(grid(1_000_001), Some([62_501, 16]));
    }
}
