//! Paths with known boxes.

use boxwood_cpu::Aabb;
use boxwood_cpu::paths::RoundedBox;
use kurbo::{Affine, BezPath, Cap, Join, Rect, Shape, Stroke};
use peniko::Fill;
use vello_encoding::{Encoding, PathTag, Transform};

use crate::{boxes_of, encode, fill_box, path, rounded_boxes_of, stroke_box};

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
fn coordinates_that_f32_can_represent_are_exact() {
    let transform = Affine::new([2.0, 0.5, -0.25, 3.0, 10.0, -20.0]);
    let polygon = path("M0 0H10V20H0Z");
    assert_eq!(fill_box(&polygon, transform), some(5.0, -20.0, 30.0, 45.0));
    // At t = 1/2, the curve is at 3/4 of the height of its control points.
    let arch = path("M0 0C0 16 16 16 16 0Z");
    let found = fill_box(&arch, Affine::IDENTITY);
    assert_eq!((found.x0, found.y0, found.x1), (0.0, 0.0, 16.0));
    assert!((12.0..12.0 + 1.0 / 256.0).contains(&found.y1), "{found:?}");
    let sliver = path("M1000000 0H1000000.0625V1H1000000Z");
    assert_eq!(fill_box(&sliver, Affine::IDENTITY), some(1e6, 0.0, 1e6 + 0.0625, 1.0));
}

#[test]
fn large_terms_that_cancel_lose_nothing() {
    // In plain f32, the left edge would be at 8, because 3 x is rounded to a multiple of 8.
    let square = path("M30000002 40000004h16v16h-16z");
    let transform = Affine::new([3.0, 0.0, 0.0, 3.0, -90_000_000.0, -120_000_000.0]);
    assert_eq!(fill_box(&square, transform), some(6.0, 12.0, 54.0, 60.0));
}

#[test]
fn paths_without_area_have_empty_boxes() {
    for flat in ["M0 0H10Z", "M5 5V9Z", "M1 1", "M2 2Z"] {
        assert_eq!(fill_box(&path(flat), Affine::IDENTITY), Aabb::EMPTY, "{flat}");
    }
    let square = path("M0 0H10V10H0Z");
    for flat in [[0.0; 6], [1.0, 0.0, 0.0, 0.0, 3.0, 3.0], [0.0, 1.0, 0.0, 2.0, 3.0, 3.0]] {
        assert_eq!(fill_box(&square, Affine::new(flat)), Aabb::EMPTY, "{flat:?}");
        assert_eq!(stroke_box(&square, Affine::new(flat), &Stroke::new(2.0)), Aabb::EMPTY, "{flat:?}");
    }
}

#[test]
fn caps_and_joins_have_their_extents() {
    let line = path("M0 0H10");
    for (cap, expected) in [
        (Cap::Butt, some(0.0, -2.0, 10.0, 2.0)),
        (Cap::Square, some(-2.0, -2.0, 12.0, 2.0)),
        (Cap::Round, some(-2.0, -2.0, 12.0, 2.0)),
    ] {
        assert_near(stroke_box(&line, Affine::IDENTITY, &Stroke::new(4.0).with_caps(cap)), expected);
    }
    let one_cap = Stroke::new(4.0).with_start_cap(Cap::Square).with_end_cap(Cap::Butt);
    assert_near(stroke_box(&line, Affine::IDENTITY, &one_cap), some(-2.0, -2.0, 10.0, 2.0));

    let corner = path("M0 0L10 10L20 0");
    let half = 2.0_f64.sqrt();
    for (join, bottom) in [(Join::Bevel, 10.0 + half), (Join::Round, 12.0), (Join::Miter, 10.0 + 2.0 * half)]
    {
        let style = Stroke::new(4.0).with_caps(Cap::Butt).with_join(join).with_miter_limit(4.0);
        let expected = some(-half, -half, 20.0 + half, bottom);
        assert_near(stroke_box(&corner, Affine::IDENTITY, &style), expected);
    }
    let blunt = Stroke::new(4.0).with_caps(Cap::Butt).with_join(Join::Miter).with_miter_limit(1.4);
    let expected = some(-half, -half, 20.0 + half, 10.0 + half);
    assert_near(stroke_box(&corner, Affine::IDENTITY, &blunt), expected);
    // A closed subpath has a join where it starts.
    let triangle = path("M10 10L20 0H0Z");
    let style = Stroke::new(4.0).with_join(Join::Miter).with_miter_limit(4.0);
    assert!((stroke_box(&triangle, Affine::IDENTITY, &style).y1 - 12.828).abs() < 1e-3);
}

