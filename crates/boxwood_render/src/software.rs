//! Pictures for files, drawn on the CPU. They need no adapter.

use boxwood_cpu::{Aabb, ElementKind};
use boxwood_svg::{Deadline, Drawing};
use image::RgbaImage;
use kurbo::Affine;
use resvg::tiny_skia::{IntSize, Pixmap};

use crate::error::RenderError;
use crate::legend::{self, hole, with_legend_below};
use crate::overlay::{OverlayKinds, OverlaySource, OverlayView, outline};
use crate::picture::{Frame, Legend, RenderOptions, backdrop};

/// The maximum number of pixels per side: WebGPU's default limit, so that every GPU can draw a
/// picture of the same size.
pub(crate) const MAX_SIDE: u32 = 8192;

/// Draws a picture of a whole drawing on the CPU with resvg, and the boxes of its scene over it.
/// The image has straight alpha.
///
/// The overlay has the same pixels as with [`render`](crate::render). The drawing may differ in
/// anti-aliasing.
///
/// # Errors
///
/// [`RenderError`] if the size of the picture is not within the limits, resvg refuses or fails to
/// draw the drawing, or the options ask for the boxes of a frame.
pub fn render_software(drawing: &Drawing, options: &RenderOptions) -> Result<RgbaImage, RenderError> {
    if options.boxes == OverlaySource::Frame && !options.overlay.is_empty() {
        return Err(RenderError::NoFrameBoxes);
    }
    let Frame { size, view, scale_factor, legend: has_legend, .. } = options.frame(drawing.size, MAX_SIDE)?;
    let deadline = Deadline::default();
    let mut image = backdrop(options.background, scale_factor, size);
    drawing.draw_tree(&mut image, size, view.into(), &deadline)?;
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
