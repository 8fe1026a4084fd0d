//! The spatial stages against their specifications.

mod expand;
mod index;
mod layers;
mod layout;
mod query;
mod search;
mod select;
mod sort;

use boxwood::read_items;
use boxwood_tests::gpu;
use bytemuck::Pod;
use wgpu::util::{BufferInitDescriptor, DeviceExt as _};

/// A buffer of a caller.
fn buffer<T: Pod>(items: &[T]) -> wgpu::Buffer {
    // wgpu rejects empty bindings.
    let contents = if items.is_empty() { &[0; 16] } else { bytemuck::cast_slice(items) };
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    gpu().device.create_buffer_init(&BufferInitDescriptor { label: None, contents, usage })
}

/// The first items of a buffer.
fn read<T: Pod>(buffer: &wgpu::Buffer, n: usize) -> Vec<T> {
    read_items(&gpu().device, &gpu().queue, buffer, n).expect("the device answers")
}

/// Runs what is recorded into a pass.
fn record(stage: impl FnOnce(&mut wgpu::ComputePass<'_>)) {
    let mut encoder = gpu().device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    stage(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()));
    gpu().queue.submit([encoder.finish()]);
}
