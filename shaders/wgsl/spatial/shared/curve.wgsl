// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: cell_of, curve_key

// A curve through a grid over a rectangle: Hilbert's if `hilbert` is defined, otherwise Morton's.

#import grid_places

// Spreads the lower 16 bits, so that there is a 0 between any two.
fn spread(v: u32) -> u32 {
    var bits = v & 0xffffu;
    bits = (bits | (bits << 8u)) & 0x00ff00ffu;
    bits = (bits | (bits << 4u)) & 0x0f0f0f0fu;
    bits = (bits | (bits << 2u)) & 0x33333333u;
    return (bits | (bits << 1u)) & 0x55555555u;
}

#ifdef hilbert
// After rawrunprotected, *2D Hilbert curves in O(log n)* (2016), public domain:
// https://github.com/rawrunprotected/hilbert_curves.
//
// A quadrant rotates or flips the curve inside. The orientation is a vector of two bits, (0, 0) at
// first. From the largest quadrant to the smallest, it becomes M v + t modulo 2, where M is
// [[1, same], [differ, 1]] and t is (neither, only_x), of the bit of each coordinate. The lower bit
// of the key is `differ`. The upper bit follows from `differ` and from the change of orientation.
//
// The composition of such maps is associative, so that the orientations are a prefix scan over the
// 16 bits, in four rounds. The first round composes two neighbouring bits. Every product of an even
// number of matrices M is [[a, b], [b, a ^ b]]. (c, d) is the composed vector t.
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
    // `c ^ (c >> 1u)` is the change of c from one quadrant to the next smaller one.
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
