//! The buffers and images that stand behind the proxies of a recording.

use std::collections::{HashMap, HashSet};

use boxwood::max_binding_size;
use vello::low_level::{BufferProxy, ImageProxy, ResourceId};
use wgpu::BufferUsages;

/// Buffers are as large as they are asked for, rounded up to a number with this many bits after its first.
const SIZE_CLASS_BITS: u32 = 1;

/// Of uploads up to so many bytes it is remembered what they were, so that what has not changed is not uploaded again: the
/// configuration, and the table of masks that Vello has for anti-aliasing.
const MAX_REMEMBERED: usize = 1 << 15;

/// What stands behind proxies, and what nothing stands behind any more, to be used again.
#[derive(Default)]
pub(crate) struct Resources {
    buffers: HashMap<ResourceId, Named>,
    images: HashMap<ResourceId, Image>,
    /// Images that are written in part and stay from frame to frame.
    atlases: HashSet<ResourceId>,
    free_buffers: HashMap<(u64, BufferUsages, &'static str), Vec<Named>>,
    free_images: Vec<Image>,
}

type Image = (wgpu::Texture, wgpu::TextureView);

struct Named {
    buffer: wgpu::Buffer,
    name: &'static str,
    /// What was uploaded, if that is remembered. No shader writes to what is uploaded.
    contents: Vec<u8>,
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

    /// The buffer behind a proxy, made when it is first asked for. What it holds then is not defined.
    pub(crate) fn buffer(&mut self, device: &wgpu::Device, proxy: &BufferProxy) -> wgpu::Buffer {
        if let Some(named) = self.buffers.get(&proxy.id) {
            return named.buffer.clone();
        }
        let usage = BufferUsages::COPY_SRC
            | BufferUsages::COPY_DST
            | BufferUsages::STORAGE
            | BufferUsages::INDIRECT
            | BufferUsages::VERTEX;
        let named = self.take(device, proxy, usage);
        let buffer = named.buffer.clone();
        self.buffers.insert(proxy.id, named);
        buffer
    }

    /// The image behind a proxy, made when it is first asked for. What it holds then is not defined.
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

    /// The same of an image that is written in part: it holds zeros at first, and stays as it is until it is freed.
    pub(crate) fn atlas(&mut self, device: &wgpu::Device, proxy: &ImageProxy) -> &Image {
        self.atlases.insert(proxy.id);
        self.images
            .entry(proxy.id)
            .or_insert_with(|| new_image(device, (proxy.width, proxy.height), proxy.format.to_wgpu()))
    }

    /// Keeps these for proxies of the same names, sizes and uses. Of images only these, as their sizes are many.
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

    /// Drops what nothing stands behind.
    pub(crate) fn forget_free(&mut self) {
        self.free_buffers.clear();
        self.free_images.clear();
    }

    fn take(&mut self, device: &wgpu::Device, proxy: &BufferProxy, usage: BufferUsages) -> Named {
        let limits = device.limits();
        let limit = max_binding_size(&limits);
        let size = size_class(proxy.size, SIZE_CLASS_BITS, limit);
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

/// The least number that is no less than `size` and has only zeros after its first `bits + 1` bits, 2^`bits` at least. Between `limit` and
/// the class below it there is none, but `size` itself.
fn size_class(size: u64, bits: u32, limit: u64) -> u64 {
    let least = 1 << bits;
    if size <= least {
        return least;
    }
    let step = 1 << ((size - 1).ilog2().saturating_sub(bits));
    let class = size.next_multiple_of(step);
    if class > limit { size } else { class }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_classes_are_halves_of_powers_of_two() {
        let sizes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 24, 25];
        let classes = sizes.map(|size| size_class(size, 1, 32));
        assert_eq!(classes, [2, 2, 3, 4, 6, 6, 8, 8, 12, 12, 16, 16, 24, 24, 32]);
    }

    #[test]
    fn no_class_is_beyond_what_a_device_binds() {
        assert_eq!([23, 24, 25, 28, 30, 31].map(|size| size_class(size, 1, 30)), [24, 24, 25, 28, 30, 31]);
    }
}
