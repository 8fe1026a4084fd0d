//! The boxes of paths against those of kurbo, which computes in `f64`.

use boxwood_cpu::{path_bboxes, path_bounds};
use boxwood_layout::{Aabb, PathBbox, PathStreams, StreamLayout};
use kurbo::{
    Affine, BezPath, Cap, CubicBez, Join, ParamCurve, ParamCurveDeriv, ParamCurveExtrema, PathEl, Point,
    Rect, Shape, Stroke, StrokeOpts, Vec2,
};
use peniko::Fill;
use proptest::prelude::*;
use vello_encoding::{Encoding, PathTag, Transform, resolve_solid_paths_only};

/// The words of an encoding without late bound resources.
fn packed(encoding: &Encoding) -> (Vec<u32>, StreamLayout) {
    let mut bytes = Vec::new();
    let layout = resolve_solid_paths_only(encoding, &mut bytes);
    let words = bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
    (words, bytemuck::cast(layout))
}

fn bounds(encoding: &Encoding) -> Vec<Aabb> {
    let (words, layout) = packed(encoding);
    path_bounds(&PathStreams::new(&words, layout).expect("the resolver's own layout"))
}

fn bboxes(encoding: &Encoding) -> Vec<PathBbox> {
    let (words, layout) = packed(encoding);
    path_bboxes(&PathStreams::new(&words, layout).expect("the resolver's own layout"))
}

fn encode(encoding: &mut Encoding, path: &BezPath, transform: Affine, stroke: Option<&Stroke>) {
    encoding.encode_transform(Transform::from_kurbo(&transform));
    match stroke {
        Some(stroke) => assert!(encoding.encode_stroke_style(stroke), "the line has a width"),
        None => encoding.encode_fill_style(Fill::NonZero),
    }
    if !encoding.encode_shape(path, stroke.is_none()) {
        encoding.encode_empty_shape();
    }
    encoding.encode_color(peniko::Color::BLACK);
}

fn fill_bounds(path: &BezPath, transform: Affine) -> Aabb {
    let mut encoding = Encoding::new();
    encode(&mut encoding, path, transform, None);
    bounds(&encoding)[0]
}

fn stroke_bounds(path: &BezPath, transform: Affine, stroke: &Stroke) -> Aabb {
    let mut encoding = Encoding::new();
    encode(&mut encoding, path, transform, Some(stroke));
    bounds(&encoding)[0]
}

fn path(d: &str) -> BezPath {
    BezPath::from_svg(d).expect("a path")
}

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
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

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

fn some(x0: f64, y0: f64, x1: f64, y1: f64) -> Aabb {
    Aabb::new(x0, y0, x1, y1).expect("no coordinate is NaN")
}

#[track_caller]
fn assert_near(found: Aabb, expected: Aabb) {
    let near = |a: f32, b: f32| (a - b).abs() <= 1e-3 + 1e-5 * b.abs();
    let Aabb { x0, y0, x1, y1 } = expected;
    let is_near = near(found.x0, x0) && near(found.y0, y0) && near(found.x1, x1) && near(found.y1, y1);
    assert!(is_near, "{found:?}, not {expected:?}");
}

#[test]
fn what_f32_holds_is_exact() {
    let transform = Affine::new([2.0, 0.5, -0.25, 3.0, 10.0, -20.0]);
    let polygon = path("M0 0H10V20H0Z");
    assert_eq!(fill_bounds(&polygon, transform), some(5.0, -20.0, 30.0, 45.0));
    // At 1/2 the curve is at 3/4 of the height of its control points.
    let arch = path("M0 0C0 16 16 16 16 0Z");
    let found = fill_bounds(&arch, Affine::IDENTITY);
    assert_eq!((found.x0, found.y0, found.x1), (0.0, 0.0, 16.0));
    assert!((12.0..12.0 + 1.0 / 256.0).contains(&found.y1), "{found:?}");
    let sliver = path("M1000000 0H1000000.0625V1H1000000Z");
    assert_eq!(fill_bounds(&sliver, Affine::IDENTITY), some(1e6, 0.0, 1e6 + 0.0625, 1.0));
}

#[test]
fn large_terms_that_cancel_cost_nothing() {
    // In f32 alone, the left edge is at 8: 3 x is rounded to a multiple of 8.
    let square = path("M30000002 40000004h16v16h-16z");
    let transform = Affine::new([3.0, 0.0, 0.0, 3.0, -90_000_000.0, -120_000_000.0]);
    assert_eq!(fill_bounds(&square, transform), some(6.0, 12.0, 54.0, 60.0));
}

