//! Several uniforms in one buffer.

use std::marker::PhantomData;
use std::num::NonZeroU64;

use bytemuck::Pod;
use wgpu::util::{BufferInitDescriptor, DeviceExt as _};

/// Uniforms in one buffer, each at an offset where a binding may begin.
#[derive(Debug)]
pub(crate) struct Uniforms<T> {
    buffer: wgpu::Buffer,
    stride: usize,
    items: PhantomData<T>,
}

impl<T: Pod> Uniforms<T> {
    /// A buffer with these items, at least one.
    pub(crate) fn new(device: &wgpu::Device, name: &str, items: &[T]) -> Self {
        let alignment = device.limits().min_uniform_buffer_offset_alignment as usize;
        let stride = size_of::<T>().next_multiple_of(alignment);
        let buffer = device.create_buffer_init(&BufferInitDescriptor {
            label: Some(&format!("boxwood.scene.{name}")),
            contents: &spread(items, stride),
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        });
        Self { buffer, stride, items: PhantomData }
    }

    /// Replaces the items.
    pub(crate) fn write(&self, queue: &wgpu::Queue, items: &[T]) {
        queue.write_buffer(&self.buffer, 0, &spread(items, self.stride));
    }

    /// The binding of the item at `index`.
    pub(crate) fn binding(&self, index: usize) -> wgpu::BufferBinding<'_> {
        let size = NonZeroU64::new(size_of::<T>() as u64);
        wgpu::BufferBinding { buffer: &self.buffer, offset: (self.stride * index) as u64, size }
    }
}

/// The bytes of the items, one every `stride` bytes.
fn spread<T: Pod>(items: &[T], stride: usize) -> Vec<u8> {
    let mut bytes = vec![0; stride * items.len()];
    for (slot, item) in bytes.chunks_exact_mut(stride).zip(items) {
        slot[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(item));
    }
    bytes
}
