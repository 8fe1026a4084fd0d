// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: slices
// provides: begin_before

// The stack before a partition of 256 entries, read from the slices of earlier partitions. Levien
// 2022, section 7.2, first step, without storing that stack.

#import grid
#import slice_search

// The begin `depth` levels below the top of the stack before partition `part`, or -1.
fn begin_before(part: u32, depth: u32) -> i32 {
    let place = place_before(part, depth);
    if place.source < 0 {
        return -1;
    }
    return i32(slices[u32(place.source) * WORKGROUP_SIZE + place.slot]);
}
