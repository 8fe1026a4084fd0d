// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: coordinate_keys

// Numbers with the same order as coordinates, which are neither -0 nor NaN.

fn coordinate_keys(v: vec4<f32>) -> vec4<u32> {
    let bits = bitcast<vec4<u32>>(v);
    return select(bits | vec4(0x80000000u), ~bits, (bits >> vec4(31u)) == vec4(1u));
}
