//! What a stroke covers.
//!
//! A stroke is what a pen covers that runs along the path, across it, half a line's width to either side, in the path's own space;
//! then joins and caps. The transform makes of the pen any parallelogram's half diagonal: `Pen` gives it for a direction.

use boxwood_layout::Aabb;

use super::arithmetic::{LEAST, Vec2, flushed, length, power_of_two, reciprocal, unit};
use super::segment::{Map, Segment, power_of_two_below_1};
use super::style::{Cap, Join};

/// How the pieces of a curve are numbered.
const FINEST: u32 = 256;

/// How much looser than the exact outline a bound may be: in pixels, or as a part of the box.
const TOLERANCE: f32 = 0.25;
const RELATIVE_TOLERANCE: f32 = 1.0 / 256.0;

/// The error of what is computed here, relative to the numbers that come in.
const ERROR: f32 = 1.0 / 1_048_576.0;

/// The error of the sine between two directions.
const SINE_ERROR: f32 = 1.0 / 4_194_304.0;

/// What is nothing for a pen in device space, and beside the width of a line.
const PEN_DUST: f32 = power_of_two_below_1(60);
const TANGENT_DUST: f32 = power_of_two_below_1(20);

/// Control points that are this close are one point for the direction of a curve, in the path's space.
const LG_CLOSE: i32 = -20;

/// The pen in device space, but for its translation.
pub(super) struct Pen {
    /// The transform's matrix times half the line's width: x to x, x to y, y to x, y to y.
    matrix: [f32; 4],
    /// How far it reaches along the axes, whatever its direction.
    reach: Vec2,
}

impl Pen {
    /// The pen of half a line's width, scaled as coordinates are.
    pub(super) fn new(map: &Map, half_width: f32) -> Self {
        let matrix = map.matrix.map(|v| flushed(v * half_width, PEN_DUST));
        let [a, b, c, d] = matrix;
        Self { matrix, reach: [length([a, c]), length([b, d])] }
    }

    /// What half a line's width along a direction becomes.
    fn along(&self, [x, y]: Vec2) -> Vec2 {
        let [a, b, c, d] = self.matrix;
        [a * x + c * y, b * x + d * y]
    }

    /// What half a line's width across a direction becomes, to its left in a space with y up.
    fn across(&self, [x, y]: Vec2) -> Vec2 {
        let [a, b, c, d] = self.matrix;
        [c * x - a * y, d * x - b * y]
    }

    fn half_extent(&self, direction: Vec2) -> Vec2 {
        self.across(direction).map(f32::abs)
    }
}

/// A box that grows.
struct Bounds {
    low: Vec2,
    high: Vec2,
}

impl Bounds {
    const NOTHING: Self = Self { low: [f32::MAX; 2], high: [-f32::MAX; 2] };

    /// Adds the box around `center` that reaches as far as `extent`.
    fn add(&mut self, center: Vec2, extent: Vec2) {
        for axis in 0..2 {
            self.low[axis] = self.low[axis].min(center[axis] - extent[axis]);
            self.high[axis] = self.high[axis].max(center[axis] + extent[axis]);
        }
    }

    fn union(&mut self, other: &Self) {
        for axis in 0..2 {
            self.low[axis] = self.low[axis].min(other.low[axis]);
            self.high[axis] = self.high[axis].max(other.high[axis]);
        }
    }

    /// Whether the other reaches no further than it may.
    fn nearly_contains(&self, other: &Self) -> bool {
        (0..2).all(|axis| {
            let room = TOLERANCE.max((self.high[axis] - self.low[axis]) * RELATIVE_TOLERANCE);
            other.low[axis] >= self.low[axis] - room && other.high[axis] <= self.high[axis] + room
        })
    }

    /// The box with these errors around it; without them along an axis in which the pen leaves nothing.
    fn aabb(&self, error: Vec2) -> Aabb {
        let edges = |axis: usize| {
            let (low, high) = (self.low[axis], self.high[axis]);
            if low == high {
                (low, high)
            } else {
                (clear_of_0(low - error[axis], -LEAST), clear_of_0(high + error[axis], LEAST))
            }
        };
        let ((x0, x1), (y0, y1)) = (edges(0), edges(1));
        Aabb { x0, y0, x1, y1 }
    }
}

