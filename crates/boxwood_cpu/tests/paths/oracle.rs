//! The specification of path boxes: the covered area of a path, in `f64`.
//!
//! Fills have kurbo's bounds of their curves. The extents of a stroke follow the definitions of
//! `docs/strokes.md`, sections 1 to 4.

use kurbo::{
    Affine, BezPath, Cap, CubicBez, Join, Line, ParamCurve, ParamCurveDeriv, ParamCurveExtrema, PathEl,
    PathSeg, Point, Rect, Stroke, Vec2, common::solve_quadratic,
};

use boxwood_cpu::Aabb;
use boxwood_cpu::paths::accuracy::{
    CONTAINMENT, FILL_TIGHTNESS, FILL_ULPS, MITER_ROUNDING, STROKE_RELATIVE_TIGHTNESS, STROKE_ROUNDING,
    STROKE_TIGHTNESS,
};

/// The square of the length below which a leg of a control polygon has no direction. Vello has
/// 10⁻¹².
const MIN_TANGENT_SQUARED: f64 = 1.0 / (1_u64 << 40) as f64;

/// The transform of a stroke is singular if the sine of the angle between its axes, roughly, is not
/// larger.
const MIN_AXES_SINE: f64 = 1.0 / 1024.0;

/// The number of pieces of a curve in which the box of a stroke may contain the whole brush.
const N_PIECES: u32 = 256;

/// The bounds of the box of a path. `inner` is within `outer`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bracket {
    /// The box contains this, except for `missing`.
    pub(crate) inner: Rect,
    /// The box is within this, except for `excess`.
    pub(crate) outer: Rect,
    /// The maximum distance of an edge inside of `inner`.
    pub(crate) missing: f64,
    /// The maximum distance of a vertical and of a horizontal edge outside of `outer`.
    pub(crate) excess: Vec2,
}

impl Bracket {
    /// Checks a box.
    ///
    /// # Errors
    ///
    /// A message with the edge that is beyond its bounds.
    pub(crate) fn check(&self, found: Aabb) -> Result<(), String> {
        let sides = |r: Rect| [-r.x0, -r.y0, r.x1, r.y1];
        let of_box = sides(Rect::new(found.x0.into(), found.y0.into(), found.x1.into(), found.y1.into()));
        let (inner, outer) = (sides(self.inner), sides(self.outer));
        for (i, side) in ["x0", "y0", "x1", "y1"].into_iter().enumerate() {
            let missing = inner[i] - of_box[i];
            if missing > self.missing {
                return Err(format!("{side} of {found:?} is {missing} inside of {:?}: {self:?}", self.inner));
            }
            let (excess, limit) = (of_box[i] - outer[i], [self.excess.x, self.excess.y][i % 2]);
            if excess > limit {
                return Err(format!("{side} of {found:?} is {excess} outside of {:?}: {self:?}", self.outer));
            }
        }
        Ok(())
    }
}

/// The bracket of a fill. `None` if the path has no area, whose box is empty.
pub(crate) fn fill(path: &BezPath, transform: Affine) -> Option<Bracket> {
    let placed = transform * path;
    let bounds =
        placed.segments().map(|segment| ParamCurveExtrema::bounding_box(&segment)).reduce(|a, b| a.union(b));
    let bounds = bounds.filter(|b| b.width() > 0.0 && b.height() > 0.0)?;
    #[expect(clippy::cast_possible_truncation, reason = "coordinates of boxes are f32")]
    let largest = largest_coordinate(placed.control_box()) as f32;
    let ulp = f64::from(largest.next_up()) - f64::from(largest);
    let excess = FILL_TIGHTNESS + FILL_ULPS * ulp;
    Some(Bracket {
        inner: bounds,
        outer: bounds,
        missing: missing(path, transform),
        excess: Vec2::new(excess, excess),
    })
}

fn largest_coordinate(r: Rect) -> f64 {
    r.x0.abs().max(r.x1.abs()).max(r.y0.abs().max(r.y1.abs()))
}

