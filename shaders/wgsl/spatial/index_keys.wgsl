// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: index_keys_morton
// shader: index_keys_hilbert: hilbert

// Stage index, 2: the place of the center of each box along a curve through the union of all boxes.
//
// Every operation but the subtraction of the smallest coordinate is exact, so that the keys are the
// same on every device.

#import aabb
#import grid
#import n_items
#import index_config
#import workgroup_union

@group(0) @binding(2) var<storage> boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage> unions: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> keys: array<u32>;
@group(0) @binding(5) var<storage, read_write> bounds: array<vec4<f32>>;

const ITEMS_PER_INVOCATION = 4u;
const PARTITION_LENGTH = ITEMS_PER_INVOCATION * WORKGROUP_SIZE;

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

// The largest power of two by which an extent can be multiplied. The extent of no boxes is negative,
// and has any scale.
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
// composed rotations, those of (c, d) what has been flipped and swapped.
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

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let n = n_items();
    // The first workgroup writes the union, even if there are no boxes.
    if part > 0u && part * PARTITION_LENGTH >= n {
        return;
    }
    var own = EMPTY;
    if local < config.n_unions {
        own = unions[local];
    }
    let all = workgroup_union(local, own);
    if part == 0u && local == 0u {
        bounds[0] = all;
    }
    let extremes = plain(all);
    let scale = scale_of(extremes.zw - extremes.xy);
    #repeat i 4
    let item = part * PARTITION_LENGTH + $i * WORKGROUP_SIZE + local;
    if item < n {
        let box = boxes[item];
        let scaled = (plain(box) - extremes.xyxy) * scale.xyxy;
        let places = vec4<u32>(clamp(scaled, vec4(0.0), vec4(LAST_PLACE)));
        // The upper 16 bits of twice the center.
        let cell = (places.xy + places.zw) >> vec2(PLACE_BITS + 1u - 16u);
        let is_empty = box.x >= box.z || box.y >= box.w;
        keys[item] = select(curve_key(cell.x, cell.y), 0xffffffffu, is_empty) >> config.key_shift;
    }
    #endrepeat
}
