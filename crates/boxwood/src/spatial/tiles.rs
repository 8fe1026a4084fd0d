//! The tiles of a picture, for the stages *damage* and *occlusion*.

use boxwood_cpu::specification::spatial::TileGrid;
use bytemuck::{Pod, Zeroable};

use super::check::check_range;
use super::error::SpatialError;

/// The maximum side of a picture in pixels. All integers up to it are an `f32`.
const MAX_PIXELS: u32 = 1 << 24;

/// The tiles of a picture, and the parameters of a stage. `tiles.wgsl` has the same layout.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct TilesConfig {
    /// The width of the picture in pixels.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// The base-2 logarithm of the side of a tile.
    pub lg_tile: u32,
    /// The number of columns of tiles.
    pub n_columns: u32,
    /// The number of rows of tiles.
    pub n_rows: u32,
    /// The number of levels of a sparse table for the columns: an entry of level i has 2^i columns.
    pub n_column_levels: u32,
    /// The same for the rows.
    pub n_row_levels: u32,
    /// The number of elements that the buffers have room for.
    pub capacity: u32,
    /// The word of the buffer of the count.
    pub count_word: u32,
    /// The maximum number of rectangles.
    pub max_rectangles: u32,
    /// The number of elements of an old frame that the buffers have room for.
    pub old_capacity: u32,
    /// The word of the buffer of their count.
    pub old_count_word: u32,
}

impl TilesConfig {
    /// The tiles of a grid, without the parameters of the stage.
    pub(super) fn new(grid: TileGrid) -> Result<Self, SpatialError> {
        let TileGrid { width, height, lg_tile } = grid;
        check_range("pixels", width.max(height), MAX_PIXELS)?;
        check_range("lg_tile", lg_tile, MAX_PIXELS.ilog2())?;
        let [n_columns, n_rows] = grid.n_tiles();
        check_range("tiles", n_columns.max(n_rows), TileGrid::MAX_TILES)?;
        // A level per power of two up to n.
        let n_levels = |n: u32| u32::BITS - n.leading_zeros();
        Ok(Self {
            width,
            height,
            lg_tile,
            n_columns,
            n_rows,
            n_column_levels: n_levels(n_columns),
            n_row_levels: n_levels(n_rows),
            ..Self::zeroed()
        })
    }

    /// The number of rows of tiles of all levels of a sparse table.
    pub(super) fn n_level_rows(&self) -> u32 {
        self.n_column_levels * self.n_row_levels * self.n_rows
    }
}
