// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config
// provides: Placed, affine, crossed, dotted, exponent_of, exponent_of_bits, flushed2, high
// provides: inverse_root, power_of_two, product, product2, product4, reciprocal, reciprocal2

// Arithmetic with the same bits on every device (docs/strokes.md, section 5).
//
// A compiler may fuse a product into a sum, and cancel terms of sums. So a product here is either
// exact or one `fma` with a term that changes nothing; a sum whose rounding matters is one `fma`
// with a factor of 1. Compilers know neither the term nor the factor.

#import thresholds

fn product(a: f32, b: f32) -> f32 {
    return fma(a, b, config.minus_zero);
}

fn product2(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    return fma(a, b, vec2(config.minus_zero));
}

fn product4(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return fma(a, b, vec4(config.minus_zero));
}

fn crossed(a: vec2<f32>, b: vec2<f32>) -> f32 {
    let products = product2(a, b.yx);
    return products.x - products.y;
}

fn dotted(a: vec2<f32>, b: vec2<f32>) -> f32 {
    let products = product2(a, b);
    return products.x + products.y;
}

// The exponent of a normal number.
fn exponent_of(x: f32) -> i32 {
    return exponent_of_bits(bitcast<u32>(x));
}

fn exponent_of_bits(x: u32) -> i32 {
    return i32((x >> 23u) & 0xffu) - 127;
}

// 2 to the power of k, for the exponent k of a normal number.
fn power_of_two(k: i32) -> f32 {
    return bitcast<f32>(u32(k + 127) << 23u);
}

fn flushed2(x: vec2<f32>, least: f32) -> vec2<f32> {
    return select(x, vec2(0.0), abs(x) < vec2(least));
}

// The number with only the 12 highest of its 24 significant bits.
fn high(x: vec2<f32>) -> vec2<f32> {
    return bitcast<vec2<f32>>(bitcast<vec2<u32>>(x) & vec2(0xfffff000u));
}

// A sum and its rounding error.
struct Sum {
    sum: vec2<f32>,
    rest: vec2<f32>,
}

fn two_sum(a: vec2<f32>, b: vec2<f32>) -> Sum {
    let sum = fma(a, vec2(config.one), b);
    let b_part = fma(sum, vec2(config.one), -a);
    return Sum(sum, (a - (sum - b_part)) + (b - b_part));
}

// Points in device space, one coordinate of each, and whether they are rounded.
struct Placed {
    point: vec2<f32>,
    is_inexact: vec2<bool>,
}

// a x + c y + e. All products of halves are exact.
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
    let is_small = abs(all.sum) < vec2(MIN_COORDINATE);
    let is_inexact = (all.rest != vec2(0.0)) | (is_small & (all.sum != vec2(0.0)));
    return Placed(select(all.sum, vec2(0.0), is_small), is_inexact);
}

// x to the power of -1/2 for a positive normal number.
fn inverse_root(x: f32) -> f32 {
    let first = bitcast<f32>(INVERSE_ROOT_SEED - (bitcast<u32>(x) >> 1u));
    let half = 0.5 * x;
    let second = first * (INVERSE_ROOT_FIRST - product(half, first * first));
    return second * (INVERSE_ROOT_SECOND - product(half, second * second));
}

// 1 / x for numbers from 2^-60 to 2^90.
fn reciprocal(x: f32) -> f32 {
    return reciprocal2(vec2(x)).x;
}

fn reciprocal2(x: vec2<f32>) -> vec2<f32> {
    let first = bitcast<vec2<f32>>(vec2(RECIPROCAL_SEED) - bitcast<vec2<u32>>(x));
    let second = first * (RECIPROCAL_FIRST - product2(x, first));
    return second * (RECIPROCAL_SECOND - product2(x, second));
}
