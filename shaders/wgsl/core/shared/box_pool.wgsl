// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: pool
// provides: pool_box, set_pool_box

// Workgroup memory for boxes and integers. Needs the variable `pool`, of vec4<i32>.

fn pool_box(index: u32) -> vec4<f32> {
    return bitcast<vec4<f32>>(pool[index]);
}

fn set_pool_box(index: u32, box: vec4<f32>) {
    pool[index] = bitcast<vec4<i32>>(box);
}
