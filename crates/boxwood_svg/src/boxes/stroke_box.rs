//! The box of a stroke, computed from the definition of its parts.
//!
//! `docs/strokes.md` defines the parts in sections 1, 3.1, and 4, and derives the test for gentle
//! pieces in section 3.2. No outline is computed, which makes the box more precise than that of
//! kurbo's outline, and takes a small part of the time.

use boxwood_cpu::Aabb;
use kurbo::common::solve_quadratic;
use kurbo::{Affine, BezPath, Cap, CubicBez, Join, ParamCurve, PathEl, Point, Rect, Stroke, Vec2};

use crate::geometry::{Corner, Segment, aabb, corners, segments, tangents};
use crate::quirks::miter_clip::clipped_miter;

/// The largest number of times that a curve is halved to find the cusps of its offset curves.
///
/// In a piece of 1/256 that is still undecided, the curvature is near that of the brush everywhere.
/// There an offset curve hardly moves, so the ends of the piece have its extent.
const MAX_HALVINGS: u32 = 8;

/// Nearer to an end of a curve than this, an extremum is that of the end, which has a tangent of its
/// own. If an end and its control point coincide, the derivative vanishes there, although the curve
/// does not turn.
const MIN_PARAMETER: f64 = 1e-9;

/// The box of a stroke along a path. It is empty if the path has no segment with a direction.
///
/// The dashes of the style are ignored. Miters beyond the limit are clipped there if
/// `clips_miters`, and otherwise they are bevels.
pub(crate) fn stroke_box(
    path: &BezPath,
    style: &Stroke,
    clips_miters: bool,
    scene_from_path: Affine,
) -> Aabb {
    let radius = 0.5 * style.width;
    let [a, b, c, d, e, f] = scene_from_path.as_coeffs();
    let mut axes = [Axis::new(Vec2::new(a, c), e, radius), Axis::new(Vec2::new(b, d), f, radius)];
    let mut curves = Vec::new();
    for subpath in path.subpaths() {
        let segments = segments(subpath);
        let is_closed = matches!(subpath.last(), Some(PathEl::ClosePath));
        let clipped_at = clips_miters.then_some(style.miter_limit);
        for axis in &mut axes {
            segments.iter().for_each(|segment| axis.add_segment(segment));
            corners(&segments, is_closed).for_each(|corner| axis.add_join(&corner, style, clipped_at));
            if let (Some(first), Some(last), false) = (segments.first(), segments.last(), is_closed) {
                axis.add_cap(first.start, -first.leaving, style.start_cap);
                axis.add_cap(last.end, last.arriving, style.end_cap);
            }
        }
        curves.extend(segments.iter().filter_map(|segment| segment.curve));
    }
    // The offset curves come last: most of them are within the extents of the other parts, which is
    // known without halving them.
    for axis in &mut axes {
        curves.iter().for_each(|curve| axis.add_offset_curves(*curve));
    }
    let [x, y] = axes;
    if x.min > x.max { Aabb::EMPTY } else { aabb(Rect::new(x.min, y.min, x.max, y.max)) }
}

/// The extent of a stroke along one axis of the scene.
struct Axis {
    /// A point p of the path is at `gradient · p + offset`.
    gradient: Vec2,
    offset: f64,
    /// The radius of the brush, a disc in the space of the path.
    radius: f64,
    /// The extent of the brush along this axis.
    support: f64,
    min: f64,
    max: f64,
}

impl Axis {
    fn new(gradient: Vec2, offset: f64, radius: f64) -> Self {
        let support = radius * gradient.hypot();
        Self { gradient, offset, radius, support, min: f64::INFINITY, max: f64::NEG_INFINITY }
    }

    fn value(&self, point: Point) -> f64 {
        self.gradient.dot(point.to_vec2()) + self.offset
    }

    /// Adds what extends equally far in both directions from a point.
    fn add(&mut self, point: Point, extent: f64) {
        let value = self.value(point);
        self.min = self.min.min(value - extent);
        self.max = self.max.max(value + extent);
    }

    /// Adds the line across the path at a point with this tangent.
    fn add_across(&mut self, point: Point, tangent: Vec2) {
        self.add(point, self.radius * self.gradient.cross(tangent).abs());
    }