/// The edge, or `instead` if it is nearly 0: subnormal numbers and -0.0 are not for boxes.
fn clear_of_0(edge: f32, instead: f32) -> f32 {
    if edge.abs() < LEAST { instead } else { edge }
}

/// What follows a segment of a stroke.
#[derive(Clone, Copy)]
pub(super) enum Next {
    /// Another, which starts in this direction.
    Join(Vec2, Join),
    /// The end of the subpath.
    Cap(Cap),
    /// Nothing that could be drawn.
    Nothing,
}

/// The box of a segment of a stroke, with what joins it to the next or caps it. Coordinates are scaled.
pub(super) fn stroke_box(segment: &Segment, next: Next, map: &Map, pen: &Pen) -> Aabb {
    let there = segment.points.map(|p| map.apply(p).0);
    let mut bounds = Bounds::NOTHING;
    if segment.n == 2 {
        let extent = pen.half_extent(unit(difference(segment.points[1], segment.points[0])));
        bounds.add(there[0], extent);
        bounds.add(there[1], extent);
    } else {
        let centre_line = raised(there, segment.n);
        let [p0, p1, p2, p3] = raised(segment.points, segment.n);
        let slopes = [difference(p1, p0), difference(p2, p1), difference(p3, p2)];
        add_curve(&mut bounds, centre_line, slopes, pen);
    }
    let end = there[segment.n - 1];
    let direction = unit(end_direction(segment, map));
    match next {
        Next::Join(_, Join::Bevel) | Next::Cap(Cap::Butt) | Next::Nothing => {}
        Next::Join(next_direction, Join::Round) => {
            add_round_join(&mut bounds, end, pen, direction, next_direction);
        }
        Next::Join(next_direction, Join::Miter(limit)) => {
            add_miter_join(&mut bounds, end, pen, direction, next_direction, limit);
        }
        Next::Cap(cap) => add_cap(&mut bounds, end, pen, direction, cap),
    }
    // A direction that hangs on control points which are almost one is not that of all of them.
    if segment.n > 2 {
        bounds.add(there[0], pen.half_extent(unit(start_direction(segment, map))));
        bounds.add(end, pen.half_extent(direction));
    }
    bounds.aabb(error(&there[..segment.n], pen))
}

/// The box of the cap at the start of a subpath. Coordinates are scaled.
pub(super) fn start_cap_box(start: Vec2, direction: Vec2, cap: Cap, map: &Map, pen: &Pen) -> Aabb {
    let there = map.apply(start).0;
    let mut bounds = Bounds::NOTHING;
    bounds.add(there, pen.half_extent(direction));
    add_cap(&mut bounds, there, pen, direction.map(|c| -c), cap);
    bounds.aabb(error(&[there], pen))
}

/// The error of boxes around these points.
fn error(points: &[Vec2], pen: &Pen) -> Vec2 {
    let largest = points.iter().fold([0.0_f32; 2], |m, p| [m[0].max(p[0].abs()), m[1].max(p[1].abs())]);
    [(largest[0] + pen.reach[0]) * ERROR, (largest[1] + pen.reach[1]) * ERROR]
}

pub(super) fn difference(a: Vec2, b: Vec2) -> Vec2 {
    [a[0] - b[0], a[1] - b[1]]
}

/// The control points of a curve as a cubic one.
fn raised(p: [Vec2; 4], n: usize) -> [Vec2; 4] {
    if n == 4 {
        return p;
    }
    let third = |a: f32, b: f32| (a + 2.0 * b) * (1.0 / 3.0);
    let inner = |end: Vec2| [third(end[0], p[1][0]), third(end[1], p[1][1])];
    [p[0], inner(p[0]), inner(p[2]), p[2]]
}

/// The first of some vectors that is not almost nothing in the path's space, else the last.
fn first_direction<const N: usize>(vectors: [Vec2; N], map: &Map) -> Vec2 {
    let close = power_of_two((LG_CLOSE - map.exponent).clamp(-126, 127));
    let is_long = |v: &&Vec2| v[0].abs() > close || v[1].abs() > close;
    *vectors.iter().find(is_long).unwrap_or(&vectors[N - 1])
}

