// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: scan_boxes, scanned_boxes

// The inclusive scan of boxes over the monoid of intersections.

#import aabb
#import grid

var<workgroup> scanned_boxes: array<vec4<f32>, WORKGROUP_SIZE>;

// Fills `scanned_boxes` from each invocation's own box, of `n` in all, and returns that of the
// invocation. Other invocations see the boxes after the caller's next barrier.
fn scan_boxes(local: u32, own: vec4<f32>, n: u32) -> vec4<f32> {
    var box = own;
    scanned_boxes[local] = box;
    for (var stride = 1u; stride < n; stride <<= 1u) {
        workgroupBarrier();
        var below = PLANE;
        if local >= stride {
            below = scanned_boxes[local - stride];
        }
        workgroupBarrier();
        box = meet(below, box);
        scanned_boxes[local] = box;
    }
    return box;
}
