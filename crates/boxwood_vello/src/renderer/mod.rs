//! The renderer, with the interface of `vello::Renderer`.

mod check;
#[cfg(feature = "debug_layers")]
mod debug_layers;
mod development;
mod draw;
mod images;
mod in_flight;

use boxwood::ReadBackError;
use vello::low_level::ImageProxy;
use vello::{RenderParams, Scene};
use vello_encoding::Resolver;

use crate::bump::Usage;
use crate::engine::{Engine, Frame, Profiler};
use crate::error::Error;
use crate::memory::Sizes;
use crate::options::{ClipStage, OnOverflow, OverflowCheck, RendererOptions};
use crate::passes::PassKind;
use in_flight::{Counters, InFlight};

/// Draws Vello's scenes with Vello's shaders and Boxwood's clip stage.
pub struct Renderer {
    options: RendererOptions,
    engine: Engine,
    resolver: Resolver,
    /// The image that contains the images of scenes.
    image_atlas: Option<ImageProxy>,
    /// The image in its place for frames without late-bound resources.
    no_images: Option<ImageProxy>,
    sizes: Sizes,
    in_flight: InFlight,
    usage: Option<Usage>,
    /// Whether frames keep their boxes, and whether the last one did.
    with_boxes: bool,
    has_boxes: bool,
    #[cfg(feature = "debug_layers")]
    debug_layers: debug_layers::DebugRenderer,
    #[cfg(not(feature = "wgpu-profiler"))]
    profiler: Profiler,
    /// The profiler of the frames, as in Vello.
    #[cfg(feature = "wgpu-profiler")]
    pub profiler: Profiler,
    /// The times of the last frame that has finished, as in Vello.
    #[cfg(feature = "wgpu-profiler")]
    pub profile_result: Option<Vec<wgpu_profiler::GpuTimerQueryResult>>,
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Renderer").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Renderer {
    /// Compiles Vello's shaders for `device`, which needs no optional feature and only WebGPU's
    /// default limits.
    ///
    /// The shaders of Boxwood's clip stage for up to 65,536 clip operations are compiled too, and
    /// all stages with `tighten_layers`. Otherwise they are compiled by [`warm_up`](Self::warm_up),
    /// or in the first frame that needs them.
    ///
    /// # Errors
    ///
    /// [`Error::CpuStages`] if the options ask for stages on the CPU, [`Error::Gpu`] if the device
    /// reports an error.
    pub fn new(device: &wgpu::Device, options: impl Into<RendererOptions>) -> Result<Self, Error> {
        let options = options.into();
        if options.use_cpu {
            return Err(Error::CpuStages);
        }
        let passes =
            PassKind::choose([options.clip_stage == ClipStage::Boxwood, false, options.tighten_layers]);
        let mut engine = Engine::new(device, &options)?;
        engine.warm_up(device, options.num_init_threads, &passes, options.tighten_layers)?;
        Ok(Self {
            engine,
            resolver: Resolver::new(),
            image_atlas: None,
            no_images: None,
            sizes: Sizes::new(&options.initial_items),
            in_flight: InFlight::default(),
            usage: None,
            with_boxes: false,
            has_boxes: false,
            #[cfg(feature = "debug_layers")]
            debug_layers: debug_layers::DebugRenderer::new(device),
            #[cfg(not(feature = "wgpu-profiler"))]
            profiler: Profiler,
            #[cfg(feature = "wgpu-profiler")]
            profiler: Profiler::new(device, wgpu_profiler::GpuProfilerSettings::default())?,
            #[cfg(feature = "wgpu-profiler")]
            profile_result: None,
            options,
        })
    }

    /// Compiles all shaders that later frames may need, so that no frame has to wait for them.
    ///
    /// The first frame with more than 65,536 clip operations compiles Boxwood's other stages, which
    /// takes seconds on a software adapter. Call this at a better time, for example after the first
    /// frame.
    ///
    /// # Errors
    ///
    /// [`Error::Gpu`] if the device reports an error.
    pub fn warm_up(&mut self, device: &wgpu::Device) -> Result<(), Error> {
        let RendererOptions { clip_stage, tighten_layers, num_init_threads, .. } = self.options;
        let passes = PassKind::choose([clip_stage != ClipStage::Vello, self.with_boxes, tighten_layers]);
        self.engine.warm_up(device, num_init_threads, &passes, true)
    }