/// The direction in which a segment starts, not of length 1.
pub(super) fn start_direction(segment: &Segment, map: &Map) -> Vec2 {
    let [p0, p1, p2, p3] = segment.points;
    match segment.n {
        2 => difference(p1, p0),
        3 => first_direction([difference(p1, p0), difference(p2, p0)], map),
        _ => first_direction([difference(p1, p0), difference(p2, p0), difference(p3, p0)], map),
    }
}

/// The direction in which a segment ends, not of length 1.
fn end_direction(segment: &Segment, map: &Map) -> Vec2 {
    let [p0, p1, p2, p3] = segment.points;
    match segment.n {
        2 => difference(p1, p0),
        3 => first_direction([difference(p2, p1), difference(p2, p0)], map),
        _ => first_direction([difference(p3, p2), difference(p3, p1), difference(p3, p0)], map),
    }
}

/// Adds what the pen covers along a cubic curve, whose control points in device space are those of `centre_line`, and whose
/// derivative in the path's space has the control points `slopes`.
///
/// Every piece of the curve is in the box of its control points, and its pen reaches no further than that of the directions that
/// bound the piece's, or as far as it can where the piece turns around in an axis. Pieces are halved until their bound is close
/// enough to what the curve has been found to cover at least.
fn add_curve(bounds: &mut Bounds, centre_line: [Vec2; 4], slopes: [Vec2; 3], pen: &Pen) {
    let mut covered = Bounds::NOTHING;
    add_end(&mut covered, centre_line[0], slopes[0], pen);
    add_end(&mut covered, centre_line[3], slopes[2], pen);
    let (mut at, mut size) = (0, FINEST);
    while at < FINEST {
        #[expect(clippy::cast_precision_loss, reason = "they are small")]
        let (t0, t1) = (at as f32 * (1.0 / 256.0), (at + size) as f32 * (1.0 / 256.0));
        let piece = piece_of_cubic(centre_line, t0, t1);
        let directions = piece_of_quadratic(slopes, t0, t1);
        let bound = bound_of_piece(&piece, &directions, pen);
        add_end(&mut covered, piece[0], directions[0], pen);
        add_end(&mut covered, piece[3], directions[2], pen);
        if size == 1 || covered.nearly_contains(&bound) {
            bounds.union(&bound);
            at += size;
            // The largest piece that may start here.
            size = 1 << at.trailing_zeros();
        } else {
            size /= 2;
        }
    }
}

/// Adds what the pen covers where a curve is, if it has a direction there.
fn add_end(covered: &mut Bounds, point: Vec2, slope: Vec2, pen: &Pen) {
    let extent = if slope == [0.0; 2] { [0.0; 2] } else { pen.half_extent(unit(slope)) };
    covered.add(point, extent);
}

fn bound_of_piece(piece: &[Vec2; 4], directions: &[Vec2; 3], pen: &Pen) -> Bounds {
    let mut extent = [0.0_f32; 2];
    let (mut least, mut greatest) = ([f32::MAX; 2], [-f32::MAX; 2]);
    for direction in directions {
        if *direction == [0.0; 2] {
            continue;
        }
        let direction = unit(*direction);
        let (across, along) = (pen.half_extent(direction), pen.along(direction));
        for axis in 0..2 {
            extent[axis] = extent[axis].max(across[axis]);
            least[axis] = least[axis].min(along[axis]);
            greatest[axis] = greatest[axis].max(along[axis]);
        }
    }
    for axis in 0..2 {
        if least[axis] <= 0.0 && greatest[axis] >= 0.0 {
            extent[axis] = pen.reach[axis];
        }
    }
    let mut bound = Bounds::NOTHING;
    for point in piece {
        bound.add(*point, extent);
    }
    bound
}

/// Between two points. The weights are exact.
fn mix(a: Vec2, b: Vec2, t: f32) -> Vec2 {
    let s = 1.0 - t;
    [s * a[0] + t * b[0], s * a[1] + t * b[1]]
}

