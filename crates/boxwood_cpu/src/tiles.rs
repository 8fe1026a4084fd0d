//! Bits of tiles and of elements, and which tiles a box has.

use alloc::vec::Vec;
use core::ops::Range;

use crate::core::Aabb;
use crate::specification::spatial::{Rectangle, TileGrid};

/// The bits of a word.
pub(crate) const BITS: usize = u32::BITS as usize;

/// Makes `words` a list of zeros, in its memory.
pub(crate) fn reset(words: &mut Vec<u32>, n: usize) {
    words.clear();
    words.resize(n, 0);
}

/// A word with ones in a range of its bits.
pub(crate) fn bits_in(range: Range<usize>) -> u32 {
    let below = |n: usize| if n >= BITS { u32::MAX } else { (1 << n) - 1 };
    below(range.end) & !below(range.start)
}

/// Calls a function for each word that has a part of a range of bits, with the index of the word
/// and ones for these bits. It stops, and returns `true`, if the function does.
fn any_word(bits: Range<usize>, mut f: impl FnMut(usize, u32) -> bool) -> bool {
    let (first, last) = (bits.start / BITS, (bits.end - 1) / BITS);
    let (begin, end) = (bits.start % BITS, (bits.end - 1) % BITS + 1);
    if first == last {
        return f(first, bits_in(begin..end));
    }
    let mut inner = first + 1..last;
    f(first, bits_in(begin..BITS)) || inner.any(|word| f(word, u32::MAX)) || f(last, bits_in(0..end))
}

/// Sets a range of bits, which is not empty.
pub(crate) fn set_bits(words: &mut [u32], bits: Range<usize>) {
    any_word(bits, |word, ones| {
        words[word] |= ones;
        false
    });
}

/// The tiles of a picture, with what it takes to find those of a box.
///
/// [`TileGrid::touched`] and [`TileGrid::covered`] round edges to pixels and then to tiles. This
/// rounds them to tiles at once, which is the same: tiles consist of whole pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tiles {
    size: [f64; 2],
    tiles_per_pixel: f64,
    n_tiles: [u32; 2],
    words_per_row: usize,
}

impl Tiles {
    pub(crate) fn new(grid: TileGrid) -> Self {
        // A tile of 2^32 pixels is larger than any picture.
        let lg_tile = grid.lg_tile.min(u32::BITS);
        Self {
            size: [grid.width, grid.height].map(f64::from),
            tiles_per_pixel: 1.0 / (1_u64 << lg_tile) as f64,
            n_tiles: grid.n_tiles(),
            words_per_row: grid.words_per_row() as usize,
        }
    }

    /// [`TileGrid::touched`], for a box that is not NaN.
    pub(crate) fn touched(self, own: &Aabb) -> Rectangle {
        let Self { size: [width, height], tiles_per_pixel, .. } = self;
        let [x0, y0, x1, y1] = [own.x0, own.y0, own.x1, own.y1].map(f64::from);
        // The last tile can extend beyond the picture: a box there touches none of its pixels.
        let is_in = x0 < width && y0 < height && x1 > 0.0 && y1 > 0.0;
        if !is_in || own.is_empty() {
            return Rectangle::default();
        }
        let tiles = Rectangle {
            x0: floor(larger(x0, 0.0) * tiles_per_pixel),
            y0: floor(larger(y0, 0.0) * tiles_per_pixel),
            x1: ceil(smaller(x1, width) * tiles_per_pixel),
            y1: ceil(smaller(y1, height) * tiles_per_pixel),
        };
        // A picture without pixels has no tiles, but a box around it passes the test above.
        if tiles.is_empty() { Rectangle::default() } else { tiles }
    }

    /// [`TileGrid::covered`], for a box that is not NaN.
    pub(crate) fn covered(self, own: &Aabb) -> Rectangle {
        let Self { size: [width, height], tiles_per_pixel, n_tiles: [n_columns, n_rows], .. } = self;
        if own.is_empty() {
            return Rectangle::default();
        }
        let first = |low: f32, end: f64| ceil(smaller(larger(low.into(), 0.0), end) * tiles_per_pixel);
        // The pixels beyond the picture, in the last tile, need not be covered.
        let end = |high: f32, end: f64, n: u32| match f64::from(high) {
            high if high >= end => n,
            high => floor(larger(high, 0.0) * tiles_per_pixel),
        };
        let tiles = Rectangle {
            x0: first(own.x0, width),
            y0: first(own.y0, height),
            x1: end(own.x1, width, n_columns),
            y1: end(own.y1, height, n_rows),
        };
        if tiles.is_empty() { Rectangle::default() } else { tiles }
    }

    /// Calls a function for each word of a mask that has tiles of a rectangle, with ones for these.
    /// It stops, and returns `true`, if the function does.
    pub(crate) fn any_word(
        self,
        mask: &mut [u32],
        tiles: Rectangle,
        mut f: impl FnMut(&mut u32, u32) -> bool,
    ) -> bool {
        if tiles.is_empty() {
            return false;
        }
        let [x0, y0, x1, y1] = [tiles.x0, tiles.y0, tiles.x1, tiles.y1].map(|tile| tile as usize);
        (y0..y1).any(|y| {
            let row = &mut mask[self.words_per_row * y..][..self.words_per_row];
            any_word(x0..x1, |word, bits| f(&mut row[word], bits))
        })
    }

    /// Sets the bits of the tiles that a box touches.
    pub(crate) fn mark(self, mask: &mut [u32], own: &Aabb) {
        self.any_word(mask, self.touched(own), |word, bits| {
            *word |= bits;
            false
        });
    }
}

/// The smaller one of two numbers. `f64::min` takes more instructions, because of NaN.
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The floor of a number of tiles. `f64::floor` is a call on some processors, and is not in `core`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is a number of tiles")]
fn floor(tiles: f64) -> u32 {
    tiles as u32
}

fn ceil(tiles: f64) -> u32 {
    let floor = floor(tiles);
    floor + u32::from(f64::from(floor) < tiles)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn tiles_are_those_of_the_grid(
            edges in proptest::array::uniform4(prop_oneof![
                8 => (-40_i32..400).prop_map(|quarter| f64::from(quarter) / 4.0),
                1 => Just(f64::from(f32::MIN_POSITIVE)),
                1 => Just(-f64::from(f32::MIN_POSITIVE)),
                1 => Just(f64::MAX),
                1 => Just(f64::MIN),
            ]),
            [width, height] in proptest::array::uniform2(prop_oneof![0_u32..90, Just(u32::MAX)]),
            lg_tile in prop_oneof![0_u32..6, Just(31), Just(32), Just(u32::MAX)],
        ) {
            let grid = TileGrid { width, height, lg_tile };
            let tiles = Tiles::new(grid);
            let [x0, y0, x1, y1] = edges;
            let inverted = Aabb { x0: 9.0, y0: 9.0, x1: 1.0, y1: 1.0 };
            for own in [Aabb::new(x0, y0, x1, y1).expect("no NaN"), Aabb::PLANE, inverted] {
                prop_assert_eq!(tiles.touched(&own), grid.touched(own), "the touched tiles differ");
                prop_assert_eq!(tiles.covered(&own), grid.covered(own), "the covered tiles differ");
            }
        }
    }
}
