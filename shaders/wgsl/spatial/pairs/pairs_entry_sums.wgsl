// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage pairs in strips, 4, after a scan of the numbers of candidates: what the sweep needs of each
// entry, as `pairs_choose.wgsl` writes it for boxes.

#import grid
#import n_items
#import pairs_config

@group(0) @binding(2) var<storage> swept_boxes: array<vec4<u32>>;
@group(0) @binding(3) var<storage> places: array<u32>;
// The candidates before those of each entry, and their total.
@group(0) @binding(4) var<storage> sums: array<u32>;
@group(0) @binding(5) var<storage, read_write> swept: array<vec4<u32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let entry = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if entry >= n_items() {
        return;
    }
    let place = places[entry];
    let box = swept_boxes[place & INDEX_MASK];
    swept[entry] = vec4(box.x | (place & CONTINUED), box.yz, sums[entry]);
}
