//! Runs what Vello records.

use std::collections::HashMap;

use boxwood::Staging;
use vello::low_level::{BufferProxy, Command, ImageProxy, ResourceProxy, ShaderId};
use vello_encoding::BumpAllocators;
use wgpu::BufferUsages;

use crate::clip::ClipPass;
use crate::error::Error;
use crate::frame_boxes::FramePass;
use crate::plan::{Plan, Step, Workgroups};
use crate::resources::Resources;
use crate::shaders::Shaders;
use crate::tighten::TightenPass;

/// Runs recordings on a device. What a frame has made stays for the next one: buffers, images, and the bind groups of dispatches
/// that find the same.
#[derive(Default)]
pub(crate) struct Engine {
    resources: Resources,
    /// Textures that stand in for images, by the identity of the image's data.
    pub(crate) image_overrides: HashMap<u64, wgpu::TexelCopyTextureInfoBase<wgpu::Texture>>,
    /// What each shader was last bound to. A recording dispatches a shader once.
    bind_groups: HashMap<usize, BoundGroup>,
}

/// A bind group with what it binds.
struct BoundGroup {
    resources: Vec<Bound>,
    group: wgpu::BindGroup,
}

#[derive(PartialEq)]
enum Bound {
    Buffer(wgpu::Buffer, u64, Option<wgpu::BufferSize>),
    Image(wgpu::TextureView),
}

/// Boxwood's part of what runs a recording.
pub(crate) struct Passes {
    pub(crate) pipelines: boxwood::Pipelines,
    pub(crate) clip: ClipPass,
    pub(crate) frame: FramePass,
    pub(crate) tighten: TightenPass,
}

impl Passes {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        Self {
            pipelines: boxwood::Pipelines::new(device),
            clip: ClipPass::new(device),
            frame: FramePass::new(device),
            tighten: TightenPass::new(device),
        }
    }
}

/// The picture: the image of this proxy is the caller's.
pub(crate) type Target<'a> = (ImageProxy, &'a wgpu::TextureView);

