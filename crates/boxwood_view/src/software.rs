//! Pictures for files, drawn on the CPU where there is no adapter.

use boxwood_cpu::{Boxes, ElementKind};
use boxwood_svg::{Deadline, Drawing};
use image::{Rgba, RgbaImage};
use kurbo::Affine;

use crate::error::RenderError;
use crate::frame::signed;
use crate::kinds::OverlayKinds;
use crate::lines::{self, LineView};
use crate::options::RenderOptions;
use crate::panel::Panel;
use crate::source::OverlaySource;
use crate::view_transform::ViewTransform;

/// The most pixels a side: what a GPU is sure to draw as well.
const MAX_SIDE: u32 = 8192;

/// Draws a picture of a scene on the CPU, with resvg and tiny-skia, and the scene's boxes over it. The alpha of the
/// picture is straight, as PNG has it.
///
/// The pixels of the overlay are those of [`render`](crate::render); the drawing may differ by a little antialiasing.
///
/// # Errors
///
/// A picture beyond a limit, a drawing beyond what resvg is asked to draw or can, and an overlay of the boxes of the frame.
pub fn render_software(
    drawing: &Drawing,
    boxes: &Boxes,
    options: &RenderOptions,
) -> Result<RgbaImage, RenderError> {
    if options.boxes == OverlaySource::Frame && !options.overlay.is_empty() {
        return Err(RenderError::NoFrameBoxes);
    }
    let extent = options.size.of(drawing.size, MAX_SIDE)?;
    let [width, height] = extent.size;
    let deadline = Deadline::default();
    let tile = options.background.tile(1.0);
    let mut image = RgbaImage::from_fn(width, height, |x, y| {
        premultiplied(*tile.get_pixel(x % tile.width(), y % tile.height()))
    });
    drawing.draw_tree(&mut image, extent.size, Affine::scale(extent.zoom), &deadline)?;
    let panels = Panel::all(options.legend.then_some(options.overlay), None, extent.size, 1.0)?;
    let holes = Panel::holes(panels.iter(), [0, 0]);
    let view = LineView::new(ViewTransform::scaled(extent.zoom), extent.size.map(signed), holes);
    draw_overlay(&mut image, drawing, boxes, &view, options.overlay);
    for panel in &panels {
        let place = Affine::translate((f64::from(panel.left), f64::from(panel.top)));
        panel.drawing.draw_tree(&mut image, extent.size, place, &deadline)?;
    }
    for pixel in image.pixels_mut() {
        *pixel = straight(*pixel);
    }
    Ok(image)
}

pub(crate) fn draw_overlay(
    image: &mut RgbaImage,
    drawing: &Drawing,
    boxes: &Boxes,
    view: &LineView,
    shown: OverlayKinds,
) {
    let elements = &drawing.elements;
    let leaf_boxes = |of_elements: &[boxwood_cpu::Aabb]| -> Vec<_> {
        let leaves = (0..elements.len()).filter(|&i| elements.kind(i) == ElementKind::Leaf);
        leaves.map(|i| of_elements[i]).collect()
    };
    let node_boxes = |of_nodes: &[boxwood_cpu::Aabb]| -> Vec<_> {
        boxes.nodes.iter().zip(of_nodes).filter(|(node, _)| node.is_begin()).map(|(_, &b)| b).collect()
    };
    for style in shown.styles_in_paint_order() {
        let drawn = match style.kind {
            OverlayKinds::LEAF => leaf_boxes(elements.boxes()),
            OverlayKinds::CLIPPED => leaf_boxes(&boxes.clipped_boxes),
            OverlayKinds::CLIP => node_boxes(&boxes.clip_boxes),
            _ => node_boxes(&boxes.group_boxes),
        };
        for scene_box in drawn {
            lines::draw(image, scene_box, view, style);
        }
    }
}

fn premultiplied(Rgba([red, green, blue, alpha]): Rgba<u8>) -> Rgba<u8> {
    let color = resvg::tiny_skia::ColorU8::from_rgba(red, green, blue, alpha).premultiply();
    Rgba([color.red(), color.green(), color.blue(), color.alpha()])
}

fn straight(Rgba([red, green, blue, alpha]): Rgba<u8>) -> Rgba<u8> {
    // Drawing leaves no colour above its alpha.
    let color = resvg::tiny_skia::PremultipliedColorU8::from_rgba(red, green, blue, alpha);
    color.map_or(Rgba([0; 4]), |color| {
        let color = color.demultiply();
        Rgba([color.red(), color.green(), color.blue(), color.alpha()])
    })
}
