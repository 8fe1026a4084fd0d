//! Buffers and kernels of the shaders that only the benchmark has.

use boxwood::native::Gpu;
use bytemuck::Pod;

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

/// A buffer with these items. It has room for at least one, because wgpu rejects empty bindings.
pub(crate) fn uploaded<T: Pod>(gpu: &Gpu, items: &[T]) -> wgpu::Buffer {
    let uploaded = buffer(&gpu.device, size_of_val(items).max(size_of::<T>()));
    gpu.queue.write_buffer(&uploaded, 0, bytemuck::cast_slice(items));
    uploaded
}

/// Begins a compute pass, with timestamps if it is timed.
pub(crate) fn begin_pass<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    timestamp_writes: Option<wgpu::ComputePassTimestampWrites<'_>>,
) -> wgpu::ComputePass<'a> {
    encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes })
}

/// A compiled shader with its buffers.
#[derive(Debug)]
pub(crate) struct Kernel {
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
}

impl Kernel {
    /// Compiles a shader with wgpu's runtime checks. Binding i is buffer i as a whole.
    pub(crate) fn checked(gpu: &Gpu, name: &str, source: &str, buffers: &[&wgpu::Buffer]) -> Self {
        Self::new(gpu, name, &gpu.device.create_shader_module(descriptor(name, source)), buffers)
    }

    /// Compiles a shader without runtime checks, as Vello and Boxwood compile theirs. A comparison
    /// with them is fair only for such a shader. Binding i is buffer i as a whole.
    ///
    /// # Safety
    ///
    /// In every dispatch of this kernel, each index that the shader computes must be within the
    /// buffer or array that it indexes, each loop must end, and the shader must write workgroup
    /// memory before it reads it.
    #[expect(unsafe_code, reason = "wgpu has no other way to omit the checks")]
    pub(crate) unsafe fn unchecked(gpu: &Gpu, name: &str, source: &str, buffers: &[&wgpu::Buffer]) -> Self {
        let checks = wgpu::ShaderRuntimeChecks::unchecked();
        // SAFETY: the caller guarantees it.
        let module = unsafe { gpu.device.create_shader_module_trusted(descriptor(name, source), checks) };
        Self::new(gpu, name, &module, buffers)
    }

    fn new(gpu: &Gpu, name: &str, module: &wgpu::ShaderModule, buffers: &[&wgpu::Buffer]) -> Self {
        let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
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
        });
        let entries: Vec<_> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        Self { pipeline, group }
    }

    /// Records a dispatch of `x` by `y` workgroups.
    pub(crate) fn dispatch(&self, pass: &mut wgpu::ComputePass<'_>, [x, y]: [u32; 2]) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.dispatch_workgroups(x, y, 1);
    }
}

fn descriptor<'a>(name: &'a str, source: &'a str) -> wgpu::ShaderModuleDescriptor<'a> {
    wgpu::ShaderModuleDescriptor { label: Some(name), source: wgpu::ShaderSource::Wgsl(source.into()) }
}
