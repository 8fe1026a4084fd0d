// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: small_partitions, small_summaries
// provides: summarise_small

// The summary of a partition of 256 elements: its bicyclic sum, its stack slice, and for each begin
// in the slice the intersection of its box and those below it (Levien 2022, sections 7.1 and 9).
// One element per invocation. Each round of a scan adds four terms, because barriers dominate the
// time of a small scene.

#import aabb
#import bic
#import grid
#import entry

// Alternating halves. For the elements from each one to the end of the partition: the packed
// bicyclic sum, and the number of entries.
var<workgroup> suffix_sums: array<vec2<u32>, 2u * WORKGROUP_SIZE>;
var<workgroup> staged_slice: array<vec4<f32>, 2u * WORKGROUP_SIZE>;

fn sum_then(x: vec2<u32>, y: vec2<u32>) -> vec2<u32> {
    return vec2(packed_then(x.x, y.x), x.y + y.y);
}

fn suffix_sum(half: u32, element: u32) -> vec2<u32> {
    return select(vec2(0u), suffix_sums[half + element % WORKGROUP_SIZE], element < WORKGROUP_SIZE);
}

// Stores the summary. Each invocation has the tag and the box of its element.
fn summarise_small(part: u32, local: u32, tag: u32, box: vec4<f32>) {
    let is_begin = tag == TAG_BEGIN;
    let is_end = tag == TAG_END;
    var suffix = vec2(pack_bic(u32(is_end), u32(is_begin)), u32(is_begin || is_end));
    var half = 0u;
    suffix_sums[local] = suffix;
    staged_slice[local] = PLANE;
    for (var length = 1u; length < WORKGROUP_SIZE; length *= 4u) {
        workgroupBarrier();
        let low = sum_then(suffix, suffix_sum(half, local + length));
        let high = sum_then(suffix_sum(half, local + 2u * length), suffix_sum(half, local + 3u * length));
        suffix = sum_then(low, high);
        half ^= WORKGROUP_SIZE;
        suffix_sums[half + local] = suffix;
    }
    let all = workgroupUniformLoad(&suffix_sums[0]);
    let n_slice = all.x & 0xffffu;
    let n_closed = suffix_sum(0u, local + 1u).x >> 16u;
    if is_begin && n_closed == 0u {
        let slot = n_slice - (suffix.x & 0xffffu);
        small_partitions[part].slice[slot] = all.y - suffix.y;
        staged_slice[slot] = box;
    }
    if local == 0u {
        small_summaries[part].bic = Bic(all.x >> 16u, n_slice);
        small_summaries[part].n_entries = all.y;
    }
    workgroupBarrier();
    var slice_box = staged_slice[local];
    half = 0u;
    for (var length = 1u; length < n_slice; length *= 4u) {
        // Indices below 0 are replaced by 0. Using a box twice does not change an intersection.
        slice_box = meet(slice_box, staged_slice[half + max(local, length) - length]);
        let low = meet(
            staged_slice[half + max(local, 2u * length) - 2u * length],
            staged_slice[half + max(local, 3u * length) - 3u * length],
        );
        slice_box = meet(slice_box, low);
        half ^= WORKGROUP_SIZE;
        staged_slice[half + local] = slice_box;
        workgroupBarrier();
    }
    if local < n_slice {
        small_partitions[part].slice_boxes[local] = slice_box;
    }
}
