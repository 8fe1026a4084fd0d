//! The boxes of random fills and strokes against what kurbo, and many points of the outline, say in `f64`.

use kurbo::{
    Affine, BezPath, Cap, CubicBez, Join, ParamCurve, ParamCurveDeriv, ParamCurveExtrema, PathEl, Point,
    Rect, Stroke, StrokeOpts, Vec2,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::{fill_bounds, stroke_bounds};

#[expect(clippy::cast_possible_truncation, reason = "rounding is what is wanted")]
fn in_f32(path: BezPath, transform: Affine) -> (BezPath, Affine) {
    let coordinate = |v: f64| f64::from(v as f32);
    let point = |p: Point| Point::new(coordinate(p.x), coordinate(p.y));
    let path = path.into_iter().map(|element| match element {
        PathEl::MoveTo(a) => PathEl::MoveTo(point(a)),
        PathEl::LineTo(a) => PathEl::LineTo(point(a)),
        PathEl::QuadTo(a, b) => PathEl::QuadTo(point(a), point(b)),
        PathEl::CurveTo(a, b, c) => PathEl::CurveTo(point(a), point(b), point(c)),
        PathEl::ClosePath => PathEl::ClosePath,
    });
    (path.collect(), Affine::new(transform.as_coeffs().map(coordinate)))
}

/// Some elements with coordinates up to 1.
fn any_path(max: usize) -> impl Strategy<Value = BezPath> {
    let point = || (-1.0_f64..1.0, -1.0_f64..1.0);
    let element = prop_oneof![
        1 => point().prop_map(|a| PathEl::MoveTo(a.into())),
        3 => point().prop_map(|a| PathEl::LineTo(a.into())),
        3 => (point(), point()).prop_map(|(a, b)| PathEl::QuadTo(a.into(), b.into())),
        6 => (point(), point(), point()).prop_map(|(a, b, c)| PathEl::CurveTo(a.into(), b.into(), c.into())),
        1 => Just(PathEl::ClosePath),
    ];
    (point(), prop::collection::vec(element, 1..max)).prop_map(|(start, elements)| {
        let mut path = BezPath::new();
        path.move_to(start);
        let mut is_closed = false;
        for element in elements {
            // Neither kurbo nor Vello agree with SVG where a subpath starts without a move.
            if is_closed && !matches!(element, PathEl::MoveTo(_)) {
                path.move_to((0.0, 0.0));
            }
            is_closed = element == PathEl::ClosePath;
            path.push(element);
        }
        path
    })
}

fn any_matrix() -> impl Strategy<Value = Affine> {
    (prop::array::uniform4(-1.0_f64..1.0), 0.0_f64..1.0, -3.0_f64..3.0).prop_map(
        |([a, b, c, d], kind, scale)| {
            let scale = 10.0_f64.powf(scale);
            let matrix = if kind < 0.4 {
                [1.0, 0.0, 0.0, 1.0]
            } else if kind < 0.6 {
                [a, 0.0, 0.0, d]
            } else {
                [a, b, c, d]
            };
            Affine::new([
                matrix[0] * scale,
                matrix[1] * scale,
                matrix[2] * scale,
                matrix[3] * scale,
                0.0,
                0.0,
            ])
        },
    )
}

fn ulp(v: f64) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "the next is what is wanted")]
    let v = v.abs() as f32;
    f64::from(v.next_up()) - f64::from(v)
}

/// The bounds of the curves, and the largest coordinate of their control points.
fn exact_fill(path: &BezPath, transform: Affine) -> (Option<Rect>, f64) {
    let placed = transform * path.clone();
    let bounds = placed.segments().map(|s| ParamCurveExtrema::bounding_box(&s)).reduce(|a, b| a.union(b));
    let hull = placed.control_box();
    (bounds, [hull.x0, hull.y0, hull.x1, hull.y1].into_iter().fold(0.0, |m: f64, v| m.max(v.abs())))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fills_are_those_of_kurbo(
        shape in any_path(9), matrix in any_matrix(), lg_size in -2.0_f64..7.0, offset in -2.0_f64..2.0,
        lg_translation in -1.0_f64..6.0, x in -1.0_f64..1.0, y in -1.0_f64..1.0,
    ) {
        let (size, far) = (10.0_f64.powf(lg_size), 10.0_f64.powf(lg_translation));
        let placed = Affine::scale(size) * Affine::translate((offset, -offset)) * shape;
        let (shape, transform) = in_f32(placed, matrix.then_translate((x * far, y * far).into()));
        let found = fill_bounds(&shape, transform);
        let (Some(exact), largest) = exact_fill(&shape, transform) else { return Ok(()) };
        if exact.width() <= 0.0 || exact.height() <= 0.0 {
            return Ok(());
        }
        let room = 1.0 / 256.0 + 4.0 * ulp(largest);
        let missing = 1e-9 * (size * 1e3 + far);
        for (name, excess) in [
            ("x0", exact.x0 - f64::from(found.x0)),
            ("y0", exact.y0 - f64::from(found.y0)),
            ("x1", f64::from(found.x1) - exact.x1),
            ("y1", f64::from(found.y1) - exact.y1),
        ] {
            prop_assert!(excess <= room, "{name}: {excess} looser, {room} allowed: {found:?} for {exact:?}");
            prop_assert!(excess >= -missing, "{name}: {} of the ink is missing: {found:?} for {exact:?}", -excess);
        }
    }

    #[test]
    fn strokes_hold_the_outline_tightly(
        shape in any_path(5), matrix in any_matrix(), lg_size in 0.0_f64..3.0, lg_width in -3.0_f64..0.7,
        join in prop::sample::select(vec![Join::Bevel, Join::Miter, Join::Round]),
        caps in prop::array::uniform2(prop::sample::select(vec![Cap::Butt, Cap::Square, Cap::Round])),
        miter_limit in 1.0_f64..10.0,
    ) {
        let size = 10.0_f64.powf(lg_size);
        let (shape, transform) = in_f32(Affine::scale(size) * shape, matrix);
        let style = Stroke::new(size * 10.0_f64.powf(lg_width))
            .with_join(join).with_start_cap(caps[0]).with_end_cap(caps[1]).with_miter_limit(miter_limit);
        let outline = transform * kurbo::stroke(shape.iter(), &style, &StrokeOpts::default(), 1e-6 * size);
        let outline = outline.segments().map(|s| ParamCurveExtrema::bounding_box(&s)).reduce(|a, b| a.union(b));
        let (Some(of_kurbo), Some(ink)) = (outline, inked(&shape, transform, &style)) else { return Ok(()) };
        if of_kurbo.width() <= 0.0 || of_kurbo.height() <= 0.0 {
            return Ok(());
        }
        let found = stroke_bounds(&shape, transform, &style);
        let sides = |r: Rect| [r.x0, r.y0, -r.x1, -r.y1];
        let found_sides = [found.x0, found.y0, -found.x1, -found.y1].map(f64::from);
        for (i, side) in [ink.width(), ink.height()].into_iter().cycle().take(4).enumerate() {
            let missing = found_sides[i] - sides(ink)[i];
            prop_assert!(missing <= 1e-6 * side, "{missing} of the ink is missing at {i}: {found:?} for {ink:?}");
            // Where a curve is nearly a cusp, its arc may fall between the points of `inked`.
            let excess = sides(ink.union(of_kurbo))[i] - found_sides[i];
            let room = 0.5_f64.max(0.01 * side);
            prop_assert!(excess <= room, "{excess} looser, {room} allowed at {i}: {found:?} for {ink:?}, {of_kurbo:?}");
        }
    }
}

