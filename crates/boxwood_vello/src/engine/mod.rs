//! Runs Vello's recordings on a device.

mod plan;
mod resources;
mod shaders;
mod timer;

use std::collections::HashMap;
use std::num::NonZeroUsize;

use boxwood::{Algorithm, Pipelines, Staging};
use vello::low_level::{BufferProxy, Command, ImageProxy, ResourceProxy, ShaderId};
use vello_encoding::BumpAllocators;
use wgpu::BufferUsages;

use crate::compile::in_parallel;
use crate::error::Error;
use crate::options::RendererOptions;
use crate::passes::{PassKind, VelloPass};
use crate::recording::unexpected;
use plan::{Step, Workgroups};
use resources::Resources;

pub(crate) use plan::{Plan, plan};
pub(crate) use shaders::Shaders;
pub(crate) use timer::Profiler;

/// Runs recordings. Buffers, images, and bind groups stay for the next frame.
pub(crate) struct Engine {
    pub(crate) shaders: Shaders,
    pub(crate) pipelines: Pipelines,
    pub(crate) passes: HashMap<PassKind, VelloPass>,
    pub(crate) resources: Resources,
    /// Textures that replace images, by the identity of the image's data.
    pub(crate) image_overrides: HashMap<u64, wgpu::TexelCopyTextureInfoBase<wgpu::Texture>>,
    /// The last bind group of each shader, with the resources that it binds. A recording dispatches
    /// a shader once.
    bind_groups: HashMap<usize, (Vec<Resource>, wgpu::BindGroup)>,
}

#[derive(PartialEq)]
enum Resource {
    Buffer(wgpu::Buffer),
    Image(wgpu::TextureView),
}

