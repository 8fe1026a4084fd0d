//! The buffers and images behind the proxies of a recording.

use std::collections::{HashMap, HashSet};

use boxwood::max_binding_size;
use vello::low_level::{BufferProxy, ImageProxy, ResourceId};
use wgpu::BufferUsages;

/// Uploads of up to this many bytes are remembered, so that unchanged data is not uploaded again:
/// the configuration, and Vello's table of masks for antialiasing, which takes 32 KiB.
const MAX_REMEMBERED: usize = 1 << 15;

/// The buffers and images behind proxies, and unused ones for later frames.
#[derive(Default)]
pub(crate) struct Resources {
    buffers: HashMap<ResourceId, Named>,
    images: HashMap<ResourceId, Image>,
    /// Images that are written in parts and keep their contents from frame to frame.
    atlases: HashSet<ResourceId>,
    free_buffers: HashMap<(u64, BufferUsages, &'static str), Vec<Named>>,
    free_images: Vec<Image>,
}

type Image = (wgpu::Texture, wgpu::TextureView);

struct Named {
    buffer: wgpu::Buffer,
    name: &'static str,
    /// The uploaded bytes, if they are remembered. No shader writes to a buffer that is uploaded.
    contents: Vec<u8>,
}

impl Resources {
    /// Uploads data from the host.
    pub(crate) fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        proxy: &BufferProxy,
        usage: BufferUsages,
        bytes: &[u8],
    ) {
        let mut named = self.take(device, proxy, usage | BufferUsages::COPY_DST | BufferUsages::COPY_SRC);
        if named.contents != bytes || bytes.is_empty() {
            queue.write_buffer(&named.buffer, 0, bytes);
            named.contents.clear();
            if bytes.len() <= MAX_REMEMBERED {
                named.contents.extend_from_slice(bytes);
            }
        }
        self.buffers.insert(proxy.id, named);
    }

    /// The buffer behind a proxy. A new one has undefined contents.
    pub(crate) fn buffer(&mut self, device: &wgpu::Device, proxy: &BufferProxy) -> wgpu::Buffer {
        if let Some(named) = self.buffers.get(&proxy.id) {
            return named.buffer.clone();
        }
        let usage =
            BufferUsages::COPY_SRC | BufferUsages::COPY_DST | BufferUsages::STORAGE | BufferUsages::INDIRECT;
        let named = self.take(device, proxy, usage);
        let buffer = named.buffer.clone();
        self.buffers.insert(proxy.id, named);
        buffer
    }

    /// The buffer that stands behind a proxy of this name.
    #[cfg(feature = "debug_layers")]
    pub(crate) fn named(&self, name: &str) -> Option<wgpu::Buffer> {
        self.buffers.values().find(|named| named.name == name).map(|named| named.buffer.clone())
    }

    /// The image behind a proxy. A new one has undefined contents.
    pub(crate) fn image(&mut self, device: &wgpu::Device, proxy: &ImageProxy) -> &Image {
        let free_images = &mut self.free_images;
        self.images.entry(proxy.id).or_insert_with(|| {
            let (size, format) = ((proxy.width, proxy.height), proxy.format.to_wgpu());
            let is_alike = |(texture, _): &Image| {
                (texture.width(), texture.height()) == size && texture.format() == format
            };
            match free_images.iter().position(is_alike) {
                Some(index) => free_images.swap_remove(index),
                None => new_image(device, size, format),
            }
        })
    }

    /// The same for an image that is written in parts. A new one contains zeros, and it keeps its
    /// contents until it is freed.
    pub(crate) fn atlas(&mut self, device: &wgpu::Device, proxy: &ImageProxy) -> &Image {
        self.atlases.insert(proxy.id);
        self.images
            .entry(proxy.id)
            .or_insert_with(|| new_image(device, (proxy.width, proxy.height), proxy.format.to_wgpu()))
    }

    /// Keeps these buffers and images for other proxies: buffers for all later frames, and images,
    /// which have many sizes, for the next frame only.
    pub(crate) fn free(&mut self, buffers: &[ResourceId], images: &[ResourceId]) {
        for named in buffers.iter().filter_map(|id| self.buffers.remove(id)) {
            let key = (named.buffer.size(), named.buffer.usage(), named.name);
            self.free_buffers.entry(key).or_default().push(named);
        }
        self.free_images.clear();
        for id in images {
            let is_atlas = self.atlases.remove(id);
            self.free_images.extend(self.images.remove(id).filter(|_| !is_atlas));
        }
    }

    /// Drops everything that is behind no proxy.
    pub(crate) fn forget_free(&mut self) {
        self.free_buffers.clear();
        self.free_images.clear();
    }

    fn take(&mut self, device: &wgpu::Device, proxy: &BufferProxy, usage: BufferUsages) -> Named {
        let size = size_class(proxy.size, max_binding_size(&device.limits()));
        let free = self.free_buffers.get_mut(&(size, usage, proxy.name)).and_then(Vec::pop);
        free.unwrap_or_else(|| {
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(proxy.name),
                size,
                usage,
                mapped_at_creation: false,
            });
            Named { buffer, name: proxy.name, contents: Vec::new() }
        })
    }
}

fn new_image(device: &wgpu::Device, (width, height): (u32, u32), format: wgpu::TextureFormat) -> Image {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("vello.image"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        format,
        view_formats: &[],
    });
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    (texture, view)
}

/// The least power of two, or middle between two of them, that is at least `size`; or `size` itself
/// if that number exceeds `limit`.
fn size_class(size: u64, limit: u64) -> u64 {
    let power = size.next_power_of_two().max(2);
    let middle = power / 4 * 3;
    let class = if size <= middle { middle } else { power };
    if class > limit { size } else { class }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_classes_are_powers_of_two_and_the_middles_between_them() {
        let sizes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 24, 25];
        let classes = sizes.map(|size| size_class(size, 32));
        assert_eq!(classes, [2, 2, 3, 4, 6, 6, 8, 8, 12, 12, 16, 16, 24, 24, 32]);
    }

    #[test]
    fn no_size_class_exceeds_the_limit() {
        assert_eq!([23, 24, 25, 28, 30, 31].map(|size| size_class(size, 30)), [24, 24, 25, 28, 30, 31]);
    }
}