#[test]
fn the_brush_is_transformed_with_its_path() {
    let style = Stroke::new(2.0).with_caps(Cap::Round);
    let dot = path("M0 0h0.001");
    let skewed = Affine::new([10.0, 0.0, 30.0, 1.0, 0.0, 0.0]);
    let support = 10.0_f64.hypot(30.0);
    assert_near(stroke_box(&dot, skewed, &style), some(-support, -1.0, support + 0.01, 1.0));
    let butt = Stroke::new(2.0).with_caps(Cap::Butt);
    assert_near(stroke_box(&path("M0 0H1"), skewed, &butt), some(-30.0, -1.0, 40.0, 1.0));
}

#[test]
fn a_curve_that_turns_within_a_tiny_part_has_no_wide_end() {
    // Only a ten-thousandth of it, at its ends, is along x. The rest is diagonal.
    let shape = path("M20 160 C20.0001 160 160 20 160.0001 20");
    let found = stroke_box(&shape, Affine::IDENTITY, &Stroke::new(20.0).with_caps(Cap::Butt));
    let h = 10.0 * 0.5_f32.sqrt();
    let room = 0.01 * (140.0 + 2.0 * h);
    assert!(found.x0 <= 20.0 - h && 20.0 - h - found.x0 <= room, "{found:?}");
    assert!(found.x1 >= 160.0 + h && found.x1 - (160.0 + h) <= room, "{found:?}");
}

#[test]
fn a_cusp_has_the_whole_brush() {
    let style = Stroke::new(300.0).with_caps(Cap::Butt);
    // The first curve turns around exactly in the middle.
    for x in [15.0, 15.001, 14.9] {
        let found = stroke_box(&path(&format!("M0,0 C{x},100 0,100 15,0")), Affine::IDENTITY, &style);
        assert!(-75.5 < found.y0 && found.y0 < -74.99, "{x}: {found:?}");
    }
}

#[test]
fn an_extremum_next_to_an_end_is_contained() {
    let style = Stroke::new(0.001).with_caps(Cap::Butt);
    let found = stroke_box(&path("M0,0 Q500000,240 1000000,-1000000"), Affine::IDENTITY, &style);
    assert!(0.0581 < found.y1 && found.y1 < 8.0, "{found:?}");
}

/// Other encoders may write segments without length, with their marker.
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
        let found = boxes_of(&encoding)[0];
        if expected.is_empty() { assert_eq!(found, expected) } else { assert_near(found, expected) }
    }
}

#[test]
fn images_and_blurred_rectangles_are_paths() {
    let mut encoding = Encoding::new();
    let turned = Affine::translate((50.0, 0.0)) * Affine::rotate(std::f64::consts::FRAC_PI_4);
    encode(&mut encoding, &Rect::new(0.0, 0.0, 10.0, 10.0).to_path(0.1), turned, None);
    // `vello::Scene::draw_blurred_rounded_rect` encodes the rectangle with a margin of 2.5 standard
    // deviations.
    encode(
        &mut encoding,
        &Rect::new(0.0, 0.0, 20.0, 10.0).inflate(10.0, 10.0).to_path(0.1),
        Affine::IDENTITY,
        None,
    );
    *encoding.draw_tags.last_mut().expect("there are two") = vello_encoding::DrawTag::BLUR_RECT;
    let found = boxes_of(&encoding);
    let half = 50.0_f64.sqrt();
    assert_near(found[0], some(50.0 - half, 0.0, 50.0 + half, 2.0 * half));
    assert_eq!(found[1], some(-10.0, -10.0, 30.0, 20.0));
}

