// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: cell_of, curve_key, plain, scale_of

// A curve through a grid over a rectangle: Hilbert's if `hilbert` is defined, otherwise Morton's.

// Coordinates are clamped, so that differences are finite.
const LIMIT = 1073741824.0;
// Smaller coordinates, below 2^-100, are 0, so that differences are not subnormal.
const LEAST = 0x1p-100f;

// The bits of a coordinate in the grid, and the largest place.
const PLACE_BITS = 23u;
const LAST_PLACE = 8388607.0;
const MANTISSA_BITS = 23u;
const EXPONENT_BIAS = 127u;
const MAX_EXPONENT = 126u;

fn plain(v: vec4<f32>) -> vec4<f32> {
    return select(clamp(v, vec4(-LIMIT), vec4(LIMIT)), vec4(0.0), abs(v) < vec4(LEAST));
}

// The largest power of two by which an extent can be multiplied. The extent of no boxes is
// negative, and has any scale.
fn scale_of(extent: vec2<f32>) -> vec2<f32> {
    // An extent is at most 2^(exponent - 126).
    let bits = max(bitcast<vec2<u32>>(extent), vec2(1u)) - 1u;
    let exponent = min(
        vec2(PLACE_BITS + 126u + EXPONENT_BIAS) - (bits >> vec2(MANTISSA_BITS)),
        vec2(MAX_EXPONENT + EXPONENT_BIAS),
    );
    return bitcast<vec2<f32>>(exponent << vec2(MANTISSA_BITS));
}

// Spreads the lower 16 bits, so that there is a 0 between any two.
fn spread(v: u32) -> u32 {
    var bits = v & 0xffffu;
    bits = (bits | (bits << 8u)) & 0x00ff00ffu;
    bits = (bits | (bits << 4u)) & 0x0f0f0f0fu;
    bits = (bits | (bits << 2u)) & 0x33333333u;
    return (bits | (bits << 1u)) & 0x55555555u;
}

#ifdef hilbert
// The rotations of the quadrants are a prefix scan over the bits of the coordinates, from the
// largest quadrant to the smallest, which takes four rounds for 16 bits. The bits of (a, b) are the
// composed rotations. The bits of (c, d) say what has been flipped and swapped.
fn curve_key(x: u32, y: u32) -> u32 {
    let differ = x ^ y;
    let same = 0xffffu ^ differ;
    let neither = 0xffffu ^ (x | y);
    let only_x = x & (y ^ 0xffffu);
    var a = differ | (same >> 1u);
    var b = (differ >> 1u) ^ differ;
    var c = ((neither >> 1u) ^ (same & (only_x >> 1u))) ^ neither;
    var d = ((differ & (neither >> 1u)) ^ (only_x >> 1u)) ^ only_x;
    #repeat round 3
    let distance = 2u << $round;
    let flips = (a & (c >> distance)) ^ (b & (d >> distance));
    let swaps = (b & (c >> distance)) ^ ((a ^ b) & (d >> distance));
    let composed = (a & (a >> distance)) ^ (b & (b >> distance));
    b = (a & (b >> distance)) ^ (b & ((a ^ b) >> distance));
    a = composed;
    c ^= flips;
    d ^= swaps;
    #endrepeat
    let low = differ;
    let high = (d ^ (d >> 1u)) | (0xffffu ^ (low | (c ^ (c >> 1u))));
    return (spread(high) << 1u) | spread(low);
}
#else
fn curve_key(x: u32, y: u32) -> u32 {
    return spread(x) | (spread(y) << 1u);
}
#endif

// The cell of the center of a box.
fn cell_of(box: vec4<f32>, extremes: vec4<f32>, scale: vec2<f32>) -> vec2<u32> {
    let scaled = (plain(box) - extremes.xyxy) * scale.xyxy;
    let places = vec4<u32>(clamp(scaled, vec4(0.0), vec4(LAST_PLACE)));
    // The upper 16 bits of twice the center.
    return (places.xy + places.zw) >> vec2(PLACE_BITS + 1u - 16u);
}
