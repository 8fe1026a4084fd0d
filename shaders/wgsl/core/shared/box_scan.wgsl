// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: scan_boxes, scanned_boxes

// The inclusive scan of boxes over the monoid of intersections.

#import aabb
#import grid

var<workgroup> scanned_boxes: array<vec4<f32>, WORKGROUP_SIZE>;

// Fills `scanned_boxes` from each invocation's own box, and returns that of the invocation. Other
// invocations see the boxes after the caller's next barrier. Each round joins four adjacent ranges.
fn scan_boxes(local: u32, own: vec4<f32>) -> vec4<f32> {
    var box = own;
    scanned_boxes[local] = box;
    for (var length = 1u; length < WORKGROUP_SIZE; length *= 4u) {
        workgroupBarrier();
        #repeat k 3
        if local >= ($k + 1u) * length {
            box = meet(scanned_boxes[local - ($k + 1u) * length], box);
        }
        #endrepeat
        workgroupBarrier();
        scanned_boxes[local] = box;
    }
    return box;
}
