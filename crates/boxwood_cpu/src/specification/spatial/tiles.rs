//! The tiles of a picture.

use alloc::vec::Vec;

use bytemuck::{Pod, Zeroable};

use crate::core::Aabb;

/// A rectangle of whole pixels, or of whole tiles. It is half-open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable)]
#[repr(C)]
pub struct Rectangle {
    /// The left edge.
    pub x0: u32,
    /// The top edge.
    pub y0: u32,
    /// The position after the last column.
    pub x1: u32,
    /// The position after the last row.
    pub y1: u32,
}

impl Rectangle {
    /// Whether it has no pixel or tile.
    pub fn is_empty(self) -> bool {
        self.x0 >= self.x1 || self.y0 >= self.y1
    }

    /// Whether it has the pixel or tile at a column and a row.
    pub fn contains(self, [x, y]: [u32; 2]) -> bool {
        (self.x0..self.x1).contains(&x) && (self.y0..self.y1).contains(&y)
    }

    /// Its columns and rows, row by row.
    pub fn positions(self) -> impl Iterator<Item = [u32; 2]> {
        (self.y0..self.y1).flat_map(move |y| (self.x0..self.x1).map(move |x| [x, y]))
    }
}

/// The tiles of a picture: squares whose side is a power of two, from the top left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileGrid {
    /// The width of the picture in pixels.
    pub width: u32,
    /// The height of the picture in pixels.
    pub height: u32,
    /// The base-2 logarithm of the side of a tile. From 32 on, one tile is larger than any picture.
    pub lg_tile: u32,
}

impl TileGrid {
    /// The maximum number of tiles in each direction.
    pub const MAX_TILES: u32 = 256;

    /// Tiles of 16 x 16 pixels, the tiles of Vello, or the next larger ones if there are more than
    /// [`MAX_TILES`](Self::MAX_TILES) in a direction.
    pub fn new(width: u32, height: u32) -> Self {
        let pixels_per_tile = width.max(height).div_ceil(Self::MAX_TILES).max(16);
        Self { width, height, lg_tile: (pixels_per_tile - 1).ilog2() + 1 }
    }

    /// The number of columns and rows of tiles. The last ones can extend beyond the picture.
    pub fn n_tiles(self) -> [u32; 2] {
        [self.width, self.height].map(|pixels| self.tiles_before(pixels))
    }

    /// The number of tiles.
    ///
    /// # Panics
    ///
    /// Panics if it exceeds a `u32`.
    pub fn count(self) -> u32 {
        let [n_columns, n_rows] = self.n_tiles();
        n_columns.checked_mul(n_rows).unwrap_or_else(|| {
            panic!("{n_columns} x {n_rows} tiles are too many, the limit is {}: make them larger", u32::MAX)
        })
    }

    /// The tile of a column or a row of pixels.
    fn tile_of(self, pixel: u32) -> u32 {
        pixel.checked_shr(self.lg_tile).unwrap_or(0)
    }

    /// The number of tiles that begin before a column or a row of pixels.
    fn tiles_before(self, pixel: u32) -> u32 {
        pixel.checked_sub(1).map_or(0, |last| self.tile_of(last) + 1)
    }

    /// The tiles with a pixel that the box touches, within the picture.
    pub fn touched(self, own: Aabb) -> Rectangle {
        let first = |low: f32, pixels: u32| pixel_at_or_before(low, pixels);
        let end = |high: f32, pixels: u32| pixel_at_or_after(high, pixels);
        let [x0, y0] = [first(own.x0, self.width), first(own.y0, self.height)];
        let [x1, y1] = [end(own.x1, self.width), end(own.y1, self.height)];
        if own.is_empty() || x0 >= x1 || y0 >= y1 {
            return Rectangle::default();
        }
        let [x0, y0] = [x0, y0].map(|low| self.tile_of(low));
        let [x1, y1] = [x1, y1].map(|high| self.tiles_before(high));
        Rectangle { x0, y0, x1, y1 }
    }

