// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage fused for small scenes, clipped boxes alone: the clipped box of every element, which is
// EMPTY unless it is a leaf. One element per invocation.

#import aabb
#import config
#import grid
#import entry
#import small_elements

#import small_partition
@group(0) @binding(3) var<storage> small_summaries: array<SmallSummary>;
@group(0) @binding(4) var<storage> small_partitions: array<SmallPartition>;
@group(0) @binding(5) var<storage, read_write> clipped_boxes: array<vec4<f32>>;

#import small_stack

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let index = part * WORKGROUP_SIZE + local;
    let tag = tag_of(index);
    var own_box = PLANE;
    if index < config.n_elements {
        own_box = box_of_element(index);
    }
    let is_begin = tag == TAG_BEGIN;
    let is_end = tag == TAG_END;
    let stack = find_stack(part, local, is_begin, is_end, own_box);
    var clipped_box = EMPTY;
    if !(is_begin || is_end || tag == TAG_NOP) {
        clipped_box = canonical(meet(stack.clip_box, own_box));
    }
    if index < config.n_elements {
        clipped_boxes[index] = clipped_box;
    }
}
