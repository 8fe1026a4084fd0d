// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: DEPTHS_AT, box_place, integer_place, pool

// Workgroup memory that the quads of a partition share, one invocation per quad.

#import grid

// Holds boxes and integers for several purposes, one after the other. The size of workgroup memory
// limits the number of workgroups that a GPU runs at the same time.
var<workgroup> pool: array<vec4<i32>, 2u * WORKGROUP_SIZE>;

const DEPTHS_AT = 0u;

// The position in the pool of an item of a sequence of boxes, or of integers, so that adjacent
// quads access different memory banks.
fn box_place(index: u32) -> u32 {
    return index ^ ((index >> 3u) & 3u);
}

fn integer_place(index: u32) -> u32 {
    return index ^ ((index >> 5u) & 3u);
}
