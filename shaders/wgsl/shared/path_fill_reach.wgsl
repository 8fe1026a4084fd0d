// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// How far the ends and the insides of the segments of fills go each way.

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

// The four reaches of a placed point.
fn reach_of_end(end: Placed) -> vec4<f32> {
    let numbers = around(end.point, end.is_inexact);
    return vec4(-numbers.below, numbers.above);
}

// How far the inside of a curve goes one way, exactly as the specification has it, if it goes further than the ends.
fn reach_of_curve(segment: Segment, ink: Ink, way: u32) -> f32 {
    let row = transform_row_of(ink, way);
    let ends = placed_ends(row, segment);
    let inner = placed_inside(row, segment);
    let at_most = around(inner.point, inner.is_inexact).above;
    return reach_of_inside(vec4(ends.point.x, inner.point, ends.point.y), segment.n, max(at_most.x, at_most.y));
}

// How far off the bounds may be, in parts of the terms of the transform: to place a point takes 4 roundings of 2⁻²⁴, to split a
// curve 12 more of up to 3 times as much; the specification adds a unit in the last place, 2⁻²³, to what is rounded, and 2⁻²¹ to
// the crest of a curve. And in pixels: what counts as 0 there, and the step from 0, are below 2⁻³⁴; the bound of a crest is
// within 2⁻⁹ of it.
const ERROR_OF_CURVE = 0x1p-17f;
const ERROR_OF_CREST = 0x1p-8f;

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
    let crests = crests_of(p0, p1, p2, p3);
    // A curve whose control points do not pass its ends goes no further than these. The specification's bound of another may.
    let ends = max(vec4(-p0, p0), vec4(-p3, p3));
    let is_within_ends = max(vec4(-p1, p1), vec4(-p2, p2)) + error.xyxy < ends;
    let at_most = max(crests.at_most, ends) + error.xyxy;
    return ReachBounds(
        crests.at_least - error.xyxy,
        select(at_most, vec4(-LARGEST), is_within_ends),
    );
}
