// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config
// provides: LEAST, Placed, affine, exponent_of, flushed2, high, power_of_two, product, product2
// provides: product4

// Arithmetic that every device does alike; boxwood_cpu has the reasons. A compiler may fuse a product into a sum, and cancel what it
// sees in sums: here products are exact, or rounded by themselves. Both have a factor or a term that changes nothing, which no compiler
// knows, and so are one instruction that is not fused with another, whether or not `fma` itself rounds twice.

fn product(a: f32, b: f32) -> f32 {
    return fma(a, b, config.minus_zero);
}

fn product2(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    return fma(a, b, vec2(config.minus_zero));
}

fn product4(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return fma(a, b, vec4(config.minus_zero));
}


// The exponent of a normal number.
fn exponent_of(x: f32) -> i32 {
    return i32((bitcast<u32>(x) >> 23u) & 0xffu) - 127;
}

// 2 to the power of k, which is that of a normal number.
fn power_of_two(k: i32) -> f32 {
    return bitcast<f32>(u32(k + 127) << 23u);
}

fn flushed2(x: vec2<f32>, least: f32) -> vec2<f32> {
    return select(x, vec2(0.0), abs(x) < vec2(least));
}

// The 12 highest of the 24 significant bits.
fn high(x: vec2<f32>) -> vec2<f32> {
    return bitcast<vec2<f32>>(bitcast<vec2<u32>>(x) & vec2(0xfffff000u));
}

struct Sum {
    sum: vec2<f32>,
    rest: vec2<f32>,
}

fn two_sum(a: vec2<f32>, b: vec2<f32>) -> Sum {
    let sum = fma(a, vec2(config.one), b);
    let b_part = fma(sum, vec2(config.one), -a);
    return Sum(sum, (a - (sum - b_part)) + (b - b_part));
}

// The least magnitude of a coordinate in device space other than 0.
const LEAST = 0x1p-40f;

struct Placed {
    point: vec2<f32>,
    is_inexact: vec2<bool>,
}

// a x + c y + e.
fn affine(a: vec2<f32>, x: vec2<f32>, c: vec2<f32>, y: vec2<f32>, e: vec2<f32>) -> Placed {
    let a1 = high(a);
    let x1 = high(x);
    let c1 = high(c);
    let y1 = high(y);
    let a2 = a - a1;
    let x2 = x - x1;
    let c2 = c - c1;
    let y2 = y - y1;
    let low = ((a1 * x2 + a2 * x1) + a2 * x2) + ((c1 * y2 + c2 * y1) + c2 * y2);
    let linear = two_sum(a1 * x1, c1 * y1);
    let moved = two_sum(linear.sum, e);
    let all = two_sum(moved.sum, moved.rest + (linear.rest + low));
    let is_small = abs(all.sum) < vec2(LEAST);
    let is_inexact = (all.rest != vec2(0.0)) | (is_small & (all.sum != vec2(0.0)));
    return Placed(select(all.sum, vec2(0.0), is_small), is_inexact);
}
