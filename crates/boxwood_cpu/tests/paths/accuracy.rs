//! The boxes of random fills and strokes against the specification, and that against kurbo's
//! outlines.

use kurbo::{Affine, BezPath, Cap, Join, ParamCurveExtrema, PathEl, Point, Stroke, StrokeOpts};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::{fill_box, oracle, stroke_box};

/// The path and the transform with all numbers rounded to `f32`, as scenes store them.
#[expect(clippy::cast_possible_truncation, reason = "it rounds")]
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

/// A path of up to `max` elements with such points.
fn path_of(max: usize, point: impl Strategy<Value = Point> + Clone) -> impl Strategy<Value = BezPath> {
    let p = || point.clone();
    let element = prop_oneof![
        1 => p().prop_map(PathEl::MoveTo),
        3 => p().prop_map(PathEl::LineTo),
        3 => (p(), p()).prop_map(|(a, b)| PathEl::QuadTo(a, b)),
        6 => (p(), p(), p()).prop_map(|(a, b, c)| PathEl::CurveTo(a, b, c)),
        1 => Just(PathEl::ClosePath),
    ];
    (p(), prop::collection::vec(element, 1..max)).prop_map(|(start, elements)| {
        let mut path = BezPath::new();
        path.move_to(start);
        let (mut last, mut is_closed) = (start, false);
        for element in elements {
            // kurbo and Vello differ from SVG if a subpath starts without a move.
            if is_closed && !matches!(element, PathEl::MoveTo(_)) {
                path.move_to((0.0, 0.0));
                last = Point::ZERO;
            }
            is_closed = element == PathEl::ClosePath;
            // Encoders drop segments without length.
            let is_point = match element {
                PathEl::LineTo(a) => a == last,
                PathEl::QuadTo(a, b) => a == last && b == last,
                PathEl::CurveTo(a, b, c) => a == last && b == last && c == last,
                PathEl::MoveTo(_) | PathEl::ClosePath => false,
            };
            if !is_point {
                path.push(element);
                last = element.end_point().unwrap_or(last);
            }
        }
        path
    })
}

/// A path with coordinates up to 1. All of them, or only a few, so that points coincide and curves
/// have cusps.
fn any_path(max: usize) -> impl Strategy<Value = BezPath> {
    let coordinate = -1.0_f64..1.0;
    let few = prop::sample::select(vec![-0.5, -0.25, 0.0, 0.25, 0.5]);
    let points = (coordinate.clone(), coordinate).prop_map(Point::from);
    let few_points = (few.clone(), few).prop_map(Point::from);
    prop_oneof![path_of(max, points), path_of(max, few_points)]
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

/// The part of the size of a stroke by which kurbo's outline may differ from the specification.
const KURBO_ACCURACY: f64 = 0.01;

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn boxes_of_fills_are_within_their_accuracy(
        shape in any_path(9), matrix in any_matrix(), lg_size in -2.0_f64..7.0, offset in -2.0_f64..2.0,
        lg_translation in -1.0_f64..6.0, x in -1.0_f64..1.0, y in -1.0_f64..1.0,
    ) {
        let (size, far) = (10.0_f64.powf(lg_size), 10.0_f64.powf(lg_translation));
        let placed = Affine::scale(size) * Affine::translate((offset, -offset)) * shape;
        let (shape, transform) = in_f32(placed, matrix.then_translate((x * far, y * far).into()));
        let Some(bracket) = oracle::fill(&shape, transform) else { return Ok(()) };
        prop_assert_eq!(bracket.check(fill_box(&shape, transform)), Ok(()));
    }

    #[test]
    fn boxes_of_strokes_are_within_their_accuracy(
        shape in any_path(5), matrix in any_matrix(), lg_size in 0.0_f64..3.0, lg_width in -3.0_f64..0.7,
        lg_translation in -1.0_f64..6.0, x in -1.0_f64..1.0, y in -1.0_f64..1.0,
        join in prop::sample::select(vec![Join::Bevel, Join::Miter, Join::Round]),
        caps in prop::array::uniform2(prop::sample::select(vec![Cap::Butt, Cap::Square, Cap::Round])),
        // Exact as `f16`, which styles store.
        miter_limit in (64_u16..640).prop_map(|v| f64::from(v) / 64.0),
    ) {
        let size = 10.0_f64.powf(lg_size);
        let far = 10.0_f64.powf(lg_translation);
        let (shape, transform) =
            in_f32(Affine::scale(size) * shape, matrix.then_translate((x * far, y * far).into()));
        #[expect(clippy::cast_possible_truncation, reason = "it rounds")]
        let width = f64::from((size * 10.0_f64.powf(lg_width)) as f32);
        let style = Stroke::new(width)
            .with_join(join).with_start_cap(caps[0]).with_end_cap(caps[1]).with_miter_limit(miter_limit);
        let Some(bracket) = oracle::stroke(&shape, &style, transform) else { return Ok(()) };
        if bracket.inner.width() <= 0.0 || bracket.inner.height() <= 0.0 {
            return Ok(());
        }
        prop_assert_eq!(bracket.check(stroke_box(&shape, transform, &style)), Ok(()));

        // kurbo approximates the outline by curves.
        let outline = transform * kurbo::stroke(shape.iter(), &style, &StrokeOpts::default(), 1e-6 * size);
        let outline = outline.segments().map(|s| ParamCurveExtrema::bounding_box(&s)).reduce(|a, b| a.union(b));
        let room = KURBO_ACCURACY * bracket.inner.width().max(bracket.inner.height());
        let outline = outline.expect("a stroke with area has an outline");
        prop_assert!(outline.inflate(room, room).union(bracket.inner) == outline.inflate(room, room), "{outline:?}, {bracket:?}");
        let outer = bracket.outer.inflate(room, room);
        prop_assert!(outer.union(outline) == outer, "{outline:?}, {bracket:?}");
    }
}
