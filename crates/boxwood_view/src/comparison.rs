//! Two drawings in the same view, pixel by pixel.

use boxwood_svg::{Deadline, Drawing};
use image::{Rgba, RgbaImage};
use kurbo::TranslateScale;

use crate::error::RenderError;
use crate::picture::Background;
use crate::software::backdrop;

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
    /// Draws two drawings in a view of this size.
    ///
    /// # Errors
    ///
    /// [`RenderError::Drawing`] if resvg refuses or fails to draw one of them.
    pub(crate) fn draw(
        [before, after]: [&Drawing; 2],
        view: TranslateScale,
        size: [u32; 2],
        background: Background,
    ) -> Result<Self, RenderError> {
        let draw = |drawing: &Drawing| -> Result<RgbaImage, RenderError> {
            let mut image = backdrop(background, 1.0, size);
            drawing.draw_tree(&mut image, size, view.into(), &Deadline::default())?;
            Ok(image)
        };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::model;

    #[test]
    fn the_pixels_that_differ_are_counted_and_coloured() {
        let models =
            [20, 50].map(|width| model(&format!(r##"<rect width="{width}" height="10" fill="#00f"/>"##)));
        let drawings = [&models[0].drawing, &models[1].drawing];
        let draw = |drawings| {
            Comparison::draw(drawings, TranslateScale::scale(2.0), [200, 200], Background::WHITE)
                .expect("they are small")
        };
        let comparison = draw(drawings);
        assert_eq!(comparison.n_different, 60 * 20);
        assert_eq!(comparison.difference.get_pixel(40, 0).0, [0xd5, 0x5e, 0x00, 255]);
        assert_eq!(comparison.difference.get_pixel(39, 0).0, [42, 42, 42, 255]);
        assert_eq!(comparison.before.get_pixel(40, 0).0, [255; 4]);
        assert_eq!(comparison.after.get_pixel(40, 0).0, [0, 0, 255, 255]);
        assert_eq!(draw([drawings[0]; 2]).n_different, 0);
    }
}