fn missing(path: &BezPath, transform: Affine) -> f64 {
    let [matrix @ .., e, f] = transform.as_coeffs();
    let entry = matrix.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let term = (largest_coordinate(path.control_box()) * entry).max(e.abs()).max(f.abs());
    CONTAINMENT * (1.0 + term)
}

/// The bracket of a stroke. `None` if the path has no segments with a direction.
pub(crate) fn stroke(path: &BezPath, style: &Stroke, transform: Affine) -> Option<Bracket> {
    let mut outline = Outline::new(style, transform);
    let elements = path.elements();
    let is_start = |i: &usize| matches!(elements.get(*i), None | Some(PathEl::MoveTo(_)));
    let starts: Vec<usize> = (0..=elements.len()).filter(is_start).collect();
    for range in starts.windows(2) {
        let subpath = &elements[range[0]..range[1]];
        let segments: Vec<_> = kurbo::segments(subpath.iter().copied())
            .filter_map(|segment| Segment::new(as_cubic(segment)))
            .collect();
        outline.add_subpath(&segments, subpath.last() == Some(&PathEl::ClosePath));
    }
    let rect = |[left, top, right, bottom]: [f64; 4]| Rect::new(-left, -top, right, bottom);
    let (inner, outer) = (rect(outline.inner), rect(outline.outer));
    let excess = |size: f64, terms: f64| {
        STROKE_TIGHTNESS.max(STROKE_RELATIVE_TIGHTNESS * size) + STROKE_ROUNDING * terms
    };
    let [x_terms, y_terms] = outline.terms;
    inner.is_finite().then(|| Bracket {
        inner,
        outer,
        missing: missing(path, transform),
        excess: Vec2::new(excess(inner.width(), x_terms), excess(inner.height(), y_terms)),
    })
}

/// The same segment as a curve whose derivative does not vanish on lines.
fn as_cubic(segment: PathSeg) -> CubicBez {
    match segment {
        PathSeg::Line(Line { p0, p1 }) => {
            CubicBez::new(p0, p0.lerp(p1, 1.0 / 3.0), p0.lerp(p1, 2.0 / 3.0), p1)
        }
        _ => segment.to_cubic(),
    }
}

/// A segment as a cubic curve, with the directions at its ends.
struct Segment {
    curve: CubicBez,
    start: Vec2,
    end: Vec2,
}

impl Segment {
    /// `None` if all control points coincide.
    fn new(curve: CubicBez) -> Option<Self> {
        let CubicBez { p0, p1, p2, p3 } = curve;
        let first = |vectors: [Vec2; 3]| {
            let direction = vectors.into_iter().find(|v| v.hypot2() >= MIN_TANGENT_SQUARED);
            direction.map(Vec2::normalize)
        };
        let (start, end) = (first([p1 - p0, p2 - p0, p3 - p0])?, first([p3 - p2, p3 - p1, p3 - p0])?);
        Some(Self { curve, start, end })
    }
}

/// The extents of a stroke on the sides left, top, right, and bottom: (-x0, -y0, x1, y1).
struct Outline<'a> {
    style: &'a Stroke,
    radius: f64,
    sides: [Side; 4],
    /// The point of the path's space that is at the origin of device space. 0 if there is none
    /// nearby.
    origin: Point,
    inner: [f64; 4],
    outer: [f64; 4],
    /// The size of the largest segment along each axis.
    terms: [f64; 2],
}

/// The outward direction of a side in the path's space: p is at `gradient · p + offset`.
#[derive(Clone, Copy)]
struct Side {
    gradient: Vec2,
    offset: f64,
}

impl Side {
    fn value(&self, p: Point) -> f64 {
        self.gradient.dot(p.to_vec2()) + self.offset
    }
}

/// A quarter turn to the left.
fn left(v: Vec2) -> Vec2 {
    Vec2::new(-v.y, v.x)
}

