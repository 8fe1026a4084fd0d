//! What is painted at a point.

use std::fmt::Write as _;

use boxwood_cpu::{ElementKind, Picker, Place};
use boxwood_svg::Hits;
use kurbo::Point;

use crate::loaded::Loaded;

impl Loaded {
    /// The ids of the leaves that are painted at a point, the top-most first.
    fn hits(&self, x: f32, y: f32) -> Vec<&str> {
        self.hits_near(x, y, 0.0)
    }

    fn hits_near(&self, x: f32, y: f32, tolerance: f64) -> Vec<&str> {
        let (hits, mut picker) = (Hits::new(&self.drawing), Picker::new());
        let point = Point::new(x.into(), y.into());
        let place = if tolerance == 0.0 {
            Place::Point([x, y])
        } else {
            let near = kurbo::Rect::from_center_size(point, (2.0 * tolerance, 2.0 * tolerance));
            Place::Area(boxwood_cpu::Aabb::new(near.x0, near.y0, near.x1, near.y1).expect("no NaN"))
        };
        let scene = &self.drawing.elements;
        let is_hit = |element, _| hits.is_hit(&self.drawing, element, point, tolerance);
        let found = picker.pick_precise(scene, &self.boxes, place, is_hit);
        let leaves = found.iter().filter(|element| scene.kind(**element) == ElementKind::Leaf);
        leaves.map(|leaf| &*self.drawing.sources[self.drawing.table[*leaf].source as usize].name).collect()
    }

