// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage damage, 1 of 2: which elements changed, and the tiles that they touch, in both frames.
//
// A box sets at most four bits of a sparse table of bits, whatever its size. Level (0, 0) receives
// those of the other levels in the next dispatch.

#import grid
#import element_bits
#import n_items
#import tiles

// Compared as bits, so that a NaN is equal to itself.
@group(0) @binding(2) var<storage> old_boxes: array<vec4<u32>>;
@group(0) @binding(3) var<storage> new_boxes: array<vec4<u32>>;
@group(0) @binding(4) var<storage> old_signatures: array<u32>;
@group(0) @binding(5) var<storage> new_signatures: array<u32>;
@group(0) @binding(6) var<storage, read_write> changed: array<u32>;
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

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let n = n_items();
    let first = workgroup_index(grid) * WORKGROUP_SIZE;
    if first >= n {
        return;
    }
    clear_element_bits(local);
    let element = first + local;
    if element < n {
        let old_box = old_boxes[element];
        let new_box = new_boxes[element];
        let is_moved = any(old_box != new_box);
        if is_moved || old_signatures[element] != new_signatures[element] {
            set_element_bit(local);
            touch_tiles(tiles_touched(bitcast<vec4<f32>>(new_box)));
            if is_moved {
                touch_tiles(tiles_touched(bitcast<vec4<f32>>(old_box)));
            }
        }
    }
    workgroupBarrier();
    let word = first / 32u + local;
    if local < WORDS_PER_WORKGROUP && 32u * word < n {
        changed[word] = element_bits_of(local);
    }
}
