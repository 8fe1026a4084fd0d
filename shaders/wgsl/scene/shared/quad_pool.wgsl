// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: DEPTHS_AT, box_place, integer_place, pool

// What the quads of a partition have in workgroup memory in common, an invocation a quad.

#import config

// For several purposes in turn, boxes and integers: how many workgroups a GPU runs at a time hangs on the memory that each takes.
var<workgroup> pool: array<vec4<i32>, 2u * WORKGROUP_SIZE>;

const DEPTHS_AT = 0u;


// Places in the pool such that what neighbouring quads have is in different banks: of boxes in order, and of integers in order.
fn box_place(index: u32) -> u32 {
    return index ^ ((index >> 3u) & 3u);
}

fn integer_place(index: u32) -> u32 {
    return index ^ ((index >> 5u) & 3u);
}