impl Engine {
    /// Runs a plan in one submission. What the buffer `bump` counts is copied out, where somebody wants it.
    pub(crate) fn run(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        shaders: &Shaders,
        passes: &mut Option<Passes>,
        plan: &Plan<'_>,
        target: Target<'_>,
        bump: Option<(BufferProxy, &Staging)>,
    ) -> Result<wgpu::SubmissionIndex, Error> {
        let mut encoder =
            device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("boxwood.vello") });
        for write in &plan.writes {
            self.write(device, queue, &mut encoder, write)?;
        }
        let mut pass = begin(&mut encoder);
        for step in &plan.steps {
            match step {
                Step::Dispatch(id, workgroups, resources) => {
                    self.dispatch(device, &mut pass, shaders, *id, *workgroups, resources, target)?;
                }
                Step::Clip(layout, proxies) => {
                    let buffers = proxies.map(|proxy| self.resources.buffer(device, &proxy));
                    let Passes { pipelines, clip, .. } = passes.get_or_insert_with(|| Passes::new(device));
                    clip.record_in(device, queue, pipelines, &mut pass, layout, &buffers)?;
                }
                Step::Boxes(layout, proxies) => {
                    let buffers = proxies.map(|proxy| self.resources.buffer(device, &proxy));
                    let Passes { pipelines, frame, .. } = passes.get_or_insert_with(|| Passes::new(device));
                    frame.record_in(device, queue, pipelines, &mut pass, layout, &buffers)?;
                }
                Step::Tighten(layout, proxies) => {
                    let buffers = proxies.map(|proxy| self.resources.buffer(device, &proxy));
                    let Passes { pipelines, tighten, .. } = passes.get_or_insert_with(|| Passes::new(device));
                    tighten.record_in(device, queue, pipelines, &mut pass, layout, &buffers)?;
                }
                Step::Counted => {
                    let Some((proxy, staging)) = &bump else { continue };
                    drop(pass);
                    let counters = self.resources.buffer(device, proxy);
                    staging.record_copy::<BumpAllocators>(&mut encoder, &counters, 1);
                    pass = begin(&mut encoder);
                }
            }
        }
        drop(pass);
        Ok(queue.submit([encoder.finish()]))
    }

    /// Keeps what stands behind a plan's proxies for the next frame.
    pub(crate) fn release(&mut self, plan: &Plan<'_>) {
        self.resources.free(&plan.freed_buffers, &plan.freed_images);
    }

    /// Drops what is kept from earlier frames, which is of no use where sizes have changed.
    pub(crate) fn forget(&mut self) {
        self.resources.forget_free();
        self.bind_groups.clear();
    }

    /// Drops all images and buffers but those of the caller's.
    pub(crate) fn reset(&mut self) {
        self.resources = Resources::default();
        self.bind_groups.clear();
    }

    /// An upload or a clear.
    fn write(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        command: &Command,
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
                let (texture, _) = self.resources.atlas(device, proxy);
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
                } else if (image.data.len() as u64) < bytes_of(size) {
                    let ([width, height], found, needed) = (size, image.data.len(), bytes_of(size));
                    return Err(Error::ShortImage { id: image.data.id(), width, height, found, needed });
                } else {
                    write_texture(queue, texture, *corner, size, image.data.data());
                }
            }
            Command::Clear(proxy, offset, size) => {
                encoder.clear_buffer(&self.resources.buffer(device, proxy), *offset, *size);
            }
            _ => unreachable!("a plan has nothing else among its writes"),
        }
        Ok(())
    }

    fn dispatch(
        &mut self,
        device: &wgpu::Device,
        pass: &mut wgpu::ComputePass<'_>,
        shaders: &Shaders,
        id: ShaderId,
        workgroups: Workgroups,
        resources: &[ResourceProxy],
        target: Target<'_>,
    ) -> Result<(), Error> {
        // WebGPU allows a dispatch of nothing, but not every backend does.
        if matches!(workgroups, Workgroups::Direct(x, y, z) if x == 0 || y == 0 || z == 0) {
            return Ok(());
        }
        let group = self.bind(device, shaders, id, resources, target)?;
        pass.set_pipeline(&shaders.get(id).pipeline);
        pass.set_bind_group(0, &group, &[]);
        match workgroups {
            Workgroups::Direct(x, y, z) => pass.dispatch_workgroups(x, y, z),
            Workgroups::Indirect(count, offset) => {
                pass.dispatch_workgroups_indirect(&self.resources.buffer(device, &count), offset);
            }
        }
        Ok(())
    }

    /// The bind group of a dispatch: resource i at binding i, where the shader uses that.
    fn bind(
        &mut self,
        device: &wgpu::Device,
        shaders: &Shaders,
        id: ShaderId,
        resources: &[ResourceProxy],
        target: Target<'_>,
    ) -> Result<wgpu::BindGroup, Error> {
        let shader = shaders.get(id);
        let mut has_target = false;
        let mut bound = Vec::with_capacity(resources.len());
        for proxy in resources {
            bound.push(match proxy {
                ResourceProxy::Buffer(proxy) => Bound::Buffer(self.resources.buffer(device, proxy), 0, None),
                ResourceProxy::BufferRange { proxy, offset, size } => {
                    let buffer = self.resources.buffer(device, proxy);
                    Bound::Buffer(buffer, *offset, wgpu::BufferSize::new(*size))
                }
                ResourceProxy::Image(proxy) if proxy.id == target.0.id => {
                    has_target = true;
                    Bound::Image(target.1.clone())
                }
                ResourceProxy::Image(proxy) => Bound::Image(self.resources.image(device, proxy).1.clone()),
            });
        }
        if let Some(same) = self.bind_groups.get(&id.0).filter(|group| group.resources == bound) {
            return Ok(same.group.clone());
        }
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
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(&shader.label),
            layout: &shader.layout,
            entries: &entries,
        });
        // The picture is the caller's, who may want to be rid of it before the next frame.
        if !has_target {
            let kept = BoundGroup { resources: bound, group: group.clone() };
            self.bind_groups.insert(id.0, kept);
        }
        Ok(group)
    }
}

/// All dispatches are in one pass, but for those on both sides of a copy: each pass takes time of the CPU.
fn begin(encoder: &mut wgpu::CommandEncoder) -> wgpu::ComputePass<'_> {
    encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
        label: Some("boxwood.vello"),
        timestamp_writes: None,
    })
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

/// The bytes of the pixels of an image of this size.
fn bytes_of([width, height]: [u32; 2]) -> u64 {
    4 * u64::from(width) * u64::from(height)
}

fn place(texture: &wgpu::Texture, [x, y]: [u32; 2]) -> wgpu::TexelCopyTextureInfo<'_> {
    wgpu::TexelCopyTextureInfo { origin: wgpu::Origin3d { x, y, z: 0 }, ..texture.as_image_copy() }
}

fn extent([width, height]: [u32; 2]) -> wgpu::Extent3d {
    wgpu::Extent3d { width, height, depth_or_array_layers: 1 }
}