/// A run of the engine.
pub(crate) struct Run<'a> {
    pub(crate) device: &'a wgpu::Device,
    pub(crate) queue: &'a wgpu::Queue,
    pub(crate) plan: &'a Plan<'a>,
    /// The image of this proxy is the picture, a texture of the caller.
    pub(crate) target: (ImageProxy, &'a wgpu::TextureView),
    /// Vello's buffer of counters, and a buffer to copy them to.
    pub(crate) counters: Option<(BufferProxy, &'a Staging)>,
}

impl Engine {
    pub(crate) fn new(device: &wgpu::Device, options: &RendererOptions) -> Result<Self, Error> {
        Ok(Self {
            shaders: Shaders::new(device, options, |shader| shader.wgsl.code.clone())?,
            pipelines: Pipelines::new(device),
            passes: HashMap::new(),
            resources: Resources::default(),
            image_overrides: HashMap::new(),
            bind_groups: HashMap::new(),
        })
    }

    /// Compiles these passes and, if there are any, Boxwood's stages for scenes of any size.
    pub(crate) fn warm_up(
        &mut self,
        device: &wgpu::Device,
        n_threads: Option<NonZeroUsize>,
        kinds: &[PassKind],
    ) -> Result<(), Error> {
        if kinds.is_empty() {
            return Ok(());
        }
        // The algorithms of scenes of each power of two, with few duplicates. A duplicate is free.
        let mut algorithms: Vec<_> =
            (0..i32::BITS).map(|k| Algorithm::for_elements(1 << k, &device.adapter_info())).collect();
        algorithms.dedup();
        let kinds: Vec<_> = kinds.iter().filter(|kind| !self.passes.contains_key(kind)).collect();
        let n_jobs = algorithms.len() + kinds.len();
        let passes = in_parallel(device, n_threads, n_jobs, |job| match algorithms.get(job) {
            Some(&algorithm) => {
                self.pipelines.warm_up(algorithm);
                None
            }
            None => {
                let kind = *kinds[job - algorithms.len()];
                Some((kind, VelloPass::new(device, kind)))
            }
        })?;
        self.passes.extend(passes.into_iter().flatten());
        Ok(())
    }

    /// Runs a plan in one submission.
    pub(crate) fn run(
        &mut self,
        run: &Run<'_>,
        profiler: &mut Profiler,
    ) -> Result<wgpu::SubmissionIndex, Error> {
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("boxwood.vello") };
        let mut encoder = run.device.create_command_encoder(&descriptor);
        timer::scope(profiler, "render_to_texture", None, &mut encoder, |encoder, frame| {
            self.record(run, encoder, profiler, frame)
        })?;
        timer::resolve(profiler, &mut encoder);
        Ok(run.queue.submit([encoder.finish()]))
    }

    /// Records a plan. All dispatches are in one compute pass, except those after the copy of the
    /// counters, because each pass takes time on the CPU.
    fn record(
        &mut self,
        run: &Run<'_>,
        encoder: &mut wgpu::CommandEncoder,
        profiler: &Profiler,
        frame: &timer::Query,
    ) -> Result<(), Error> {
        let &Run { device, queue, plan, .. } = run;
        for write in &plan.writes {
            self.write(run, encoder, write)?;
        }
        let mut pass = begin_pass(encoder);
        for step in &plan.steps {
            match step {
                Step::Dispatch(id, workgroups, resources) => {
                    let label = self.shaders.get(*id).label.clone();
                    timer::scope(profiler, &label, Some(frame), &mut pass, |pass, _| {
                        self.dispatch(run, pass, *id, *workgroups, resources)
                    })?;
                }
                Step::Pass(kind, proxies) => {
                    let buffers: Vec<_> =
                        proxies.iter().map(|proxy| self.resources.buffer(device, proxy)).collect();
                    let own = self.passes.entry(*kind).or_insert_with(|| VelloPass::new(device, *kind));
                    timer::scope(profiler, kind.shaders()[0].name, Some(frame), &mut pass, |pass, _| {
                        own.record_in(device, queue, &self.pipelines, pass, &plan.layout, &buffers)
                    })?;
                }
                Step::CountersFinal => {
                    let Some((proxy, staging)) = &run.counters else { continue };
                    drop(pass);
                    let buffer = self.resources.buffer(device, proxy);
                    staging.record_copy::<BumpAllocators>(encoder, &buffer, 0..1);
                    pass = begin_pass(encoder);
                }
            }
        }
        Ok(())
    }

    /// Drops the buffers that are kept from earlier frames, which are too small now.
    pub(crate) fn forget(&mut self) {
        self.resources.forget_free();
        self.bind_groups.clear();
    }

    /// Drops all buffers and images except those of the caller.
    pub(crate) fn reset(&mut self) {
        self.resources = Resources::default();
        self.bind_groups.clear();
    }

    /// Runs an upload or a clear.
    fn write(
        &mut self,
        &Run { device, queue, .. }: &Run<'_>,
        encoder: &mut wgpu::CommandEncoder,
        command: &Command,
    ) -> Result<(), Error> {
        match command {
            Command::Upload(proxy, bytes) => {
                self.resources.upload(device, queue, proxy, BufferUsages::STORAGE, bytes);
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
                let size @ [width, height] = [image.width, image.height];
                let (id, found) = (image.data.id(), image.data.len());
                let needed = 4 * u64::from(width) * u64::from(height);
                if let Some(stand_in) = self.image_overrides.get(&id) {
                    let source = wgpu::TexelCopyTextureInfo {
                        texture: &stand_in.texture,
                        mip_level: stand_in.mip_level,
                        origin: stand_in.origin,
                        aspect: stand_in.aspect,
                    };
                    encoder.copy_texture_to_texture(source, at(texture, *corner), extent(size));
                } else if (found as u64) < needed {
                    return Err(Error::Image { id, width, height, found, needed });
                } else {
                    write_texture(queue, texture, *corner, size, image.data.data());
                }
            }
            Command::Clear(proxy, offset, size) => {
                encoder.clear_buffer(&self.resources.buffer(device, proxy), *offset, *size);
            }
            _ => unreachable!("a plan has no other writes"),
        }
        Ok(())
    }

    fn dispatch(
        &mut self,
        run: &Run<'_>,
        pass: &mut wgpu::ComputePass<'_>,
        id: ShaderId,
        workgroups: Workgroups,
        resources: &[ResourceProxy],
    ) -> Result<(), Error> {
        // WebGPU allows a dispatch of no workgroups, but not every back end does.
        if matches!(workgroups, Workgroups::Direct(x, y, z) if x == 0 || y == 0 || z == 0) {
            return Ok(());
        }
        let group = self.bind(run, id, resources)?;
        pass.set_pipeline(&self.shaders.get(id).pipeline);
        pass.set_bind_group(0, &group, &[]);
        match workgroups {
            Workgroups::Direct(x, y, z) => pass.dispatch_workgroups(x, y, z),
            Workgroups::Indirect(count, offset) => {
                pass.dispatch_workgroups_indirect(&self.resources.buffer(run.device, &count), offset);
            }
        }
        Ok(())
    }

    /// The bind group of a dispatch: resource i at binding i, if the shader uses that binding.
    fn bind(
        &mut self,
        &Run { device, target, .. }: &Run<'_>,
        id: ShaderId,
        proxies: &[ResourceProxy],
    ) -> Result<wgpu::BindGroup, Error> {
        let shader = self.shaders.get(id);
        let mut has_target = false;
        let mut resources = Vec::with_capacity(proxies.len());
        for proxy in proxies {
            resources.push(match proxy {
                ResourceProxy::Buffer(proxy) => Resource::Buffer(self.resources.buffer(device, proxy)),
                ResourceProxy::BufferRange { proxy, .. } => {
                    return Err(unexpected("a dispatch", &["whole buffers"], &[proxy.name]));
                }
                ResourceProxy::Image(proxy) if proxy.id == target.0.id => {
                    has_target = true;
                    Resource::Image(target.1.clone())
                }
                ResourceProxy::Image(proxy) => Resource::Image(self.resources.image(device, proxy).1.clone()),
            });
        }
        if let Some((_, same)) = self.bind_groups.get(&id.0).filter(|(bound, _)| *bound == resources) {
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
        let entries =
            entries.ok_or_else(|| unexpected("a dispatch", &["one resource per binding"], &["too few"]))?;
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(&shader.label),
            layout: &shader.pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        // A kept bind group would keep the caller's texture alive.
        if !has_target {
            self.bind_groups.insert(id.0, (resources, group.clone()));
        }
        Ok(group)
    }
}

fn begin_pass(encoder: &mut wgpu::CommandEncoder) -> wgpu::ComputePass<'_> {
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
    queue.write_texture(at(texture, corner), bytes, layout, extent(size));
}

fn at(texture: &wgpu::Texture, [x, y]: [u32; 2]) -> wgpu::TexelCopyTextureInfo<'_> {
    wgpu::TexelCopyTextureInfo { origin: wgpu::Origin3d { x, y, z: 0 }, ..texture.as_image_copy() }
}

fn extent([width, height]: [u32; 2]) -> wgpu::Extent3d {
    wgpu::Extent3d { width, height, depth_or_array_layers: 1 }
}
