// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: workgroup_union

// The union of a box per invocation.

#import aabb
#import grid

// The boxes of the invocations, then the unions of four each, and so on: 256 + 64 + 16 + 4.
var<workgroup> united: array<vec4<f32>, 340>;

// The union of the boxes of all invocations. Ends without a barrier: call it once.
fn workgroup_union(local: u32, own: vec4<f32>) -> vec4<f32> {
    united[local] = own;
    workgroupBarrier();
    var first = 0u;
    for (var width = WORKGROUP_SIZE / 4u; width > 1u; width /= 4u) {
        if local < width {
            let at = first + 4u * local;
            united[first + 4u * width + local] =
                join(join(united[at], united[at + 1u]), join(united[at + 2u], united[at + 3u]));
        }
        first += 4u * width;
        workgroupBarrier();
    }
    return join(join(united[first], united[first + 1u]), join(united[first + 2u], united[first + 3u]));
}
