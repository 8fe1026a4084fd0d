//! A painter draws pictures on the GPU: Vello's drawing, and the overlay over it.

use std::time::Instant;

use boxwood::native::Gpu;
use boxwood::{Context, Outputs, SceneBoxes};
use boxwood_svg::{CancelToken, Deadline, Drawing, Work};
use boxwood_vello::{BumpBuffer, Error, OnOverflow, Overflow, Renderer, RendererOptions, checked};
use kurbo::TranslateScale;
use vello::{AaConfig, RenderParams};

use super::kept::{BoxStaging, KeptPicture};
use super::layers::{DrawingLayer, Layers};
use super::region::Region;
use super::texture::{PICTURE_FORMAT, PictureTextures};
use crate::costs::PictureCosts;
use crate::error::RenderError;
use crate::legend::hole;
use crate::overlay::{OverlayPipeline, OverlaySource, OverlayView};
use crate::picture::Frame;
use crate::running::Running;

/// The side of Vello's tiles in device pixels. Parts of a picture consist of whole tiles, so they
/// have no seams.
pub const TILE: u32 = 16;

/// Draws pictures of a drawing on the GPU.
///
/// [`set_drawing`](Self::set_drawing) computes the boxes of the scene once, and they stay on the
/// GPU. A picture with another view or another overlay does not compute them again. The boxes of
/// the frame are computed with each picture that shows them.
///
/// Vello allocates lines, tiles, commands, and deeply nested layers on the GPU from buffers of
/// fixed sizes. If a drawing needs more, the painter draws it again in smaller parts, which each
/// need less.
pub struct Painter {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    context: Context,
    pub(super) renderer: Renderer,
    overlay: OverlayPipeline,
    pub(crate) layers: Layers,
    /// The largest side of a part, in pixels, that the current drawing may be drawn with.
    pub(crate) part_side: u32,
    /// The corner of the part that was drawn last.
    pub(super) last_corner: [u32; 2],
    /// Whether the renderer computes the boxes of the frame without an overlay too.
    pub(super) keeps_boxes: bool,
    /// The last picture with an overlay of its own, if it is still there.
    pub(super) kept: Option<KeptPicture>,
    /// The buffer that the boxes of the last frame were read from.
    pub(super) box_staging: Option<BoxStaging>,
    cancel: CancelToken,
    antialiasing: AaConfig,
    /// The costs of the picture that is being drawn.
    pub(super) costs: PictureCosts,
    /// The stages of the picture that is being drawn, for whoever waits for it.
    running: Running,
}

impl std::fmt::Debug for Painter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Painter").field("device", &self.device).finish_non_exhaustive()
    }
}

/// A renderer with one method of antialiasing.
fn renderer(device: &wgpu::Device, antialiasing: AaConfig) -> Result<Renderer, RenderError> {
    let options = RendererOptions {
        antialiasing_support: [antialiasing].into_iter().collect(),
        centre_samples: true,
        on_overflow: OnOverflow::Refuse,
        ..Default::default()
    };
    Renderer::new(device, options).map_err(RenderError::Renderer)
}

impl Painter {
    /// Creates a painter without a drawing. It compiles shaders, which takes up to a few seconds.
    ///
    /// # Errors
    ///
    /// [`RenderError`] if the device cannot run the renderer.
    pub fn new(gpu: &Gpu) -> Result<Self, RenderError> {
        Self::with_cancel(gpu, CancelToken::default(), Running::default())
    }

    /// Creates a painter for a thread of its own: another thread can cancel the current picture,
    /// and see the stage that it is in.
    ///
    /// # Errors
    ///
    /// The same as [`new`](Self::new).
    pub fn with_cancel(gpu: &Gpu, cancel: CancelToken, running: Running) -> Result<Self, RenderError> {
        let Gpu { device, queue, .. } = gpu;
        checked(device, RenderError::Device, || {
            Ok(Self {
                context: Context::new(device),
                renderer: renderer(device, AaConfig::Area)?,
                overlay: OverlayPipeline::new(device, PICTURE_FORMAT),
                layers: Layers::default(),
                part_side: u32::MAX,
                last_corner: [0, 0],
                keeps_boxes: false,
                kept: None,
                box_staging: None,
                cancel,
                antialiasing: AaConfig::Area,
                costs: PictureCosts::default(),
                running,
                device: device.clone(),
                queue: queue.clone(),
            })
        })
    }

    /// Replaces the drawing, and computes the boxes of its scene.
    ///
    /// # Errors
    ///
    /// [`RenderError`] if the scene is too large for the device. The painter then keeps the
    /// previous drawing.
    pub fn set_drawing(&mut self, drawing: &Drawing) -> Result<(), RenderError> {
        let boxes = checked(&self.device, RenderError::Device, || {
            let mut boxes = SceneBoxes::new(&self.context, Outputs::all());
            boxes.update(&self.queue, &drawing.elements)?;
            let mut encoder = self.encoder();
            boxes.record(&mut encoder);
            self.queue.submit([encoder.finish()]);
            Ok(boxes)
        })?;
        self.layers.drawing = Some(DrawingLayer::new(drawing, boxes));
        self.kept = None;
        self.part_side = u32::MAX;
        Ok(())
    }

