// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: vello_clip_resolve
// shader: vello_clip_resolve_direct: direct

// Replaces Vello's clip stage for up to 65,536 clip operations: the clip box that applies after
// each begin and end, and the fields that the draw object of an end shares with that of its begin.
// One operation per invocation. An operation is an element of the scene stage, and an entry of its
// node stream.

#import aabb
#import grid
#import entry
#import small_partition
#import vello_clip_results
#import vello_clips

@group(0) @binding(4) var<storage, read_write> clip_bboxes: array<vec4<f32>>;
#ifndef direct
@group(0) @binding(5) var<storage> small_summaries: array<SmallSummary>;
@group(0) @binding(6) var<storage> small_partitions: array<SmallPartition>;
#endif

#import small_stack

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let index = part * WORKGROUP_SIZE + local;
    let tag = tag_of(index);
    let is_begin = tag == TAG_BEGIN;
    let is_end = tag == TAG_END;
    var own_box = PLANE;
    if is_begin {
        own_box = box_of_element(index);
    }
    let stack = find_stack(part, local, is_begin, is_end, own_box);
    if !(is_begin || is_end) || index >= arrayLength(&clip_bboxes) {
        return;
    }
    // Vello keeps the coordinates of an inverted intersection.
    let box = meet(stack.clip_box, own_box);
    clip_bboxes[index] = select(box, ROOT, is_end && stack.parent < 0);
    if is_end && stack.partner >= 0 {
        copy_from_begin(clip_inp[stack.partner], u32(~clip_inp[index].path_ix));
    }
}
