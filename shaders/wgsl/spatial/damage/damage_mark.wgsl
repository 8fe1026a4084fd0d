// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: damage_mark
// shader: damage_mark_partners: partners

// Stage damage, 1 of 2, or 3 of 5 if elements have partners: which elements of the new frame
// changed, and the tiles that they touch, in both frames.

#import grid
#import element_bits
#import n_items
#import tiles
#import touched_tiles

// Compared as bits, so that a NaN is equal to itself.
@group(0) @binding(2) var<storage> old_boxes: array<vec4<u32>>;
@group(0) @binding(3) var<storage> new_boxes: array<vec4<u32>>;
@group(0) @binding(4) var<storage> old_signatures: array<u32>;
@group(0) @binding(5) var<storage> new_signatures: array<u32>;
// With `partners`, the elements without a partner, and those out of order, are 1 already.
@group(0) @binding(6) var<storage, read_write> changed: array<u32>;
#ifdef partners
// The index of each partner plus 1, or 0 without one.
@group(0) @binding(8) var<storage> partner_ordinals: array<u32>;
#endif

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
#ifdef partners
        var is_changed = ((changed[element / 32u] >> (element % 32u)) & 1u) == 1u;
        let has_old = partner_ordinals[element] > 0u;
        let old = max(partner_ordinals[element], 1u) - 1u;
#else
        var is_changed = false;
        let has_old = true;
        let old = element;
#endif
        let new_box = new_boxes[element];
        var old_box = new_box;
        if has_old {
            old_box = old_boxes[old];
            is_changed |= old_signatures[old] != new_signatures[element];
        }
        let is_moved = any(old_box != new_box);
        if is_moved || is_changed {
            set_element_bit(local);
            touch_tiles(tiles_touched(bitcast<vec4<f32>>(new_box)));
            if is_moved {
                touch_tiles(tiles_touched(bitcast<vec4<f32>>(old_box)));
            }
        }
    }
#ifdef partners
    // The words have been read.
    storageBarrier();
#endif
    workgroupBarrier();
    let word = first / 32u + local;
    if local < WORDS_PER_WORKGROUP && 32u * word < n {
        changed[word] = element_bits_of(local);
    }
}
