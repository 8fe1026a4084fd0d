//! A frame like an earlier one allocates nothing.

#[path = "../../boxwood_cpu/tests/counting/mod.rs"]
mod counting;

use std::sync::Arc;

use anyrender::{Glyph, NullScenePainter, PaintScene};
use boxwood_anyrender::{Cull, Frame, Recorder};
use kurbo::{Affine, Rect, RoundedRect, Vec2};
use peniko::{Blob, Color, Fill, FontData};

use counting::n_allocations;

/// A list of 1,000 cards with text, of which one is selected.
fn paint(scene: &mut impl PaintScene, font: &FontData, selected: u32) {
    for row in 0..1_000 {
        let y = 40.0 * f64::from(row);
        let color = if row == selected { Color::BLACK } else { Color::WHITE };
        let clip = Rect::new(0.0, y, 300.0, y + 38.0);
        scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &clip);
        scene.fill(Fill::NonZero, Affine::IDENTITY, color, None, &clip);
        let icon = RoundedRect::new(4.0, y + 4.0, 34.0, y + 34.0, 6.0);
        scene.fill(Fill::NonZero, Affine::IDENTITY, Color::BLACK, None, &icon);
        let glyphs =
            (0..20_u8).map(|i| Glyph { id: 36 + u32::from(i), x: 40.0 + 9.0 * f32::from(i), y: 24.0 });
        let transform = Affine::translate((0.0, y));
        scene.draw_glyphs(
            font,
            14.0,
            true,
            &[],
            Vec2::ZERO,
            Fill::NonZero,
            Color::BLACK,
            1.0,
            transform,
            None,
            glyphs,
        );
        scene.pop_layer();
    }
}

#[test]
fn a_frame_like_an_earlier_one_allocates_nothing() {
    let font = FontData::new(Blob::new(Arc::new(boxwood_assets::NOTO_SANS)), 0);
    let mut recorder = Recorder::new([300, 500]);
    let mut previous: Option<Frame> = None;
    for number in 0..6 {
        let n_allocations = n_allocations(|| {
            paint(&mut recorder, &font, number);
            let mut frame = recorder.finish().expect("the layers are balanced");
            if let Some(previous) = previous.take() {
                assert_eq!(frame.damage_since(&previous, 16).len(), 1);
                recorder.recycle(previous);
            }
            frame.draw_into(&mut NullScenePainter::new(), Cull::ALL);
            assert_eq!(frame.report(Cull::ALL).n_omitted_commands, 3 * (1_000 - 13));
            frame.layers();
            previous = Some(frame);
        });
        // The first frames find the sizes of their memory, and each of two has its own.
        if number >= 4 {
            assert_eq!(n_allocations, 0, "frame {number}");
        }
    }
}