    /// Adds the part of the brush on the outer side of a turn.
    fn add_turn(&mut self, point: Point, incoming: Vec2, outgoing: Vec2) {
        let (before, after) = (self.gradient.dot(incoming), self.gradient.dot(outgoing));
        let value = self.value(point);
        if before >= 0.0 && after <= 0.0 {
            self.max = self.max.max(value + self.support);
        }
        if before <= 0.0 && after >= 0.0 {
            self.min = self.min.min(value - self.support);
        }
    }

    /// Adds a segment, except for the offset curves between its ends and extrema.
    fn add_segment(&mut self, segment: &Segment) {
        self.add_across(segment.start, segment.leaving);
        self.add_across(segment.end, segment.arriving);
        let Some(curve) = segment.curve else { return };
        let [a, b, c] = legs(&curve).map(|leg| self.gradient.dot(leg));
        if (a > 0.0 && b > 0.0 && c > 0.0) || (a < 0.0 && b < 0.0 && c < 0.0) {
            return;
        }
        // The line across the path is along the axis at an extremum. At a cusp of the path, it turns
        // by 180°.
        for t in solve_quadratic(a, 2.0 * (b - a), a - 2.0 * b + c) {
            if (MIN_PARAMETER..=1.0 - MIN_PARAMETER).contains(&t) {
                self.add(curve.eval(t), self.support);
            }
        }
    }

    fn add_join(&mut self, corner: &Corner, style: &Stroke, clipped_at: Option<f64>) {
        let Corner { vertex, incoming, outgoing } = *corner;
        match style.join {
            Join::Bevel => {}
            Join::Round => self.add_turn(vertex, incoming, outgoing),
            Join::Miter => {
                let (sine, cosine) = (incoming.cross(outgoing), incoming.dot(outgoing));
                // The tangent of half of the turn, without cancellation.
                let tangent =
                    if cosine < 0.0 { (1.0 - cosine) / sine.abs() } else { sine.abs() / (1.0 + cosine) };
                if 1.0 + tangent * tangent <= style.miter_limit * style.miter_limit {
                    let normal = Vec2::new(incoming.y, -incoming.x) * sine.signum();
                    self.add(vertex + (incoming * tangent + normal) * self.radius, 0.0);
                } else if let Some(limit) = clipped_at {
                    let corners = clipped_miter(corner, self.radius, limit);
                    corners.into_iter().for_each(|point| self.add(point, 0.0));
                }
            }
        }
    }

    fn add_cap(&mut self, point: Point, outward: Vec2, cap: Cap) {
        match cap {
            Cap::Butt => {}
            Cap::Square => self.add_across(point + outward * self.radius, outward),
            Cap::Round => self.add_turn(point, outward, -outward),
        }
    }

    /// Adds the offset curves of a curve. Its ends and extrema must have been added.
    fn add_offset_curves(&mut self, curve: CubicBez) {
        let mut pieces = vec![(curve, 0)];
        while let Some((piece, n_halvings)) = pieces.pop() {
            let values = [piece.p0, piece.p1, piece.p2, piece.p3].map(|p| self.value(p));
            let lowest = values.into_iter().fold(f64::INFINITY, f64::min) - self.support;
            let highest = values.into_iter().fold(f64::NEG_INFINITY, f64::max) + self.support;
            if lowest >= self.min && highest <= self.max {
                continue;
            }
            // The end is the start of the next piece, or that of the curve.
            if let Some([leaving, _]) = tangents(&piece) {
                self.add_across(piece.p0, leaving);
            }
            if n_halvings < MAX_HALVINGS && may_have_cusps(&piece, self.radius) {
                let (first, second) = piece.subdivide();
                pieces.extend([first, second].map(|half| (half, n_halvings + 1)));
            }
        }
    }
}

