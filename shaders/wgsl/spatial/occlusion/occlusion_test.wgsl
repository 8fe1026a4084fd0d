// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage occlusion, 5 of 5: one bit per element, 1 if it touches a tile that no later element
// covers. The least of four entries of a sparse table is that of all tiles that a box touches.

#import grid
#import element_bits
#import n_items
#import tiles

@group(0) @binding(2) var<storage> boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage> least: array<u32>;
@group(0) @binding(4) var<storage, read_write> visible: array<u32>;

fn least_at(level: vec2<u32>, x: u32, y: u32) -> u32 {
    return least[level_row(level, y) * config.n_columns + x];
}

fn is_visible(element: u32) -> bool {
    let tiles = tiles_touched(boxes[element]);
    if tiles.x >= tiles.z {
        return false;
    }
    let entries = entries_of(tiles);
    let first = entries.first;
    let last = entries.last;
    let upper = min(least_at(entries.level, first.x, first.y), least_at(entries.level, last.x, first.y));
    let lower = min(least_at(entries.level, first.x, last.y), least_at(entries.level, last.x, last.y));
    // An entry is an index plus 1.
    return min(upper, lower) <= element + 1u;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let n = n_items();
    let first = workgroup_index(grid) * WORKGROUP_SIZE;
    if first >= n {
        return;
    }
    clear_element_bits(local);
    if first + local < n && is_visible(first + local) {
        set_element_bit(local);
    }
    workgroupBarrier();
    let word = first / 32u + local;
    if local < WORDS_PER_WORKGROUP && 32u * word < n {
        visible[word] = element_bits_of(local);
    }
}
