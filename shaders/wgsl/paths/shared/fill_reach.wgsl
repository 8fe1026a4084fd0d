// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config
// provides: curve_bounds, ink_of, reach_of_curve, reach_of_end

// How far the ends and the insides of the segments of fills go each way.

#import aabb
#import arithmetic
#import curve
#import ink
#import reach
#import segment
#import split

// What is filled with under this transform and style.
fn ink_of(transform: u32, style: u32) -> Ink {
    var ink: Ink;
    ink.greatest = NOT_FINITE;
    if transform < config.n_transforms && style < config.n_styles {
        ink = read_ink(transform);
        ink.greatest = select(ink.greatest, NOT_FINITE, is_stroke(style));
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

// Bounds of what `reach_of_curve` gives each way, by ordinary arithmetic: any rounding and fusing will do. All numbers are below
// UNBOUNDED, and the ends are at p0 and p3. Where something else of the path reaches further, nobody needs to know how far this
// does.
fn curve_bounds(segment: Segment, ink: Ink, p0: vec2<f32>, p3: vec2<f32>) -> ReachBounds {
    let error = error_of_curve(ink, segment.greatest);
    let inner = inner_of(segment, ink, p0, p3);
    let crests = crests_of(p0, inner.p1, inner.p2, p3);
    // A curve whose control points do not pass its ends goes no further than these. The specification's bound of another may.
    let ends = max(reach_along(p0), reach_along(p3));
    let is_within_ends = max(reach_along(inner.p1), reach_along(inner.p2)) + error < ends;
    let at_most = max(crests.at_most, ends) + error;
    return ReachBounds(crests.at_least - error, select(at_most, vec4(-LARGEST), is_within_ends));
}
