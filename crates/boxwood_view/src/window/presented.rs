//! The output of the pass that is on the screen.

use egui::FullOutput;
use egui::epaint::ClippedShape;

/// The output of the pass that was presented last.
///
/// After an event, egui runs two more passes, because a panel may depend on what another one has
/// done. Most of these look the same. On an adapter in software, a frame takes about 10 ms, and the
/// next event would wait for it.
#[derive(Default)]
pub(super) struct Presented {
    shapes: Option<Vec<ClippedShape>>,
    pixels_per_point: f32,
}

impl Presented {
    /// Remembers the shapes of a pass that is presented.
    pub(super) fn set(&mut self, shapes: &[ClippedShape], pixels_per_point: f32) {
        self.shapes = Some(shapes.to_vec());
        self.pixels_per_point = pixels_per_point;
    }

    /// The pixels on the screen are no longer known.
    pub(super) fn clear(&mut self) {
        self.shapes = None;
    }

    /// Whether the output of another pass looks the same.
    pub(super) fn looks_like(&self, output: &FullOutput) -> bool {
        let textures = &output.textures_delta;
        textures.set.is_empty()
            && textures.free.is_empty()
            && self.pixels_per_point == output.pixels_per_point
            && self.shapes.as_ref() == Some(&output.shapes)
    }
}

#[cfg(test)]
mod tests {
    use egui::{Color32, ColorImage, Context, RawInput, TextureOptions};

    use super::*;

    #[test]
    fn a_pass_that_looks_the_same_is_recognised() {
        let context = Context::default();
        let mut texture = None;
        let mut pass = |text: &str, color: Option<Color32>| {
            context.run_ui(RawInput::default(), |ui| {
                ui.label(text);
                if let Some(color) = color {
                    let image = ColorImage::filled([2, 2], color);
                    texture = Some(context.load_texture("picture", image, TextureOptions::LINEAR));
                }
            })
        };
        let mut presented = Presented::default();
        let mut looks_new = |mut output: FullOutput| {
            let looks_new = !presented.looks_like(&output);
            presented.set(&output.shapes, output.pixels_per_point);
            output.textures_delta.clear();
            looks_new
        };
        // Fonts are there in the second pass.
        assert!(looks_new(pass("a", None)));
        looks_new(pass("a", None));
        assert!(!looks_new(pass("a", None)));
        assert!(looks_new(pass("b", None)), "another text");
        looks_new(pass("b", None));
        assert!(looks_new(pass("b", Some(Color32::RED))), "the pixels of a texture");
        assert!(!looks_new(pass("b", None)));
        let zoomed = FullOutput { pixels_per_point: 2.0, ..pass("b", None) };
        assert!(looks_new(zoomed), "another scale");
        presented.clear();
        assert!(!presented.looks_like(&pass("b", None)), "the pixels are not known");
    }
}
