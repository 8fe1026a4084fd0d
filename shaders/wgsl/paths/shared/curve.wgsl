// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: around, reach_of_inside

// How far a curve reaches along an axis, in integers; boxwood_cpu has the reasons.

#import arithmetic

const BITS = 28;
const DROPPED_BITS = 4;
const SLACK = 32;
const MAX_HALVINGS = 14u;

// The next numbers above and below, of those that coordinates take, at least LEAST away near 0; for what is not inexact the numbers
// themselves.
struct Around {
    below: vec2<f32>,
    above: vec2<f32>,
}

fn around(v: vec2<f32>, is_inexact: vec2<bool>) -> Around {
    let bits = bitcast<vec2<i32>>(v);
    // One bit further from 0, or nearer to it where it is negative.
    let step = select(vec2(0), (bits >> vec2(31u)) | vec2(1), is_inexact);
    let least = select(vec2(0.0), vec2(LEAST), is_inexact);
    let is_tiny = abs(v) <= vec2(LEAST);
    return Around(
        select(bitcast<vec2<f32>>(bits - step), v - least, is_tiny),
        select(bitcast<vec2<f32>>(bits + step), v + least, is_tiny),
    );
}

// How far the inside of a curve with n control values, 3 or 4, reaches at most, if it reaches further than the ends. The last
// control value is in w; those between the ends are below `greatest`. How far it reaches the other way is the same of the negative
// control values: nothing here prefers a sign.
fn reach_of_inside(p: vec4<f32>, n: u32, greatest: f32) -> f32 {
    let size = abs(p);
    let k = exponent_of(max(max(max(size.x, size.y), max(size.z, size.w)), LEAST));
    let q = vec4<i32>(p * power_of_two(BITS - 1 - k));
    let tolerance = 1i << u32(clamp(BITS - 10 - k, DROPPED_BITS - 1, BITS - 1));
    let unit = power_of_two(k + DROPPED_BITS + 1 - BITS);
    return min(crest(q, n, tolerance, unit), greatest);
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
