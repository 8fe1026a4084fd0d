// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: pool
// provides: pool_box, set_pool_box

// Boxes in `pool`, an array of vec4<i32> in workgroup memory that also holds integers.

fn pool_box(index: u32) -> vec4<f32> {
    return bitcast<vec4<f32>>(pool[index]);
}

fn set_pool_box(index: u32, box: vec4<f32>) {
    pool[index] = bitcast<vec4<i32>>(box);
}
