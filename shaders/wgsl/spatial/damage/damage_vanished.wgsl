// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage damage, 4 of 5 if elements have partners: the elements of the old frame without one, and
// the tiles that they touch. The items are the elements of the old frame.

#import grid
#import element_bits
#import n_items
#import tiles
#import touched_tiles

@group(0) @binding(2) var<storage> old_boxes: array<vec4<u32>>;
// All 0 afterwards, as before the stage.
@group(0) @binding(3) var<storage, read_write> has_partner: array<u32>;
@group(0) @binding(4) var<storage, read_write> vanished: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let n = n_items();
    let first = workgroup_index(grid) * WORKGROUP_SIZE;
    if first >= n {
        return;
    }
    clear_element_bits(local);
    let element = first + local;
    if element < n && ((has_partner[element / 32u] >> (element % 32u)) & 1u) == 0u {
        set_element_bit(local);
        touch_tiles(tiles_touched(bitcast<vec4<f32>>(old_boxes[element])));
    }
    // The words have been read.
    storageBarrier();
    workgroupBarrier();
    let word = first / 32u + local;
    if local < WORDS_PER_WORKGROUP && 32u * word < n {
        vanished[word] = element_bits_of(local);
        has_partner[word] = 0u;
    }
}
