// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// How far a curve reaches along an axis, in integers; boxwood_cpu has the reasons.

const BITS = 28;
const DROPPED_BITS = 4;
const SLACK = 32;
const MAX_HALVINGS = 14u;

// The next number above, of those that coordinates take.
fn above(v: f32) -> f32 {
    if v == 0.0 {
        return LEAST;
    }
    if v == -LEAST {
        return 0.0;
    }
    let bits = bitcast<u32>(v);
    return bitcast<f32>(select(bits + 1u, bits - 1u, (bits >> 31u) != 0u));
}

// The next number below, of those that coordinates take.
fn below(v: f32) -> f32 {
    return 0.0 - above(0.0 - v);
}

// The least and the greatest value of a curve with n control values, 2 to 4, or bounds of them. The last control value is in w.
fn extent(p: vec4<f32>, n: u32, is_inexact: bool) -> vec2<f32> {
    var low = min(p.x, p.w);
    var high = max(p.x, p.w);
    var least = min(p.y, p.z);
    var greatest = max(p.y, p.z);
    if is_inexact {
        low = below(low);
        high = above(high);
        least = below(least);
        greatest = above(greatest);
    }
    if n == 2u || (low <= least && greatest <= high) {
        return vec2(low, high);
    }
    let size = abs(p);
    let k = exponent_of(max(max(size.x, size.y), max(size.z, size.w)));
    let scale = power_of_two(BITS - 1 - k);
    let q = vec4<i32>(p * scale);
    let tolerance = 1i << u32(clamp(BITS - 10 - k, DROPPED_BITS - 1, BITS - 1));
    let unit = power_of_two(k + DROPPED_BITS + 1 - BITS);
    var bounds = vec2(low, high);
    if greatest > high {
        bounds.y = max(high, min(crest(q, n, tolerance, unit), greatest));
    }
    if least < low {
        bounds.x = min(low, max(0.0 - crest(-q, n, tolerance, unit), least));
    }
    return bounds;
}

// A bound of the greatest value of a curve that has its crest between its ends.
fn crest(q: vec4<i32>, n: u32, tolerance: i32, unit: f32) -> f32 {
    var top: i32;
    if n == 3u {
        top = crest_of_three(q.xyw, tolerance);
    } else {
        top = crest_of_four(q, tolerance);
    }
    let kept = (top + (SLACK + (1 << u32(DROPPED_BITS)) - 1)) >> u32(DROPPED_BITS);
    return f32(kept) * unit;
}

// The greatest control value of the part of a quadratic curve around its maximum.
fn crest_of_three(values: vec3<i32>, tolerance: i32) -> i32 {
    var p = values;
    var n_halvings = 0u;
    while n_halvings < MAX_HALVINGS && p.y > max(p.x, p.z) + tolerance {
        let sides = (p.xy + p.yz) >> vec2(1u);
        let middle = (sides.x + sides.y) >> 1u;
        p = select(vec3(p.x, sides.x, middle), vec3(middle, sides.y, p.z), sides.y > sides.x);
        n_halvings += 1u;
    }
    return max(max(p.x, p.y), p.z);
}

// The same of a cubic curve around its only local maximum. Without one, of some part.
fn crest_of_four(values: vec4<i32>, tolerance: i32) -> i32 {
    var p = values;
    var n_halvings = 0u;
    while n_halvings < MAX_HALVINGS && max(p.y, p.z) > max(p.x, p.w) + tolerance {
        let once = (p.xyz + p.yzw) >> vec3(1u);
        let twice = (once.xy + once.yz) >> vec2(1u);
        let middle = (twice.x + twice.y) >> 1u;
        // Where the slope rises, it has the maximum on one side and the same sign up to the end on the other, which then is higher.
        p = select(vec4(p.x, once.x, twice.x, middle), vec4(middle, twice.y, once.z, p.w), twice.y > twice.x);
        n_halvings += 1u;
    }
    return max(max(p.x, p.y), max(p.z, p.w));
}
