// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: LAST_PLACE, PLACE_BITS, plain, scale_of

// The places of coordinates in a grid. Only the subtraction of the smallest coordinate rounds, so
// that the places are the same on every device.

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

// The largest power of two whose product with an extent is at most 2^23, the number of places. The
// extent of no boxes is negative, and has any scale.
fn scale_of(extent: vec2<f32>) -> vec2<f32> {
    // With the upper bits of `bits` as e, an extent is at most 2^(e - 126), and the scale is
    // 2^(23 + 126 - e) or less.
    let bits = max(bitcast<vec2<u32>>(extent), vec2(1u)) - 1u;
    let exponent = min(
        vec2(PLACE_BITS + 126u + EXPONENT_BIAS) - (bits >> vec2(MANTISSA_BITS)),
        vec2(MAX_EXPONENT + EXPONENT_BIAS),
    );
    return bitcast<vec2<f32>>(exponent << vec2(MANTISSA_BITS));
}
