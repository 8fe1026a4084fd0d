//! Small pictures of whole drawings, drawn on the CPU.

use boxwood_svg::{Deadline, Drawing};
use image::RgbaImage;
use kurbo::{Affine, TranslateScale, Vec2};

use super::background::{Background, backdrop};
use crate::error::RenderError;

/// A picture of a whole drawing.
#[derive(Clone, Debug)]
pub struct Preview {
    /// The picture, with premultiplied alpha.
    pub image: RgbaImage,
    /// The map from scene space to the pixels of the picture.
    pub device_from_scene: TranslateScale,
}

impl Preview {
    /// Draws a picture of a drawing with resvg, at most `side` pixels wide and high, and at most at
    /// this scale.
    ///
    /// # Errors
    ///
    /// [`RenderError::Drawing`] if resvg refuses or fails to draw the drawing, or at the deadline.
    pub fn draw(
        drawing: &Drawing,
        background: Background,
        side: u32,
        max_scale: f64,
        deadline: &Deadline,
    ) -> Result<Self, RenderError> {
        let longest = drawing.size.width.max(drawing.size.height);
        let scale = (f64::from(side) / longest).min(max_scale);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 1 to side")]
        let pixels = |length: f64| (length * scale).ceil().clamp(1.0, side.into()) as u32;
        let size = [drawing.size.width, drawing.size.height].map(pixels);
        let mut image = backdrop(background, 1.0, size);
        drawing.draw_tree(&mut image, size, Affine::scale(scale), deadline)?;
        Ok(Self { image, device_from_scene: TranslateScale::new(Vec2::ZERO, scale) })
    }
}

#[cfg(test)]
mod tests {
    use boxwood_svg::{Options, load};

    use super::*;

    #[test]
    fn a_preview_has_the_whole_drawing_within_the_side_and_the_scale() {
        let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100"><rect width="200" height="100" fill="#0f0"/></svg>"##;
        let drawing = load(svg.as_bytes(), &Options::default()).expect("it is correct");
        let draw = |side, max_scale| {
            Preview::draw(&drawing, Background::BLACK, side, max_scale, &Deadline::default())
                .expect("it is small")
        };
        let small = draw(40, 9.0);
        assert_eq!((small.image.dimensions(), small.device_from_scene.scale), ((40, 10), 0.1));
        assert_eq!([19, 20].map(|x| small.image.get_pixel(x, 9).0), [[0, 255, 0, 255], [0, 0, 0, 255]]);
        assert_eq!(draw(4000, 0.5).image.dimensions(), (200, 50));
        assert_eq!(draw(2, 9.0).image.dimensions(), (2, 1));
    }
}
