// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: f32_from_ordered, ordered_from_f32

// f32 values as i32 values with the same order, so that integer atomics can compute their minimum
// and maximum. The map is its own inverse on the bits, and correct for all finite values.
fn ordered_from_f32(value: vec4<f32>) -> vec4<i32> {
    let bits = bitcast<vec4<i32>>(value);
    return select(bits, bits ^ vec4(0x7fffffff), bits < vec4(0));
}

fn f32_from_ordered(key: vec4<i32>) -> vec4<f32> {
    return bitcast<vec4<f32>>(select(key, key ^ vec4(0x7fffffff), key < vec4(0)));
}
