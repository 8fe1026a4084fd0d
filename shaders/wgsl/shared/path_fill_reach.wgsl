// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// How far the segments of fills go each way, exactly and nearly.

// How far a segment goes one way, exactly as the specification has it. The segment is finite, and so is its box. `axis` has the
// bits of what x, y and 1 become along the axis.
fn reach_of_segment(segment: Segment, axis: vec3<u32>, way: u32) -> f32 {
    // Sums and products round alike on both sides of 0: the other way is this one with the signs of the transform turned.
    let turned = axis ^ vec3(select(0x80000000u, 0u, (way & 2u) != 0u));
    let exponent = exponent_for(segment.greatest);
    let matrix = scaled_matrix(vec4(turned.xy, 0u, 0u), exponent);
    let e = flushed(bitcast<f32>(turned.z), MATRIX_DUST);
    let p0 = scaled_by(exponent, segment.p0);
    let p3 = scaled_by(exponent, segment.p3);
    let ends = affine(matrix.xx, vec2(p0.x, p3.x), matrix.yy, vec2(p0.y, p3.y), vec2(e));
    var is_inexact = any(ends.is_inexact);
    var between = ends.point;
    if segment.n > 2u {
        let p1 = scaled_by(exponent, segment.p1);
        let p2 = scaled_by(exponent, segment.p2);
        let inner = affine(matrix.xx, vec2(p1.x, p2.x), matrix.yy, vec2(p1.y, p2.y), vec2(e));
        between = inner.point;
        is_inexact |= any(inner.is_inexact);
    }
    return reach_of_curve(vec4(ends.point.x, between, ends.point.y), segment.n, is_inexact);
}

// How far off the bounds may be, in parts of the terms of the transform: to place a point takes 4 roundings of 2⁻²⁴, the bound of
// a curve 8 more of up to 3 times as much; the specification adds a unit in the last place, 2⁻²³, to what is rounded, and 2⁻²¹ to
// the crest of a curve. And in pixels: what counts as 0 there, and the step from 0, are below 2⁻³⁴; the bound of a crest is
// within 2⁻⁹ of it.
const ERROR_OF_POINT = 0x1p-20f;
const ERROR_OF_CURVE = 0x1p-18f;
const LEAST_ERROR = 0x1p-33f;
const ERROR_OF_CREST = 0x1p-8f;

// Bounds of what `reach_of_segment` gives, by ordinary arithmetic: any rounding and fusing will do. All numbers are below
// UNBOUNDED. Where another segment of the path reaches further than they allow, nobody needs to know how far this one does.
fn reach_bounds(segment: Segment, transform: Transform) -> ReachBounds {
    let matrix = bitcast<vec4<f32>>(transform.matrix);
    let translation = bitcast<vec2<f32>>(transform.translation);
    let terms = (abs(matrix.xy) + abs(matrix.zw)) * bitcast<f32>(segment.greatest) + abs(translation);
    let p0 = matrix.xy * segment.p0.x + (matrix.zw * segment.p0.y + translation);
    let p3 = matrix.xy * segment.p3.x + (matrix.zw * segment.p3.y + translation);
    let ends = vec4(-min(p0, p3), max(p0, p3));
    if segment.n == 2u {
        let error = (terms * ERROR_OF_POINT + LEAST_ERROR).xyxy;
        return ReachBounds(ends - error, ends + error);
    }
    var p1 = matrix.xy * segment.p1.x + (matrix.zw * segment.p1.y + translation);
    var p2 = matrix.xy * segment.p2.x + (matrix.zw * segment.p2.y + translation);
    if segment.n == 3u {
        // As a cubic curve.
        p1 = (p0 + 2.0 * p1) * (1.0 / 3.0);
        p2 = (p3 + 2.0 * p2) * (1.0 / 3.0);
    }
    // The control points that its halves have between them and inside. The curve passes through `middle`, and stays within all.
    let first = 0.5 * (p0 + p1);
    let inner = 0.5 * (p1 + p2);
    let last = 0.5 * (p2 + p3);
    let second = 0.5 * (first + inner);
    let third = 0.5 * (inner + last);
    let middle = 0.5 * (second + third);
    let at_least = max(ends, vec4(-middle, middle));
    let least = min(min(first, second), min(third, last));
    let greatest = max(max(first, second), max(third, last));
    let at_most = max(at_least, vec4(-least, greatest));
    let error = (terms * ERROR_OF_CURVE + LEAST_ERROR).xyxy;
    return ReachBounds(at_least - error, at_most + (error + ERROR_OF_CREST));
}
