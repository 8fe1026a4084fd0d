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

// The greatest value of a curve with n control values, 2 to 4, or a bound of it. The last control value is in w. The least value
// is the negative of this of the negative control values: nothing here prefers a sign.
fn reach_of_curve(p: vec4<f32>, n: u32, is_inexact: bool) -> f32 {
    var high = max(p.x, p.w);
    var greatest = max(p.y, p.z);
    if is_inexact {
        high = above(high);
        greatest = above(greatest);
    }
    if n == 2u || greatest <= high {
        return high;
    }
    let size = abs(p);
    let k = exponent_of(max(max(size.x, size.y), max(size.z, size.w)));
    let q = vec4<i32>(p * power_of_two(BITS - 1 - k));
    let tolerance = 1i << u32(clamp(BITS - 10 - k, DROPPED_BITS - 1, BITS - 1));
    let unit = power_of_two(k + DROPPED_BITS + 1 - BITS);
    return max(high, min(crest(q, n, tolerance, unit), greatest));
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
        // Where the slope rises, it has the maximum on one side and the same sign up to the end on the other, which then is
        // higher.
        p = select(vec4(p.x, once.x, twice.x, middle), vec4(middle, twice.y, once.z, p.w), twice.y > twice.x);
        n_halvings += 1u;
    }
    return max(max(p.x, p.y), max(p.z, p.w));
}
