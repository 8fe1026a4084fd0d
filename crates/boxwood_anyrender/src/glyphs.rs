//! The boxes of glyphs.

use anyrender::NormalizedCoord;
use kurbo::Rect;
use peniko::FontData;
use skrifa::instance::{LocationRef, NormalizedCoord as F2Dot14, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider as _};

/// The boxes of the glyphs of fonts, by the identity of the font's data.
#[derive(Debug, Default)]
pub(crate) struct GlyphBoxes {
    fonts: Vec<Instance>,
    /// The index of the last font.
    last: usize,
}

/// A font at a place of its design space.
#[derive(Debug)]
struct Instance {
    data: u64,
    index: u32,
    coords: Vec<NormalizedCoord>,
    /// The box of each glyph in units of the font size, by the number of the glyph.
    boxes: Vec<GlyphBox>,
}

/// The box of a glyph.
#[derive(Clone, Copy, Debug)]
enum GlyphBox {
    NotLookedUp,
    /// The glyph may paint anywhere.
    Unknown,
    Of(Rect),
}

/// The maximum number of glyphs in a font.
const MAX_GLYPHS: usize = 1 << 16;

/// The maximum number of fonts whose boxes are kept.
const MAX_FONTS: usize = 256;

impl GlyphBoxes {
    /// A function for the boxes of the glyphs of a font in units of the font size, with y up.
    pub(crate) fn of<'a>(
        &'a mut self,
        font: &'a FontData,
        coords: &'a [NormalizedCoord],
    ) -> impl FnMut(u32) -> Option<Rect> + 'a {
        let is_own =
            |own: &Instance| own.data == font.data.id() && own.index == font.index && own.coords == coords;
        if !self.fonts.get(self.last).is_some_and(is_own) {
            self.last = self.fonts.iter().position(is_own).unwrap_or_else(|| {
                if self.fonts.len() == MAX_FONTS {
                    self.fonts.clear();
                }
                let (data, index) = (font.data.id(), font.index);
                self.fonts.push(Instance { data, index, coords: coords.to_vec(), boxes: Vec::new() });
                self.fonts.len() - 1
            });
        }
        let boxes = &mut self.fonts[self.last].boxes;
        move |glyph| {
            let index = usize::try_from(glyph).ok().filter(|index| *index < MAX_GLYPHS)?;
            if index >= boxes.len() {
                boxes.resize(index + 1, GlyphBox::NotLookedUp);
            }
            if let GlyphBox::NotLookedUp = boxes[index] {
                boxes[index] = glyph_box(font, coords, glyph).map_or(GlyphBox::Unknown, GlyphBox::Of);
            }
            if let GlyphBox::Of(rect) = boxes[index] { Some(rect) } else { None }
        }
    }
}

/// The box of a glyph, `None` if it is not known.
fn glyph_box(font: &FontData, coords: &[NormalizedCoord], glyph: u32) -> Option<Rect> {
    let font = FontRef::from_index(font.data.as_ref(), font.index).ok()?;
    let glyph = GlyphId::new(glyph);
    let coords: Vec<F2Dot14> = coords.iter().map(|coord| F2Dot14::from_bits(*coord)).collect();
    let location = LocationRef::new(&coords);
    // A colour glyph and a bitmap may be larger than the outline.
    if font.color_glyphs().get(glyph).is_some() {
        return None;
    }
    let has_bitmaps = !font.bitmap_strikes().is_empty();
    let mut pen = BoundsPen::default();
    match font.outline_glyphs().get(glyph) {
        Some(outline) if !has_bitmaps => {
            outline.draw(DrawSettings::unhinted(Size::unscaled(), location), &mut pen).ok()?;
            let em = f64::from(font.metrics(Size::unscaled(), location).units_per_em);
            let Rect { x0, y0, x1, y1 } = pen.0.unwrap_or(Rect::ZERO);
            Some(Rect::new(x0 / em, y0 / em, x1 / em, y1 / em))
        }
        _ => None,
    }
}

/// The box of the points of an outline, which contains the outline.
#[derive(Default)]
struct BoundsPen(Option<Rect>);

impl BoundsPen {
    fn add(&mut self, x: f32, y: f32) {
        let point = kurbo::Point::new(x.into(), y.into());
        self.0 = Some(self.0.map_or(Rect::from_points(point, point), |rect| rect.union_pt(point)));
    }
}

impl OutlinePen for BoundsPen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.add(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.add(x, y);
    }

    fn quad_to(&mut self, cx0: f32, cy0: f32, x: f32, y: f32) {
        self.add(cx0, cy0);
        self.add(x, y);
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        self.add(cx0, cy0);
        self.add(cx1, cy1);
        self.add(x, y);
    }

    fn close(&mut self) {}
}
