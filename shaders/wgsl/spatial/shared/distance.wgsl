// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config
// provides: squared_distance, squared_limit

// Distances with the same bits on every device.

#import aabb

// Coordinates are clamped to 2^100, so that their differences are finite.
const MAX_COORDINATE = 0x1p+100f;

// Distances are clamped to 2^62, so that their squares are finite. Those below 2^-60 are 0, so that
// no square is subnormal.
const FARTHEST = 0x1p+62f;
const NEAREST = 0x1p-60f;

fn plain_distance(distance: vec2<f32>) -> vec2<f32> {
    return select(min(distance, vec2(FARTHEST)), vec2(0.0), distance < vec2(NEAREST));
}

// The square of the distance between a point and a box that is not empty.
fn squared_distance(box: vec4<f32>, point: vec2<f32>) -> f32 {
    let plain_box = clamp(box, vec4(-MAX_COORDINATE), vec4(MAX_COORDINATE));
    let plain_point = clamp(point, vec2(-MAX_COORDINATE), vec2(MAX_COORDINATE));
    let distance = plain_distance(max(plain_box.xy - plain_point, plain_point - plain_box.zw));
    // A compiler could fuse a product into the sum.
    let squares = fma(distance, distance, vec2(config.minus_zero));
    return squares.x + squares.y;
}

// The bits of infinity. Those of numbers from 0 to it are not larger, and those of negative numbers
// and NaN are.
const INFINITY_BITS = 0x7f800000u;

// The square of a maximum distance, for which a negative number and NaN count as 0. The bits
// are compared, because a compiler may assume that no value is NaN.
fn squared_limit(distance: f32) -> f32 {
    let is_distance = bitcast<u32>(distance) <= INFINITY_BITS;
    let plain = plain_distance(vec2(select(0.0, distance, is_distance))).x;
    return select(fma(plain, plain, config.minus_zero), LARGEST, plain >= FARTHEST);
}
