// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: MAX_BOUNDED, bounds_of_curve

// Bounds of the extents of a filled curve by ordinary arithmetic, however it rounds and fuses. They
// decide only which curves are computed exactly, so they have no twin on the CPU.

#import aabb
#import extent
#import placement
#import segment

// Only numbers below this magnitude, 2^28, have bounds. They are in range, and the numbers that
// count as 0 are negligible beside ERROR_IN_PIXELS.
const MAX_BOUNDED = 0x4d800000u;

// An upper bound of the error of the bounds, and of how far the exact extents exceed the curve.
//
// Relative to the terms of the transform: a placement has 4 roundings of 2^-24; a split curve has
// 12 more, of up to 3 times the terms; the exact extents add 2^-23 for rounded coordinates and
// 2^-21 for extrema. That is less than 2^-18.
const RELATIVE_ERROR = 0x1p-17f;

// In pixels: the numbers that count as 0 and the least distance of neighbours from 0 are below
// 2^-34, and an exact extremum is within 2^-9 of the curve. Twice that.
const ERROR_IN_PIXELS = 0x1p-8f;

// About a / b. Any number if b is near 0. `inverseSqrt` is one instruction on many devices.
fn rough_quotient(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    let inverse = inverseSqrt(max(b * b, vec2(0x1p-60f)));
    return (a * inverse) * (b * inverse);
}

struct Cubic {
    p0: vec2<f32>,
    p1: vec2<f32>,
    p2: vec2<f32>,
    p3: vec2<f32>,
}

// The control points of both parts of a curve split at t, without the ends of the curve: two of the
// first part, the point at t, and two of the second part.
struct Split {
    first: vec2<f32>,
    second: vec2<f32>,
    point: vec2<f32>,
    third: vec2<f32>,
    last: vec2<f32>,
}

fn split(c: Cubic, t: vec2<f32>) -> Split {
    let first = c.p0 + (c.p1 - c.p0) * t;
    let inner = c.p1 + (c.p2 - c.p1) * t;
    let last = c.p2 + (c.p3 - c.p2) * t;
    let second = first + (inner - first) * t;
    let third = inner + (last - inner) * t;
    return Split(first, second, second + (third - second) * t, third, last);
}

// Bounds of the extents of a curve without its ends. The lower bounds are points of the curve. The
// upper bounds are the extents of the control points after a split at the extrema. They hold even
// if t is imprecise.
fn bounds_of_interior(c: Cubic) -> ExtentBounds {
    // The extrema are the roots of d0 (1 - t)² + 2 d1 (1 - t) t + d2 t².
    let d0 = c.p1 - c.p0;
    let d1 = c.p2 - c.p1;
    let d2 = c.p3 - c.p2;
    let b = d1 - d0;
    let is_falling = b < vec2(0.0);
    let squared = max(d1 * d1 - d0 * d2, vec2(0x1p-60f));
    let root = squared * inverseSqrt(squared);
    let q = b + select(root, -root, is_falling);
    let t1 = clamp(rough_quotient(-q, d2 - d1 - b), vec2(0.0), vec2(1.0));
    let t2 = clamp(rough_quotient(-d0, q), vec2(0.0), vec2(1.0));
    let upper = split(c, select(t1, t2, is_falling));
    let lower = split(c, select(t2, t1, is_falling));
    let greatest = max(max(upper.first, upper.last), max(max(upper.second, upper.third), upper.point));
    let least = min(min(lower.first, lower.last), min(min(lower.second, lower.third), lower.point));
    return ExtentBounds(vec4(-lower.point, upper.point), vec4(-least, greatest));
}

// The curve as a cubic one between placed ends.
fn cubic_of(segment: Segment, placement: Placement, p0: vec2<f32>, p3: vec2<f32>) -> Cubic {
    let p1 = placement.matrix.xy * segment.p1.x + (placement.matrix.zw * segment.p1.y + placement.translation);
    let p2 = placement.matrix.xy * segment.p2.x + (placement.matrix.zw * segment.p2.y + placement.translation);
    if segment.n == 3u {
        return Cubic(p0, (p0 + 2.0 * p1) * (1.0 / 3.0), (p3 + 2.0 * p1) * (1.0 / 3.0), p3);
    }
    return Cubic(p0, p1, p2, p3);
}

// Bounds of the results of `extent_of_curve`, for numbers below MAX_BOUNDED and a curve with placed
// ends. Not lower than the extents of the ends unless the curve is certainly within them.
fn bounds_of_curve(segment: Segment, placement: Placement, p0: vec2<f32>, p3: vec2<f32>) -> ExtentBounds {
    let columns = abs(placement.matrix.xy) + abs(placement.matrix.zw);
    let terms = columns * bitcast<f32>(segment.greatest) + abs(placement.translation);
    let error = (terms * RELATIVE_ERROR + ERROR_IN_PIXELS).xyxy;
    let c = cubic_of(segment, placement, p0, p3);
    let bounds = bounds_of_interior(c);
    let ends = max(extents_of(p0), extents_of(p3));
    let is_within_ends = max(extents_of(c.p1), extents_of(c.p2)) + error < ends;
    let at_most = max(bounds.at_most, ends) + error;
    return ExtentBounds(bounds.at_least - error, select(at_most, vec4(-LARGEST), is_within_ends));
}
