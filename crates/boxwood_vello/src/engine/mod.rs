//! Runs Vello's recordings on a device.

mod centred_samples;
mod resources;
mod shaders;
mod timer;

use std::collections::HashMap;
use std::mem;
use std::num::NonZeroUsize;

use boxwood::{Algorithm, Context, Staging};
use boxwood_shaders::Shader;
use vello::RenderParams;
use vello::low_level::{BufferProxy, Command, FullShaders, ResourceProxy, ShaderId};
use vello_encoding::{BumpAllocators, ConfigUniform, Encoding};
use wgpu::BufferUsages;

use crate::compile::in_parallel;
use crate::error::Error;
use crate::options::RendererOptions;
use crate::passes::{OcclusionPass, PassKind, VelloPass};
use crate::recording::{Recorded, is_fine, uploaded};

pub(crate) use resources::Resources;
pub(crate) use shaders::Shaders;
pub(crate) use timer::Profiler;

/// Runs recordings. Buffers, images, and bind groups stay for the next frame.
pub(crate) struct Engine {
    pub(crate) shaders: Shaders,
    pub(crate) context: Context,
    pub(crate) passes: HashMap<PassKind, VelloPass>,
    pub(crate) occlusion: Option<OcclusionPass>,
    pub(crate) resources: Resources,
    /// Textures that replace images, by the identity of the image's data.
    pub(crate) image_overrides: HashMap<u64, wgpu::TexelCopyTextureInfoBase<wgpu::Texture>>,
}

/// The input of a frame.
pub(crate) struct Frame<'a> {
    pub(crate) device: &'a wgpu::Device,
    pub(crate) queue: &'a wgpu::Queue,
    pub(crate) encoding: &'a Encoding,
    pub(crate) texture: &'a wgpu::TextureView,
    pub(crate) params: &'a RenderParams,
}

/// A run of the engine.
pub(crate) struct Run<'a> {
    pub(crate) frame: &'a Frame<'a>,
    pub(crate) recorded: &'a Recorded,
    pub(crate) config: ConfigUniform,
    /// A buffer to copy Vello's counters to.
    pub(crate) counters: Option<&'a Staging>,
}

/// The number of workgroups of a dispatch.
#[derive(Clone, Copy)]
enum Workgroups<'a> {
    Counts((u32, u32, u32)),
    /// A buffer with the counts, and their offset in bytes.
    InBuffer(&'a BufferProxy, u64),
}

/// Something to compile.
#[derive(Clone, Copy)]
enum Job {
    /// The stages that a pass runs between its own shaders, with one algorithm.
    Stages(PassKind, Algorithm),
    /// A shader of a pass, with wgpu's runtime checks or without.
    Shader(&'static Shader, bool),
}

impl Engine {
    pub(crate) fn new(device: &wgpu::Device, options: &RendererOptions) -> Result<Self, Error> {
        Ok(Self {
            shaders: Shaders::new(device, options, |shader| shader.wgsl.code.clone())?,
            context: Context::new(device),
            passes: HashMap::new(),
            occlusion: None,
            resources: Resources::default(),
            image_overrides: HashMap::new(),
        })
    }

    /// Compiles these passes and, `with_stages`, Boxwood's stages for scenes of any size.
    pub(crate) fn warm_up(
        &mut self,
        device: &wgpu::Device,
        n_threads: Option<NonZeroUsize>,
        kinds: &[PassKind],
        with_stages: bool,
    ) -> Result<(), Error> {
        let adapter = device.adapter_info();
        let stages = kinds.iter().filter(|_| with_stages).flat_map(|kind| {
            kind.algorithms(&adapter).into_iter().map(|algorithm| Job::Stages(*kind, algorithm))
        });
        let shaders = kinds.iter().flat_map(|kind| {
            let (shaders, checks) = kind.shaders();
            shaders.into_iter().map(move |shader| Job::Shader(shader, checks))
        });
        let jobs: Vec<_> = stages.chain(shaders).collect();
        in_parallel(device, n_threads, jobs.len(), |job| match jobs[job] {
            Job::Stages(kind, algorithm) => self.context.warm_up(algorithm, kind.outputs()),
            Job::Shader(shader, checks) => self.context.compile(shader, checks),
        })?;
        Ok(())
    }

