//! Pictures of a scene, on the GPU: Vello's drawing, the overlay over it, and panels.

use std::sync::Arc;

use boxwood::{Buffers, Gpu, Pipelines};
use boxwood_svg::Scene;
use kurbo::{Affine, Rect, Size};
use peniko::{Blob, Extend, Fill, ImageAlphaType, ImageBrush, ImageData, ImageFormat, ImageQuality};
use vello::{AaConfig, AaSupport, RenderParams, Renderer, RendererOptions};

use crate::background::Background;
use crate::error::RenderError;
use crate::kinds::OverlayKinds;
use crate::lines::{Holes, LineView};
use crate::overlay::Overlay;
use crate::panel::{Message, Panel};
use crate::view_transform::ViewTransform;

/// The format of pictures. The alpha is straight, not premultiplied.
pub(crate) const PICTURE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// What a picture shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The size of the picture, in device pixels. No side is 0.
    pub size: [u32; 2],
    /// Where the scene lies in it.
    pub view: ViewTransform,
    /// Device pixels a pixel of the desktop: the scale of the panels and of the checker.
    pub scale_factor: f64,
    /// What lies behind the drawing.
    pub background: Background,
    /// The colour beyond the document's viewport, red, green and blue. Without it the background goes on.
    pub surround: Option<[u8; 3]>,
    /// The kinds of box that are shown.
    pub overlay: OverlayKinds,
    /// Whether a legend of these kinds is shown.
    pub legend: bool,
    /// A message that is shown.
    pub message: Option<Message>,
}

/// Draws pictures of a scene.
///
/// The scene's boxes are computed once, by [`set_scene`](Self::set_scene), and stay on the GPU: a picture from another
/// view, or with another overlay, computes none of them again.
pub struct Painter {
    device: wgpu::Device,
    queue: wgpu::Queue,
    pipelines: Pipelines,
    renderer: Renderer,
    overlay: Overlay,
    shown: Option<Shown>,
    picture: Option<wgpu::Texture>,
    panels: Option<Panels>,
    ground: Option<Ground>,
}

/// A scene that is on the GPU.
struct Shown {
    drawing: vello::Scene,
    size: Size,
    buffers: Buffers,
}

/// The panels over a picture, kept as long as what they show.
struct Panels {
    key: PanelKey,
    panels: Vec<(Panel, vello::Scene)>,
}

type PanelKey = (Option<OverlayKinds>, Option<Message>, [u32; 2], u64);

