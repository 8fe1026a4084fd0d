//! The limits of fonts in drawings. Glyphs contain other glyphs or call subroutines, so a few bytes
//! can stand for any number of segments.

use std::panic::resume_unwind;

use ttf_parser::{Face, GlyphId, OutlineBuilder};

use crate::guard::limits::{MAX_FONT_SEGMENTS, MAX_GLYPH_SEGMENTS};
use crate::guard::thread::caught;

/// Why a font is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadFont {
    Invalid,
    /// It has pictures or layers, which can contain each other without a limit.
    Colors,
    /// Its outlines have too many segments.
    Large,
}

/// Checks the first face of a font.
///
/// # Errors
///
/// If the font is invalid or exceeds a limit.
pub(crate) fn check(font: &[u8]) -> Result<(), BadFont> {
    let face = Face::parse(font, 0).map_err(|_| BadFont::Invalid)?;
    let tables = face.tables();
    if tables.colr.is_some() || tables.svg.is_some() || tables.sbix.is_some() || tables.cbdt.is_some() {
        return Err(BadFont::Colors);
    }
    // ttf-parser has no other way to stop an outline.
    let outlined = caught(|| {
        let mut counter = Counter { of_glyph: 0, of_font: 0 };
        for glyph in 0..face.number_of_glyphs() {
            counter.of_glyph = 0;
            let _ = face.outline_glyph(GlyphId(glyph), &mut counter);
        }
    });
    outlined.map_err(|_| BadFont::Large)
}

/// Counts segments, and unwinds at the limits.
struct Counter {
    of_glyph: u32,
    of_font: u32,
}

impl Counter {
    fn count(&mut self) {
        (self.of_glyph, self.of_font) = (self.of_glyph + 1, self.of_font + 1);
        if self.of_glyph > MAX_GLYPH_SEGMENTS || self.of_font > MAX_FONT_SEGMENTS {
            // Unlike a panic, this prints nothing.
            resume_unwind(Box::new("too many segments"));
        }
    }
}

impl OutlineBuilder for Counter {
    fn move_to(&mut self, _x: f32, _y: f32) {
        self.count();
    }

    fn line_to(&mut self, _x: f32, _y: f32) {
        self.count();
    }

    fn quad_to(&mut self, _x1: f32, _y1: f32, _x: f32, _y: f32) {
        self.count();
    }

    fn curve_to(&mut self, _x1: f32, _y1: f32, _x2: f32, _y2: f32, _x: f32, _y: f32) {
        self.count();
    }

    fn close(&mut self) {
        self.count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The range of a table.
    fn table(font: &[u8], tag: &[u8]) -> std::ops::Range<usize> {
        let mut records = font[12..].chunks_exact(16);
        let record = records.find(|record| record.starts_with(tag)).expect("the font has the table");
        let [start, length] =
            [8, 12].map(|at| u32::from_be_bytes(record[at..at + 4].try_into().expect("four bytes")) as usize);
        start..start + length
    }

    #[test]
    fn usual_fonts_are_within_the_limits() {
        assert_eq!(check(boxwood_assets::NOTO_SANS), Ok(()));
        assert_eq!(check(b"foo"), Err(BadFont::Invalid));
    }

    #[test]
    fn nested_glyphs_are_refused() {
        let mut font = boxwood_assets::NOTO_SANS.to_vec();
        let (glyf, loca) = (table(&font, b"glyf"), table(&font, b"loca"));
        // Each of the first glyphs has ten of the next one in it.
        const SIZE: usize = 80;
        let has_long_offsets = font[table(&font, b"head").start + 51] == 1;
        for glyph in 0..30_usize {
            let mut nested = [0xff, 0xff].to_vec();
            nested.resize(10, 0);
            for component in 0..10 {
                let flags: u16 = if component < 9 { 0x22 } else { 0x02 };
                let next = u16::try_from(glyph + 1).expect("it is small");
                nested.extend([flags.to_be_bytes(), next.to_be_bytes(), [0, 0]].concat());
            }
            nested.resize(SIZE, 0);
            font[glyf.start + glyph * SIZE..][..SIZE].copy_from_slice(&nested);
        }
        // The last one is a letter.
        let letter = Face::parse(boxwood_assets::NOTO_SANS, 0).expect("it is a font").glyph_index('я');
        let letter = letter.expect("it has the letter").0;
        let offset_size = if has_long_offsets { 4 } else { 2 };
        let of_letter = font[loca.start + usize::from(letter) * offset_size..][..2 * offset_size].to_vec();
        for glyph in 0..=30_usize {
            let at = loca.start + glyph * offset_size;
            let offset = u32::try_from(glyph * SIZE).expect("it is small");
            if has_long_offsets {
                font[at..at + 4].copy_from_slice(&offset.to_be_bytes());
            } else {
                let half = u16::try_from(offset / 2).expect("it is small");
                font[at..at + 2].copy_from_slice(&half.to_be_bytes());
            }
        }
        font[loca.start + 30 * offset_size..][..2 * offset_size].copy_from_slice(&of_letter);
        assert_eq!(check(&font), Err(BadFont::Large));
    }
}