    /// Runs a recording in one submission.
    ///
    /// # Errors
    ///
    /// [`Error::Recording`], [`Error::Limits`], or [`Error::Image`]. Nothing is submitted then.
    pub(crate) fn run(
        &mut self,
        run: &Run<'_>,
        profiler: &mut Profiler,
    ) -> Result<wgpu::SubmissionIndex, Error> {
        run.recorded.check(&self.shaders.ids)?;
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("boxwood.vello") };
        let mut encoder = run.frame.device.create_command_encoder(&descriptor);
        timer::scope(profiler, "render_to_texture", None, &mut encoder, |encoder, frame| {
            self.record(run, encoder, profiler, frame)
        })?;
        #[cfg(feature = "wgpu-profiler")]
        profiler.resolve_queries(&mut encoder);
        Ok(run.frame.queue.submit([encoder.finish()]))
    }

    /// Records uploads and clears, and then the rest. All dispatches are in one compute pass,
    /// except those after the copy of the counters, because each pass takes time on the CPU.
    fn record(
        &mut self,
        run: &Run<'_>,
        encoder: &mut wgpu::CommandEncoder,
        profiler: &Profiler,
        frame: &timer::Query,
    ) -> Result<(), Error> {
        let Recorded { recording, passes, .. } = run.recorded;
        for command in &recording.commands {
            self.write(run, encoder, command)?;
        }
        let mut pass = begin_pass(encoder);
        for command in &recording.commands {
            let (id, workgroups, resources) = match command {
                Command::Dispatch(id, counts, resources) => (id, Workgroups::Counts(*counts), resources),
                Command::DispatchIndirect(id, buffer, offset, resources) => {
                    (id, Workgroups::InBuffer(buffer, *offset), resources)
                }
                _ => continue,
            };
            self.run_passes_at(run, *id, &mut pass, profiler, frame)?;
            let FullShaders { clip_reduce, clip_leaf, .. } = self.shaders.ids;
            if passes.contains(&PassKind::Clip) && [clip_reduce, clip_leaf].contains(id) {
                continue;
            }
            if let Some(staging) = run.counters
                && is_fine(&self.shaders.ids, *id)
            {
                // All counters have their final values. Only the pixels are left to draw.
                drop(pass);
                let counters = self.buffer(run, "vello.bump_buf")?;
                staging.record_copy::<BumpAllocators>(encoder, &counters, 0..1);
                pass = begin_pass(encoder);
            }
            // WebGPU allows a dispatch of no workgroups, but not every back end does.
            if let Workgroups::Counts((0, _, _) | (_, 0, _) | (_, _, 0)) = workgroups {
                continue;
            }
            let label = self.shaders.compiled[id.0].label.clone();
            timer::scope(profiler, &label, Some(frame), &mut pass, |pass, _| {
                self.dispatch(run, pass, *id, workgroups, resources)
            })?;
        }
        Ok(())
    }

    fn dispatch(
        &mut self,
        &Run { frame: &Frame { device, texture, .. }, recorded, .. }: &Run<'_>,
        pass: &mut wgpu::ComputePass<'_>,
        id: ShaderId,
        workgroups: Workgroups<'_>,
        resources: &[ResourceProxy],
    ) -> Result<(), Error> {
        let shader = &self.shaders.compiled[id.0];
        let group = self.resources.bind_group(device, shader, resources, (recorded.target, texture))?;
        pass.set_pipeline(&shader.pipeline);
        pass.set_bind_group(0, &group, &[]);
        match workgroups {
            Workgroups::Counts((x, y, z)) => pass.dispatch_workgroups(x, y, z),
            Workgroups::InBuffer(buffer, offset) => {
                pass.dispatch_workgroups_indirect(&self.resources.buffer(device, buffer), offset);
            }
        }
        Ok(())
    }

    /// The buffer with this name.
    pub(crate) fn buffer(&mut self, run: &Run<'_>, name: &str) -> Result<wgpu::Buffer, Error> {
        Ok(self.resources.buffer(run.frame.device, &run.recorded.buffer(name)?))
    }

