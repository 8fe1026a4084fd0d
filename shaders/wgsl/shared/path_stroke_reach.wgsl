// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Bounds of how far `stroke_box` and `start_cap_box` go each way, by ordinary arithmetic: any rounding and fusing will do. They
// hold for numbers below UNBOUNDED; where another segment of the path reaches further than they allow, nobody needs to know how
// far this one does.

// How far off the bounds may be: in parts of the terms of the transform, which are at least twice the pen's reach, some roundings
// of 2⁻²⁴, those of directions and roots, and the specification's margin of 2⁻²⁰; along a direction in parts of the pen's reach,
// as the direction is off by up to 2⁻²⁰; and in pixels, what counts as 0 there, which is below 2⁻³⁶ and may be as far along a
// miter as that is bounded.
const ERROR_OF_TERMS = 0x1p-18f;
const ERROR_ALONG = 0x1p-16f;
const LEAST_ERROR = 0x1p-30f;

// Directions are known of vectors that are at least so long, in the path's space and beside its largest coordinate. What the
// specification takes for 0 is too little to turn them, or to make it take another control point for a direction's.
const SURE_LENGTH = 0x1p-19f;
const RELATIVE_SURE_LENGTH = 0x1p-20f;

// Miters are told by sine and cosine of the turn. Where it is nearly all the way around, the tangent of half of it is above
// HAIRPIN_LIMIT, and no more is known of it. Below, the square of the length is known but for MITER_DOUBT, and the tip but for
// ERROR_OF_MITER of that.
const HAIRPIN_SINE = 0x1p-5f;
const HAIRPIN_LIMIT = 60.0;
const MITER_DOUBT = 0x1p-6f;
const ERROR_OF_MITER = 0x1p-14f;

// What a vector adds to the four reaches.
fn reach_along(v: vec2<f32>) -> vec4<f32> {
    return vec4(-v, v);
}

// The most that a vector adds to them to one side or the other.
fn reach_across(v: vec2<f32>) -> vec4<f32> {
    return abs(v).xyxy;
}

// A direction of length 1, or that nothing is sure.
struct Direction {
    unit: vec2<f32>,
    is_sure: bool,
}

fn direction_of(v: vec2<f32>, greatest: f32) -> Direction {
    let is_sure = max(abs(v.x), abs(v.y)) > max(SURE_LENGTH, greatest * RELATIVE_SURE_LENGTH);
    return Direction(v * inverseSqrt(max(dot(v, v), 0x1p-60f)), is_sure);
}

// The pen by ordinary arithmetic, see `Pen`.
struct RoughPen {
    x_axis: vec2<f32>,
    y_axis: vec2<f32>,
    reach: vec4<f32>,
}

fn rough_along(pen: RoughPen, direction: vec2<f32>) -> vec2<f32> {
    return pen.x_axis * direction.x + pen.y_axis * direction.y;
}

fn rough_across(pen: RoughPen, direction: vec2<f32>) -> vec2<f32> {
    return pen.y_axis * direction.x - pen.x_axis * direction.y;
}

fn join_reaches(a: ReachBounds, b: ReachBounds) -> ReachBounds {
    return ReachBounds(max(a.at_least, b.at_least), max(a.at_most, b.at_most));
}

// The identity of join_reaches.
const NO_REACHES = ReachBounds(vec4(-LARGEST), vec4(-LARGEST));

// Bounds of an end of a line, at a point that reaches so far, without a cap.
fn end_bounds(point: vec4<f32>, direction: Direction, pen: RoughPen) -> ReachBounds {
    if !direction.is_sure {
        return ReachBounds(point, point + pen.reach);
    }
    let end = point + reach_across(rough_across(pen, direction.unit));
    return ReachBounds(end, end);
}

fn cap_bounds(point: vec4<f32>, outward: Direction, cap: u32, pen: RoughPen) -> ReachBounds {
    let along = reach_along(rough_along(pen, outward.unit));
    let doubt = pen.reach * ERROR_ALONG + LEAST_ERROR;
    var bounds = NO_REACHES;
    if cap == CAP_SQUARE {
        bounds.at_most = point + 1.5 * pen.reach;
        if outward.is_sure {
            bounds.at_most = point + along + reach_across(rough_across(pen, outward.unit));
            bounds.at_least = bounds.at_most;
        }
    }
    if cap == CAP_ROUND {
        let round = point + pen.reach;
        // Of what is not sure, the end's own bounds are as far.
        bounds.at_most = select(vec4(-LARGEST), round, along >= -doubt);
        bounds.at_least = select(vec4(-LARGEST), round, vec4(outward.is_sure) & (along > doubt));
    }
    return bounds;
}

