//! Pictures of a scene, on the GPU: Vello's drawing, and the overlay over it.

use boxwood::native::Gpu;
use boxwood::{Buffers, Pipelines};
use boxwood_svg::{CancelToken, Deadline, Drawing};
use kurbo::Size;

use crate::canvas::{Canvas, Region};
use crate::error::RenderError;
use crate::frame::{Frame, signed};
use crate::layers::{DrawingLayer, Layers};
use crate::lines::LineView;
use crate::overlay::{Overlay, OverlayBoxes};
use crate::source::OverlaySource;
use crate::view_transform::ViewTransform;

/// Draws pictures of a scene.
///
/// The scene's boxes are computed once, by [`set_drawing`](Self::set_drawing), and stay on the GPU: a picture from another
/// view, or with another overlay, computes none of them again. Those of the frame are computed with each picture that shows them.
pub struct Painter {
    device: wgpu::Device,
    queue: wgpu::Queue,
    pipelines: Pipelines,
    canvas: Canvas,
    overlay: Overlay,
    layers: Layers,
    /// The boxes of the scene, none without a scene.
    buffers: Option<Buffers>,
    stop: CancelToken,
}

impl std::fmt::Debug for Painter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Painter").field("device", &self.device).finish_non_exhaustive()
    }
}

impl Painter {
    /// A painter without a scene. It compiles shaders, which takes a moment.
    ///
    /// # Errors
    ///
    /// A device that cannot run the renderer.
    pub fn new(gpu: &Gpu) -> Result<Self, RenderError> {
        Self::on(gpu.device.clone(), gpu.queue.clone(), CancelToken::default())
    }

    /// The same, of which `stop` stops what it draws.
    pub(crate) fn on(
        device: wgpu::Device,
        queue: wgpu::Queue,
        stop: CancelToken,
    ) -> Result<Self, RenderError> {
        let (canvas, pipelines, overlay) = checked(&device, || {
            Ok((Canvas::new(&device, &queue, stop.clone())?, Pipelines::new(&device), Overlay::new(&device)))
        })?;
        Ok(Self { device, queue, pipelines, canvas, overlay, layers: Layers::default(), buffers: None, stop })
    }

    /// Takes a scene and computes its boxes.
    ///
    /// # Errors
    ///
    /// A scene too large for the stage. The painter keeps the scene it had then.
    pub fn set_drawing(&mut self, drawing: &Drawing) -> Result<(), RenderError> {
        let buffers = checked(&self.device, || {
            let buffers = Buffers::of(&self.device, &self.queue, &self.pipelines, &drawing.elements)?;
            let mut encoder = encoder(&self.device);
            buffers.record(&mut encoder);
            self.queue.submit([encoder.finish()]);
            Ok(buffers)
        })?;
        self.buffers = Some(buffers);
        self.layers.set_drawing(Some(DrawingLayer::new(drawing)));
        self.canvas.forget_drawing();
        Ok(())
    }

    /// Shows no scene any more.
    pub fn clear_drawing(&mut self) {
        self.buffers = None;
        self.layers.set_drawing(None);
        self.canvas.forget_drawing();
    }

    /// Draws a picture. The texture is as large as the picture, in [`Rgba8Unorm`](wgpu::TextureFormat::Rgba8Unorm)
    /// with straight alpha; the next picture may overwrite it.
    ///
    /// # Errors
    ///
    /// A picture beyond the device's limits, a drawing beyond the renderer's, what resvg cannot draw of it, and whatever the device
    /// reports.
    pub fn paint(&mut self, frame: &Frame) -> Result<wgpu::Texture, RenderError> {
        self.paint_region(frame, Region { corner: [0, 0], size: frame.size }, &self.deadline())
    }

    /// Draws a picture, over `spare` if that fits. The next picture leaves it alone.
    pub(crate) fn paint_over(
        &mut self,
        frame: &Frame,
        spare: Option<wgpu::Texture>,
    ) -> Result<wgpu::Texture, RenderError> {
        self.canvas.take_spare(spare);
        let picture = self.paint(frame)?;
        self.canvas.give_away();
        Ok(picture)
    }

    /// How long a picture that is begun now is waited for.
    pub(crate) fn deadline(&self) -> Deadline {
        Deadline::default().or_cancelled_by(self.stop.clone())
    }

    /// Draws a part of a picture.
    pub(crate) fn paint_region(
        &mut self,
        frame: &Frame,
        region: Region,
        deadline: &Deadline,
    ) -> Result<wgpu::Texture, RenderError> {
        self.layers.prepare(frame, region, deadline)?;
        let Region { corner: [left, top], size } = region;
        let base_color = frame.surround.map_or(peniko::Color::TRANSPARENT, |[red, green, blue]| {
            peniko::Color::from_rgb8(red, green, blue)
        });
        let device = self.device.clone();
        checked(&device, || {
            let Self { device, queue, canvas, overlay, layers, buffers, .. } = self;
            let outline = |target: &wgpu::TextureView, boxes: &OverlayBoxes<'_>, lines: &LineView| {
                let mut encoder = encoder(device);
                overlay.record(queue, &mut encoder, target, boxes, lines, frame.overlay);
                queue.submit([encoder.finish()]);
            };
            let corner_of = |part: Region| [left + part.corner[0], top + part.corner[1]];
            let compose = |part: Region| layers.compose(frame, corner_of(part));
            let scene_boxes = buffers.as_ref().filter(|_| !frame.overlay.is_empty());
            let is_of_frame = scene_boxes.is_some() && frame.boxes == OverlaySource::Frame;
            let draw_over = |part: Region, target: &wgpu::TextureView, buffers: &Buffers| {
                // These are in pixels of the part.
                let holes = layers.holes(corner_of(part));
                let lines = LineView::new(ViewTransform::scaled(1.0), part.size.map(signed), holes);
                let (elements, nodes) = (layers.draw_objects(), layers.clip_operations());
                outline(target, &OverlayBoxes { buffers, elements, nodes }, &lines);
            };
            let picture = canvas.draw(size, base_color, compose, is_of_frame.then_some(draw_over))?;
            if let Some(buffers) = scene_boxes.filter(|_| !is_of_frame) {
                let view = frame.view.panned((-f64::from(left), -f64::from(top)).into());
                let lines = LineView::new(view, size.map(signed), layers.holes(region.corner));
                let target = picture.create_view(&wgpu::TextureViewDescriptor::default());
                outline(&target, &OverlayBoxes::all(buffers), &lines);
            }
            Ok(picture)
        })
    }

    /// The boxes of the last part of the last picture, if its overlay was of them.
    #[cfg(test)]
    pub(crate) fn frame_boxes(&self) -> Option<&Buffers> {
        self.canvas.frame_boxes()
    }

    pub(crate) fn device(&self) -> &wgpu::Device {
        &self.device
    }

    pub(crate) fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// The size of the scene in scene units.
    pub(crate) fn scene_size(&self) -> Option<Size> {
        self.layers.document()
    }
}

fn encoder(device: &wgpu::Device) -> wgpu::CommandEncoder {
    device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("boxwood.painter") })
}

/// Runs what may make the device report an error, and returns the error instead of letting it end the process.
pub(crate) fn checked<T>(
    device: &wgpu::Device,
    work: impl FnOnce() -> Result<T, RenderError>,
) -> Result<T, RenderError> {
    let memory = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
    let validation = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let result = work();
    let validation = pollster::block_on(validation.pop());
    let memory = pollster::block_on(memory.pop());
    match validation.or(memory) {
        Some(error) => result.and(Err(RenderError::Gpu(error.to_string()))),
        None => result,
    }
}