    /// Whether there is a drawing.
    pub fn has_drawing(&self) -> bool {
        self.layers.drawing.is_some()
    }

    /// Removes the drawing. Pictures then have only a background.
    pub fn clear_drawing(&mut self) {
        self.layers.drawing = None;
        self.kept = None;
        self.part_side = u32::MAX;
    }

    /// Replaces the shader of the overlay.
    ///
    /// # Errors
    ///
    /// [`RenderError::Device`] if there is no pipeline with it. The painter then keeps its shader.
    pub fn set_overlay_shader(&mut self, source: &str) -> Result<(), RenderError> {
        let device = &self.device;
        let overlay = || Ok(OverlayPipeline::of_shader(device, PICTURE_FORMAT, source));
        self.overlay = checked(device, RenderError::Device, overlay)?;
        Ok(())
    }

    /// The stages of the current picture, and of the last one.
    pub fn running(&self) -> &Running {
        &self.running
    }

    /// Draws a picture into a new texture.
    ///
    /// The texture is in [`Rgba8Unorm`](wgpu::TextureFormat::Rgba8Unorm) with straight alpha. The
    /// function submits, and waits for the renderer's counters, but not for the overlay.
    ///
    /// # Errors
    ///
    /// [`RenderError`] if a side of the picture is 0 or exceeds the limit of the device, the
    /// picture has more than 64 Mi pixels, the drawing exceeds a limit of the renderer or of resvg,
    /// or the device reports an error.
    pub fn paint(&mut self, frame: &Frame) -> Result<wgpu::Texture, RenderError> {
        frame.check(self.max_side())?;
        self.paint_region(frame, Region::whole(frame.size), &self.deadline())
    }

    /// Draws a region of a picture.
    pub(crate) fn paint_region(
        &mut self,
        frame: &Frame,
        region: Region,
        deadline: &Deadline,
    ) -> Result<wgpu::Texture, RenderError> {
        Ok(self.paint_textures(frame, region, deadline, false)?.picture)
    }

    pub(super) fn paint_textures(
        &mut self,
        frame: &Frame,
        region: Region,
        deadline: &Deadline,
        has_own_overlay: bool,
    ) -> Result<PictureTextures, RenderError> {
        // The buffers of the renderer will be those of this picture.
        self.kept = None;
        self.running.restart("images");
        let start = Instant::now();
        self.layers.prepare(frame, region, deadline)?;
        let prepared = start.elapsed();
        self.costs = PictureCosts::default();
        let device = self.device.clone();
        checked(&device, RenderError::Device, || {
            self.set_antialiasing(frame.antialiasing)?;
            let textures = PictureTextures::new(&device, region.size, has_own_overlay);
            self.running.begin("draw");
            let start = Instant::now();
            self.draw(frame, region, &textures)?;
            let drawn = start.elapsed();
            self.running.begin("overlay");
            let start = Instant::now();
            if frame.boxes == OverlaySource::Scene {
                self.draw_overlay(frame, region, &textures);
            }
            self.costs.cpu.extend([("images", prepared), ("draw", drawn), ("overlay", start.elapsed())]);
            self.costs.usage = self.renderer.usage();
            Ok(textures)
        })
    }

    /// Takes the costs of the last picture, which must have been read. Its times on the GPU have
    /// arrived then.
    pub fn take_costs(&mut self) -> PictureCosts {
        let period = self.queue.get_timestamp_period();
        self.renderer.profile_result = None;
        while let Some(times) = self.renderer.profiler.process_finished_frame(period) {
            self.costs.gpu.extend(times);
        }
        // Without timestamps, the profiler has the names of the dispatches alone.
        self.costs.gpu.retain(|query| query.time.is_some());
        std::mem::take(&mut self.costs)
    }

    /// Compiles the shaders for another method of antialiasing, unless it is the current one.
    fn set_antialiasing(&mut self, antialiasing: AaConfig) -> Result<(), RenderError> {
        if antialiasing != self.antialiasing {
            self.running.begin("shaders");
            self.renderer = renderer(&self.device, antialiasing)?;
            self.antialiasing = antialiasing;
        }
        Ok(())
    }

