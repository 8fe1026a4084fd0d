//! A shader as a pipeline.

use boxwood_shaders::{BindingKind, Shader};

/// The pipeline of one shader, and how to bind its resources by name.
///
/// [`Pipelines`](crate::Pipelines) has those of the stages; this is for those who put dispatches of their own around them.
#[derive(Debug)]
pub struct Kernel {
    pub(crate) pipeline: wgpu::ComputePipeline,
    bindings: &'static [boxwood_shaders::Binding],
    layout: wgpu::BindGroupLayout,
    label: String,
}

impl Kernel {
    /// Compiles a shader as it is: without checks if it is one of Boxwood's own, with checks of what it does if it is another.
    pub fn new(device: &wgpu::Device, shader: &Shader) -> Self {
        if !boxwood_shaders::SHADERS.all().into_iter().any(|own| std::ptr::eq(own, shader)) {
            return Self::with_source(device, shader, shader.source);
        }
        let descriptor = descriptor(shader.name, shader.source);
        // SAFETY: every index that the shaders compute is within its buffer, as they are sized by the same configuration, and
        // every loop ends. Checks of both in each access cost more than the work itself.
        #[expect(unsafe_code, reason = "wgpu has no other way to leave out the checks")]
        let module = unsafe {
            device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked())
        };
        Self::with_module(device, shader, &module)
    }

    /// Compiles `source`, a form of `shader` with the same bindings, with checks of what it does.
    pub fn with_source(device: &wgpu::Device, shader: &Shader, source: &str) -> Self {
        let module = device.create_shader_module(descriptor(shader.name, source));
        Self::with_module(device, shader, &module)
    }

    fn with_module(device: &wgpu::Device, shader: &Shader, module: &wgpu::ShaderModule) -> Self {
        let label = format!("boxwood.{}", shader.name);
        let entries: Vec<wgpu::BindGroupLayoutEntry> = shader
            .bindings
            .iter()
            .map(|binding| wgpu::BindGroupLayoutEntry {
                binding: binding.index,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer {
                    ty: match binding.kind {
                        BindingKind::Uniform => wgpu::BufferBindingType::Uniform,
                        BindingKind::StorageRead => wgpu::BufferBindingType::Storage { read_only: true },
                        BindingKind::StorageReadWrite => {
                            wgpu::BufferBindingType::Storage { read_only: false }
                        }
                    },
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            })
            .collect();
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
                // Every shader writes its workgroup memory before it reads it.
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        });
        Self { pipeline, bindings: shader.bindings, layout, label }
    }

    /// The pipeline.
    pub fn pipeline(&self) -> &wgpu::ComputePipeline {
        &self.pipeline
    }

    /// The bind group of group 0, each binding with the buffer that `buffer` gives for its name.
    pub fn bind<'a>(
        &self,
        device: &wgpu::Device,
        buffer: impl Fn(&str) -> &'a wgpu::Buffer,
    ) -> wgpu::BindGroup {
        self.bind_parts(device, |name| buffer(name).as_entire_buffer_binding())
    }

    /// The same, each with a part of a buffer.
    pub fn bind_parts<'a>(
        &self,
        device: &wgpu::Device,
        part: impl Fn(&str) -> wgpu::BufferBinding<'a>,
    ) -> wgpu::BindGroup {
        let entries: Vec<wgpu::BindGroupEntry<'_>> = self
            .bindings
            .iter()
            .map(|binding| wgpu::BindGroupEntry {
                binding: binding.index,
                resource: wgpu::BindingResource::Buffer(part(binding.name)),
            })
            .collect();
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(&self.label),
            layout: &self.layout,
            entries: &entries,
        })
    }
}

fn descriptor<'a>(name: &'a str, source: &'a str) -> wgpu::ShaderModuleDescriptor<'a> {
    wgpu::ShaderModuleDescriptor { label: Some(name), source: wgpu::ShaderSource::Wgsl(source.into()) }
}
