// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config, entries_of, level_row
// provides: touch_tiles

// A sparse table of bits. A rectangle of tiles sets at most four of them, whatever its size. The
// last dispatch of stage damage brings the bits of all levels down to level (0, 0).

// A row of tiles of a level has 4 words, or 8 if there are more than 128 columns. All are 0 at
// first.
@group(0) @binding(7) var<storage, read_write> touched: array<atomic<u32>>;

fn touch(level: vec2<u32>, x: u32, y: u32) {
    let words_per_row = select(4u, 8u, config.n_columns > 128u);
    atomicOr(&touched[level_row(level, y) * words_per_row + x / 32u], 1u << (x % 32u));
}

fn touch_tiles(tiles: vec4<u32>) {
    if tiles.x >= tiles.z {
        return;
    }
    let entries = entries_of(tiles);
    let is_other = entries.last != entries.first;
    touch(entries.level, entries.first.x, entries.first.y);
    if is_other.x {
        touch(entries.level, entries.last.x, entries.first.y);
    }
    if is_other.y {
        touch(entries.level, entries.first.x, entries.last.y);
    }
    if all(is_other) {
        touch(entries.level, entries.last.x, entries.last.y);
    }
}
