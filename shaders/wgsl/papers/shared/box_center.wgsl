// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: center_of

// The center of a box, rounded to the nearest f32. No sum is infinite or subnormal.

#import grid_places

fn center_of(box: vec4<f32>) -> vec2<f32> {
    let inside = plain(box);
    return (inside.xy + inside.zw) * 0.5;
}