impl<'a> Outline<'a> {
    fn new(style: &'a Stroke, transform: Affine) -> Self {
        let [a, b, c, d, e, f] = transform.as_coeffs();
        let side = |x: f64, y: f64, offset: f64| Side { gradient: Vec2::new(x, y), offset };
        let sine_of_axes = (a * d - b * c).abs() / ((a * d).abs() + (b * c).abs());
        Self {
            style,
            radius: 0.5 * style.width,
            sides: [side(-a, -c, -e), side(-b, -d, -f), side(a, c, e), side(b, d, f)],
            origin: if sine_of_axes > MIN_AXES_SINE {
                transform.inverse() * Point::ZERO
            } else {
                Point::ZERO
            },
            inner: [f64::NEG_INFINITY; 4],
            outer: [f64::NEG_INFINITY; 4],
            terms: [0.0; 2],
        }
    }

    fn add_subpath(&mut self, segments: &[Segment], is_closed: bool) {
        let (Some(first), Some(last)) = (segments.first(), segments.last()) else { return };
        for segment in segments {
            self.add_segment(segment);
        }
        for pair in segments.windows(2) {
            self.add_join(pair[0].curve.p3, pair[0].end, pair[1].start);
        }
        if is_closed {
            self.add_join(last.curve.p3, last.end, first.start);
        } else {
            self.add_cap(first.curve.p0, -first.start, self.style.start_cap);
            self.add_cap(last.curve.p3, last.end, self.style.end_cap);
        }
    }

    /// Section 3: the ends, the extrema of the curve with the whole brush, and the extrema of the
    /// offset curves.
    fn add_segment(&mut self, &Segment { curve, start, end }: &Segment) {
        let legs = legs(&curve);
        let greatest = legs.iter().fold(0.0_f64, |m, leg| m.max(leg.hypot()));
        for (i, side) in self.sides.into_iter().enumerate() {
            let g = side.gradient;
            let support = self.radius * g.hypot();
            let with_brush =
                |t: f64, direction: Vec2| side.value(curve.eval(t)) + self.radius * g.cross(direction).abs();
            let [a, b, c] = legs.map(|leg| g.dot(leg));
            let roots = solve_quadratic(a, 2.0 * (b - a), a - 2.0 * b + c);
            // The ends have their own directions, even if a leg there is 0.
            let extrema = roots.into_iter().filter(|t| (1e-9..=1.0 - 1e-9).contains(t));
            for t in extrema {
                // Turning around at a cusp, the brush covers the half disc ahead, or all of it.
                let is_cusp = curve.deriv().eval(t).to_vec2().hypot() <= STROKE_ROUNDING * greatest;
                let is_ahead = g.dot(curve.deriv().deriv().eval(t).to_vec2()) <= 0.0;
                let extent = side.value(curve.eval(t)) + support;
                self.outer[i] = self.outer[i].max(extent);
                if is_ahead || !is_cusp {
                    self.inner[i] = self.inner[i].max(extent);
                }
            }
            let of_offset_curves = maximum(|t| {
                let tangent = curve.deriv().eval(t).to_vec2();
                with_brush(t, if tangent == Vec2::ZERO { tangent } else { tangent.normalize() })
            });
            self.add(i, with_brush(0.0, start).max(with_brush(1.0, end)).max(of_offset_curves));
            self.outer[i] = self.outer[i].max(with_turning_pieces(&curve, &side, support));

            let reference =
                |p: Point| (g.x * (p.x - self.origin.x)).abs() + (g.y * (p.y - self.origin.y)).abs();
            let distance = reference(curve.p0).max(reference(curve.p3)) + side.value(self.origin).abs();
            let size = legs.iter().fold(distance, |sum, leg| sum + g.dot(*leg).abs());
            self.terms[i % 2] = self.terms[i % 2].max(size + support);
        }
    }