/// The image that a background repeats, kept so that the renderer uploads it once.
struct Ground {
    background: Background,
    scale_factor: f64,
    brush: ImageBrush,
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
        let device = gpu.device.clone();
        let options = RendererOptions { antialiasing_support: AaSupport::area_only(), ..Default::default() };
        let (renderer, pipelines, overlay) = checked(&device, || {
            let renderer = Renderer::new(&device, options).map_err(refused)?;
            Ok((renderer, Pipelines::new(&device), Overlay::new(&device)))
        })?;
        Ok(Self {
            device,
            queue: gpu.queue.clone(),
            pipelines,
            renderer,
            overlay,
            shown: None,
            picture: None,
            panels: None,
            ground: None,
        })
    }

    /// Takes a scene and computes its boxes.
    ///
    /// # Errors
    ///
    /// A scene too large for the stage. The painter keeps the scene it had then.
    pub fn set_scene(&mut self, scene: &Scene) -> Result<(), RenderError> {
        let buffers = checked(&self.device, || {
            let buffers = Buffers::of(&self.device, &self.queue, &self.pipelines, &scene.elements)?;
            let mut encoder = self.encoder();
            self.pipelines.record(&mut encoder, &buffers);
            self.queue.submit([encoder.finish()]);
            Ok(buffers)
        })?;
        self.shown = Some(Shown { drawing: scene.encoding.clone().into(), size: scene.size, buffers });
        Ok(())
    }

    /// Shows no scene any more.
    pub fn clear_scene(&mut self) {
        self.shown = None;
    }

    /// Draws a picture. The texture is as large as the picture, in [`Rgba8Unorm`](wgpu::TextureFormat::Rgba8Unorm)
    /// with straight alpha; the next picture may overwrite it.
    ///
    /// # Errors
    ///
    /// A picture beyond the device's limits, and whatever the device reports.
    pub fn paint(&mut self, frame: &Frame) -> Result<&wgpu::Texture, RenderError> {
        self.paint_region(frame, [0, 0], frame.size)
    }

    /// Draws the part of a picture of this size whose top left pixel is `corner`.
    pub(crate) fn paint_region(
        &mut self,
        frame: &Frame,
        corner: [u32; 2],
        size: [u32; 2],
    ) -> Result<&wgpu::Texture, RenderError> {
        self.prepare_panels(frame)?;
        let [left, top] = corner.map(f64::from);
        let device = self.device.clone();
        checked(&device, || {
            let drawing = self.compose(frame, Affine::translate((-left, -top)));
            let texture = self.picture_of(size);
            let target = texture.create_view(&wgpu::TextureViewDescriptor::default());
            let params = RenderParams {
                base_color: base_color(frame),
                width: size[0],
                height: size[1],
                antialiasing_method: AaConfig::Area,
            };
            self.renderer
                .render_to_texture(&self.device, &self.queue, &drawing, &target, &params)
                .map_err(refused)?;
            if let Some(shown) = self.shown.as_ref().filter(|_| !frame.overlay.is_empty()) {
                let view = frame.view.panned((-left, -top).into());
                let lines = LineView::new(view, size.map(signed), self.holes(corner));
                let mut encoder = self.encoder();
                self.overlay.record(
                    &self.queue,
                    &mut encoder,
                    &target,
                    &shown.buffers,
                    &lines,
                    frame.overlay,
                );
                self.queue.submit([encoder.finish()]);
            }
            Ok(())
        })?;
        Ok(self.picture.as_ref().expect("it was just drawn"))
    }

    /// The last picture that was drawn.
    pub(crate) fn picture(&self) -> Option<&wgpu::Texture> {
        self.picture.as_ref()
    }

    pub(crate) fn device(&self) -> &wgpu::Device {
        &self.device
    }

    pub(crate) fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// The size of the scene in scene units.
    pub(crate) fn scene_size(&self) -> Option<Size> {
        self.shown.as_ref().map(|shown| shown.size)
    }

    /// Everything but the overlay, back to front. `region` maps the picture to its part.
    fn compose(&mut self, frame: &Frame, region: Affine) -> vello::Scene {
        let mut scene = vello::Scene::new();
        let whole = Rect::new(0.0, 0.0, f64::from(frame.size[0]), f64::from(frame.size[1]));
        let document = self.shown.as_ref().map(|shown| {
            (frame.view.device_from_scene().transform_rect_bbox(shown.size.to_rect()), &shown.drawing)
        });
        let ground = match (frame.surround, &document) {
            (None, _) => Some(whole),
            (Some(_), Some((rect, _))) => Some(*rect),
            (Some(_), None) => None,
        };
        // Without any image, Vello 0.11 lets go of the texture that its cache of images refers to, and images that
        // come back in a later picture are black. So there always is one, be it beyond the picture.
        let rect = ground.unwrap_or(Rect::new(-2.0, -2.0, -1.0, -1.0));
        let place = Affine::translate(rect.origin().to_vec2().round());
        let brush = &ground_brush(&mut self.ground, frame).brush;
        scene.fill(Fill::NonZero, region, brush, Some(place), &rect);
        if let Some((_, drawing)) = document {
            scene.append(drawing, Some(region * frame.view.device_from_scene()));
        }
        for (panel, drawing) in self.panels.iter().flat_map(|panels| &panels.panels) {
            let place = Affine::translate((f64::from(panel.left), f64::from(panel.top)));
            scene.append(drawing, Some(region * place));
        }
        scene
    }

    fn prepare_panels(&mut self, frame: &Frame) -> Result<(), RenderError> {
        let legend = (frame.legend && self.shown.is_some()).then_some(frame.overlay);
        let key = (legend, frame.message.clone(), frame.size, frame.scale_factor.to_bits());
        if self.panels.as_ref().is_some_and(|panels| panels.key == key) {
            return Ok(());
        }
        let panels = Panel::all(legend, frame.message.as_ref(), frame.size, frame.scale_factor)?;
        let draw = |panel: Panel| {
            let drawing = panel.scene.encoding.clone().into();
            (panel, drawing)
        };
        self.panels = Some(Panels { key, panels: panels.into_iter().map(draw).collect() });
        Ok(())
    }

    /// Where the overlay leaves room for panels, in a part of the picture.
    fn holes(&self, corner: [u32; 2]) -> Holes {
        let panels = self.panels.iter().flat_map(|panels| &panels.panels);
        Panel::holes(panels.map(|(panel, _)| panel), corner.map(signed))
    }

    fn picture_of(&mut self, [width, height]: [u32; 2]) -> wgpu::Texture {
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let picture = self.picture.take().filter(|picture| picture.size() == size).unwrap_or_else(|| {
            self.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("boxwood.picture"),
                size,
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: PICTURE_FORMAT,
                usage: wgpu::TextureUsages::STORAGE_BINDING
                    | wgpu::TextureUsages::RENDER_ATTACHMENT
                    | wgpu::TextureUsages::COPY_SRC
                    | wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            })
        });
        self.picture.insert(picture).clone()
    }

    fn encoder(&self) -> wgpu::CommandEncoder {
        self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("boxwood.painter") })
    }
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

#[expect(clippy::needless_pass_by_value, reason = "the argument of map_err")]
fn refused(error: vello::Error) -> RenderError {
    RenderError::Gpu(error.to_string())
}

fn ground_brush<'a>(ground: &'a mut Option<Ground>, frame: &Frame) -> &'a Ground {
    let (background, scale_factor) = (frame.background, frame.scale_factor);
    let kept =
        ground.take().filter(|kept| kept.background == background && kept.scale_factor == scale_factor);
    ground.insert(kept.unwrap_or_else(|| {
        let tile = background.tile(scale_factor);
        let (width, height) = tile.dimensions();
        let image = ImageData {
            data: Blob::new(Arc::new(tile.into_raw())),
            format: ImageFormat::Rgba8,
            alpha_type: ImageAlphaType::Alpha,
            width,
            height,
        };
        let brush = ImageBrush::new(image).with_extend(Extend::Repeat).with_quality(ImageQuality::Low);
        Ground { background, scale_factor, brush }
    }))
}

fn base_color(frame: &Frame) -> peniko::Color {
    frame
        .surround
        .map_or(peniko::Color::TRANSPARENT, |[red, green, blue]| peniko::Color::from_rgb8(red, green, blue))
}

/// A number of pixels, which no device has more of than `i32` counts.
pub(crate) fn signed(pixels: u32) -> i32 {
    i32::try_from(pixels).unwrap_or(i32::MAX)
}
