//! Drawings as commands of anyrender.

use anyrender::recording::{FillCommand, RenderCommand};
use anyrender::{Paint, Scene};
use boxwood_svg::{Deadline, Drawing, Error};
use kurbo::{Affine, Rect};
use peniko::{Compose, ImageBrush};

use crate::loaded::Loaded;

fn commands(drawing: &Drawing) -> Result<Vec<RenderCommand>, Error> {
    let mut scene = Scene::new();
    let region = Rect::new(0.0, 0.0, 300.0, 300.0);
    drawing.draw_into(&mut scene, Affine::IDENTITY, region, &Deadline::default())?;
    Ok(scene.commands)
}

/// The premultiplied pixel of an image at a place in the space of a fill.
fn pixel(fill: &FillCommand, image: &ImageBrush, at: (f64, f64)) -> [u8; 4] {
    let image_from_scene = (fill.transform * fill.brush_transform.unwrap_or_default()).inverse();
    let at = image_from_scene * kurbo::Point::from(at);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the place is in the image")]
    let [x, y] = [at.x, at.y].map(|at| at as usize);
    let start = 4 * (y * image.image.width as usize + x);
    image.image.data.data()[start..start + 4].try_into().expect("a pixel has four bytes")
}

#[test]
fn shapes_are_fills_and_strokes_in_the_clip_of_the_viewport() {
    let d = Loaded::of(r#"<rect width="9" height="9"/><path d="M0 0L9 9" stroke="red"/>"#);
    let found = commands(&d.drawing).expect("it is complete");
    assert!(matches!(
        &found[..],
        [
            RenderCommand::PushClipLayer(_),
            RenderCommand::Fill(_),
            RenderCommand::Stroke(_),
            RenderCommand::PopLayer
        ]
    ));
}

#[test]
fn luminance_masks_are_images() {
    // The left half of the mask is black, and the right half white.
    let d = Loaded::of(
        r##"<mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="200" height="100">
            <rect width="200" height="100"/><rect x="100" width="100" height="100" fill="#fff"/></mask>
        <rect width="200" height="100" fill="red" mask="url(#m)"/>"##,
    );
    let found = commands(&d.drawing).expect("it is complete");
    let is_mask = |command: &&RenderCommand| matches!(command, RenderCommand::PushLayer(layer) if layer.blend.compose == Compose::DestIn);
    assert_eq!(found.iter().filter(is_mask).count(), 1);
    let images: Vec<_> = found
        .iter()
        .filter_map(|command| match command {
            RenderCommand::Fill(fill) => match &fill.brush {
                Paint::Image(image) => Some((fill, image)),
                _ => None,
            },
            _ => None,
        })
        .collect();
    let [(fill, image)] = images[..] else { panic!("{} images instead of one", images.len()) };
    assert_eq!(pixel(fill, image, (50.5, 50.5)), [0, 0, 0, 0], "black hides");
    assert_eq!(pixel(fill, image, (150.5, 50.5)), [0, 0, 0, 255], "white shows");
}

#[test]
fn an_encoding_that_is_not_complete_is_refused() {
    let mut d = Loaded::of(r#"<rect width="9" height="9"/>"#);
    d.drawing.encoding.path_data.clear();
    assert!(matches!(commands(&d.drawing), Err(Error::NotEncoded(_))));
}
