//! Pictures for files, drawn on the CPU. They need no adapter.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use anyrender::PaintScene as _;
use anyrender_vello_cpu::VelloCpuScenePainter;
use boxwood_cpu::{Aabb, ElementKind};
use boxwood_svg::{Deadline, Drawing};
use image::RgbaImage;
use kurbo::{Affine, Rect};
use peniko::{Blob, ImageAlphaType, ImageBrush, ImageData, ImageFormat};
use resvg::tiny_skia::{IntSize, Pixmap};

use crate::error::RenderError;
use crate::legend::{self, hole, with_legend_below};
use crate::overlay::{OverlayKinds, OverlaySource, OverlayView, outline};
use crate::picture::{Frame, Legend, RenderOptions, backdrop};

/// The maximum number of pixels per side: WebGPU's default limit, so that every GPU can draw a
/// picture of the same size.
pub(crate) const MAX_SIDE: u32 = 8192;

/// A renderer on the CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CpuRenderer {
    /// resvg, from the tree of usvg.
    #[default]
    Resvg,
    /// `vello_cpu`, from the encoding. resvg draws the same parts as on a GPU, and luminance masks.
    VelloCpu,
}

/// Draws a picture of a whole drawing on the CPU, and the boxes of its scene over it. The image has
/// straight alpha.
///
/// The overlay has the same pixels as with [`render`](crate::render). The drawing may differ in
/// anti-aliasing.
///
/// # Errors
///
/// [`RenderError`] if the size of the picture is not within the limits, the renderer refuses or
/// fails to draw the drawing, or the options ask for the boxes of a frame.
pub fn render_on_cpu(
    drawing: &Drawing,
    renderer: CpuRenderer,
    options: &RenderOptions,
) -> Result<RgbaImage, RenderError> {
    if options.boxes == OverlaySource::Frame && !options.overlay.is_empty() {
        return Err(RenderError::NoFrameBoxes);
    }
    let Frame { size, view, scale_factor, legend: has_legend, .. } = options.frame(drawing.size, MAX_SIDE)?;
    let deadline = Deadline::default();
    let mut image = backdrop(options.background, scale_factor, size);
    match renderer {
        CpuRenderer::Resvg => drawing.draw_tree(&mut image, size, view.into(), &deadline)?,
        CpuRenderer::VelloCpu => {
            image = by_vello_cpu(drawing, image, view.into(), &deadline)?;
        }
    }
    let kinds = if has_legend { options.overlay } else { OverlayKinds::NONE };
    let legend = legend::legend(kinds, size, scale_factor)?;
    let view = OverlayView::new(view, size, hole(legend.as_ref(), [0, 0]));
    draw_overlay(&mut image, drawing, &view, options.overlay);
    if let Some(legend) = &legend {
        legend.drawing.draw_tree(&mut image, size, Affine::translate(legend.position), &deadline)?;
    }
    let picture = straight(image);
    if options.legend == Legend::Below {
        with_legend_below(picture, options.overlay.styles())
    } else {
        Ok(picture)
    }
}

/// Draws a drawing over an image with `vello_cpu`. Both have premultiplied alpha. The deadline
/// counts for the parts that resvg draws.
fn by_vello_cpu(
    drawing: &Drawing,
    image: RgbaImage,
    device_from_scene: Affine,
    deadline: &Deadline,
) -> Result<RgbaImage, RenderError> {
    let (width, height) = image.dimensions();
    let region = Rect::new(0.0, 0.0, width.into(), height.into());
    let side = |side| u16::try_from(side).expect("a side is at most 8192");
    let backdrop = ImageBrush::new(ImageData {
        data: Blob::new(Arc::new(image.into_raw())),
        format: ImageFormat::Rgba8,
        alpha_type: ImageAlphaType::AlphaPremultiplied,
        width,
        height,
    });
    let draw = || {
        let mut painter = VelloCpuScenePainter::new(side(width), side(height));
        // The drawing may blend with it.
        painter.draw_image(backdrop.as_ref(), Affine::IDENTITY);
        drawing.draw_into(&mut painter, device_from_scene, region, deadline)?;
        Ok(painter.finish().data_as_u8_slice().to_vec())
    };
    let pixels = catch_unwind(AssertUnwindSafe(draw)).unwrap_or_else(|payload| {
        let message = payload.downcast_ref::<&str>().copied().map(str::to_owned);
        let message = message
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "no reason given".to_owned());
        Err(boxwood_svg::Error::Panicked { program: "vello_cpu", part: "the drawing", message })
    })?;
    Ok(RgbaImage::from_raw(width, height, pixels).expect("each pixel has four bytes"))
}

/// The picture with straight alpha, of one with premultiplied alpha.
pub(crate) fn straight(image: RgbaImage) -> RgbaImage {
    let (width, height) = image.dimensions();
    let size = IntSize::from_wh(width, height).expect("a picture has pixels");
    let premultiplied = Pixmap::from_vec(image.into_raw(), size).expect("each pixel has four bytes");
    let straight = RgbaImage::from_raw(width, height, premultiplied.take_demultiplied());
    straight.expect("each pixel has four bytes")
}

/// Draws the outlines of the kinds in `shown`.
pub(crate) fn draw_overlay(
    image: &mut RgbaImage,
    drawing: &Drawing,
    view: &OverlayView,
    shown: OverlayKinds,
) {
    let scene = &drawing.elements;
    let is_leaf = |index: usize| scene.kind(index) == ElementKind::Leaf;
    let is_begin = |index: usize| drawing.boxes().entries[index].is_begin();
    for style in shown.styles_in_paint_order() {
        let (boxes, is_shown): (&[Aabb], &dyn Fn(usize) -> bool) = match style.kind {
            OverlayKinds::LEAF => (scene.boxes(), &is_leaf),
            OverlayKinds::CLIPPED => (&drawing.boxes().clipped_boxes, &is_leaf),
            OverlayKinds::CLIP => (&drawing.boxes().clip_boxes, &is_begin),
            _ => (&drawing.boxes().group_boxes, &is_begin),
        };
        for (_, scene_box) in boxes.iter().enumerate().filter(|(index, _)| is_shown(*index)) {
            outline::draw(image, *scene_box, view, style);
        }
    }
}