#[test]
fn what_has_no_area_is_empty() {
    for flat in ["M0 0H10Z", "M5 5V9Z", "M1 1", "M2 2Z"] {
        assert_eq!(fill_bounds(&path(flat), Affine::IDENTITY), Aabb::EMPTY, "{flat}");
    }
    let square = path("M0 0H10V10H0Z");
    for flat in [[0.0; 6], [1.0, 0.0, 0.0, 0.0, 3.0, 3.0], [0.0, 1.0, 0.0, 2.0, 3.0, 3.0]] {
        assert_eq!(fill_bounds(&square, Affine::new(flat)), Aabb::EMPTY, "{flat:?}");
        assert_eq!(stroke_bounds(&square, Affine::new(flat), &Stroke::new(2.0)), Aabb::EMPTY, "{flat:?}");
    }
}

#[test]
fn caps_and_joins() {
    let line = path("M0 0H10");
    for (cap, expected) in [
        (Cap::Butt, some(0.0, -2.0, 10.0, 2.0)),
        (Cap::Square, some(-2.0, -2.0, 12.0, 2.0)),
        (Cap::Round, some(-2.0, -2.0, 12.0, 2.0)),
    ] {
        assert_near(stroke_bounds(&line, Affine::IDENTITY, &Stroke::new(4.0).with_caps(cap)), expected);
    }
    let one_cap = Stroke::new(4.0).with_start_cap(Cap::Square).with_end_cap(Cap::Butt);
    assert_near(stroke_bounds(&line, Affine::IDENTITY, &one_cap), some(-2.0, -2.0, 10.0, 2.0));

    let corner = path("M0 0L10 10L20 0");
    let half = 2.0_f64.sqrt();
    for (join, bottom) in [(Join::Bevel, 10.0 + half), (Join::Round, 12.0), (Join::Miter, 10.0 + 2.0 * half)]
    {
        let style = Stroke::new(4.0).with_caps(Cap::Butt).with_join(join).with_miter_limit(4.0);
        let expected = some(-half, -half, 20.0 + half, bottom);
        assert_near(stroke_bounds(&corner, Affine::IDENTITY, &style), expected);
    }
    let blunt = Stroke::new(4.0).with_caps(Cap::Butt).with_join(Join::Miter).with_miter_limit(1.4);
    let expected = some(-half, -half, 20.0 + half, 10.0 + half);
    assert_near(stroke_bounds(&corner, Affine::IDENTITY, &blunt), expected);
    // The join of a closed subpath where it starts.
    let triangle = path("M10 10L20 0H0Z");
    let style = Stroke::new(4.0).with_join(Join::Miter).with_miter_limit(4.0);
    assert!((stroke_bounds(&triangle, Affine::IDENTITY, &style).y1 - 12.828).abs() < 1e-3);
}

#[test]
fn a_pen_is_transformed_with_its_path() {
    let style = Stroke::new(2.0).with_caps(Cap::Round);
    let dot = path("M0 0h0.001");
    let skewed = Affine::new([10.0, 0.0, 30.0, 1.0, 0.0, 0.0]);
    let reach = 10.0_f64.hypot(30.0);
    assert_near(stroke_bounds(&dot, skewed, &style), some(-reach, -1.0, reach + 0.01, 1.0));
    let butt = Stroke::new(2.0).with_caps(Cap::Butt);
    assert_near(stroke_bounds(&path("M0 0H1"), skewed, &butt), some(-30.0, -1.0, 40.0, 1.0));
}

/// Streams as other encoders may write them: a segment of no length with its marker.
#[test]
fn subpaths_without_length_have_caps() {
    for (cap, expected) in [
        (Cap::Butt, Aabb::EMPTY),
        (Cap::Square, some(3.0, 3.0, 7.0, 7.0)),
        (Cap::Round, some(3.0, 3.0, 7.0, 7.0)),
    ] {
        let mut encoding = Encoding::new();
        encoding.encode_transform(Transform::IDENTITY);
        assert!(encoding.encode_stroke_style(&Stroke::new(4.0).with_caps(cap)));
        let mut marker = PathTag::QUAD_TO_F32;
        marker.set_subpath_end();
        encoding.path_tags.extend([PathTag::LINE_TO_F32, marker, PathTag::PATH]);
        encoding.path_data.extend([5.0_f32; 8].map(f32::to_bits));
        encoding.n_paths = 1;
        encoding.encode_color(peniko::Color::BLACK);
        let found = bounds(&encoding)[0];
        if expected.is_empty() { assert_eq!(found, expected) } else { assert_near(found, expected) }
    }
}

#[test]
fn images_and_blurred_rectangles_are_paths() {
    let mut encoding = Encoding::new();
    let turned = Affine::translate((50.0, 0.0)) * Affine::rotate(std::f64::consts::FRAC_PI_4);
    encode(&mut encoding, &Rect::new(0.0, 0.0, 10.0, 10.0).to_path(0.1), turned, None);
    // As `vello::Scene::draw_blurred_rounded_rect` has it: the rectangle with 2.5 standard deviations around it.
    encode(
        &mut encoding,
        &Rect::new(0.0, 0.0, 20.0, 10.0).inflate(10.0, 10.0).to_path(0.1),
        Affine::IDENTITY,
        None,
    );
    *encoding.draw_tags.last_mut().expect("there are two") = vello_encoding::DrawTag::BLUR_RECT;
    let found = bounds(&encoding);
    let half = 50.0_f64.sqrt();
    assert_near(found[0], some(50.0 - half, 0.0, 50.0 + half, 2.0 * half));
    assert_eq!(found[1], some(-10.0, -10.0, 30.0, 20.0));
}

