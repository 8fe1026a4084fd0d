//! The last picture with the lines of its overlay.

use std::sync::Arc;

use egui::{ColorImage, Context, Painter};
use kurbo::TranslateScale;

use super::CanvasView;
use super::picture::Picture;
use crate::panels::style::color;
use crate::state::{Readability, SURROUND};

/// The last picture with the lines of its overlay.
pub(crate) struct LinedPicture {
    /// The lines over the drawing.
    whole: Picture,
    /// The drawing and the lines as separate pictures, if there are lines.
    apart: Option<Apart>,
}

/// The drawing and the lines as pictures of their own. They are uploaded only if their opacities
/// differ: on an adapter in software, a second layer takes milliseconds in each pass.
struct Apart {
    images: [Arc<ColorImage>; 2],
    pictures: Option<[Picture; 2]>,
}

impl LinedPicture {
    /// Uploads a picture of a view. `lines` has opaque pixels, and transparent ones between them.
    pub(crate) fn new(
        ctx: &Context,
        drawing: ColorImage,
        lines: Option<ColorImage>,
        device_from_scene: TranslateScale,
    ) -> Self {
        let Some(lines) = lines else {
            return Self { whole: Picture::new(ctx, drawing, device_from_scene), apart: None };
        };
        let whole = Picture::new(ctx, over(&drawing, &lines), device_from_scene);
        Self { whole, apart: Some(Apart { images: [drawing, lines].map(Arc::new), pictures: None }) }
    }

    /// Whether the picture covers the picture area.
    pub(super) fn covers(&self, place: CanvasView) -> bool {
        self.whole.covers(place)
    }

    /// Paints the drawing and the lines, each with its opacity. Lines are left out if no kind of
    /// box is shown.
    pub(super) fn paint(
        &mut self,
        painter: &Painter,
        place: CanvasView,
        readability: &Readability,
        has_lines: bool,
    ) {
        let opacity = readability.drawing_opacity();
        let line_opacity = if has_lines { readability.line_opacity } else { 0.0 };
        if opacity < 1.0 && !self.covers(place) {
            // Nothing below a dimmed drawing may show through.
            painter.rect_filled(self.whole.rect(place), 0.0, color(SURROUND));
        }
        match &mut self.apart {
            Some(apart) if opacity < 1.0 || line_opacity < 1.0 => {
                let [drawing, lines] = apart.pictures(painter.ctx(), &self.whole);
                drawing.paint_with(painter, place, opacity);
                if line_opacity > 0.0 {
                    lines.paint_with(painter, place, line_opacity);
                }
            }
            _ => self.whole.paint_with(painter, place, opacity),
        }
    }
}

impl Apart {
    /// The pictures, uploaded if they are not.
    fn pictures(&mut self, ctx: &Context, whole: &Picture) -> &[Picture; 2] {
        let Self { images, pictures } = self;
        pictures
            .get_or_insert_with(|| images.each_ref().map(|image| whole.with_pixels(ctx, Arc::clone(image))))
    }
}

/// A drawing with lines over it.
fn over(drawing: &ColorImage, lines: &ColorImage) -> ColorImage {
    let mut whole = drawing.clone();
    for (pixel, line) in whole.pixels.iter_mut().zip(&lines.pixels) {
        if line.a() != 0 {
            *pixel = *line;
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use egui::Color32;

    use super::*;

    #[test]
    fn lines_replace_the_pixels_of_the_drawing() {
        let image = |colors: [Color32; 2]| ColorImage::new([2, 1], colors.to_vec());
        let drawing = image([Color32::WHITE, Color32::GRAY]);
        let lines = image([Color32::TRANSPARENT, Color32::RED]);
        assert_eq!(over(&drawing, &lines), image([Color32::WHITE, Color32::RED]));
    }
}
