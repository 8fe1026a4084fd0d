//! Runs what Vello records.

use std::collections::HashMap;

use boxwood::Staging;
use vello::low_level::{BufferProxy, Command, ImageProxy, ResourceId, ResourceProxy};
use vello_encoding::BumpAllocators;
use wgpu::BufferUsages;

use crate::clip::ClipPass;
use crate::error::Error;
use crate::plan::Step;
use crate::resources::Resources;
use crate::shaders::{Compiled, Shaders};
use crate::tighten::TightenPass;

/// Runs recordings on a device. The image atlas and freed buffers stay from one to the next.
#[derive(Default)]
pub(crate) struct Engine {
    resources: Resources,
    /// Textures that stand in for images, by the identity of the image's data.
    pub(crate) image_overrides: HashMap<u64, wgpu::TexelCopyTextureInfoBase<wgpu::Texture>>,
    /// Recordings free resources before they use them for the last time, so this waits for the end.
    free_buffers: Vec<ResourceId>,
    free_images: Vec<ResourceId>,
}

/// Boxwood's part of what runs a recording.
pub(crate) struct Passes {
    pub(crate) pipelines: boxwood::Pipelines,
    pub(crate) clip: ClipPass,
    pub(crate) tighten: TightenPass,
}

impl Passes {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        Self {
            pipelines: boxwood::Pipelines::new(device),
            clip: ClipPass::new(device),
            tighten: TightenPass::new(device),
        }
    }
}

