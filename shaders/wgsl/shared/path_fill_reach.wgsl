// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// How far the ends and the insides of the segments of fills go each way.

// A transform as fills take it.
struct Ink {
    // The matrix and the translation, without what counts as 0.
    matrix: vec4<f32>,
    translation: vec2<f32>,
    // The largest bits of the magnitude of one of its numbers.
    greatest: u32,
    // The bits of the magnitudes of coordinates from which on boxes are out of range, or there are none.
    range: u32,
}

fn read_ink(transform: u32) -> Ink {
    let bits = read_transform(transform);
    return Ink(
        normal_matrix(bits.matrix),
        flushed2(bitcast<vec2<f32>>(bits.translation), MATRIX_DUST),
        greatest_of_transform(bits),
        range_of(bits),
    );
}

// What is filled with under this transform and style.
fn ink_of(transform: u32, style: u32) -> Ink {
    var ink: Ink;
    ink.greatest = NOT_FINITE;
    if transform < config.n_transforms && style < config.n_styles {
        let flags = scene[config.style_base + 2u * style];
        ink = read_ink(transform);
        ink.greatest = select(ink.greatest, NOT_FINITE, (flags & STYLE_STROKE) != 0u);
    }
    return ink;
}

// Where an end of a segment is.
fn placed_end(ink: Ink, bits: vec2<u32>) -> Placed {
    let exponent = exponent_for(greatest_of_point(bits));
    let axes = scaled_matrix(ink.matrix, exponent);
    let point = scaled_by(exponent, bitcast<vec2<f32>>(bits));
    return affine(axes.xy, point.xx, axes.zw, point.yy, ink.translation);
}

// The four reaches of a placed point.
fn reach_of_end(end: Placed) -> vec4<f32> {
    let numbers = around(end.point, end.is_inexact);
    return vec4(-numbers.below, numbers.above);
}

// How far the inside of a curve goes one way, exactly as the specification has it, if it goes further than the ends.
fn reach_of_curve(segment: Segment, ink: Ink, way: u32) -> f32 {
    let is_y = (way & 1u) != 0u;
    // Sums and products round alike on both sides of 0: the other way is this one with the signs of the transform turned.
    let sign = select(0x80000000u, 0u, (way & 2u) != 0u);
    let turned = bitcast<vec2<f32>>(bitcast<vec2<u32>>(select(ink.matrix.xz, ink.matrix.yw, is_y)) ^ vec2(sign));
    let e = vec2(bitcast<f32>(bitcast<u32>(select(ink.translation.x, ink.translation.y, is_y)) ^ sign));
    let k0 = exponent_for(greatest_of_point(bitcast<vec2<u32>>(segment.p0)));
    let k3 = exponent_for(greatest_of_point(bitcast<vec2<u32>>(segment.p3)));
    let k = exponent_for(segment.greatest);
    let p0 = scaled_by(k0, segment.p0);
    let p3 = scaled_by(k3, segment.p3);
    let scales = vec2(power_of_two(k0), power_of_two(k3));
    let ends = affine(
        flushed2(turned.xx * scales, MATRIX_DUST),
        vec2(p0.x, p3.x),
        flushed2(turned.yy * scales, MATRIX_DUST),
        vec2(p0.y, p3.y),
        e,
    );
    let matrix = flushed2(turned * power_of_two(k), MATRIX_DUST);
    let p1 = scaled_by(k, segment.p1);
    let p2 = scaled_by(k, segment.p2);
    let inner = affine(matrix.xx, vec2(p1.x, p2.x), matrix.yy, vec2(p1.y, p2.y), e);
    let at_most = around(inner.point, inner.is_inexact).above;
    return reach_of_inside(vec4(ends.point.x, inner.point, ends.point.y), segment.n, max(at_most.x, at_most.y));
}

// How far off the bounds may be, in parts of the terms of the transform: to place a point takes 4 roundings of 2⁻²⁴, to split a
// curve 12 more of up to 3 times as much; the specification adds a unit in the last place, 2⁻²³, to what is rounded, and 2⁻²¹ to
// the crest of a curve. And in pixels: what counts as 0 there, and the step from 0, are below 2⁻³⁴; the bound of a crest is
// within 2⁻⁹ of it.
const ERROR_OF_CURVE = 0x1p-17f;
const ERROR_OF_CREST = 0x1p-8f;

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

// Bounds of what `reach_of_curve` gives each way, by ordinary arithmetic: any rounding and fusing will do. All numbers are below
// UNBOUNDED, and the ends are at p0 and p3. Where something else of the path reaches further, nobody needs to know how far this
// does.
fn curve_bounds(segment: Segment, ink: Ink, p0: vec2<f32>, p3: vec2<f32>) -> ReachBounds {
    let matrix = ink.matrix;
    let terms = (abs(matrix.xy) + abs(matrix.zw)) * bitcast<f32>(segment.greatest) + abs(ink.translation);
    let error = terms * ERROR_OF_CURVE + ERROR_OF_CREST;
    var p1 = matrix.xy * segment.p1.x + (matrix.zw * segment.p1.y + ink.translation);
    var p2 = matrix.xy * segment.p2.x + (matrix.zw * segment.p2.y + ink.translation);
    if segment.n == 3u {
        // As a cubic curve.
        p2 = (p3 + 2.0 * p1) * (1.0 / 3.0);
        p1 = (p0 + 2.0 * p1) * (1.0 / 3.0);
    }
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
    // A curve whose control points do not pass its ends goes no further than these. The specification's bound of another may.
    let ends = max(vec4(-p0, p0), vec4(-p3, p3));
    let is_within_ends = max(vec4(-p1, p1), vec4(-p2, p2)) + error.xyxy < ends;
    let at_most = max(vec4(bottom.greatest, top.greatest), ends) + error.xyxy;
    return ReachBounds(
        vec4(bottom.point, top.point) - error.xyxy,
        select(at_most, vec4(-LARGEST), is_within_ends),
    );
}
