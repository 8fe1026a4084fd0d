//! Passes over buffers as Vello fills them.

use boxwood::native::Gpu;
use boxwood_vello::{PassKind, VelloPass};
use vello_encoding::Layout;
use wgpu::util::DeviceExt as _;

use crate::device::gpu;

/// The buffers of a pass. `contents` returns the bytes of each buffer for its name.
pub fn vello_buffers<'a>(kind: PassKind, contents: impl Fn(&str) -> &'a [u8]) -> Vec<wgpu::Buffer> {
    let buffer = |name: &&str| {
        let usage = match *name {
            "vello_config" => wgpu::BufferUsages::UNIFORM,
            _ => wgpu::BufferUsages::STORAGE,
        };
        gpu().device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some(name),
            contents: contents(name),
            usage: usage | wgpu::BufferUsages::COPY_SRC,
        })
    };
    kind.buffers().iter().map(buffer).collect()
}

/// Records a pass in an encoder of its own, and submits that.
///
/// # Panics
///
/// If the device cannot hold the scene.
pub fn record_vello_pass(pass: &mut VelloPass, layout: &Layout, buffers: &[wgpu::Buffer]) {
    let Gpu { device, queue, .. } = gpu();
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let mut compute = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    pass.record_in(queue, &mut compute, layout, buffers).expect("the device holds it");
    drop(compute);
    queue.submit([encoder.finish()]);
}