impl Engine {
    /// Runs `steps` in one submission. `target` stands for the image of that proxy. What the buffer `bump` counts is copied out.
    pub(crate) fn run(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        shaders: &Shaders,
        passes: &mut Option<Passes>,
        steps: &[Step<'_>],
        target: (ImageProxy, &wgpu::TextureView),
        bump: (BufferProxy, &Staging),
    ) -> Result<(), Error> {
        let mut encoder =
            device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("boxwood.vello") });
        for step in steps {
            match step {
                Step::Command(command) => {
                    self.command(device, queue, &mut encoder, shaders, command, target)?;
                }
                Step::Clip(layout, proxies) => {
                    let buffers = proxies.map(|proxy| self.resources.buffer(device, &mut encoder, &proxy));
                    let Passes { pipelines, clip, .. } = passes.get_or_insert_with(|| Passes::new(device));
                    clip.record(device, queue, pipelines, &mut encoder, layout, &buffers)?;
                }
                Step::Tighten(layout, proxies) => {
                    let buffers = proxies.map(|proxy| self.resources.buffer(device, &mut encoder, &proxy));
                    let Passes { pipelines, tighten, .. } = passes.get_or_insert_with(|| Passes::new(device));
                    tighten.record(device, queue, pipelines, &mut encoder, layout, &buffers)?;
                }
            }
        }
        let counters = self.resources.buffer(device, &mut encoder, &bump.0);
        bump.1.record_copy::<BumpAllocators>(&mut encoder, &counters, 1);
        queue.submit([encoder.finish()]);
        Ok(())
    }

    /// Frees what the last recordings freed.
    pub(crate) fn release(&mut self) {
        self.free_buffers.drain(..).for_each(|id| self.resources.free_buffer(id));
        self.free_images.drain(..).for_each(|id| self.resources.free_image(id));
    }

    /// Drops buffers of the last recordings, which are of no use where sizes have changed.
    pub(crate) fn forget_free(&mut self) {
        self.resources.forget_free();
    }

    fn command(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        shaders: &Shaders,
        command: &Command,
        target: (ImageProxy, &wgpu::TextureView),
    ) -> Result<(), Error> {
        match command {
            Command::Upload(proxy, bytes) => {
                let usage = BufferUsages::STORAGE | BufferUsages::VERTEX;
                self.resources.upload(device, queue, proxy, usage, bytes);
            }
            Command::UploadUniform(proxy, bytes) => {
                self.resources.upload(device, queue, proxy, BufferUsages::UNIFORM, bytes);
            }
            Command::UploadImage(proxy, bytes) => {
                let (texture, _) = self.resources.image(device, proxy);
                write_texture(queue, texture, [0, 0], [proxy.width, proxy.height], bytes);
            }
            Command::WriteImage(proxy, corner, image) => {
                let (texture, _) = self.resources.image(device, proxy);
                let size = [image.width, image.height];
                if let Some(stand_in) = self.image_overrides.get(&image.data.id()) {
                    let source = wgpu::TexelCopyTextureInfo {
                        texture: &stand_in.texture,
                        mip_level: stand_in.mip_level,
                        origin: stand_in.origin,
                        aspect: stand_in.aspect,
                    };
                    encoder.copy_texture_to_texture(source, place(texture, *corner), extent(size));
                } else if image.data.is_empty() && image.width != 0 && image.height != 0 {
                    let [width, height] = size;
                    return Err(Error::EmptyImage { id: image.data.id(), width, height });
                } else {
                    write_texture(queue, texture, *corner, size, image.data.data());
                }
            }
            Command::Dispatch(id, (x, y, z), resources) => {
                // WebGPU allows a dispatch of nothing, but not every backend does.
                if *x > 0 && *y > 0 && *z > 0 {
                    let shader = shaders.get(*id);
                    let group = self.bind(device, encoder, shader, resources, target)?;
                    let mut pass = begin(encoder, shader, &group);
                    pass.dispatch_workgroups(*x, *y, *z);
                }
            }
            Command::DispatchIndirect(id, count, offset, resources) => {
                let shader = shaders.get(*id);
                let group = self.bind(device, encoder, shader, resources, target)?;
                let count = self.resources.buffer(device, encoder, count);
                let mut pass = begin(encoder, shader, &group);
                pass.dispatch_workgroups_indirect(&count, *offset);
            }
            Command::Clear(proxy, offset, size) => {
                self.resources.clear(encoder, proxy, *offset, *size);
            }
            Command::FreeBuffer(proxy) => self.free_buffers.push(proxy.id),
            Command::FreeImage(proxy) => self.free_images.push(proxy.id),
            // The renderer asks for no downloads, and another crate's feature can add a command that it does not record.
            _ => {
                let what = "a command of another kind";
                return Err(Error::Recording { what, expected: Vec::new(), found: Vec::new() });
            }
        }
        Ok(())
    }

    /// The bind group of a dispatch: resource i at binding i, where the shader uses that.
    fn bind(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        shader: &Compiled,
        resources: &[ResourceProxy],
        target: (ImageProxy, &wgpu::TextureView),
    ) -> Result<wgpu::BindGroup, Error> {
        enum Bound {
            Buffer(wgpu::Buffer, u64, Option<wgpu::BufferSize>),
            Image(wgpu::TextureView),
        }
        let bound: Vec<Bound> = resources
            .iter()
            .map(|proxy| match proxy {
                ResourceProxy::Buffer(proxy) => {
                    Bound::Buffer(self.resources.buffer(device, encoder, proxy), 0, None)
                }
                ResourceProxy::BufferRange { proxy, offset, size } => {
                    let buffer = self.resources.buffer(device, encoder, proxy);
                    Bound::Buffer(buffer, *offset, wgpu::BufferSize::new(*size))
                }
                ResourceProxy::Image(proxy) if proxy.id == target.0.id => Bound::Image(target.1.clone()),
                ResourceProxy::Image(proxy) => Bound::Image(self.resources.image(device, proxy).1.clone()),
            })
            .collect();
        let entry = |&binding: &u32| {
            let resource = match bound.get(binding as usize)? {
                Bound::Buffer(buffer, offset, size) => wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer,
                    offset: *offset,
                    size: *size,
                }),
                Bound::Image(view) => wgpu::BindingResource::TextureView(view),
            };
            Some(wgpu::BindGroupEntry { binding, resource })
        };
        let entries: Option<Vec<_>> = shader.bindings.iter().map(entry).collect();
        let entries = entries.ok_or_else(|| Error::Recording {
            what: "a dispatch",
            expected: vec!["a resource for each binding of its shader"],
            found: resources.iter().filter_map(|r| r.as_buf()).map(|proxy| proxy.name).collect(),
        })?;
        Ok(device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(&shader.label),
            layout: &shader.layout,
            entries: &entries,
        }))
    }
}

fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    shader: &Compiled,
    group: &wgpu::BindGroup,
) -> wgpu::ComputePass<'a> {
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
        label: Some(&shader.label),
        timestamp_writes: None,
    });
    pass.set_pipeline(&shader.pipeline);
    pass.set_bind_group(0, group, &[]);
    pass
}

fn write_texture(
    queue: &wgpu::Queue,
    texture: &wgpu::Texture,
    corner: [u32; 2],
    size: [u32; 2],
    bytes: &[u8],
) {
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * size[0]), rows_per_image: None };
    queue.write_texture(place(texture, corner), bytes, layout, extent(size));
}

fn place(texture: &wgpu::Texture, [x, y]: [u32; 2]) -> wgpu::TexelCopyTextureInfo<'_> {
    wgpu::TexelCopyTextureInfo { origin: wgpu::Origin3d { x, y, z: 0 }, ..texture.as_image_copy() }
}

fn extent([width, height]: [u32; 2]) -> wgpu::Extent3d {
    wgpu::Extent3d { width, height, depth_or_array_layers: 1 }
}