    /// Draws a scene into a texture, as `vello::Renderer::render_to_texture` does. The texture has
    /// the format `Rgba8Unorm` and the usage `STORAGE_BINDING`.
    ///
    /// The picture has the size in `params` and starts at the top left corner of the texture. In a
    /// larger texture, the other pixels keep their contents. A smaller texture gets a part of the
    /// picture.
    ///
    /// This submits the frame. It waits for the device, unless the options say
    /// [`OnOverflow::Ignore`] or [`OverflowCheck::Deferred`].
    ///
    /// # Errors
    ///
    /// In each case the texture keeps its previous contents:
    ///
    /// - [`Error::Antialiasing`], [`Error::OpenLayers`], [`Error::Image`], or [`Error::Texture`] if
    ///   the input is invalid;
    /// - [`Error::Target`], [`Error::Scene`], or [`Error::Limits`] if the target has no pixels, or
    ///   if the target or the scene exceeds a limit;
    /// - [`Error::Overflow`] if one of Vello's buffers is too small for the scene;
    /// - [`Error::LostFrames`] if one was too small for an earlier scene: see [`OverflowCheck`];
    /// - [`Error::Gpu`] or [`Error::ReadBack`] if the device reports an error.
    pub fn render_to_texture(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        scene: &Scene,
        texture: &wgpu::TextureView,
        params: &RenderParams,
    ) -> Result<(), Error> {
        let counters = match (self.options.on_overflow, self.options.overflow_check) {
            (OnOverflow::Ignore, _) => Counters::Ignored,
            (_, OverflowCheck::Wait) => Counters::Waited,
            (_, OverflowCheck::Deferred) => Counters::Deferred,
        };
        self.collect(device, self.in_flight.n_excess())?;
        let frame = Frame { device, queue, encoding: scene.encoding(), texture, params };
        // The future is ready at once: it waits by polling the device.
        pollster::block_on(self.render(&frame, counters)).map(drop)
    }

    /// Reports the overflows of earlier frames whose counters have arrived, without waiting. Only
    /// [`OverflowCheck::Deferred`] needs this.
    ///
    /// # Errors
    ///
    /// [`Error::LostFrames`] if earlier frames were not drawn; [`Error::ReadBack`] if the device
    /// does not answer.
    pub fn poll(&mut self, device: &wgpu::Device) -> Result<(), Error> {
        self.collect(device, 0)
    }

    /// Waits for all earlier frames and reports their overflows. If it succeeds, every frame has
    /// been drawn. Only [`OverflowCheck::Deferred`] needs this.
    ///
    /// # Errors
    ///
    /// The same as [`poll`](Self::poll).
    pub fn flush(&mut self, device: &wgpu::Device) -> Result<(), Error> {
        self.collect(device, self.in_flight.len())
    }

    /// Looks at the counters of the frames in flight that have arrived. Waits for the first
    /// `n_awaited` frames.
    fn collect(&mut self, device: &wgpu::Device, n_awaited: usize) -> Result<(), Error> {
        if self.in_flight.len() == 0 {
            return Ok(());
        }
        let grows = self.options.on_overflow == OnOverflow::Grow;
        let (mut n_frames, mut can_redraw, mut first) = (0, grows, None);
        self.in_flight.poll(device, n_awaited).map_err(ReadBackError::from)?;
        let mut n_finished = 0;
        // One frame at a time: the needs of the frames before one that cannot be read are kept.
        while let Some(finished) = self.in_flight.pop_finished(n_finished < n_awaited) {
            let (config, counters) = finished?;
            n_finished += 1;
            let usage = Usage::new(config, &counters);
            self.usage = Some(usage);
            let Some(overflow) = usage.overflow() else { continue };
            n_frames += 1;
            first = first.or(Some(overflow));
            if grows && let Ok(sizes) = self.sizes.grown(&usage, &config, &device.limits()) {
                self.sizes = sizes;
                self.engine.resources.forget_free();
            } else {
                can_redraw = false;
            }
        }
        match first {
            Some(overflow) => Err(Error::LostFrames { n_frames, overflow, can_redraw }),
            None => Ok(()),
        }
    }

    /// The items that the last frame needed of Vello's buffers, or `None` if nobody looked at its
    /// counters. With [`OverflowCheck::Deferred`], the last frame whose counters have arrived.
    pub fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// The number of Boxwood's shaders that have been compiled.
    #[cfg(feature = "testing")]
    pub fn n_compiled(&self) -> usize {
        self.engine.context.n_compiled()
    }

    /// Sets whether later frames keep their boxes on the GPU.
    pub fn set_frame_boxes(&mut self, with_boxes: bool) {
        self.with_boxes = with_boxes;
    }

    /// The boxes that the last frame was drawn with, in its pixels, if it kept them. The elements
    /// are the draw objects of the scene, in order. The next frame overwrites them.
    pub fn frame_boxes(&self) -> Option<&boxwood::SceneBoxes> {
        self.engine.passes.get(&PassKind::FrameBoxes)?.boxes().filter(|_| self.has_boxes)
    }
}