/// Whether an offset curve of a curve may turn back where the curve does not.
///
/// It turns back where the curvature is that of the brush. With the control values of section 3.2,
/// the curvature in units of that of the brush is ⅔ r |T| / |D|³.
fn may_have_cusps(curve: &CubicBez, radius: f64) -> bool {
    let legs = legs(curve);
    let [a, b, c] = legs;
    let turns = [a.cross(b), 0.5 * a.cross(c), b.cross(c)].map(|turn| 2.0 / 3.0 * radius * turn);
    let most = turns.iter().fold(0.0_f64, |most, turn| most.max(turn.abs()));
    let direction = (curve.p3 - curve.p0).normalize();
    let slowest = legs.iter().map(|leg| leg.dot(direction)).fold(f64::INFINITY, f64::min);
    // A loop has no direction, and its speeds are NaN.
    let is_gentle = curve.p0 != curve.p3 && slowest > 0.0 && most <= slowest.powi(3);
    let fastest = legs.iter().fold(0.0_f64, |fastest, leg| fastest.max(leg.hypot2()));
    let least = if turns.iter().all(|turn| *turn > 0.0) || turns.iter().all(|turn| *turn < 0.0) {
        turns.iter().fold(f64::INFINITY, |least, turn| least.min(turn.abs()))
    } else {
        0.0
    };
    let is_sharp = least >= fastest.powf(1.5);
    !is_gentle && !is_sharp
}

/// The edges of the control polygon.
fn legs(curve: &CubicBez) -> [Vec2; 3] {
    [curve.p1 - curve.p0, curve.p2 - curve.p1, curve.p3 - curve.p2]
}

#[cfg(test)]
mod tests {
    use kurbo::{PathSeg, Shape, StrokeOpts};

    use super::*;

    struct Random(u64);

    impl Random {
        /// A number from 0 to 1.
        fn number(&mut self) -> f64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        }

        fn point(&mut self) -> Point {
            Point::new(self.number(), self.number())
        }