#[test]
fn rounded_boxes_equal_those_of_vello() {
    let mut encoding = Encoding::new();
    encode(&mut encoding, &path("M0.5 0.5H3.25V-2.75Z"), Affine::IDENTITY, None);
    encode(&mut encoding, &path("M0.5 0.5H3.25"), Affine::IDENTITY, None);
    encode(&mut encoding, &path("M1 1"), Affine::scale(2.0), None);
    encode(&mut encoding, &path("M0 0H1e12V1e12Z"), Affine::scale(2.0), None);
    encoding.encode_fill_style(Fill::EvenOdd);
    assert!(encoding.encode_shape(&path("M0 0H1V1Z"), true));
    encoding.encode_color(peniko::Color::BLACK);
    let flat = RoundedBox { x0: 0, y0: 0, x1: 4, y1: 1, draw_flags: 0, trans_ix: 0 };
    let expected = [
        RoundedBox { y0: -3, ..flat },
        flat,
        RoundedBox { trans_ix: 1, ..RoundedBox::EMPTY },
        RoundedBox { x1: i32::MAX, y1: i32::MAX, y0: 0, trans_ix: 1, ..flat },
        RoundedBox { x1: 2, y1: 2, draw_flags: 1, trans_ix: 1, ..flat },
    ];
    assert_eq!(rounded_boxes_of(&encoding), expected);
}

#[test]
fn bad_numbers_give_an_empty_box_or_the_plane() {
    let square = path("M0 0H10V10H0Z");
    for bad in [f64::NAN, f64::INFINITY, 1e39] {
        assert_eq!(fill_box(&square, Affine::scale(bad)), Aabb::EMPTY, "a scale of {bad}");
        let mut kinked = BezPath::new();
        kinked.move_to((0.0, 0.0));
        for point in [(10.0, 0.0), (10.0, 10.0), (bad, 5.0), (5.0, 12.0)] {
            kinked.line_to(point);
        }
        let found = fill_box(&kinked, Affine::IDENTITY);
        assert_eq!(found, some(0.0, 0.0, 10.0, 12.0), "a corner at {bad}");
        let found = stroke_box(&kinked, Affine::IDENTITY, &Stroke::new(2.0));
        assert!(found.contains(some(0.0, -1.0, 11.0, 10.0)), "a corner at {bad}: {found:?}");
    }
    // Just within the range, and beyond it.
    let far = Affine::scale(100.0_f64.exp2());
    assert_eq!(
        fill_box(&(far * square.clone()), Affine::scale((-100.0_f64).exp2())),
        some(0.0, 0.0, 10.0, 10.0)
    );
    assert_eq!(fill_box(&square, Affine::scale(90.0_f64.exp2())).x1, 10.0 * 90.0_f32.exp2());
    assert_eq!(fill_box(&square, Affine::scale(1e30)), Aabb::PLANE);
    assert_eq!(stroke_box(&(far * square), Affine::scale(1e10), &Stroke::new(1.0)), Aabb::PLANE);
}

#[test]
fn streams_that_end_early_cover_nothing() {
    let mut encoding = Encoding::new();
    encode(&mut encoding, &path("M0 0H10V10H0Z"), Affine::IDENTITY, None);
    encode(&mut encoding, &path("M0 0H10V10H0Z"), Affine::scale(2.0), Some(&Stroke::new(2.0)));
    let whole = boxes_of(&encoding);
    let cut = |cut: &dyn Fn(&mut Encoding)| {
        let mut encoding = encoding.clone();
        cut(&mut encoding);
        boxes_of(&encoding)
    };
    assert_eq!(cut(&|e| e.transforms.clear()), [Aabb::EMPTY; 2]);
    assert_eq!(cut(&|e| e.transforms.truncate(1)), [whole[0], Aabb::EMPTY]);
    assert_eq!(cut(&|e| e.styles.truncate(1)), [whole[0], Aabb::EMPTY]);
    assert_eq!(cut(&|e| e.path_data.clear()), [Aabb::EMPTY; 2]);
    assert_eq!(cut(&|e| e.path_tags.fill(PathTag(0))), [Aabb::EMPTY; 2]);
    assert_eq!(cut(&|e| e.n_paths = 1), [whole[0]]);
    assert_eq!(cut(&|e| e.n_paths = 3), [whole[0], whole[1], Aabb::EMPTY]);
    assert_eq!(
        cut(&|e| e.path_tags.retain(|t| *t != PathTag::PATH)),
        [whole[0].union(whole[1]), Aabb::EMPTY]
    );
}