#[test]
fn rounded_boxes_are_those_of_vello() {
    let mut encoding = Encoding::new();
    encode(&mut encoding, &path("M0.5 0.5H3.25V-2.75Z"), Affine::IDENTITY, None);
    encode(&mut encoding, &path("M0.5 0.5H3.25"), Affine::IDENTITY, None);
    encode(&mut encoding, &path("M1 1"), Affine::scale(2.0), None);
    encode(&mut encoding, &path("M0 0H1e12V1e12Z"), Affine::scale(2.0), None);
    encoding.encode_fill_style(Fill::EvenOdd);
    assert!(encoding.encode_shape(&path("M0 0H1V1Z"), true));
    encoding.encode_color(peniko::Color::BLACK);
    let flat = PathBbox { x0: 0, y0: 0, x1: 4, y1: 1, draw_flags: 0, trans_ix: 0 };
    let expected = [
        PathBbox { y0: -3, ..flat },
        flat,
        PathBbox { trans_ix: 1, ..PathBbox::EMPTY },
        PathBbox { x1: i32::MAX, y1: i32::MAX, y0: 0, trans_ix: 1, ..flat },
        PathBbox { x1: 2, y1: 2, draw_flags: 1, trans_ix: 1, ..flat },
    ];
    assert_eq!(bboxes(&encoding), expected);
}

#[test]
fn bad_numbers_have_no_ink_or_all_of_it() {
    let square = path("M0 0H10V10H0Z");
    for bad in [f64::NAN, f64::INFINITY, 1e39] {
        assert_eq!(fill_bounds(&square, Affine::scale(bad)), Aabb::EMPTY, "a scale of {bad}");
        let mut kinked = BezPath::new();
        kinked.move_to((0.0, 0.0));
        for point in [(10.0, 0.0), (10.0, 10.0), (bad, 5.0), (5.0, 12.0)] {
            kinked.line_to(point);
        }
        let found = fill_bounds(&kinked, Affine::IDENTITY);
        assert_eq!(found, some(0.0, 0.0, 10.0, 12.0), "a corner at {bad}");
        let found = stroke_bounds(&kinked, Affine::IDENTITY, &Stroke::new(2.0));
        assert!(found.contains(some(0.0, -1.0, 11.0, 10.0)), "a corner at {bad}: {found:?}");
    }
    // In range, if only just, and not.
    let far = Affine::scale(100.0_f64.exp2());
    assert_eq!(
        fill_bounds(&(far * square.clone()), Affine::scale((-100.0_f64).exp2())),
        some(0.0, 0.0, 10.0, 10.0)
    );
    assert_eq!(fill_bounds(&square, Affine::scale(90.0_f64.exp2())).x1, 10.0 * 90.0_f32.exp2());
    assert_eq!(fill_bounds(&square, Affine::scale(1e30)), Aabb::PLANE);
    assert_eq!(stroke_bounds(&(far * square), Affine::scale(1e10), &Stroke::new(1.0)), Aabb::PLANE);
}

#[test]
fn streams_that_end_early_have_no_ink() {
    let mut encoding = Encoding::new();
    encode(&mut encoding, &path("M0 0H10V10H0Z"), Affine::IDENTITY, None);
    encode(&mut encoding, &path("M0 0H10V10H0Z"), Affine::scale(2.0), Some(&Stroke::new(2.0)));
    let whole = bounds(&encoding);
    let cut = |cut: &dyn Fn(&mut Encoding)| {
        let mut encoding = encoding.clone();
        cut(&mut encoding);
        bounds(&encoding)
    };
    assert_eq!(cut(&|e| e.transforms.clear()), [Aabb::EMPTY; 2]);
    assert_eq!(cut(&|e| e.transforms.truncate(1)), [whole[0], Aabb::EMPTY]);
    assert_eq!(cut(&|e| e.styles.truncate(1)), [whole[0], Aabb::EMPTY]);
    assert_eq!(cut(&|e| e.path_data.clear()), [Aabb::EMPTY; 2]);
    assert_eq!(cut(&|e| e.path_tags.clear()), [Aabb::EMPTY; 2]);
    assert_eq!(cut(&|e| e.n_paths = 1), [whole[0]]);
    assert_eq!(cut(&|e| e.n_paths = 3), [whole[0], whole[1], Aabb::EMPTY]);
    assert_eq!(
        cut(&|e| e.path_tags.retain(|t| *t != PathTag::PATH)),
        [whole[0].union(whole[1]), Aabb::EMPTY]
    );
}