/// The bounds of many points of the outline of a stroke, computed in `f64` from what the words mean.
fn inked(path: &BezPath, transform: Affine, style: &Stroke) -> Option<Rect> {
    let radius = 0.5 * style.width;
    let mut bounds: Option<Rect> = None;
    let mut add = |p: Point| {
        let p = transform * p;
        bounds = Some(bounds.map_or(Rect::from_points(p, p), |b| b.union_pt(p)));
    };
    let left = |tangent: Vec2| Vec2::new(-tangent.y, tangent.x) * radius;
    // The half circle around `center` from one side of `tangent` over its tip to the other.
    let half_circle = |center: Point, tangent: Vec2, add: &mut dyn FnMut(Point)| {
        for i in 0..=1000 {
            let angle = std::f64::consts::PI * (f64::from(i) / 1000.0 - 0.5);
            add(center + (tangent * angle.cos() + Vec2::new(-tangent.y, tangent.x) * angle.sin()) * radius);
        }
    };
    let elements = path.elements();
    let starts: Vec<usize> = (0..elements.len())
        .filter(|i| matches!(elements[*i], PathEl::MoveTo(_)))
        .chain([elements.len()])
        .collect();
    for range in starts.windows(2) {
        let subpath = &elements[range[0]..range[1]];
        let is_closed = subpath.last() == Some(&PathEl::ClosePath);
        let segments: Vec<CubicBez> =
            kurbo::segments(subpath.iter().copied()).map(|s| s.to_cubic()).collect();
        let slope = |c: &CubicBez, t: f64| {
            let d = c.deriv().eval(t).to_vec2();
            if d.hypot() > 1e-9 { d } else { c.eval((t + 1e-4).min(1.0)) - c.eval((t - 1e-4).max(0.0)) }
                .normalize()
        };
        for curve in &segments {
            for i in 0..=4000 {
                let t = f64::from(i) / 4000.0;
                let across = left(slope(curve, t));
                add(curve.eval(t) + across);
                add(curve.eval(t) - across);
            }
        }
        let (Some(first), Some(last)) = (segments.first(), segments.last()) else { continue };
        let n_joins = if is_closed { segments.len() } else { segments.len() - 1 };
        for i in 0..n_joins {
            let point = segments[i].p3;
            let (before, after) = (slope(&segments[i], 1.0), slope(&segments[(i + 1) % segments.len()], 0.0));
            let (sine, cosine) = (before.cross(after), before.dot(after));
            let outer = if sine > 0.0 { -1.0 } else { 1.0 };
            match style.join {
                Join::Bevel => {}
                Join::Miter => {
                    if 2.0 < (1.0 + cosine) * style.miter_limit.powi(2) * (1.0 - 1e-3) {
                        add(point + (left(before) + left(after)) * (outer / (1.0 + cosine)));
                    }
                }
                Join::Round => {
                    let angle = sine.atan2(cosine);
                    for i in 0..=1000 {
                        let (sin, cos) = (angle * f64::from(i) / 1000.0).sin_cos();
                        let turned =
                            Vec2::new(before.x * cos - before.y * sin, before.x * sin + before.y * cos);
                        add(point + left(turned) * outer);
                    }
                }
            }
        }
        if !is_closed {
            for (point, outward, cap) in
                [(first.p0, -slope(first, 0.0), style.start_cap), (last.p3, slope(last, 1.0), style.end_cap)]
            {
                match cap {
                    Cap::Butt => {}
                    Cap::Square => {
                        add(point + outward * radius + left(outward));
                        add(point + outward * radius - left(outward));
                    }
                    Cap::Round => half_circle(point, outward, &mut add),
                }
            }
        }
    }
    bounds
}
