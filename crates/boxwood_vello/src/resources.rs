//! The buffers and images that stand behind the proxies of a recording.

use std::collections::{HashMap, HashSet};

use vello::low_level::{BufferProxy, ImageProxy, ResourceId};
use wgpu::BufferUsages;

/// Buffers are as large as they are asked for, rounded up to a number with this many bits after its first.
const SIZE_CLASS_BITS: u32 = 1;

/// What stands behind proxies, and buffers that nothing stands behind any more, to be used again.
#[derive(Default)]
pub(crate) struct Resources {
    buffers: HashMap<ResourceId, (wgpu::Buffer, &'static str)>,
    images: HashMap<ResourceId, (wgpu::Texture, wgpu::TextureView)>,
    /// Buffers to be cleared once they exist.
    to_clear: HashSet<ResourceId>,
    free: HashMap<(u64, BufferUsages, &'static str), Vec<wgpu::Buffer>>,
}

impl Resources {
    /// A buffer for data of the host's.
    pub(crate) fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        proxy: &BufferProxy,
        usage: BufferUsages,
        bytes: &[u8],
    ) {
        let buffer = self.take(device, proxy, usage | BufferUsages::COPY_DST | BufferUsages::COPY_SRC);
        queue.write_buffer(&buffer, 0, bytes);
        self.buffers.insert(proxy.id, (buffer, proxy.name));
    }

    /// The buffer behind a proxy, made when it is first asked for. What it holds then is not defined, but where it is to be
    /// cleared.
    pub(crate) fn buffer(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        proxy: &BufferProxy,
    ) -> wgpu::Buffer {
        if let Some((buffer, _)) = self.buffers.get(&proxy.id) {
            return buffer.clone();
        }
        let usage = BufferUsages::COPY_SRC
            | BufferUsages::COPY_DST
            | BufferUsages::STORAGE
            | BufferUsages::INDIRECT
            | BufferUsages::VERTEX;
        let buffer = self.take(device, proxy, usage);
        if self.to_clear.remove(&proxy.id) {
            encoder.clear_buffer(&buffer, 0, None);
        }
        self.buffers.insert(proxy.id, (buffer.clone(), proxy.name));
        buffer
    }

    /// Clears the buffer behind a proxy, now or when it is made.
    pub(crate) fn clear(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        proxy: &BufferProxy,
        offset: u64,
        size: Option<u64>,
    ) {
        if let Some((buffer, _)) = self.buffers.get(&proxy.id) {
            encoder.clear_buffer(buffer, offset, size);
        } else {
            self.to_clear.insert(proxy.id);
        }
    }

    /// The image behind a proxy, made when it is first asked for.
    pub(crate) fn image(
        &mut self,
        device: &wgpu::Device,
        proxy: &ImageProxy,
    ) -> &(wgpu::Texture, wgpu::TextureView) {
        self.images.entry(proxy.id).or_insert_with(|| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some("vello.image"),
                size: wgpu::Extent3d { width: proxy.width, height: proxy.height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
                format: proxy.format.to_wgpu(),
                view_formats: &[],
            });
            let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
            (texture, view)
        })
    }

    /// Keeps the buffer of a proxy for another one of its name, size and use.
    pub(crate) fn free_buffer(&mut self, id: ResourceId) {
        if let Some((buffer, name)) = self.buffers.remove(&id) {
            self.free.entry((buffer.size(), buffer.usage(), name)).or_default().push(buffer);
        }
    }

    pub(crate) fn free_image(&mut self, id: ResourceId) {
        if let Some((texture, _)) = self.images.remove(&id) {
            texture.destroy();
        }
    }

    /// Drops the buffers that nothing stands behind.
    pub(crate) fn forget_free(&mut self) {
        self.free.clear();
    }

    fn take(&mut self, device: &wgpu::Device, proxy: &BufferProxy, usage: BufferUsages) -> wgpu::Buffer {
        let size = size_class(proxy.size, SIZE_CLASS_BITS);
        let free = self.free.get_mut(&(size, usage, proxy.name)).and_then(Vec::pop);
        free.unwrap_or_else(|| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(proxy.name),
                size,
                usage,
                mapped_at_creation: false,
            })
        })
    }
}

/// The least number that is no less than `size` and has only zeros after its first `bits + 1` bits, 2^`bits` at least.
fn size_class(size: u64, bits: u32) -> u64 {
    let least = 1 << bits;
    if size <= least {
        return least;
    }
    let step = 1 << ((size - 1).ilog2().saturating_sub(bits));
    size.next_multiple_of(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_classes_are_halves_of_powers_of_two() {
        let classes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 24, 25].map(|size| size_class(size, 1));
        assert_eq!(classes, [2, 2, 3, 4, 6, 6, 8, 8, 12, 12, 16, 16, 24, 24, 32]);
    }
}