    /// The tiles whose pixels are all in the box. Only the pixels of the picture count.
    pub fn covered(self, own: Aabb) -> Rectangle {
        let first = |low: f32, pixels: u32| self.tiles_before(pixel_at_or_after(low, pixels));
        let end = |high: f32, pixels: u32| match pixel_at_or_before(high, pixels) {
            end if end == pixels => self.tiles_before(pixels),
            end => self.tile_of(end),
        };
        let [x0, y0] = [first(own.x0, self.width), first(own.y0, self.height)];
        let [x1, y1] = [end(own.x1, self.width), end(own.y1, self.height)];
        let tiles = Rectangle { x0, y0, x1, y1 };
        if tiles.is_empty() { Rectangle::default() } else { tiles }
    }

    /// The words of a row of a mask with a bit per tile. The first tile is in the lowest bit of the
    /// first word.
    pub fn words_per_row(self) -> u32 {
        self.n_tiles()[0].div_ceil(32)
    }

    /// The number of words of a mask with a bit per tile.
    ///
    /// # Panics
    ///
    /// Panics if the number of tiles exceeds a `u32`.
    pub fn mask_length(self) -> usize {
        // A row has at most as many words as tiles, so the product is at most this number.
        self.count();
        self.words_per_row() as usize * self.n_tiles()[1] as usize
    }

    /// A mask with a bit per tile, 1 for those that one of the boxes touches.
    ///
    /// # Panics
    ///
    /// Panics if the number of tiles exceeds a `u32`.
    pub fn mask(self, boxes: impl IntoIterator<Item = Aabb>) -> Vec<u32> {
        let mut mask = vec![0; self.mask_length()];
        let words_per_row = self.words_per_row() as usize;
        for [x, y] in boxes.into_iter().flat_map(|own| self.touched(own).positions()) {
            mask[y as usize * words_per_row + x as usize / 32] |= 1 << (x % 32);
        }
        mask
    }
}

/// The last whole number at or before a position, among the pixels of a direction. Positions beyond
/// them are at their ends.
///
/// A conversion drops the fraction, which is the floor of a number that is not negative.
/// `f64::floor` is a call on processors without an instruction for it, and is not in `core`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is clamped to a u32")]
fn pixel_at_or_before(position: f32, n_pixels: u32) -> u32 {
    f64::from(position).clamp(0.0, f64::from(n_pixels)) as u32
}