    /// Sections 4.2 and 4.3.
    fn add_join(&mut self, point: Point, from: Vec2, to: Vec2) {
        match self.style.join {
            Join::Bevel => {}
            Join::Round => {
                self.add_brush(point, |g| g.dot(from) >= 0.0 && g.dot(to) <= 0.0);
            }
            Join::Miter => {
                let (sine, cosine) = (from.cross(to).abs(), from.dot(to));
                let tangent = if cosine < 0.0 { (1.0 - cosine) / sine } else { sine / (1.0 + cosine) };
                let length = 1.0 + tangent * tangent;
                let limit = self.style.miter_limit * self.style.miter_limit;
                let doubt = MITER_ROUNDING * (1.0 + tangent);
                let outer = if from.cross(to) > 0.0 { -left(from) } else { left(from) };
                let tip = point + (from * tangent + outer) * self.radius;
                for (i, side) in self.sides.into_iter().enumerate() {
                    if length < limit * (1.0 - doubt) {
                        self.add(i, side.value(tip));
                    } else if length < limit * (1.0 + doubt) {
                        self.outer[i] = self.outer[i].max(side.value(tip));
                    }
                }
            }
        }
    }

    /// Section 4.1.
    fn add_cap(&mut self, point: Point, outward: Vec2, cap: Cap) {
        match cap {
            Cap::Butt => {}
            Cap::Square => {
                for corner in [outward + left(outward), outward - left(outward)] {
                    let corner = point + corner * self.radius;
                    for (i, side) in self.sides.into_iter().enumerate() {
                        self.add(i, side.value(corner));
                    }
                }
            }
            Cap::Round => self.add_brush(point, |g| g.dot(outward) >= 0.0),
        }
    }

    /// Adds the whole brush around a point on the sides whose gradient satisfies a condition.
    fn add_brush(&mut self, point: Point, is_covered: impl Fn(Vec2) -> bool) {
        for (i, side) in self.sides.into_iter().enumerate() {
            if is_covered(side.gradient) {
                self.add(i, side.value(point) + self.radius * side.gradient.hypot());
            }
        }
    }

    fn add(&mut self, side: usize, extent: f64) {
        self.inner[side] = self.inner[side].max(extent);
        self.outer[side] = self.outer[side].max(extent);
    }
}

fn legs(curve: &CubicBez) -> [Vec2; 3] {
    [curve.p1 - curve.p0, curve.p2 - curve.p1, curve.p3 - curve.p2]
}

/// The extent, with the whole brush, of the pieces of a curve that may turn around.
fn with_turning_pieces(curve: &CubicBez, side: &Side, support: f64) -> f64 {
    let extent_of = |i: u32| {
        let [t0, t1] = [i, i + 1].map(|i| f64::from(i) / f64::from(N_PIECES));
        let piece = curve.subsegment(t0..t1);
        let along = legs(&piece).map(|leg| side.gradient.dot(leg));
        // The twin may round components of this size to 0.
        let epsilon = legs(curve).iter().fold(0.0_f64, |m, leg| m.max(leg.hypot()))
            * STROKE_ROUNDING
            * side.gradient.hypot();
        let may_turn = along.iter().any(|v| *v <= epsilon) && along.iter().any(|v| *v >= -epsilon);
        let hull = [piece.p0, piece.p1, piece.p2, piece.p3]
            .map(|p| side.value(p))
            .into_iter()
            .fold(f64::MIN, f64::max);
        if may_turn { hull + support } else { f64::NEG_INFINITY }
    };
    (0..N_PIECES).map(extent_of).fold(f64::NEG_INFINITY, f64::max)
}

/// The maximum of a function on (0, 1): that of many values, refined by golden-section search.
fn maximum(f: impl Fn(f64) -> f64) -> f64 {
    const N: u32 = 256;
    let at = |i: u32| f64::from(i).clamp(1e-6, f64::from(N) - 1e-6) / f64::from(N);
    let values: Vec<f64> = (0..=N).map(|i| f(at(i))).collect();
    let refined = |i: u32| {
        let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
        let (mut from, mut to) = (at(i), at(i + 2));
        for _ in 0..40 {
            let (a, b) = (to - golden * (to - from), from + golden * (to - from));
            if f(a) < f(b) { from = a } else { to = b }
        }
        f(0.5 * (from + to))
    };
    let is_peak = |i: &u32| {
        let around = &values[*i as usize..];
        around[1] >= around[0] && around[1] >= around[2]
    };
    let peaks = (0..N - 1).filter(is_peak).map(refined);
    values.iter().copied().chain(peaks).fold(f64::NEG_INFINITY, f64::max)
}
