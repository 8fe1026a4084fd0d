// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: slice_boxes, store_level, summaries

// The stack before each partition, down to the floor of the partition.
//
// The clip boxes are stored in arrays that are not in use yet. If all boxes are computed in one
// piece (`whole`), these are the group boxes of the partition's own entries. Otherwise, they are
// the clipped boxes of its own elements. The stack has at most one level per end without a begin,
// so there is room.

#import summary

@group(0) @binding(1) var<storage> summaries: array<PartitionSummary>;
@group(0) @binding(2) var<storage> slice_boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> crossings: array<PartitionCrossings>;
#ifdef whole
@group(0) @binding(4) var<storage, read_write> group_boxes: array<vec4<f32>>;
#else
@group(0) @binding(4) var<storage, read_write> clipped_boxes: array<vec4<f32>>;
#endif

// Stores the begin, or -1, and the clip box that applies `depth` levels below the top of the stack.
// The floor is at `height`, and `first_box` is the place of the clip box at the top.
fn store_level(part: u32, depth: u32, height: u32, first_box: u32, begin: i32, clip_box: vec4<f32>) {
    if depth == height {
        crossings[part].floor_box = clip_box;
        crossings[part].floor_begin = begin;
        return;
    }
    crossings[part].pairs[depth].x = begin;
#ifdef whole
    group_boxes[first_box + depth] = clip_box;
#else
    clipped_boxes[first_box + depth] = clip_box;
#endif
}
