//! Two drawings in the same view, pixel by pixel.

use boxwood_render::{Frame, RenderError, backdrop_at};
use boxwood_svg::{Deadline, Drawing};
use image::{Rgba, RgbaImage};
use kurbo::Point;

/// Channels that differ by at most this much are equal. It is the rounding of one blending.
const TOLERANCE: u8 = 1;

/// The colour of pixels that differ, which is that of the window's errors.
const DIFFERENT: [u8; 3] = [0xd5, 0x5e, 0x00];

/// The pictures of two drawings in the same view, drawn by resvg, and their difference. All are
/// opaque where the background is.
#[derive(Clone, Debug)]
pub(crate) struct Comparison {
    pub(crate) before: RgbaImage,
    pub(crate) after: RgbaImage,
    /// Pixels that differ are in one colour, and the others are dark and grey.
    pub(crate) difference: RgbaImage,
    /// The number of pixels that differ.
    pub(crate) n_different: usize,
}

impl Comparison {
    /// Draws two drawings as the window shows them in a frame, without its overlay.
    ///
    /// # Errors
    ///
    /// [`RenderError::Drawing`] if resvg refuses or fails to draw one of them.
    pub(crate) fn draw([before, after]: [&Drawing; 2], frame: &Frame) -> Result<Self, RenderError> {
        let size = frame.size;
        let draw = |drawing| draw(drawing, frame);
        let (before, after) = (draw(before)?, draw(after)?);
        let mut n_different = 0;
        let difference = RgbaImage::from_fn(size[0], size[1], |x, y| {
            let pixels = [before.get_pixel(x, y).0, after.get_pixel(x, y).0];
            let is_equal = (0..4).all(|channel| pixels[0][channel].abs_diff(pixels[1][channel]) <= TOLERANCE);
            if is_equal {
                let [red, green, blue, _] = pixels[1].map(u16::from);
                let grey = u8::try_from((red + green + blue) / 6).expect("half of the mean of bytes");
                Rgba([grey, grey, grey, 255])
            } else {
                n_different += 1;
                let [red, green, blue] = DIFFERENT;
                Rgba([red, green, blue, 255])
            }
        });
        Ok(Self { before, after, difference, n_different })
    }
}

/// Draws a drawing with its background, and with the colour around its page.
fn draw(drawing: &Drawing, frame: &Frame) -> Result<RgbaImage, RenderError> {
    let Frame { size, view, scale_factor, background, surround, .. } = *frame;
    let page = (view * drawing.size.to_rect()).round();
    #[expect(clippy::cast_possible_truncation, reason = "saturates")]
    let corner = [page.x0 as i64, page.y0 as i64];
    let mut image = backdrop_at(background, scale_factor, size, corner);
    drawing.draw_tree(&mut image, size, view.into(), &Deadline::default())?;
    // resvg also draws what is outside of the page.
    if let Some([red, green, blue]) = surround {
        for (x, y, pixel) in image.enumerate_pixels_mut() {
            if !page.contains(Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5)) {
                *pixel = Rgba([red, green, blue, 255]);
            }
        }
    }
    Ok(image)
}

#[cfg(test)]
mod tests {
    use kurbo::{TranslateScale, Vec2};

    use super::*;
    use crate::model::tests::model;
    use crate::state::tests::state;
    use boxwood_render::Background;

    #[test]
    fn the_pixels_that_differ_are_counted_and_coloured() {
        let models =
            [20, 50].map(|width| model(&format!(r##"<rect width="{width}" height="10" fill="#00f"/>"##)));
        let drawings = [&models[0].drawing, &models[1].drawing];
        let frame = Frame {
            size: [200, 200],
            view: TranslateScale::scale(2.0),
            background: Background::WHITE,
            ..state(1).frame()
        };
        let draw = |drawings| Comparison::draw(drawings, &frame).expect("they are small");
        let comparison = draw(drawings);
        assert_eq!(comparison.n_different, 60 * 20);
        assert_eq!(comparison.difference.get_pixel(40, 0).0, [0xd5, 0x5e, 0x00, 255]);
        assert_eq!(comparison.difference.get_pixel(39, 0).0, [42, 42, 42, 255]);
        assert_eq!(comparison.before.get_pixel(40, 0).0, [255; 4]);
        assert_eq!(comparison.after.get_pixel(40, 0).0, [0, 0, 255, 255]);
        assert_eq!(draw([drawings[0]; 2]).n_different, 0);
    }

    #[test]
    fn the_background_is_on_the_page_alone() {
        let model = model(r##"<rect x="-50" y="50" width="100" height="50" fill="#00f"/>"##);
        let view = TranslateScale::new(Vec2::new(20.0, 10.0), 1.0);
        let background = Background::Checker;
        let frame = Frame { size: [200, 150], view, scale_factor: 1.0, background, ..state(1).frame() };
        let drawn = Comparison::draw([&model.drawing; 2], &frame).expect("it is small");
        let around = state(1).frame().surround.expect("a window has one");
        let around = [around[0], around[1], around[2], 255];
        for (x, y, color) in [
            (19, 10, around),
            (20, 9, around),
            (20, 10, [255; 4]),
            (28, 10, [232, 232, 232, 255]),
            (119, 20, [232, 232, 232, 255]),
            (120, 10, around),
            (19, 70, around),
            (20, 70, [0, 0, 255, 255]),
        ] {
            assert_eq!(drawn.after.get_pixel(x, y).0, color, "{x}, {y}");
            assert_eq!(drawn.before.get_pixel(x, y).0, color, "{x}, {y}");
        }
    }
}
