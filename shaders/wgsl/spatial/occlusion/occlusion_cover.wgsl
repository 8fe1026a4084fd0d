// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage occlusion, 1 of 5: the tiles that each inner box covers.
//
// A box raises at most four entries of a sparse table to its index plus 1, whatever its size. The
// next two dispatches bring the entries of all levels down to level (0, 0).

#import grid
#import n_items
#import tiles

@group(0) @binding(2) var<storage> inner_boxes: array<vec4<f32>>;
// All 0 at first.
@group(0) @binding(3) var<storage, read_write> covers: array<atomic<u32>>;

fn cover(level: vec2<u32>, x: u32, y: u32, element: u32) {
    atomicMax(&covers[level_row(level, y) * config.n_columns + x], element + 1u);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let element = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if element >= n_items() {
        return;
    }
    let tiles = tiles_covered(inner_boxes[element]);
    if tiles.x >= tiles.z {
        return;
    }
    let entries = entries_of(tiles);
    let is_other = entries.last != entries.first;
    cover(entries.level, entries.first.x, entries.first.y, element);
    if is_other.x {
        cover(entries.level, entries.last.x, entries.first.y, element);
    }
    if is_other.y {
        cover(entries.level, entries.first.x, entries.last.y, element);
    }
    if all(is_other) {
        cover(entries.level, entries.last.x, entries.last.y, element);
    }
}
