// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: extent_of_curve, extents_of_end

// The extents of the segments of fills, with the bits of boxwood_cpu::paths::twin.

#import arithmetic
#import extremum
#import placement
#import segment

fn extents_of_end(end: Placed) -> vec4<f32> {
    let numbers = around(end.point, end.is_inexact);
    return vec4(-numbers.below, numbers.above);
}

// The extent of the interior of a curve on one side, if it exceeds the extents of the ends.
fn extent_of_curve(segment: Segment, placement: Placement, side: u32) -> f32 {
    let row = side_of_placement(placement, side);
    let end_exponents = vec2(exponent_for_point(segment.p0), exponent_for_point(segment.p3));
    let ends = placed_two(row, segment.p0, segment.p3, end_exponents);
    let inner = placed_two(row, segment.p1, segment.p2, vec2(exponent_for(segment.greatest)));
    let hull = around(inner.point, inner.is_inexact).above;
    return extent_of_interior(vec4(ends.point.x, inner.point, ends.point.y), segment.n, max(hull.x, hull.y));
}
