//! Vello's shaders as pipelines, and the table of them that Vello records with.

use std::borrow::Cow;
use std::sync::Arc;

use vello::low_level::{FullShaders, ShaderId};
use vello_shaders::{ComputeShader, SHADERS};

use crate::compile::in_parallel;
use crate::engine::centred_samples::with_centred_samples;
use crate::error::Error;
use crate::options::RendererOptions;

/// Vello's shaders, compiled.
pub(crate) struct Shaders {
    /// The identity of each shader.
    pub(crate) ids: FullShaders,
    /// The shaders, indexed by identity.
    pub(crate) compiled: Vec<Compiled>,
}

/// The pipeline of one of Vello's shaders.
pub(crate) struct Compiled {
    pub(crate) label: Arc<str>,
    pub(crate) pipeline: wgpu::ComputePipeline,
    /// The indices of the bindings that the shader uses. Resource i of a dispatch is for binding i.
    pub(crate) bindings: Vec<u32>,
}

impl Shaders {
    /// Compiles the shaders that the options ask for, on as many threads as they allow. `source`
    /// returns the source of a shader.
    ///
    /// # Errors
    ///
    /// The first error that the device reports.
    pub(crate) fn new<'a>(
        device: &wgpu::Device,
        options: &RendererOptions,
        source: impl Fn(&ComputeShader<'a>) -> Cow<'a, str> + Sync,
    ) -> Result<Self, Error> {
        let antialiasing = options.antialiasing_support;
        let mut shaders = Vec::new();
        let mut add = |shader: ComputeShader<'a>| {
            shaders.push(shader);
            ShaderId(shaders.len() - 1)
        };
        let ids = FullShaders {
            pathtag_reduce: add(SHADERS.pathtag_reduce),
            pathtag_reduce2: add(SHADERS.pathtag_reduce2),
            pathtag_scan1: add(SHADERS.pathtag_scan1),
            pathtag_scan: add(SHADERS.pathtag_scan_small),
            pathtag_scan_large: add(SHADERS.pathtag_scan_large),
            bbox_clear: add(SHADERS.bbox_clear),
            flatten: add(SHADERS.flatten),
            draw_reduce: add(SHADERS.draw_reduce),
            draw_leaf: add(SHADERS.draw_leaf),
            clip_reduce: add(SHADERS.clip_reduce),
            clip_leaf: add(SHADERS.clip_leaf),
            binning: add(SHADERS.binning),
            tile_alloc: add(SHADERS.tile_alloc),
            backdrop: add(SHADERS.backdrop_dyn),
            path_count_setup: add(SHADERS.path_count_setup),
            path_count: add(SHADERS.path_count),
            coarse: add(SHADERS.coarse),
            path_tiling_setup: add(SHADERS.path_tiling_setup),
            path_tiling: add(SHADERS.path_tiling),
            fine_area: antialiasing.area.then(|| add(SHADERS.fine_area)),
            fine_msaa8: antialiasing.msaa8.then(|| add(SHADERS.fine_msaa8)),
            fine_msaa16: antialiasing.msaa16.then(|| add(SHADERS.fine_msaa16)),
            pathtag_is_cpu: false,
        };
        let compiled = in_parallel(device, options.num_init_threads, shaders.len(), |index| {
            let shader = &shaders[index];
            let mut source = source(shader);
            if options.centre_samples {
                source = with_centred_samples(&shader.name, source);
            }
            Compiled::new(device, shader, &source, options.pipeline_cache.as_ref())
        })?;
        Ok(Self { ids, compiled })
    }
}

/// All checks of memory accesses, and no others.
///
/// On hardware that checks accesses to buffers itself, these cost a comparison per access to an
/// array in workgroup memory.
const CHECKS: wgpu::ShaderRuntimeChecks =
    wgpu::ShaderRuntimeChecks { bounds_checks: true, ..wgpu::ShaderRuntimeChecks::unchecked() };

impl Compiled {
    fn new(
        device: &wgpu::Device,
        shader: &ComputeShader<'_>,
        source: &str,
        cache: Option<&wgpu::PipelineCache>,
    ) -> Self {
        let label: Arc<str> = format!("vello.{}", shader.name).into();
        let descriptor = wgpu::ShaderModuleDescriptor {
            label: Some(&label),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        };
        // SAFETY: `CHECKS` keeps every access in bounds, whatever the scene. The checks that it
        // omits are for endless loops and division by zero, which Vello's shaders do not contain,
        // and for ray queries and mesh shaders, which they do not use.
        #[expect(unsafe_code, reason = "wgpu has no other way to omit the other checks")]
        let module = unsafe { device.create_shader_module_trusted(descriptor, CHECKS) };
        let bindings = shader.wgsl.binding_indices.iter().copied().map(u32::from).collect();
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(&label),
            layout: None,
            module: &module,
            entry_point: None,
            // As in Vello, whose shaders write workgroup memory before they read it.
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache,
        });
        Self { label, pipeline, bindings }
    }
}
