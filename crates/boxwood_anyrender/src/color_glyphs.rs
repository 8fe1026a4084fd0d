//! The boxes of colour glyphs and of bitmaps in fonts.

use kurbo::{Affine, Rect};
use skrifa::bitmap::{BitmapGlyph, Origin};
use skrifa::color::{Brush, ColorPainter, CompositeMode, Transform};
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::BoundingBox;
use skrifa::{FontRef, GlyphId, MetadataProvider as _};

use crate::bounds::EmBox;
use crate::glyphs::{NOTHING, outline_box, union};

/// Renderers place the bitmaps of Apple Color Emoji this far down, in units of the font size,
/// instead of by their bearings.
const APPLE_SHIFT: f32 = 0.125;

/// Whether a font has glyphs that are not only outlines.
pub(crate) fn has_images(font: &FontRef<'_>) -> bool {
    font.table_data(skrifa::Tag::new(b"COLR")).is_some() || !font.bitmap_strikes().is_empty()
}

/// The box of the colour glyph and of all bitmaps of a glyph, [`NOTHING`] if it has none. `None` if
/// it is not known.
pub(crate) fn image_box(font: &FontRef<'_>, location: LocationRef<'_>, glyph: GlyphId) -> Option<EmBox> {
    let em = f32::from(font.metrics(Size::unscaled(), location).units_per_em);
    let mut own = NOTHING;
    // A renderer chooses the strike by the size of the text.
    for bitmap in font.bitmap_strikes().iter().filter_map(|strike| strike.get(glyph)) {
        own = union(own, bitmap_box(&bitmap, em));
    }
    if let Some(color_glyph) = font.color_glyphs().get(glyph) {
        let in_font_units = match color_glyph.bounding_box(location, Size::unscaled()) {
            Some(BoundingBox { x_min, y_min, x_max, y_max }) => [x_min, -y_max, x_max, -y_min],
            None => {
                let mut painter = BoundsPainter::new(font, location);
                color_glyph.paint(location, &mut painter).ok()?;
                painter.bounds()?
            }
        };
        own = union(own, in_font_units.map(|edge| edge / em));
    }
    Some(own)
}

/// The box of a bitmap.
fn bitmap_box(bitmap: &BitmapGlyph<'_>, em: f32) -> EmBox {
    #[expect(clippy::cast_precision_loss, reason = "the size of an image is small")]
    let [width, height] = [bitmap.width, bitmap.height].map(|side| side as f32);
    let top = match bitmap.placement_origin {
        Origin::TopLeft => 0.0,
        Origin::BottomLeft => -height,
    };
    let placed = |x: f32, y: f32| {
        let x0 = x + bitmap.inner_bearing_x / bitmap.ppem_x;
        let y0 = y + (top - bitmap.inner_bearing_y) / bitmap.ppem_y;
        [x0, y0, x0 + width / bitmap.ppem_x, y0 + height / bitmap.ppem_y]
    };
    union(placed(bitmap.bearing_x / em, -bitmap.bearing_y / em), placed(0.0, APPLE_SHIFT))
}

/// Finds the box of everything that a colour glyph clips to, which contains all that it paints.
struct BoundsPainter<'f> {
    font: &'f FontRef<'f>,
    location: LocationRef<'f>,
    transforms: Vec<Affine>,
    n_clips: usize,
    bounds: EmBox,
    /// Whether it paints without a clip.
    is_unbounded: bool,
}

impl<'f> BoundsPainter<'f> {
    fn new(font: &'f FontRef<'f>, location: LocationRef<'f>) -> Self {
        let transforms = vec![Affine::IDENTITY];
        Self { font, location, transforms, n_clips: 0, bounds: NOTHING, is_unbounded: false }
    }

    /// The box in font units, with y down.
    fn bounds(&self) -> Option<EmBox> {
        (!self.is_unbounded && !self.bounds.iter().any(|at| at.is_nan())).then_some(self.bounds)
    }

    fn transform(&self) -> Affine {
        self.transforms.last().copied().unwrap_or_default()
    }

    /// Adds the box of a clip in its own space, with y up.
    fn clip(&mut self, [x0, y0, x1, y1]: [f64; 4]) {
        self.n_clips += 1;
        let Rect { x0, y0, x1, y1 } = self.transform().transform_rect_bbox(Rect::new(x0, y0, x1, y1));
        #[expect(clippy::cast_possible_truncation, reason = "the box of a run has a margin for rounding")]
        let clip = [x0, -y1, x1, -y0].map(|edge| edge as f32);
        self.bounds = union(self.bounds, clip);
    }
}

impl ColorPainter for BoundsPainter<'_> {
    fn push_transform(&mut self, transform: Transform) {
        let Transform { xx, yx, xy, yy, dx, dy } = transform;
        let own = Affine::new([xx, yx, xy, yy, dx, dy].map(f64::from));
        self.transforms.push(self.transform() * own);
    }

    fn pop_transform(&mut self) {
        self.transforms.pop();
    }

    fn push_clip_glyph(&mut self, glyph: GlyphId) {
        match outline_box(self.font, self.location, glyph) {
            Some(outline) if outline[0] <= outline[2] => {
                let [x0, y0, x1, y1] = outline.map(f64::from);
                self.clip([x0, -y1, x1, -y0]);
            }
            // Nothing is painted in a glyph without an outline.
            Some(_) => self.n_clips += 1,
            None => self.is_unbounded = true,
        }
    }

    fn push_clip_box(&mut self, clip_box: BoundingBox) {
        let BoundingBox { x_min, y_min, x_max, y_max } = clip_box;
        self.clip([x_min, y_min, x_max, y_max].map(f64::from));
    }

    fn pop_clip(&mut self) {
        self.n_clips = self.n_clips.saturating_sub(1);
    }

    fn fill(&mut self, _: Brush<'_>) {
        self.is_unbounded |= self.n_clips == 0;
    }

    fn push_layer(&mut self, _: CompositeMode) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four colour glyphs, with the numbers 1 to 4.
    const EMOJI: &[u8] = include_bytes!("../tests/fonts/NotoColorEmoji-COLR.ttf");

    /// The place of the offset of the clip boxes in the table of colour glyphs.
    const CLIP_LIST_OFFSET: usize = 22;

    fn boxes(font: &[u8]) -> [EmBox; 4] {
        let font = FontRef::new(font).expect("it is a font");
        [1, 2, 3, 4].map(|glyph| {
            image_box(&font, LocationRef::default(), GlyphId::new(glyph)).expect("the glyph has a box")
        })
    }

    #[test]
    fn colour_glyphs_without_a_clip_box_have_the_box_of_their_parts() {
        let mut font = EMOJI.to_vec();
        let at = EMOJI.windows(4).position(|tag| tag == b"COLR").expect("it has colour glyphs");
        let offset = u32::from_be_bytes(EMOJI[at + 8..at + 12].try_into().expect("four bytes")) as usize;
        font[offset + CLIP_LIST_OFFSET..][..4].fill(0);
        for (with, without) in boxes(EMOJI).into_iter().zip(boxes(&font)) {
            let area = |[x0, y0, x1, y1]: EmBox| (x1 - x0) * (y1 - y0);
            assert_eq!(union(with, without), with, "the parts are inside of the clip box");
            assert!(area(without) > 0.8 * area(with), "{without:?} is most of {with:?}");
        }
    }
}
