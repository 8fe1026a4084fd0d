// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: MAX_LEVELS, TilesConfig, config, entries_of, level_row, tiles_covered, tiles_touched

// The tiles of a picture, as `boxwood_cpu::specification::spatial::TileGrid`, and sparse tables
// over them. `boxwood::spatial::TilesConfig` has the same layout.
//
// Level (i, j) of a sparse table has an entry for each tile. It stands for the rectangle of 2^i x
// 2^j tiles that starts there. So four entries, which may overlap or be equal, make up any
// rectangle.

#import aabb

struct TilesConfig {
    // In pixels.
    width: u32,
    height: u32,
    lg_tile: u32,
    n_columns: u32,
    n_rows: u32,
    // The number of levels of the columns and of the rows.
    n_column_levels: u32,
    n_row_levels: u32,
    capacity: u32,
    count_word: u32,
    // The other ones are only for stage damage. The last two are those of the old frame.
    max_rectangles: u32,
    old_capacity: u32,
    old_count_word: u32,
}

@group(0) @binding(0) var<uniform> config: TilesConfig;

// The levels of an axis: up to 256 tiles are 2^8.
const MAX_LEVELS = 9u;

// The index of a row of tiles of a level among the rows of all levels.
fn level_row(level: vec2<u32>, y: u32) -> u32 {
    return (level.y * config.n_column_levels + level.x) * config.n_rows + y;
}

// The entries that make up a rectangle of tiles, which must not be empty: those of one level at the
// first and the last column and row.
struct Entries {
    level: vec2<u32>,
    first: vec2<u32>,
    last: vec2<u32>,
}

fn entries_of(tiles: vec4<u32>) -> Entries {
    // The largest powers of two that fit.
    let level = firstLeadingBit(tiles.zw - tiles.xy);
    return Entries(level, tiles.xy, tiles.zw - (vec2(1u) << level));
}

// Whole positions as pixels of the picture. The `min` is for NaN.
fn pixels(position: vec2<f32>) -> vec2<u32> {
    let size = vec2(config.width, config.height);
    return min(vec2<u32>(clamp(position, vec2(0.0), vec2<f32>(size))), size);
}

// The columns and rows of the tiles with a pixel that a box touches. The ends are exclusive.
fn tiles_touched(own: vec4<f32>) -> vec4<u32> {
    let low = pixels(floor(own.xy));
    let high = pixels(ceil(own.zw));
    let last = vec2((1u << config.lg_tile) - 1u);
    let tiles = vec4(low >> vec2(config.lg_tile), (high + last) >> vec2(config.lg_tile));
    return select(vec4(0u), tiles, !is_empty(own) && all(low < high));
}

// The same for the tiles whose pixels are all in a box. The last tiles end with the picture.
fn tiles_covered(own: vec4<f32>) -> vec4<u32> {
    let low = pixels(ceil(own.xy));
    let high = pixels(floor(own.zw));
    let is_end = high == vec2(config.width, config.height);
    let last = vec2((1u << config.lg_tile) - 1u);
    let first = (low + last) >> vec2(config.lg_tile);
    let end = select(high >> vec2(config.lg_tile), vec2(config.n_columns, config.n_rows), is_end);
    return select(vec4(0u), vec4(first, end), all(first < end));
}
