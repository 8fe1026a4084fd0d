//! Buffers, bindings, and pipelines of the shaders that only the benchmark has.

use boxwood::native::Gpu;

/// A zeroed buffer of `size` bytes.
pub(crate) fn buffer(device: &wgpu::Device, size: usize) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("boxwood.bench"),
        size: size as u64,
        usage: wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::UNIFORM
            | wgpu::BufferUsages::COPY_DST
            | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}

/// Binds each buffer as a whole, to the binding before it.
pub(crate) fn bind(
    device: &wgpu::Device,
    pipeline: &wgpu::ComputePipeline,
    buffers: &[(u32, &wgpu::Buffer)],
) -> wgpu::BindGroup {
    let entries: Vec<wgpu::BindGroupEntry<'_>> = buffers
        .iter()
        .map(|&(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &entries,
    })
}

/// Compiles a shader with wgpu's runtime checks.
pub(crate) fn checked_pipeline(gpu: &Gpu, name: &str, source: &str) -> wgpu::ComputePipeline {
    pipeline(gpu, name, &gpu.device.create_shader_module(descriptor(name, source)))
}

/// Compiles a shader without runtime checks, as Vello and Boxwood compile theirs. A comparison with
/// them is fair only for such a shader.
///
/// # Safety
///
/// In every dispatch with this pipeline, each index that the shader computes must be within the
/// buffer or array that it indexes, each loop must end, and the shader must write workgroup memory
/// before it reads it.
#[expect(unsafe_code, reason = "wgpu has no other way to omit the checks")]
pub(crate) unsafe fn unchecked_pipeline(gpu: &Gpu, name: &str, source: &str) -> wgpu::ComputePipeline {
    let checks = wgpu::ShaderRuntimeChecks::unchecked();
    // SAFETY: the caller guarantees it.
    let module = unsafe { gpu.device.create_shader_module_trusted(descriptor(name, source), checks) };
    pipeline(gpu, name, &module)
}

fn descriptor<'a>(name: &'a str, source: &'a str) -> wgpu::ShaderModuleDescriptor<'a> {
    wgpu::ShaderModuleDescriptor { label: Some(name), source: wgpu::ShaderSource::Wgsl(source.into()) }
}

fn pipeline(gpu: &Gpu, name: &str, module: &wgpu::ShaderModule) -> wgpu::ComputePipeline {
    gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(name),
        layout: None,
        module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions {
            // No shader here reads workgroup memory before it writes it.
            zero_initialize_workgroup_memory: false,
            ..Default::default()
        },
        cache: None,
    })
}
