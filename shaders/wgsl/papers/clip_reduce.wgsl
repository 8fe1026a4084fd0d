// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage clip, 1 of 3: the intersection of each begin in a stack slice with the begins below it in
// the slice, stored at the begin's own index. Levien 2022, section 9, first dispatch: an inclusive
// scan of the slice over the monoid of intersections.

#import aabb
#import begin_element
#import bic
#import box_scan
#import config
#import grid

@group(0) @binding(1) var<storage> entries: array<i32>;
@group(0) @binding(2) var<storage> element_boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage> partition_bics: array<Bic>;
@group(0) @binding(4) var<storage> slices: array<u32>;
@group(0) @binding(5) var<storage, read_write> slice_boxes: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
    let is_in_slice = local < partition_bics[part].b;
    var index = 0u;
    var box = PLANE;
    if is_in_slice {
        index = slices[part * WORKGROUP_SIZE + local];
        box = element_boxes[element_of(entries[index])];
    }
    box = scan_boxes(local, box);
    if is_in_slice {
        slice_boxes[index] = box;
    }
}
