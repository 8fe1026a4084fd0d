// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Bounds of how far a curve goes each way between its ends, which are placed, by ordinary arithmetic: any rounding and fusing will
// do. Where something else of the path reaches further, nobody needs to know how far this does. A stroke's outline is within the
// pen's reach of the curve, and where that turns back the pen reaches as far as it can. The terms of the error, of the greatest
// coordinate or the width, are at least twice the pen's reach, and so are enough for its error too.

#import path_reach
#import path_split
#import path_stroke
#import path_stroke_ink

fn inside_bounds(segment: Segment, ink: StrokeInk, pen: Pen, p0: vec2<f32>, p3: vec2<f32>) -> ReachBounds {
    let greatest = max(segment.greatest, ink.width);
    if max(greatest, ink.base.greatest) >= UNBOUNDED {
        return ReachBounds(vec4(-LARGEST), vec4(LARGEST));
    }
    let error = error_of_curve(ink.base, greatest);
    let inner = inner_of(segment, ink.base, p0, p3);
    let crests = crests_of(p0, inner.p1, inner.p2, p3);
    let ends = max(reach_along(p0), reach_along(p3));
    let reach = pen.reach.xyxy;
    return ReachBounds(
        select(vec4(-LARGEST), crests.at_least + reach - error, crests.at_least > ends + error),
        max(crests.at_most, ends) + reach + error,
    );
}
