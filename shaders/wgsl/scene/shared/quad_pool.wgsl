// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: HALF, element_place, pool

// Workgroup memory that the quads of a partition share, one invocation per quad.

#import grid
#import quad

// One array serves several purposes in turn, because a GPU runs fewer workgroups at a time if each
// needs more memory.
var<workgroup> pool: array<vec4<i32>, 2u * WORKGROUP_SIZE>;

// The quads in half a partition. The pool has room for one box per element of these.
const HALF = WORKGROUP_SIZE / 2u;

// The position of an element's box in the pool. Adjacent quads access different memory banks.
fn element_place(quad: u32, i: u32) -> u32 {
    let slot = (QUAD_LENGTH * quad + i) % (2u * WORKGROUP_SIZE);
    return slot ^ ((slot >> 3u) & 3u);
}
