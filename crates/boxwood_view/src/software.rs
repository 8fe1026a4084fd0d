//! Pictures for files, drawn on the CPU where there is no adapter.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use boxwood_layout::{Boxes, ElementKind};
use boxwood_svg::Scene;
use image::{Rgba, RgbaImage};
use resvg::tiny_skia::{PixmapMut, Transform};

use crate::error::RenderError;
use crate::frame::signed;
use crate::kinds::OverlayKinds;
use crate::lines::{self, LineView};
use crate::options::RenderOptions;
use crate::panel::Panel;
use crate::view_transform::ViewTransform;

/// The most pixels a side: what a GPU is sure to draw as well.
const MAX_SIDE: u32 = 8192;

/// The stack of the thread that draws, in bytes: drawing recurses with the nesting of the drawing. This is address space; only what
/// is used is memory.
const STACK_SIZE: usize = 64 << 20;

/// Draws a picture of a scene on the CPU, with resvg and tiny-skia, and the scene's boxes over it. The alpha of the
/// picture is straight, as PNG has it.
///
/// The pixels of the overlay are those of [`render`](crate::render); the drawing may differ by a little antialiasing.
///
/// The drawing itself is drawn in a thread of its own. When its time limit is reached, this returns at once, but that thread may go on
/// for as long as the drawing takes.
///
/// # Errors
///
/// A picture beyond a limit, be it of size or of time.
pub fn render_software(
    scene: &Scene,
    boxes: &Boxes,
    options: &RenderOptions,
) -> Result<RgbaImage, RenderError> {
    let extent = options.size.of(scene.size, MAX_SIDE)?;
    let [width, height] = extent.size;
    let tile = options.background.tile(1.0);
    let image = RgbaImage::from_fn(width, height, |x, y| {
        premultiplied(*tile.get_pixel(x % tile.width(), y % tile.height()))
    });
    let mut image = draw_in_time(image, &scene.tree, extent.zoom, options.time_limit)?;
    let panels = Panel::all(options.legend.then_some(options.overlay), None, extent.size, 1.0)?;
    let holes = Panel::holes(panels.iter(), [0, 0]);
    let view = LineView::new(ViewTransform::scaled(extent.zoom), extent.size.map(signed), holes);
    draw_overlay(&mut image, scene, boxes, &view, options.overlay);
    for panel in &panels {
        draw(&mut image, &panel.scene.tree, [panel.left, panel.top], 1.0);
    }
    for pixel in image.pixels_mut() {
        *pixel = straight(*pixel);
    }
    Ok(image)
}

/// Draws a document over an image with premultiplied alpha, unless that takes longer than the limit: resvg cannot be stopped.
fn draw_in_time(
    image: RgbaImage,
    document: &Arc<usvg::Tree>,
    zoom: f64,
    time_limit: Option<Duration>,
) -> Result<RgbaImage, RenderError> {
    let (sender, receiver) = mpsc::channel();
    let document = Arc::clone(document);
    let work = move || {
        let mut image = image;
        draw(&mut image, &document, [0, 0], zoom);
        // Nobody listens any more when the time limit was reached.
        let _ = sender.send(image);
    };
    let thread = thread::Builder::new().name("boxwood_draw".to_owned()).stack_size(STACK_SIZE).spawn(work);
    let thread = thread.map_err(|source| RenderError::Thread { source })?;
    let received = match time_limit {
        Some(limit) => receiver.recv_timeout(limit),
        None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
    };
    received.map_err(|error| match error {
        RecvTimeoutError::Timeout => RenderError::TimeLimit { limit: time_limit.unwrap_or_default() },
        RecvTimeoutError::Disconnected => {
            let payload = thread.join().err();
            let text = payload.as_ref().and_then(|payload| {
                let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
                text.or_else(|| payload.downcast_ref::<String>().cloned())
            });
            RenderError::Panicked(text.unwrap_or_else(|| "no reason given".to_owned()))
        }
    })
}

/// Draws a document over an image with premultiplied alpha.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "places of pixels, and a zoom in f32"
)]
fn draw(image: &mut RgbaImage, document: &usvg::Tree, [left, top]: [i32; 2], zoom: f64) {
    let (width, height) = image.dimensions();
    let mut pixmap =
        PixmapMut::from_bytes(image, width, height).expect("an image has an area and four bytes a pixel");
    let zoom = zoom as f32;
    let transform = Transform::from_row(zoom, 0.0, 0.0, zoom, left as f32, top as f32);
    resvg::render(document, transform, &mut pixmap);
}

pub(crate) fn draw_overlay(
    image: &mut RgbaImage,
    scene: &Scene,
    boxes: &Boxes,
    view: &LineView,
    shown: OverlayKinds,
) {
    let elements = &scene.elements;
    let leaf_boxes = |of_elements: &[boxwood_layout::Aabb]| -> Vec<_> {
        let leaves = (0..elements.len()).filter(|&i| elements.kind(i) == ElementKind::Leaf);
        leaves.map(|i| of_elements[i]).collect()
    };
    let node_boxes = |of_nodes: &[boxwood_layout::Aabb]| -> Vec<_> {
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

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use boxwood_svg::{Fonts, Options};

    use super::*;

    #[test]
    fn a_drawing_that_takes_too_long_is_given_up_with_the_limit() {
        let noise = br#"<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="2000">
            <filter id="f"><feTurbulence baseFrequency="0.1" numOctaves="100"/></filter>
            <g filter="url(#f)"><rect width="2000" height="2000"/></g></svg>"#;
        let options = Options { fonts: Fonts::Bundled, ..Options::default() };
        let scene = boxwood_svg::load(noise, &options).expect("the drawing is correct");
        let boxes = boxwood_cpu::boxes(&scene.elements);
        let limit = Duration::from_millis(50);
        let start = Instant::now();
        let options = RenderOptions { time_limit: Some(limit), ..RenderOptions::default() };
        let error = render_software(&scene, &boxes, &options).expect_err("it takes seconds");
        assert!(matches!(error, RenderError::TimeLimit { limit: l } if l == limit), "{error}");
        assert!(error.to_string().contains("more than 0.05 s, the time limit"), "{error}");
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }
}