// Bounds of what joins a segment that ends in a direction to one that starts in another.
fn join_bounds(point: vec4<f32>, arriving: Direction, leaving: Direction, flags: u32, pen: RoughPen) -> ReachBounds {
    let kind = (flags >> 28u) & 3u;
    let is_sure = arriving.is_sure && leaving.is_sure;
    let along = reach_along(rough_along(pen, arriving.unit));
    var bounds = NO_REACHES;
    if kind == JOIN_ROUND {
        // Where the path turns around.
        let doubt = pen.reach * ERROR_ALONG + LEAST_ERROR;
        let after = reach_along(rough_along(pen, leaving.unit));
        let round = point + pen.reach;
        bounds.at_most = select(vec4(-LARGEST), round, vec4(!is_sure) | ((along >= -doubt) & (after <= doubt)));
        bounds.at_least = select(vec4(-LARGEST), round, vec4(is_sure) & (along > doubt) & (after < -doubt));
    }
    if kind == JOIN_MITER {
        let limit = miter_limit_of(flags & 0xffffu);
        let sine = arriving.unit.x * leaving.unit.y - arriving.unit.y * leaving.unit.x;
        let cosine = dot(arriving.unit, leaving.unit);
        if !is_sure || (cosine < 0.0 && abs(sine) < HAIRPIN_SINE) {
            if !is_sure || limit >= HAIRPIN_LIMIT {
                bounds.at_most = point + (1.0 + limit) * (1.125 * pen.reach);
            }
            return bounds;
        }
        // The tangent of half the turn.
        let tangent = select(abs(sine) / (1.0 + cosine), (1.0 - cosine) / abs(sine), cosine < 0.0);
        let squared = 1.0 + tangent * tangent;
        let side = rough_across(pen, arriving.unit);
        let tip = point + tangent * along + reach_along(select(-side, side, sine < 0.0));
        let doubt = (ERROR_OF_MITER * squared) * pen.reach;
        if squared <= limit * limit * (1.0 + MITER_DOUBT) {
            bounds.at_most = tip + doubt;
        }
        if squared <= limit * limit * (1.0 - MITER_DOUBT) {
            bounds.at_least = tip - doubt;
        }
    }
    return bounds;
}

// Bounds of a curve but for its ends. Its outline is within the pen's reach of it, and the specification's bounds are within its
// tolerance of that, or of the control points of each half at most.
fn rough_curve_bounds(p: Cubic, reach: vec4<f32>) -> ReachBounds {
    let first = 0.5 * (p.p0 + p.p1);
    let inner = 0.5 * (p.p1 + p.p2);
    let last = 0.5 * (p.p2 + p.p3);
    let second = 0.5 * (first + inner);
    let third = 0.5 * (inner + last);
    let ends = max(reach_along(p.p0), reach_along(p.p3));
    let halves = max(max(reach_along(first), reach_along(second)), max(reach_along(third), reach_along(last)));
    let whole = max(reach_along(p.p1), reach_along(p.p2));
    let within = max(ends, halves) + reach;
    let tolerance = max(vec2(TOLERANCE), (within.xy + within.zw) * RELATIVE_TOLERANCE).xyxy;
    return ReachBounds(reach_along(0.5 * (second + third)), min(within + tolerance, max(ends, whole) + reach));
}

// Bounds of the four reaches of a segment, and what its ends and what follows it reach at most, and the rest of a curve.
struct StrokeBounds {
    at_least: vec4<f32>,
    ends_at_most: vec4<f32>,
    curve_at_most: vec4<f32>,
}

// Bounds of the reaches of a stroke's segment, or of the cap at its start, with what follows it.
fn stroke_reach_bounds(stroke: Stroke, transform: Transform) -> StrokeBounds {
    let segment = stroke.segment;
    let next = stroke.next;
    let matrix = bitcast<vec4<f32>>(transform.matrix);
    let translation = bitcast<vec2<f32>>(transform.translation);
    let greatest = bitcast<f32>(stroke.greatest);
    let half_width = 0.5 * abs(bitcast<f32>(stroke.width));
    let x_axis = matrix.xy * half_width;
    let y_axis = matrix.zw * half_width;
    let pen = RoughPen(x_axis, y_axis, sqrt(x_axis * x_axis + y_axis * y_axis).xyxy);
    let terms = (abs(matrix.xy) + abs(matrix.zw)) * greatest + abs(translation);
    let error = (terms * ERROR_OF_TERMS + LEAST_ERROR).xyxy;
    let p1 = matrix.xy * segment.p1.x + (matrix.zw * segment.p1.y + translation);
    var bounds: ReachBounds;
    var of_curve = NO_REACHES;
    if stroke.is_marker {
        let outward = direction_of(segment.p1 - segment.p3, greatest);
        let start = reach_along(p1);
        bounds = join_reaches(
            end_bounds(start, outward, pen),
            cap_bounds(start, outward, (stroke.flags >> 26u) & 3u, pen),
        );
    } else {
        let p0 = matrix.xy * segment.p0.x + (matrix.zw * segment.p0.y + translation);
        let p3 = matrix.xy * segment.p3.x + (matrix.zw * segment.p3.y + translation);
        let arriving = direction_of(segment.p3 - select(segment.p2, segment.p0, vec2(segment.n == 2u)), greatest);
        let first = direction_of(segment.p1 - segment.p0, greatest);
        let end = reach_along(p3);
        bounds = join_reaches(end_bounds(reach_along(p0), first, pen), end_bounds(end, arriving, pen));
        if segment.n > 2u {
            let p2 = matrix.xy * segment.p2.x + (matrix.zw * segment.p2.y + translation);
            var curve = Cubic(p0, p1, p2, p3);
            if segment.n == 3u {
                curve.p1 = (p0 + 2.0 * p1) * (1.0 / 3.0);
                curve.p2 = (p3 + 2.0 * p1) * (1.0 / 3.0);
            }
            of_curve = rough_curve_bounds(curve, pen.reach);
        }
        if stroke.is_capped {
            bounds = join_reaches(bounds, cap_bounds(end, arriving, (stroke.flags >> 24u) & 3u, pen));
        }
        if stroke.is_joined {
            let leaving = direction_of(next.p1 - next.p0, greatest);
            bounds = join_reaches(bounds, join_bounds(end, arriving, leaving, stroke.flags, pen));
        }
    }
    return StrokeBounds(
        max(bounds.at_least, of_curve.at_least) - error,
        bounds.at_most + error,
        select(of_curve.at_most, of_curve.at_most + error, vec4(segment.n > 2u)),
    );
}
