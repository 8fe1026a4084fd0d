//! The buffers and images behind the proxies of a recording.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use boxwood::max_binding_size;
use vello::low_level::{BufferProxy, Command, ImageProxy, ResourceId, ResourceProxy};
use wgpu::BufferUsages;

use super::shaders::Compiled;
use crate::error::Error;

/// Uploads of up to this many bytes are remembered, so that unchanged data is not uploaded again:
/// the configuration, and Vello's table of masks for antialiasing, which takes 32 KiB.
const MAX_REMEMBERED: usize = 1 << 15;

/// The buffers and images behind proxies, and unused ones for later frames.
#[derive(Default)]
pub(crate) struct Resources {
    buffers: HashMap<ResourceId, Buffer>,
    images: HashMap<ResourceId, Image>,
    /// Images that are written in parts and keep their contents from frame to frame.
    atlases: HashSet<ResourceId>,
    free_buffers: HashMap<(u64, BufferUsages, &'static str), Vec<Buffer>>,
    free_images: Vec<Image>,
    /// The last bind group of each shader, with the resources that it binds. A recording dispatches
    /// a shader once.
    bind_groups: HashMap<Arc<str>, (Vec<Resource>, wgpu::BindGroup)>,
}

#[derive(PartialEq)]
enum Resource {
    Buffer(wgpu::Buffer),
    Image(wgpu::TextureView),
}

type Image = (wgpu::Texture, wgpu::TextureView);

struct Buffer {
    buffer: wgpu::Buffer,
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
        let mut taken = self.take(device, proxy, usage | BufferUsages::COPY_DST | BufferUsages::COPY_SRC);
        if taken.contents != bytes || bytes.is_empty() {
            queue.write_buffer(&taken.buffer, 0, bytes);
            taken.contents.clear();
            if bytes.len() <= MAX_REMEMBERED {
                taken.contents.extend_from_slice(bytes);
            }
        }
        self.buffers.insert(proxy.id, taken);
    }

    /// The buffer behind a proxy. A new one has undefined contents.
    pub(crate) fn buffer(&mut self, device: &wgpu::Device, proxy: &BufferProxy) -> wgpu::Buffer {
        if let Some(known) = self.buffers.get(&proxy.id) {
            return known.buffer.clone();
        }
        let usage =
            BufferUsages::COPY_SRC | BufferUsages::COPY_DST | BufferUsages::STORAGE | BufferUsages::INDIRECT;
        let taken = self.take(device, proxy, usage);
        self.buffers.entry(proxy.id).or_insert(taken).buffer.clone()
    }

    /// The image behind a proxy. A new one has undefined contents.
    pub(crate) fn image(&mut self, device: &wgpu::Device, proxy: &ImageProxy) -> &Image {
        let free_images = &mut self.free_images;
        self.images.entry(proxy.id).or_insert_with(|| {
            let alike = free_images.iter().position(|(texture, _)| {
                (texture.width(), texture.height()) == (proxy.width, proxy.height)
                    && texture.format() == proxy.format.to_wgpu()
            });
            alike.map_or_else(|| new_image(device, proxy), |index| free_images.swap_remove(index))
        })
    }

    /// The same for an image that is written in parts. A new one contains zeros, and it keeps its
    /// contents until it is freed.
    pub(crate) fn atlas(&mut self, device: &wgpu::Device, proxy: &ImageProxy) -> &Image {
        self.atlases.insert(proxy.id);
        self.images.entry(proxy.id).or_insert_with(|| new_image(device, proxy))
    }

    /// Keeps buffers and images that a recording frees for other proxies: buffers for all later
    /// frames, and images, which have many sizes, for the next frame only.
    pub(crate) fn free(&mut self, commands: &[Command]) {
        self.free_images.clear();
        for command in commands {
            if let Command::FreeBuffer(proxy) = command
                && let Some(freed) = self.buffers.remove(&proxy.id)
            {
                let key = (freed.buffer.size(), freed.buffer.usage(), proxy.name);
                self.free_buffers.entry(key).or_default().push(freed);
            } else if let Command::FreeImage(proxy) = command {
                let is_atlas = self.atlases.remove(&proxy.id);
                self.free_images.extend(self.images.remove(&proxy.id).filter(|_| !is_atlas));
            }
        }
    }

    /// Drops everything that is behind no proxy: buffers that are too small now.
    pub(crate) fn forget_free(&mut self) {
        self.free_buffers.clear();
        self.free_images.clear();
        self.bind_groups.clear();
    }

    /// The bind group of a dispatch: resource i at binding i, if the shader uses that binding. The
    /// image with the proxy of the `target` is the texture of the caller.
    ///
    /// # Errors
    ///
    /// [`Error::Recording`] if the resources do not fit the shader.
    pub(crate) fn bind_group(
        &mut self,
        device: &wgpu::Device,
        shader: &Compiled,
        proxies: &[ResourceProxy],
        target: (ImageProxy, &wgpu::TextureView),
    ) -> Result<wgpu::BindGroup, Error> {
        let mut has_target = false;
        let mut resources = Vec::with_capacity(proxies.len());
        for proxy in proxies {
            resources.push(match proxy {
                ResourceProxy::Buffer(proxy) => Resource::Buffer(self.buffer(device, proxy)),
                ResourceProxy::BufferRange { proxy, .. } => {
                    return Err(Error::Recording(format!("it binds a part of {}", proxy.name)));
                }
                ResourceProxy::Image(proxy) if proxy.id == target.0.id => {
                    has_target = true;
                    Resource::Image(target.1.clone())
                }
                ResourceProxy::Image(proxy) => Resource::Image(self.image(device, proxy).1.clone()),
            });
        }
        if let Some((_, same)) = self.bind_groups.get(&shader.label).filter(|(bound, _)| *bound == resources)
        {
            return Ok(same.clone());
        }
        let entry = |&binding: &u32| {
            let resource = match resources.get(binding as usize)? {
                Resource::Buffer(buffer) => buffer.as_entire_binding(),
                Resource::Image(view) => wgpu::BindingResource::TextureView(view),
            };
            Some(wgpu::BindGroupEntry { binding, resource })
        };
        let entries: Option<Vec<_>> = shader.bindings.iter().map(entry).collect();
        let entries = entries
            .ok_or_else(|| Error::Recording(format!("it binds too few resources to {}", shader.label)))?;
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(&shader.label),
            layout: &shader.pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        // A kept bind group would keep the caller's texture alive.
        if !has_target {
            self.bind_groups.insert(shader.label.clone(), (resources, group.clone()));
        }
        Ok(group)
    }

    fn take(&mut self, device: &wgpu::Device, proxy: &BufferProxy, usage: BufferUsages) -> Buffer {
        let size = size_class(proxy.size, max_binding_size(&device.limits()));
        let free = self.free_buffers.get_mut(&(size, usage, proxy.name)).and_then(Vec::pop);
        free.unwrap_or_else(|| {
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(proxy.name),
                size,
                usage,
                mapped_at_creation: false,
            });
            Buffer { buffer, contents: Vec::new() }
        })
    }
}

fn new_image(device: &wgpu::Device, proxy: &ImageProxy) -> Image {
    let (width, height) = (proxy.width, proxy.height);
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("vello.image"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        format: proxy.format.to_wgpu(),
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