    /// Runs the command if it is an upload or a clear.
    fn write(
        &mut self,
        &Run { frame: &Frame { device, queue, .. }, .. }: &Run<'_>,
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
                write_texture(queue, texture.as_image_copy(), texture.size(), bytes);
            }
            Command::WriteImage(proxy, [x, y], image) => {
                let (texture, _) = self.resources.atlas(device, proxy);
                let origin = wgpu::Origin3d { x: *x, y: *y, z: 0 };
                let place = wgpu::TexelCopyTextureInfo { origin, ..texture.as_image_copy() };
                let (width, height) = (image.width, image.height);
                let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
                let (id, found) = (image.data.id(), image.data.len());
                let needed = 4 * u64::from(width) * u64::from(height);
                // A texture that replaces the image is copied without its bytes being looked at.
                if let Some(stand_in) = self.image_overrides.get(&id) {
                    let (format, usage) = (stand_in.texture.format(), stand_in.texture.usage());
                    if format.remove_srgb_suffix() != texture.format()
                        || !usage.contains(wgpu::TextureUsages::COPY_SRC)
                    {
                        return Err(Error::Texture { id, format, usage });
                    }
                    let source = wgpu::TexelCopyTextureInfo {
                        texture: &stand_in.texture,
                        mip_level: stand_in.mip_level,
                        origin: stand_in.origin,
                        aspect: stand_in.aspect,
                    };
                    encoder.copy_texture_to_texture(source, place, size);
                } else if (found as u64) < needed {
                    return Err(Error::Image { id, width, height, found, needed });
                } else {
                    write_texture(queue, place, size, image.data.data());
                }
            }
            Command::Clear(proxy, offset, size) => {
                encoder.clear_buffer(&self.resources.buffer(device, proxy), *offset, *size);
            }
            _ => {}
        }
        Ok(())
    }

    /// Runs the passes that replace a dispatch of Vello or run before it.
    fn run_passes_at(
        &mut self,
        run: &Run<'_>,
        id: ShaderId,
        pass: &mut wgpu::ComputePass<'_>,
        profiler: &Profiler,
        frame: &timer::Query,
    ) -> Result<(), Error> {
        let binning = self.shaders.ids.binning;
        let mut hides_occluded = id == binning && run.recorded.hides_occluded;
        for kind in &run.recorded.passes {
            if kind.stage(&self.shaders.ids) != id {
                continue;
            }
            // The boxes of the frame are those of all draw objects. What is hidden does not count
            // for the sizes of layers.
            if *kind == PassKind::Tighten && mem::take(&mut hides_occluded) {
                self.hide_occluded(run, pass, profiler, frame)?;
            }
            timer::scope(profiler, kind.label(), Some(frame), pass, |pass, _| {
                self.run_pass(run, pass, *kind)
            })?;
        }
        if hides_occluded { self.hide_occluded(run, pass, profiler, frame) } else { Ok(()) }
    }

    fn run_pass(
        &mut self,
        run: &Run<'_>,
        pass: &mut wgpu::ComputePass<'_>,
        kind: PassKind,
    ) -> Result<(), Error> {
        let Run { frame: Frame { queue, .. }, config, .. } = run;
        let buffers = kind.vello_buffers().iter().map(|name| self.buffer(run, name));
        let buffers = buffers.collect::<Result<Vec<_>, _>>()?;
        let own = self.passes.entry(kind).or_insert_with(|| VelloPass::new(&self.context, kind));
        Ok(own.record_in(queue, pass, &config.layout, &buffers)?)
    }

    /// Hides occluded draw objects.
    fn hide_occluded(
        &mut self,
        run: &Run<'_>,
        pass: &mut wgpu::ComputePass<'_>,
        profiler: &Profiler,
        frame: &timer::Query,
    ) -> Result<(), Error> {
        let Run { frame: Frame { queue, .. }, recorded, config, .. } = run;
        let scene = uploaded(&recorded.recording, "vello.scene")?;
        let buffers = OcclusionPass::VELLO_BUFFERS.iter().map(|name| self.buffer(run, name));
        let buffers = buffers.collect::<Result<Vec<_>, _>>()?;
        let own = self.occlusion.get_or_insert_with(|| OcclusionPass::new(&self.context));
        timer::scope(profiler, "vello_occlusion", Some(frame), pass, |pass, _| {
            Ok(own.record_in(queue, pass, &scene, config, &buffers)?)
        })
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
    place: wgpu::TexelCopyTextureInfo<'_>,
    size: wgpu::Extent3d,
    bytes: &[u8],
) {
    let bytes_per_row = Some(4 * size.width);
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row, rows_per_image: None };
    queue.write_texture(place, bytes, layout, size);
}