/// The first whole number at or after a position, among the pixels of a direction. Positions beyond
/// them are at their ends.
fn pixel_at_or_after(position: f32, n_pixels: u32) -> u32 {
    let before = pixel_at_or_before(position, n_pixels);
    // A position beyond the pixels stays at their end.
    before + u32::from(before < n_pixels && f64::from(before) < f64::from(position))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rectangle(x0: u32, y0: u32, x1: u32, y1: u32) -> Rectangle {
        Rectangle { x0, y0, x1, y1 }
    }

    #[test]
    fn tiles_are_as_small_as_their_number_allows() {
        let lg_tile = |side| TileGrid::new(side, 1).lg_tile;
        assert_eq!([1, 4096, 4097, 8192, 8193].map(lg_tile), [4, 4, 5, 5, 6]);
        assert_eq!(TileGrid::new(1920, 1080).n_tiles(), [120, 68]);
        assert_eq!(TileGrid::new(0, 0).n_tiles(), [0, 0]);
        assert!(TileGrid::new(u32::MAX, u32::MAX).n_tiles().iter().all(|n| *n <= TileGrid::MAX_TILES));
    }

    #[test]
    fn tiles_can_be_as_small_as_pixels_and_larger_than_the_picture() {
        let grid = |lg_tile| TileGrid { width: u32::MAX, height: 3, lg_tile };
        assert_eq!([0, 1, 31, 32, 99].map(|lg| grid(lg).n_tiles()[0]), [u32::MAX, 1 << 31, 2, 1, 1]);
        let own = Aabb::new(5.0, 1.0, 6.0, 2.0).expect("no NaN");
        assert_eq!(grid(0).touched(own), rectangle(5, 1, 6, 2));
        assert_eq!(grid(40).touched(own), rectangle(0, 0, 1, 1));
        assert_eq!([own, Aabb::PLANE].map(|own| grid(40).covered(own).is_empty()), [true, false]);
        assert_eq!(grid(40).mask([own]), [1]);
        assert_eq!(TileGrid { width: 0, ..grid(40) }.mask([own]), [0; 0]);
    }

    #[test]
    fn a_mask_has_fewer_than_2_to_the_32_tiles() {
        let grid = |width, height| TileGrid { width, height, lg_tile: 0 };
        assert_eq!(grid(1, u32::MAX).mask_length(), u32::MAX as usize);
        assert_eq!(grid(u32::MAX, 1).mask_length(), 1 << 27);
        assert_eq!(grid(0, u32::MAX).mask_length(), 0);
        assert_eq!(grid(1 << 16, (1 << 16) - 1).count(), u32::MAX - 0xffff);
    }

    #[test]
    #[should_panic(expected = "65536 x 65536 tiles are too many, the limit is 4294967295")]
    fn more_tiles_are_refused() {
        TileGrid { width: 1 << 16, height: 1 << 16, lg_tile: 0 }.mask([]);
    }

    #[test]
    fn edges_round_to_pixels_and_then_to_tiles() {
        let grid = TileGrid::new(100, 50);
        let tiles = |x0, y0, x1, y1| {
            let own = Aabb::new(x0, y0, x1, y1).expect("no NaN");
            [grid.touched(own), grid.covered(own)]
        };
        assert_eq!(tiles(0.2, 0.2, 0.4, 0.4), [rectangle(0, 0, 1, 1), rectangle(0, 0, 0, 0)]);
        assert_eq!(tiles(15.0, 16.0, 16.0, 33.0), [rectangle(0, 1, 1, 3), rectangle(0, 0, 0, 0)]);
        assert_eq!(tiles(16.0, 0.0, 48.0, 32.0), [rectangle(1, 0, 3, 2); 2]);
        assert_eq!(tiles(16.1, 0.0, 48.1, 32.0), [rectangle(1, 0, 4, 2), rectangle(2, 0, 3, 2)]);
        // The last tiles end with the picture.
        assert_eq!(tiles(-9.0, -9.0, 100.0, 50.0), [rectangle(0, 0, 7, 4); 2]);
        assert_eq!(tiles(-9.0, -9.0, 99.5, 49.5), [rectangle(0, 0, 7, 4), rectangle(0, 0, 6, 3)]);
        // Beyond the picture, even in its last tile, there is nothing.
        assert_eq!(tiles(100.0, 0.0, 110.0, 50.0), [rectangle(0, 0, 0, 0); 2]);
        assert_eq!(grid.touched(Aabb::EMPTY), rectangle(0, 0, 0, 0));
        assert_eq!(grid.touched(Aabb::PLANE), rectangle(0, 0, 7, 4));
    }

    proptest! {
        /// A pixel is touched if its square overlaps the box, and covered if the box contains it.
        #[test]
        fn tiles_are_those_of_their_pixels(
            quarters in proptest::array::uniform4(-40_i32..400),
            [width, height] in proptest::array::uniform2(0_u32..80),
        ) {
            let grid = TileGrid { width, height, lg_tile: 3 };
            let [x0, y0, x1, y1] = quarters.map(|quarter| f64::from(quarter) / 4.0);
            let own = Aabb::new(x0, y0, x1, y1).expect("no NaN");
            let all = rectangle(0, 0, grid.n_tiles()[0], grid.n_tiles()[1]);
            for [x, y] in all.positions() {
                let pixels = rectangle(8 * x, 8 * y, width.min(8 * x + 8), height.min(8 * y + 8));
                let square = |[x, y]: [u32; 2]| {
                    let [x, y] = [x, y].map(f64::from);
                    Aabb::new(x, y, x + 1.0, y + 1.0).expect("no NaN")
                };
                let is_touched = pixels.positions().any(|pixel| own.overlaps(square(pixel)));
                let is_covered = pixels.positions().all(|pixel| own.contains(square(pixel)));
                prop_assert_eq!(grid.touched(own).contains([x, y]), is_touched);
                prop_assert_eq!(grid.covered(own).contains([x, y]), is_covered);
            }
        }
    }
}