        fn transform(&mut self) -> Affine {
            let [a, b, c, d] = [0; 4].map(|_| 4.0 * self.number() - 2.0);
            Affine::new([a, b, c, d, 3.0, -5.0])
        }
    }

    /// The distance of the farthest edges of two boxes, relative to the size of the second one.
    fn difference(found: Aabb, expected: Rect) -> f64 {
        let found = [found.x0, found.y0, found.x1, found.y1].map(f64::from);
        let Rect { x0, y0, x1, y1 } = expected;
        let edges = found.into_iter().zip([x0, y0, x1, y1]);
        let farthest = edges.fold(0.0_f64, |farthest, (a, b)| farthest.max((a - b).abs()));
        farthest / expected.width().max(expected.height())
    }

    /// The box of lines across a curve, between two of which the tangent turns by at most 10⁻³.
    fn box_of_samples(curve: CubicBez, radius: f64, transform: Affine) -> Rect {
        let legs = legs(&curve);
        let is_straight = (0..9).all(|i| {
            let (a, b) = (legs[i / 3], legs[i % 3]);
            a.dot(b) >= 0.0 && a.cross(b).abs() <= 1e-3 * a.hypot() * b.hypot()
        });
        if is_straight || legs.iter().all(|leg| leg.hypot() < 1e-12) {
            let tangents = tangents(&curve).unwrap_or_default();
            let ends = [curve.p0, curve.p3].into_iter().zip(tangents).map(|(p, tangent)| {
                let normal = radius * tangent.turn_90();
                Rect::from_points(transform * (p - normal), transform * (p + normal))
            });
            return ends.reduce(|a, b| a.union(b)).expect("a curve has two ends");
        }
        let (first, second) = curve.subdivide();
        box_of_samples(first, radius, transform).union(box_of_samples(second, radius, transform))
    }

    /// A quarter of the curves has cusps of offset curves that extend the box.
    #[test]
    fn boxes_of_curves_are_those_of_all_lines_across_them() {
        let mut random = Random(88_172_645_463_325_252);
        let mut n_beyond = 0;
        for i in 0..1_000 {
            let [p0, p1, p2, mut p3] = [0; 4].map(|_| random.point());
            // Each tenth curve ends at its control point, and its derivative vanishes there.
            if i % 10 == 0 {
                p3 = p2;
            }
            // Others are loops.
            if i % 10 == 1 {
                p3 = p0;
            }
            let curve = CubicBez::new(p0, p1, p2, p3);
            let radius = 10.0_f64.powf(3.0 * random.number() - 2.0);
            let transform = random.transform();
            let path: BezPath = [PathEl::MoveTo(p0), PathEl::CurveTo(p1, p2, p3)].into_iter().collect();
            let style = Stroke::new(2.0 * radius).with_caps(Cap::Butt);
            let found = stroke_box(&path, &style, false, transform);
            let expected = box_of_samples(curve, radius, transform);
            let error = difference(found, expected);
            assert!(
                error < 5e-5,
                "{error}: {found:?} is not {expected:?}: {curve:?}, {radius}, {transform:?}"
            );

            let mut axis =
                Axis::new(Vec2::new(transform.as_coeffs()[0], transform.as_coeffs()[2]), 3.0, radius);
            axis.add_segment(&Segment::new(PathSeg::Cubic(curve)).expect("random points differ"));
            let is_beyond = axis.min - expected.x0 > 1e-3 || expected.x1 - axis.max > 1e-3;
            n_beyond += u32::from(is_beyond);
        }
        assert!(n_beyond > 20, "only {n_beyond} curves have offset curves beyond the rest");
    }

    /// The largest relative error of kurbo's arcs, which it approximates by cubic curves.
    const ARC_ERROR: f64 = 3e-4;

    /// kurbo's outlines of lines are exact, except for arcs.
    #[test]
    fn boxes_of_joins_and_caps_are_those_of_outlines() {
        let mut random = Random(2_463_534_242);
        for i in 0..3_000 {
            let mut path = BezPath::new();
            path.move_to(random.point());
            let n_lines = 1 + i % 4;
            (0..n_lines).for_each(|_| path.line_to(random.point()));
            if i % 3 == 0 && n_lines > 1 {
                path.close_path();
            }
            let join = [Join::Bevel, Join::Miter, Join::Round][i / 4 % 3];
            let [start, end] =
                [0, 1].map(|j| [Cap::Butt, Cap::Round, Cap::Square][(i / 12 + j * (i / 36)) % 3]);
            let style = Stroke::new(random.number())
                .with_join(join)
                .with_miter_limit(1.0 + 9.0 * random.number())
                .with_start_cap(start)
                .with_end_cap(end);
            let transform = random.transform();
            let outline = transform * kurbo::stroke(path.iter(), &style, &StrokeOpts::default(), 1e-9);
            let found = stroke_box(&path, &style, false, transform);
            let error = difference(found, outline.bounding_box());
            assert!(
                error < ARC_ERROR,
                "{error}: {found:?} is not {:?}: {path:?}, {style:?}",
                outline.bounding_box()
            );
        }
    }

    #[test]
    fn a_curve_that_returns_on_its_line_has_a_round_end_there() {
        let path = BezPath::from_svg("M0 0C40 0 40 0 10 0").expect("a path");
        let style = Stroke::new(4.0).with_caps(Cap::Butt);
        let expected = Rect::new(0.0, -2.0, path.bounding_box().x1 + 2.0, 2.0);
        assert!(difference(stroke_box(&path, &style, false, Affine::IDENTITY), expected) < 1e-6);
    }

    #[test]
    fn a_path_without_a_direction_has_no_box() {
        for d in ["", "M5 5", "M5 5L5 5", "M5 5Z", "M5 5C5 5 5 5 5 5"] {
            let path = BezPath::from_svg(d).expect("a path");
            assert_eq!(stroke_box(&path, &Stroke::new(2.0), false, Affine::IDENTITY), Aabb::EMPTY, "{d}");
        }
    }

    #[test]
    fn miters_beyond_the_limit_are_clipped_if_wanted() {
        let path = BezPath::from_svg("M0 0H10L0 1").expect("a path");
        let right = |limit, clips_miters| {
            let style = Stroke::new(2.0).with_join(Join::Miter).with_miter_limit(limit).with_caps(Cap::Butt);
            stroke_box(&path, &style, clips_miters, Affine::IDENTITY).x1
        };
        let tip = 10.0 + 1.0 / (0.5 * 0.1_f64.atan()).tan();
        assert!((f64::from(right(100.0, false)) - tip).abs() < 1e-4, "{} {tip}", right(100.0, false));
        assert_eq!(right(100.0, true), right(100.0, false));
        assert!(right(5.0, false) < 10.2);
        assert!((14.9..15.1).contains(&right(5.0, true)), "{}", right(5.0, true));
    }
}