    /// Draws a region in smaller and smaller parts, until each of them fits the renderer's buffers.
    fn draw(&mut self, frame: &Frame, region: Region, whole: &PictureTextures) -> Result<(), RenderError> {
        let shows_frame_boxes =
            frame.boxes == OverlaySource::Frame && (self.keeps_boxes || !frame.overlay.is_empty());
        self.renderer.set_frame_boxes(shows_frame_boxes && self.layers.drawing.is_some());
        let longest_side = region.size[0].max(region.size[1]);
        let mut side = self.part_side.min(longest_side.next_multiple_of(TILE));
        loop {
            match self.draw_in_parts(frame, region, whole, side) {
                // Every part of a drawing has all its lines, so smaller parts have just as many.
                Err(RenderError::TooComplex(Error::Overflow(Overflow(fill))))
                    if fill.buffer != BumpBuffer::Lines && side > TILE =>
                {
                    side = (side / 2).next_multiple_of(TILE);
                    self.part_side = side;
                }
                result => return result,
            }
        }
    }

    /// Draws a region in squares with this side.
    fn draw_in_parts(
        &mut self,
        frame: &Frame,
        region: Region,
        whole: &PictureTextures,
        side: u32,
    ) -> Result<(), RenderError> {
        for part in region.squares(side) {
            if part == region {
                return self.draw_part(frame, part, whole);
            }
            let textures = PictureTextures::new(&self.device, part.size, whole.overlay.is_some());
            self.draw_part(frame, part, &textures)?;
            let mut encoder = self.encoder();
            let [x, y] = [0, 1].map(|axis| part.corner[axis] - region.corner[axis]);
            for [texture, whole] in textures.zip(whole) {
                let mut target = whole.as_image_copy();
                target.origin = wgpu::Origin3d { x, y, z: 0 };
                encoder.copy_texture_to_texture(texture.as_image_copy(), target, texture.size());
            }
            self.queue.submit([encoder.finish()]);
        }
        Ok(())
    }

    /// Draws a part of a picture into textures of its size, with an overlay of the frame's boxes.
    fn draw_part(
        &mut self,
        frame: &Frame,
        part: Region,
        textures: &PictureTextures,
    ) -> Result<(), RenderError> {
        if self.cancel.is_set() {
            return Err(boxwood_svg::Error::Cancelled(Work::Drawing).into());
        }
        self.costs.n_parts += 1;
        self.running.begin_part();
        self.last_corner = part.corner;
        let surround = frame.surround.map(|[red, green, blue]| peniko::Color::from_rgb8(red, green, blue));
        let params = RenderParams {
            base_color: surround.unwrap_or(peniko::Color::TRANSPARENT),
            width: part.size[0],
            height: part.size[1],
            antialiasing_method: self.antialiasing,
        };
        let scene = self.layers.compose(frame, part.corner);
        let target = textures.picture.create_view(&wgpu::TextureViewDescriptor::default());
        let drawn = self.renderer.render_to_texture(&self.device, &self.queue, &scene, &target, &params);
        drawn.map_err(|error| match error {
            Error::Overflow(_) | Error::Scene { .. } | Error::Limits(_) => RenderError::TooComplex(error),
            error => RenderError::Renderer(error),
        })?;
        if frame.boxes == OverlaySource::Frame {
            self.draw_overlay(frame, part, textures);
        }
        Ok(())
    }

    /// Draws the overlay of a region of a picture.
    pub(super) fn draw_overlay(&self, frame: &Frame, region: Region, textures: &PictureTextures) {
        let Some(drawing) = self.layers.drawing.as_ref().filter(|_| !frame.overlay.is_empty()) else {
            return;
        };
        let device = &self.device;
        let (boxes, view) = match (frame.boxes, self.renderer.frame_boxes()) {
            (OverlaySource::Scene, _) => {
                (drawing.boxes(device, frame), frame.view - region.rect().origin().to_vec2())
            }
            // The renderer's boxes are in pixels of the part that it drew last.
            (OverlaySource::Frame, Some(boxes)) => {
                (drawing.boxes_in(device, frame, boxes), TranslateScale::default())
            }
            (OverlaySource::Frame, None) => return,
        };
        let view = OverlayView::new(view, region.size, hole(self.layers.legend(), region.corner));
        let target = textures.with_overlay().create_view(&wgpu::TextureViewDescriptor::default());
        self.overlay.draw(&self.device, &self.queue, &target, &boxes, &view, frame.overlay);
    }

    /// The deadline of a picture that is started now.
    pub(crate) fn deadline(&self) -> Deadline {
        Deadline::default().or_cancelled_by(self.cancel.clone())
    }

    /// The boxes of the last part of the last picture, if its overlay showed the frame's boxes.
    #[cfg(test)]
    pub(crate) fn frame_boxes(&self) -> Option<&SceneBoxes> {
        self.renderer.frame_boxes()
    }

    /// The maximum number of pixels per side of a picture.
    pub(crate) fn max_side(&self) -> u32 {
        self.device.limits().max_texture_dimension_2d
    }

    pub(crate) fn encoder(&self) -> wgpu::CommandEncoder {
        let label = Some("boxwood.painter");
        self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label })
    }
}
