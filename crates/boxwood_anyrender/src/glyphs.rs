//! The boxes and the outlines of glyphs.

use anyrender::NormalizedCoord;
use kurbo::{Affine, BezPath};
use peniko::FontData;
use skrifa::instance::{LocationRef, NormalizedCoord as F2Dot14, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider as _};

use crate::bounds::EmBox;
use crate::color_glyphs::{has_images, image_box};

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
    /// Whether glyphs may be images, which renderers align with pixels.
    has_images: bool,
    /// The box of each glyph, by the number of the glyph.
    boxes: Vec<EmBox>,
}

// The first edge of an entry without a box is NaN. The second one tells the two kinds apart.

/// The entry of a glyph that has not been looked up.
const NOT_LOOKED_UP: EmBox = [f32::NAN, 0.0, 0.0, 0.0];

/// The entry of a glyph that may paint anywhere.
const UNKNOWN: EmBox = [f32::NAN, 1.0, 0.0, 0.0];

/// The box of a glyph that paints nothing.
pub(crate) const NOTHING: EmBox = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];

/// The maximum number of glyphs in a font.
const MAX_GLYPHS: usize = 1 << 16;

/// The maximum number of fonts whose boxes are kept.
const MAX_FONTS: usize = 256;

impl GlyphBoxes {
    /// A function for the boxes of the glyphs of a font, and whether glyphs of the font may be
    /// images.
    pub(crate) fn of<'a>(
        &'a mut self,
        font: &'a FontData,
        coords: &'a [NormalizedCoord],
    ) -> (impl FnMut(u32) -> Option<EmBox> + 'a, bool) {
        let is_own = |own: &Instance| {
            own.data == font.data.id()
                && own.index == font.index
                && own.coords.len() == coords.len()
                // Most fonts have no axes. A comparison of empty slices calls `memcmp` with
                // addresses that have no memory, which takes 100 ns on some processors.
                && (coords.is_empty() || own.coords == coords)
        };
        if !self.fonts.get(self.last).is_some_and(is_own) {
            self.last = self.fonts.iter().position(is_own).unwrap_or_else(|| {
                if self.fonts.len() == MAX_FONTS {
                    self.fonts.clear();
                }
                let (data, index) = (font.data.id(), font.index);
                let own = FontRef::from_index(font.data.as_ref(), font.index);
                let has_images = own.is_ok_and(|own| has_images(&own));
                self.fonts.push(Instance {
                    data,
                    index,
                    coords: coords.to_vec(),
                    has_images,
                    boxes: Vec::new(),
                });
                self.fonts.len() - 1
            });
        }
        let Instance { boxes, has_images, .. } = &mut self.fonts[self.last];
        let glyph_box = move |glyph| match boxes.get(glyph as usize) {
            Some(own) if !own[0].is_nan() => Some(*own),
            _ => look_up(boxes, font, coords, glyph),
        };
        (glyph_box, *has_images)
    }
}

/// The box of a glyph, which is stored, or `None` if it is not known.
#[cold]
fn look_up(boxes: &mut Vec<EmBox>, font: &FontData, coords: &[NormalizedCoord], glyph: u32) -> Option<EmBox> {
    let index = usize::try_from(glyph).ok().filter(|index| *index < MAX_GLYPHS)?;
    if index >= boxes.len() {
        boxes.resize(index + 1, NOT_LOOKED_UP);
    }
    if boxes[index][1] == NOT_LOOKED_UP[1] {
        boxes[index] = glyph_box(font, coords, glyph).unwrap_or(UNKNOWN);
    }
    Some(boxes[index]).filter(|own| !own[0].is_nan())
}

/// The box of a glyph, `None` if it is not known.
fn glyph_box(font: &FontData, coords: &[NormalizedCoord], glyph: u32) -> Option<EmBox> {
    let font = FontRef::from_index(font.data.as_ref(), font.index).ok()?;
    let coords = f2dot14(coords);
    let (location, glyph) = (LocationRef::new(&coords), GlyphId::new(glyph));
    let image = image_box(&font, location, glyph)?;
    let em = f32::from(font.metrics(Size::unscaled(), location).units_per_em);
    // A glyph that is an image may have no outline, and a font of images may have none at all.
    let outline = match outline_box(&font, location, glyph) {
        Some(outline) => outline,
        None if image != NOTHING => NOTHING,
        None => return None,
    };
    Some(union(image, outline.map(|at| at / em))).filter(|own| !own.iter().any(|at| at.is_nan()))
}

/// The outline of a glyph in units of the font size, with y down. `None` if it is not all that the
/// glyph paints.
pub(crate) fn glyph_outline(font: &FontData, coords: &[NormalizedCoord], glyph: u32) -> Option<BezPath> {
    let font = FontRef::from_index(font.data.as_ref(), font.index).ok()?;
    let coords = f2dot14(coords);
    let (location, glyph) = (LocationRef::new(&coords), GlyphId::new(glyph));
    if image_box(&font, location, glyph)? != NOTHING {
        return None;
    }
    let mut pen = PathPen(BezPath::new());
    let outline = font.outline_glyphs().get(glyph)?;
    outline.draw(DrawSettings::unhinted(Size::unscaled(), location), &mut pen).ok()?;
    let scale = f64::from(font.metrics(Size::unscaled(), location).units_per_em).recip();
    Some(Affine::scale_non_uniform(scale, -scale) * pen.0)
}

fn f2dot14(coords: &[NormalizedCoord]) -> Vec<F2Dot14> {
    coords.iter().map(|coord| F2Dot14::from_bits(*coord)).collect()
}

/// The box of the outline of a glyph in font units, with y down. `None` without an outline.
pub(crate) fn outline_box(font: &FontRef<'_>, location: LocationRef<'_>, glyph: GlyphId) -> Option<EmBox> {
    let mut pen = BoundsPen(NOTHING);
    let outline = font.outline_glyphs().get(glyph)?;
    outline.draw(DrawSettings::unhinted(Size::unscaled(), location), &mut pen).ok()?;
    Some(pen.0)
}

/// The box around two boxes.
pub(crate) fn union(a: EmBox, b: EmBox) -> EmBox {
    [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
}

/// The box of the points of an outline, which contains the outline.
struct BoundsPen(EmBox);

impl BoundsPen {
    fn add(&mut self, x: f32, y: f32) {
        let [x0, y0, x1, y1] = self.0;
        // The y axis of a font points up.
        self.0 = [x0.min(x), y0.min(-y), x1.max(x), y1.max(-y)];
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

/// The outline as a path.
struct PathPen(BezPath);

impl OutlinePen for PathPen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to((x, y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to((x, y));
    }

    fn quad_to(&mut self, cx0: f32, cy0: f32, x: f32, y: f32) {
        self.0.quad_to((cx0, cy0), (x, y));
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        self.0.curve_to((cx0, cy0), (cx1, cy1), (x, y));
    }

    fn close(&mut self) {
        self.0.close_path();
    }
}