    /// Asserts what is painted at some points.
    #[track_caller]
    fn assert_hits(&self, points: &[(f32, f32, &[&str])]) {
        let mut wrong = String::new();
        for (x, y, expected) in points {
            let found = self.hits(*x, *y);
            if found != *expected {
                _ = writeln!(wrong, "at {x}, {y}: {found:?} instead of {expected:?}");
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    }
}

#[test]
fn fills_are_hit_by_their_rules() {
    let d = Loaded::of(
        r#"<path id="odd" fill-rule="evenodd" d="M0 0H90V90H0ZM30 30H60V60H30Z"/>
           <path id="twice" d="M100 0H190V90H100ZM130 30H160V60H130Z"/>
           <path id="hole" d="M200 0H290V90H200ZM230 30V60H260V30Z"/>"#,
    );
    d.assert_hits(&[
        (10.0, 10.0, &["odd"]),
        (45.0, 45.0, &[]),
        (145.0, 45.0, &["twice"]),
        (210.0, 45.0, &["hole"]),
        (245.0, 45.0, &[]),
    ]);
}

#[test]
fn strokes_are_hit_along_their_centre_lines() {
    let d = Loaded::of(
        r#"<rect id="frame" x="10" y="10" width="80" height="80" fill="none" stroke="red" stroke-width="10"/>
           <path id="curve" d="M100 90Q150 -50 200 90" fill="none" stroke="red"/>
           <path id="dashes" d="M10 150H290" stroke="red" stroke-width="8" stroke-dasharray="20"/>
           <path id="butt" d="M30 200H50" stroke="red" stroke-width="20"/>
           <path id="square" d="M130 200H150" stroke="red" stroke-width="20" stroke-linecap="square"/>
           <path id="round" d="M230 200H250" stroke="red" stroke-width="20" stroke-linecap="round"/>
           <path id="miter" d="M30 290V250H70" fill="none" stroke="red" stroke-width="20"/>
           <path id="bevel" d="M130 290V250H170" fill="none" stroke="red" stroke-width="20" stroke-linejoin="bevel"/>"#,
    );
    d.assert_hits(&[
        (12.0, 50.0, &["frame"]),
        (6.0, 50.0, &["frame"]),
        (50.0, 50.0, &[]),
        (150.0, 20.2, &["curve"]),
        (150.0, 60.0, &[]),
        (20.0, 150.0, &["dashes"]),
        (40.0, 150.0, &[]),
        (55.0, 200.0, &[]),
        (155.0, 200.0, &["square"]),
        (159.0, 209.0, &["square"]),
        (255.0, 200.0, &["round"]),
        (259.0, 209.0, &[]),
        (21.0, 241.0, &["miter"]),
        (121.0, 241.0, &[]),
        (126.0, 249.0, &["bevel"]),
    ]);
}

#[test]
fn transforms_apply_to_outlines_and_to_the_pen() {
    let d = Loaded::of(
        r#"<g transform="translate(100 100) rotate(45)"><rect id="turned" width="50" height="50"/></g>
           <g transform="translate(200 250) scale(4 1)">
             <circle id="ring" r="10" fill="none" stroke="red" stroke-width="4"/></g>"#,
    );
    d.assert_hits(&[
        (100.0, 130.0, &["turned"]),
        (70.0, 105.0, &[]),
        (200.0, 259.0, &["ring"]),
        (207.0, 250.0, &[]),
        (234.0, 250.0, &["ring"]),
        (228.0, 250.0, &[]),
    ]);
}

#[test]
fn clip_paths_clip_by_their_shapes() {
    let d = Loaded::of(
        r##"<clipPath id="disc"><circle cx="50" cy="50" r="50"/></clipPath>
           <clipPath id="ring"><path clip-rule="evenodd" d="M100 0H200V100H100ZM130 30H170V70H130Z"/></clipPath>
           <clipPath id="both" clip-path="url(#disc)"><rect width="50" height="100"/></clipPath>
           <clipPath id="two"><circle cx="50" cy="150" r="30"/><path d="M60 150L180 120V180Z"/></clipPath>
           <rect id="a" width="300" height="100" clip-path="url(#disc)"/>
           <g clip-path="url(#ring)"><rect id="b" width="300" height="100"/></g>
           <g clip-path="url(#both)"><rect id="c" width="300" height="100"/></g>
           <rect id="d" y="100" width="300" height="100" clip-path="url(#two)"/>"##,
    );
    d.assert_hits(&[
        (5.0, 5.0, &[]),
        (25.0, 50.0, &["c", "a"]),
        (75.0, 50.0, &["a"]),
        (110.0, 50.0, &["b"]),
        (150.0, 50.0, &[]),
        (50.0, 130.0, &["d"]),
        (25.0, 125.0, &[]),
        (170.0, 150.0, &["d"]),
        (100.0, 125.0, &[]),
    ]);
}

#[test]
fn masks_show_where_their_contents_paint() {
    let d = Loaded::of(
        r##"<mask id="light"><rect width="100" height="100" fill="white"/><circle cx="50" cy="50" r="30"/>
             <circle cx="50" cy="50" r="10" fill="#333"/></mask>
           <mask id="alpha" mask-type="alpha"><circle cx="150" cy="50" r="30"/></mask>
           <mask id="inner"><rect width="100" height="300" fill="white"/></mask>
           <mask id="outer" mask="url(#inner)"><circle cx="100" cy="200" r="50" fill="white"/></mask>
           <rect id="a" width="100" height="100" mask="url(#light)"/>
           <rect id="b" x="100" width="100" height="100" mask="url(#alpha)"/>
           <rect id="c" y="100" width="200" height="200" mask="url(#outer)"/>"##,
    );
    d.assert_hits(&[
        (5.0, 5.0, &["a"]),
        (50.0, 30.0, &[]),
        (50.0, 50.0, &["a"]),
        (150.0, 50.0, &["b"]),
        (125.0, 25.0, &[]),
        (80.0, 200.0, &["c"]),
        (120.0, 200.0, &[]),
        (40.0, 120.0, &[]),
    ]);
}

#[test]
fn filters_are_hit_where_they_can_paint() {
    let d = Loaded::of(
        r##"<filter id="f" filterUnits="userSpaceOnUse" x="0" y="0" width="300" height="300"><feOffset dx="100"/></filter>
           <clipPath id="c"><circle cx="150" cy="50" r="50"/></clipPath>
           <g clip-path="url(#c)"><g id="g" filter="url(#f)"><circle id="moved" cx="50" cy="50" r="50"/></g></g>"##,
    );
    d.assert_hits(&[
        (150.0, 50.0, &["moved", "g"]),
        // The corner of the moved circle is cut by the clip path around the filter.
        (105.0, 5.0, &[]),
        (50.0, 50.0, &[]),
    ]);
}

#[test]
fn texts_are_hit_on_their_glyphs_and_images_in_their_rectangles() {
    let d = Loaded::of(
        r#"<text id="o" x="100" y="200" font-size="200">O</text>
           <image id="i" width="50" height="50" transform="translate(50) rotate(45)" href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="/>"#,
    );
    let o = d.leaf("o");
    let [x, y] = [0.5 * (o.x0 + o.x1), 0.5 * (o.y0 + o.y1)];
    d.assert_hits(&[
        (x, y, &[]),
        (o.x0 + 5.0, y, &["o"]),
        (o.x0 + 1.0, o.y0 + 1.0, &[]),
        (50.0, 35.0, &["i"]),
        (20.0, 5.0, &[]),
    ]);
}

#[test]
fn markers_belong_to_their_paths() {
    let d = Loaded::of(
        r##"<marker id="m" markerWidth="20" markerHeight="20" markerUnits="userSpaceOnUse" refX="10" refY="10">
             <circle cx="10" cy="10" r="10"/></marker>
           <path id="p" d="M50 50H150V150" fill="none" stroke="red" marker-mid="url(#m)"/>"##,
    );
    d.assert_hits(&[(144.0, 45.0, &["p"]), (142.0, 42.0, &[]), (100.0, 50.2, &["p"]), (100.0, 100.0, &[])]);
}

#[test]
fn invisible_elements_are_not_hit() {
    let d = Loaded::of(
        r#"<rect id="a" width="90" height="90" visibility="hidden"/><rect id="b" width="90" height="90" fill="none"/>
           <rect id="c" width="90" height="90" fill-opacity="0"/><rect id="d" width="90" height="90" opacity="0"/>
           <rect id="e" width="90" height="90" opacity="0.01"/>"#,
    );
    d.assert_hits(&[(50.0, 50.0, &["e"])]);
}

#[test]
fn thin_lines_are_hit_near_by_but_fills_are_not() {
    let d = Loaded::of(
        r#"<rect id="r" width="90" height="90"/><path id="l" d="M0 200L200 250" stroke="red" stroke-width="0.1"/>"#,
    );
    assert_eq!(d.hits_near(100.0, 226.5, 2.0), ["l"]);
    assert_eq!(d.hits_near(100.0, 228.0, 2.0), [""; 0]);
    assert_eq!(d.hits_near(100.0, 226.5, 0.0), [""; 0]);
    assert_eq!(d.hits_near(91.0, 50.0, 2.0), [""; 0]);
}

/// The encoding has only the box of a stroke with huge coordinates.
#[test]
fn huge_strokes_are_hit_in_their_boxes() {
    let d = Loaded::of(r#"<path id="p" d="M-2e9 50H2e9" stroke="red" stroke-width="20"/>"#);
    d.assert_hits(&[(150.0, 50.0, &["p"]), (150.0, 59.0, &["p"]), (150.0, 61.0, &[])]);
}
