// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: crests_of, error_of_curve, inner_of

// Bounds of where a curve is, and where it turns back along the axes, by ordinary arithmetic: any rounding and fusing will do.

#import ink
#import reach
#import segment

// Nearly a / b, by what is one instruction on many devices; something for b near 0.
fn rough_quotient(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    let inverse = inverseSqrt(max(b * b, vec2(0x1p-60f)));
    return (a * inverse) * (b * inverse);
}

// A curve that is split at t: where it is there, and the greatest control value of its parts between the ends.
struct Split {
    point: vec2<f32>,
    greatest: vec2<f32>,
}

fn split(
    p0: vec2<f32>,
    p1: vec2<f32>,
    p2: vec2<f32>,
    d0: vec2<f32>,
    d1: vec2<f32>,
    d2: vec2<f32>,
    t: vec2<f32>,
) -> Split {
    let first = p0 + d0 * t;
    let inner = p1 + d1 * t;
    let last = p2 + d2 * t;
    let second = first + (inner - first) * t;
    let third = inner + (last - inner) * t;
    let middle = second + (third - second) * t;
    return Split(middle, max(max(first, last), max(max(second, third), middle)));
}

// Bounds of the four reaches of a cubic curve: some that it has, and what it stays within beside its ends.
fn crests_of(p0: vec2<f32>, p1: vec2<f32>, p2: vec2<f32>, p3: vec2<f32>) -> ReachBounds {
    // Split where it turns back along an axis, at the roots of d0 (1 - t)² + 2 d1 (1 - t) t + d2 t². Where t is off, the bounds
    // are bounds all the same.
    let d0 = p1 - p0;
    let d1 = p2 - p1;
    let d2 = p3 - p2;
    let b = d1 - d0;
    let is_falling = b < vec2(0.0);
    let squared = max(d1 * d1 - d0 * d2, vec2(0x1p-60f));
    let root = squared * inverseSqrt(squared);
    let q = b + select(root, -root, is_falling);
    let t1 = clamp(rough_quotient(-q, d2 - d1 - b), vec2(0.0), vec2(1.0));
    let t2 = clamp(rough_quotient(-d0, q), vec2(0.0), vec2(1.0));
    let top = split(p0, p1, p2, d0, d1, d2, select(t1, t2, is_falling));
    let bottom = split(-p0, -p1, -p2, -d0, -d1, -d2, select(t2, t1, is_falling));
    return ReachBounds(vec4(bottom.point, top.point), vec4(bottom.greatest, top.greatest));
}

// How far off bounds of a curve may be, in parts of the terms of the transform: to place a point takes 4 roundings of 2⁻²⁴, to split a
// curve 12 more of up to 3 times as much; the specification adds a unit in the last place, 2⁻²³, to what is rounded, 2⁻²¹ to the
// crest of a curve, and 2⁻²⁰ to what is stroked. And in pixels: what counts as 0 there, and the step from 0, are below 2⁻³⁴; the
// bound of a crest is within 2⁻⁹ of it.
const ERROR_OF_CURVE = 0x1p-17f;
const ERROR_OF_CREST = 0x1p-8f;

// The error of bounds of a curve of numbers up to these bits.
fn error_of_curve(ink: Ink, greatest: u32) -> vec4<f32> {
    let terms = (abs(ink.matrix.xy) + abs(ink.matrix.zw)) * bitcast<f32>(greatest) + abs(ink.translation);
    return (terms * ERROR_OF_CURVE + ERROR_OF_CREST).xyxy;
}

// The control points of a curve between its ends.
struct Inner {
    p1: vec2<f32>,
    p2: vec2<f32>,
}

// Those of a segment, as of a cubic curve whose ends are at p0 and p3.
fn inner_of(segment: Segment, ink: Ink, p0: vec2<f32>, p3: vec2<f32>) -> Inner {
    let p1 = ink.matrix.xy * segment.p1.x + (ink.matrix.zw * segment.p1.y + ink.translation);
    let p2 = ink.matrix.xy * segment.p2.x + (ink.matrix.zw * segment.p2.y + ink.translation);
    if segment.n == 3u {
        return Inner((p0 + 2.0 * p1) * (1.0 / 3.0), (p3 + 2.0 * p1) * (1.0 / 3.0));
    }
    return Inner(p1, p2);
}