/// The control points of a curve between two parameters: its blossom at all choices of them.
fn piece_of_cubic(p: [Vec2; 4], t0: f32, t1: f32) -> [Vec2; 4] {
    let once = |t: f32| [mix(p[0], p[1], t), mix(p[1], p[2], t), mix(p[2], p[3], t)];
    let (from, to) = (once(t0), once(t1));
    let from = [mix(from[0], from[1], t0), mix(from[1], from[2], t0)];
    let to = [mix(to[0], to[1], t1), mix(to[1], to[2], t1)];
    [mix(from[0], from[1], t0), mix(from[0], from[1], t1), mix(to[0], to[1], t0), mix(to[0], to[1], t1)]
}

fn piece_of_quadratic(p: [Vec2; 3], t0: f32, t1: f32) -> [Vec2; 3] {
    let once = |t: f32| [mix(p[0], p[1], t), mix(p[1], p[2], t)];
    let (from, to) = (once(t0), once(t1));
    [mix(from[0], from[1], t0), mix(from[0], from[1], t1), mix(to[0], to[1], t1)]
}

/// Adds the disc of a round join, in the directions in which the path turns around.
fn add_round_join(bounds: &mut Bounds, point: Vec2, pen: &Pen, direction: Vec2, next_direction: Vec2) {
    let (before, after) = (pen.along(direction), pen.along(next_direction));
    for axis in 0..2 {
        if before[axis] >= 0.0 && after[axis] <= 0.0 {
            bounds.high[axis] = bounds.high[axis].max(point[axis] + pen.reach[axis]);
        }
        if before[axis] <= 0.0 && after[axis] >= 0.0 {
            bounds.low[axis] = bounds.low[axis].min(point[axis] - pen.reach[axis]);
        }
    }
}

/// Adds the tip of a miter join that is within its limit, or might be.
///
/// The tip is as far along the path, in half widths of the line, as the tangent of half the angle between the directions.
fn add_miter_join(bounds: &mut Bounds, point: Vec2, pen: &Pen, from: Vec2, to: Vec2, limit: f32) {
    let sine = from[0] * to[1] - from[1] * to[0];
    let cosine = from[0] * to[0] + from[1] * to[1];
    let (at_least, at_most) = if cosine >= 0.0 {
        let tangent = sine.abs() * reciprocal(1.0 + cosine);
        (tangent, tangent)
    } else {
        let is_known = sine.abs() > 2.0 * SINE_ERROR;
        let at_least = (1.0 - cosine) * reciprocal(sine.abs() + SINE_ERROR);
        (at_least, if is_known { (1.0 - cosine) * reciprocal(sine.abs() - SINE_ERROR) } else { limit })
    };
    // The length of a miter is the root of 1 and the tangent squared.
    if 1.0 + at_least * at_least > limit * limit * (1.0 + ERROR) {
        return;
    }
    let tangent = flushed(at_most.min(limit), TANGENT_DUST);
    let (along, across) = (pen.along(from), pen.across(from));
    for axis in 0..2 {
        let further = along[axis] * tangent;
        let margin = (further.abs() + pen.reach[axis]) * ERROR;
        // The outer side; both where that is not known.
        if sine <= 2.0 * SINE_ERROR {
            let tip = point[axis] + (further + across[axis]);
            bounds.low[axis] = bounds.low[axis].min(tip - margin);
            bounds.high[axis] = bounds.high[axis].max(tip + margin);
        }
        if sine >= -2.0 * SINE_ERROR {
            let tip = point[axis] + (further - across[axis]);
            bounds.low[axis] = bounds.low[axis].min(tip - margin);
            bounds.high[axis] = bounds.high[axis].max(tip + margin);
        }
    }
}

/// Adds the cap at the end of a path that leads in this direction.
fn add_cap(bounds: &mut Bounds, point: Vec2, pen: &Pen, outward: Vec2, cap: Cap) {
    let along = pen.along(outward);
    match cap {
        Cap::Butt => {}
        Cap::Square => {
            bounds.add([point[0] + along[0], point[1] + along[1]], pen.half_extent(outward));
        }
        Cap::Round => {
            for axis in 0..2 {
                if along[axis] >= 0.0 {
                    bounds.high[axis] = bounds.high[axis].max(point[axis] + pen.reach[axis]);
                }
                if along[axis] <= 0.0 {
                    bounds.low[axis] = bounds.low[axis].min(point[axis] - pen.reach[axis]);
                }
            }
        }
    }
}
