//! Pictures for files, drawn on the CPU. They need no adapter.

use boxwood_cpu::{Aabb, ElementKind};
use boxwood_svg::{Deadline, Drawing};
use image::{Rgba, RgbaImage};
use kurbo::Affine;
use resvg::tiny_skia::{ColorU8, IntSize, Pixmap};

use crate::error::RenderError;
use crate::legend::{self, hole, with_legend_below};
use crate::overlay::{OverlayKinds, OverlaySource, OverlayView, outline};
use crate::picture::{Background, Frame, Legend, RenderOptions};

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

/// A picture of the background alone, with premultiplied alpha.
pub(crate) fn backdrop(background: Background, scale_factor: f64, size: [u32; 2]) -> RgbaImage {
    backdrop_at(background, scale_factor, size, [0, 0])
}

/// The same, with a corner of the repeated tile at this pixel, which may be outside the picture.
pub fn backdrop_at(
    background: Background,
    scale_factor: f64,
    [width, height]: [u32; 2],
    corner: [i64; 2],
) -> RgbaImage {
    let tile = background.tile(scale_factor);
    // Both are smaller than a tile.
    let shift = |corner: i64, side: u32| u32::try_from((-corner).rem_euclid(side.into())).unwrap_or_default();
    let [left, top] = [shift(corner[0], tile.width()), shift(corner[1], tile.height())];
    RgbaImage::from_fn(width, height, |x, y| {
        premultiplied(*tile.get_pixel((x + left) % tile.width(), (y + top) % tile.height()))
    })
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

fn premultiplied(Rgba([red, green, blue, alpha]): Rgba<u8>) -> Rgba<u8> {
    let color = ColorU8::from_rgba(red, green, blue, alpha).premultiply();
    Rgba([color.red(), color.green(), color.blue(), color.alpha()])
}
