//! Pictures of what has changed in a drawing.

use boxwood_cpu::Aabb;
use boxwood_svg::{Deadline, Drawing};
use image::{Rgba, RgbaImage};
use kurbo::{Point, Rect, Size, TranslateScale};

use crate::error::RenderError;
use crate::legend::with_legend_below;
use crate::overlay::{CHANGE_STYLES, Hole, OverlayView, outline};
use crate::picture::{Frame, Legend, RenderOptions, backdrop};
use crate::software::{MAX_SIDE, straight};

/// The part of white in the pixels that have not changed.
const DIMMING: f32 = 0.6;

/// The part or box that an outline in a picture of changes surrounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeMark {
    /// A part of the picture in which pixels may have changed.
    Damage,
    /// The box of an element in the old drawing.
    Old,
    /// The box of an element in the new drawing.
    New,
    /// The box of an element in both drawings.
    Same,
}

/// Draws a picture of a drawing on the CPU with resvg. Pixels outside of the damage are dimmed. The
/// boxes of changes are drawn over it with the lines of [`CHANGE_STYLES`]. The image has straight
/// alpha.
///
/// `canvas` is the size of the larger drawing in each direction, in scene units. The picture shows
/// all of it. The options for parts and overlays have no effect. A legend is below the picture or
/// not there.
///
/// # Errors
///
/// [`RenderError`] if the size of the picture is not within the limits, or resvg refuses or fails
/// to draw the drawing.
pub fn render_changes(
    drawing: &Drawing,
    canvas: Size,
    marks: &[(ChangeMark, Aabb)],
    options: &RenderOptions,
) -> Result<RgbaImage, RenderError> {
    let options = RenderOptions { crop: None, ..*options };
    let Frame { size, view, scale_factor, .. } = options.frame(canvas, MAX_SIDE)?;
    let around = backdrop(options.background, scale_factor, size);
    let mut image = around.clone();
    drawing.draw_tree(&mut image, size, view.into(), &Deadline::default())?;
    let viewport = pixels(view, drawing.size.to_rect());
    let damage = marks.iter().filter(|(mark, _)| *mark == ChangeMark::Damage);
    let damage: Vec<_> = damage
        .map(|(_, Aabb { x0, y0, x1, y1 })| {
            pixels(view, Rect::new((*x0).into(), (*y0).into(), (*x1).into(), (*y1).into()))
        })
        .collect();
    for (x, y, pixel) in image.enumerate_pixels_mut() {
        let middle = Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
        // resvg draws beyond the viewport too, if the old drawing is larger.
        if !viewport.contains(middle) {
            *pixel = *around.get_pixel(x, y);
        }
        if !damage.iter().any(|rect| rect.contains(middle)) {
            *pixel = dimmed(*pixel);
        }
    }
    let view = OverlayView::new(view, size, Hole::default());
    for (index, style) in CHANGE_STYLES.iter().enumerate() {
        for (_, bounds) in marks.iter().filter(|(mark, _)| *mark as usize == index) {
            outline::draw(&mut image, *bounds, &view, style);
        }
    }
    let picture = straight(image);
    if options.legend == Legend::None {
        Ok(picture)
    } else {
        with_legend_below(picture, CHANGE_STYLES.iter())
    }
}

/// The pixels that a rectangle of the scene touches.
fn pixels(view: TranslateScale, rect: Rect) -> Rect {
    (view * rect).expand()
}

/// A premultiplied pixel with a part of white.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two bytes")]
fn dimmed(Rgba([red, green, blue, alpha]): Rgba<u8>) -> Rgba<u8> {
    // White has the opacity of the pixel.
    let mix =
        |channel: u8| (f32::from(channel) + DIMMING * (f32::from(alpha) - f32::from(channel))).round() as u8;
    Rgba([mix(red), mix(green), mix(blue), alpha])
}

#[cfg(test)]
mod tests {
    use boxwood_svg::{Options, load};

    use super::*;
    use crate::picture::Background;

    fn aabb(x0: f64, y0: f64, x1: f64, y1: f64) -> Aabb {
        Aabb::new(x0, y0, x1, y1).expect("no NaN")
    }

    #[test]
    fn everything_outside_of_the_damage_is_dimmed_and_marks_have_their_colours() {
        let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="90" height="10" fill="#200"/></svg>"##;
        let drawing = load(svg.as_bytes(), &Options::default()).expect("it is correct");
        let marks =
            [(ChangeMark::Same, aabb(2.0, 2.0, 5.0, 5.0)), (ChangeMark::Damage, aabb(0.0, 0.0, 8.0, 8.0))];
        let options = RenderOptions { background: Background::WHITE, ..RenderOptions::default() };
        let picture = render_changes(&drawing, Size::new(30.0, 12.0), &marks, &options).expect("it is small");
        assert_eq!(picture.dimensions(), (30, 12));
        let color = |x, y| picture.get_pixel(x, y).0;
        assert_eq!(color(6, 6), [0x22, 0, 0, 255], "in the damage");
        assert_eq!(color(12, 6), [167, 153, 153, 255], "outside of it");
        assert_eq!(color(25, 6), [255; 4], "beyond the drawing");
        assert_eq!(color(7, 7), [0, 0x72, 0xb2, 255], "the outline of the damage");
        assert_eq!(color(2, 2), [0xcc, 0x79, 0xa7, 255], "the outline of the box");
    }

    #[test]
    fn each_mark_has_its_style() {
        let marks = [ChangeMark::Damage, ChangeMark::Old, ChangeMark::New, ChangeMark::Same];
        let names = marks.map(|mark| CHANGE_STYLES[mark as usize].name);
        assert_eq!(names, ["damage", "old", "new", "same"]);
    }
}
