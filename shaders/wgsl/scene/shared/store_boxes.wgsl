// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: store_box
// provides: pool_half, store_boxes

// Stores the boxes of a partition's elements. Each invocation holds those of one quad. The
// importing file declares `store_box(part, quad, i, box)`, which stores the box of element `i` of a
// quad in the buffers that have one for its kind.
//
// The loops that copy are unrolled. With loops, fused_resolve takes a sixth longer on lavapipe.

#import box_pool
#import grid
#import quad
#import quad_pool

// Fills the pool with the boxes of half a partition. Starts and ends with a barrier.
fn pool_half(local: u32, half_start: u32, boxes: array<vec4<f32>, QUAD_LENGTH>) {
    workgroupBarrier();
    if local / HALF == half_start / HALF {
        #repeat i 4
        set_pool_box(element_place(local, $i), boxes[$i]);
        #endrepeat
    }
    workgroupBarrier();
}

// Calls store_box for all elements, through the pool, half a partition at a time, so that adjacent
// invocations store adjacent items. Starts with a barrier. Needs a barrier before the next use of
// the pool.
fn store_boxes(part: u32, local: u32, boxes: array<vec4<f32>, QUAD_LENGTH>) {
    for (var half_start = 0u; half_start < WORKGROUP_SIZE; half_start += HALF) {
        pool_half(local, half_start, boxes);
        #repeat round 2
        {
            let slot = $round * WORKGROUP_SIZE + local;
            let quad = half_start + slot / QUAD_LENGTH;
            let i = slot % QUAD_LENGTH;
            store_box(part, quad, i, pool_box(element_place(quad, i)));
        }
        #endrepeat
    }
}
