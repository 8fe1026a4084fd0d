//! Boxes of leaves and groups, compared with numbers computed by hand.

use boxwood_cpu::Aabb;
use boxwood_svg::{Options, Role, Within, load};

use crate::loaded::{Loaded, assert_near, options};

#[test]
fn a_fill_has_the_box_of_its_curve() {
    // The control points are at y = 100, and the curve ends at y = 75.
    let d = Loaded::of(r#"<path id="p" d="M10 0C10 100 110 100 110 0Z"/>"#);
    assert_near(d.leaf("p"), [10.0, 0.0, 110.0, 75.0]);
}

#[test]
fn a_rotation_and_its_inverse_keep_the_box_tight() {
    let d = Loaded::of(
        r#"<g id="a" opacity=".5" transform="rotate(45 100 100)">
            <g id="b" opacity=".5" transform="rotate(-45 100 100)">
            <rect x="80" y="80" width="40" height="40"/></g></g>"#,
    );
    assert_near(d.group("a"), [80.0, 80.0, 120.0, 120.0]);
    assert_near(d.group("b"), [80.0, 80.0, 120.0, 120.0]);
}

#[test]
fn used_symbols_are_where_their_transform_puts_them() {
    for overflow in ["", r#"overflow="visible""#] {
        let d = Loaded::of(&format!(
            r##"<symbol id="s" width="50" height="50" {overflow}><rect width="20" height="20"/></symbol>
                <use xlink:href="#s" transform="translate(100 0)"/>"##
        ));
        assert_near(d.ink(), [100.0, 0.0, 120.0, 20.0]);
    }
}

#[test]
fn contents_outside_of_the_viewport_are_clipped() {
    let d = Loaded::of(
        r#"<rect id="above" x="-100" y="-100" width="600" height="20"/>
           <rect id="across" x="-100" y="50" width="600" height="20"/>"#,
    );
    assert_near(d.leaf("above"), [-100.0, -100.0, 500.0, -80.0]);
    assert_eq!(d.clipped("above"), Aabb::EMPTY);
    assert_near(d.clipped("across"), [0.0, 50.0, 300.0, 70.0]);
    assert_near(d.ink(), [0.0, 50.0, 300.0, 70.0]);
}

#[test]
fn invisible_elements_are_left_out() {
    let d = Loaded::of(
        r#"<rect visibility="hidden" width="20" height="20"/>
           <rect opacity="0" width="20" height="20"/>
           <rect fill="none" width="20" height="20"/>
           <rect display="none" width="20" height="20"/>
           <rect fill-opacity="0" width="20" height="20"/>
           <path d="M10 10H100"/>
           <rect transform="scale(0)" width="20" height="20"/>"#,
    );
    assert_eq!(d.drawing.elements.len(), 2, "the begin and the end of the viewport: {:?}", d.drawing.table);
    assert_eq!(d.ink(), Aabb::EMPTY);
}

#[test]
fn text_has_the_box_of_its_outlines() {
    let d = Loaded::of(
        r#"<g transform="translate(20 100) scale(2)">
            <text id="t" font-family="Noto Sans" font-size="20">lll</text></g>
           <text id="u" x="20" y="200" font-family="No Such Font" font-size="40">lll</text>"#,
    );
    // The same letters at 40 px, scaled or not, in the requested font or the bundled one.
    let (t, u) = (d.leaf("t"), d.leaf("u"));
    assert!((t.width() - u.width()).abs() < 1e-3 && (t.height() - u.height()).abs() < 1e-3, "{t:?} {u:?}");
    assert!(t.y1 <= 100.001 && t.y0 > 60.0, "an l stands on the baseline: {t:?}");
    assert!(t.x0 > 20.0 && t.width() < 40.0, "three thin letters: {t:?}");
}

#[test]
fn generic_families_and_missing_ones_still_draw() {
    for family in ["serif", "sans-serif", "monospace", "cursive", "fantasy", "Nonesuch, Other"] {
        let d = Loaded::of(&format!(r#"<text id="t" y="50" font-family="{family}">text</text>"#));
        assert!(!d.leaf("t").is_empty(), "the text in {family} is missing");
    }
}

#[test]
fn an_image_has_the_box_of_its_pixels_under_its_transform() {
    let d = Loaded::whole(
        boxwood_assets::SAMPLES.iter().find(|s| s.0 == "image.svg").expect("the sample exists").1,
    );
    assert_eq!(d.roles("pixels"), [Role::Image]);
    assert_near(d.leaf("pixels"), [10.0, 20.0, 90.0, 100.0]);
    let half = 20.0 * (30.0_f64.to_radians().sin() + 30.0_f64.to_radians().cos());
    assert_near(d.leaf("turned-pixels"), [130.0 - half, 60.0 - half, 130.0 + half, 60.0 + half]);
    assert_eq!(d.roles("drawing"), [Role::Clip, Role::Fill, Role::Stroke]);
    assert_near(d.leaf("drawing"), [182.0, 32.0, 238.0, 88.0]);
}

#[test]
fn an_svg_image_is_clipped_to_its_viewport() {
    // The drawing is a square, which is centred in the image.
    let nested = r#"href="data:image/svg+xml;utf8,
        %3Csvg xmlns='http://www.w3.org/2000/svg' width='25' height='25' overflow='visible'%3E
        %3Crect x='-20' y='-20' width='100' height='100'/%3E%3C/svg%3E""#;
    let svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300">
           <mask id="m" maskUnits="userSpaceOnUse" width="300" height="300"><image x="50" width="50" height="50" {nested}/></mask>
           <image id="i" x="100" y="100" width="80" height="50" {nested}/>
           <rect id="r" width="300" height="300" mask="url(#m)"/></svg>"#
    );
    let d = Loaded::whole(svg.as_bytes());
    assert_eq!(d.roles("i"), [Role::Clip, Role::Fill]);
    assert_near(d.clip("i"), [115.0, 100.0, 165.0, 150.0]);
    assert_near(d.clipped("i"), [115.0, 100.0, 165.0, 150.0]);
    assert_near(d.clipped("r"), [50.0, 0.0, 100.0, 50.0]);
    // The option applies to the root and to images.
    let options = Options { clip_to_viewport: false, ..options() };
    let drawing = load(svg.as_bytes(), &options).expect("it is a drawing");
    assert_eq!(drawing.warnings, []);
    assert_near(
        boxwood_cpu::specification::boxes(&drawing.elements).group_boxes[0],
        [10.0, 0.0, 275.0, 260.0],
    );
}

#[test]
fn a_filter_has_the_box_of_its_result_and_is_clipped_from_outside() {
    let d = Loaded::of(
        r#"<filter id="f" filterUnits="userSpaceOnUse" x="0" y="0" width="300" height="300">
             <feOffset dx="100"/></filter>
           <clipPath id="c"><rect x="150" y="0" width="20" height="200"/></clipPath>
           <clipPath id="inner"><rect x="50" y="50" width="5" height="5"/></clipPath>
           <g id="g" filter="url(#f)" clip-path="url(#c)">
             <g id="h" clip-path="url(#inner)"><rect id="r" x="50" y="50" width="30" height="30"/></g></g>"#,
    );
    assert_eq!(d.roles("g"), [Role::Clip, Role::Filter]);
    // The clip leaves 5 units of the rectangle at 50, which the filter moves to 150.
    assert_near(d.group("g"), [150.0, 50.0, 155.0, 55.0]);
    assert_near(d.clipped("r"), [150.0, 50.0, 155.0, 55.0]);
    assert_eq!(d.withins("r"), [Within::Filter]);
    assert_eq!(d.withins("g")[..2], [Within::Scene; 2]);
}

/// The box of a filter with these primitives and a region from 0 to 200, applied to a rectangle
/// from 50 to 80.
fn filtered(primitives: &str) -> Aabb {
    Loaded::of(&format!(
        r#"<filter id="f" filterUnits="userSpaceOnUse" x="0" y="0" width="200" height="200">{primitives}</filter>
           <rect filter="url(#f)" x="50" y="50" width="30" height="30"/>"#
    ))
    .ink()
}

#[test]
fn each_primitive_has_the_box_of_what_it_can_paint() {
    let source = [50.0, 50.0, 80.0, 80.0];
    let whole = [0.0, 0.0, 200.0, 200.0];
    let moved = r#"<feOffset dx="20" dy="-10" result="moved"/>"#;
    for (primitives, expected) in [
        (r#"<feOffset dx="-60"/>"#, [0.0, 50.0, 20.0, 80.0]),
        (r#"<feMorphology operator="dilate" radius="3 5"/>"#, [47.0, 45.0, 83.0, 85.0]),
        (r#"<feMorphology operator="erode" radius="3"/>"#, source),
        (r#"<feDisplacementMap in2="SourceGraphic" scale="-8"/>"#, [46.0, 46.0, 84.0, 84.0]),
        (r#"<feColorMatrix type="luminanceToAlpha"/>"#, source),
        (r#"<feColorMatrix values="1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 .5"/>"#, whole),
        (r#"<feComponentTransfer><feFuncA type="table" tableValues="0 1"/></feComponentTransfer>"#, source),
        (r#"<feComponentTransfer><feFuncA type="table" tableValues=".1 1"/></feComponentTransfer>"#, whole),
        (r#"<feComponentTransfer><feFuncA type="gamma" exponent="0"/></feComponentTransfer>"#, whole),
        (r#"<feFlood x="10" y="20" width="30" height="40"/>"#, [10.0, 20.0, 40.0, 60.0]),
        (r#"<feTurbulence baseFrequency=".1"/>"#, whole),
        (r#"<feTile/>"#, whole),
        (r#"<feConvolveMatrix order="3" kernelMatrix="1 1 1 1 1 1 1 1 1" bias=".1"/>"#, whole),
        (r#"<feDropShadow dx="60" dy="0" stdDeviation="0"/>"#, [50.0, 50.0, 140.0, 80.0]),
        (&format!(r#"{moved}<feBlend in="moved" in2="SourceAlpha"/>"#), [50.0, 40.0, 100.0, 80.0]),
        (&format!(r#"{moved}<feMerge><feMergeNode in="moved"/></feMerge>"#), [70.0, 40.0, 100.0, 70.0]),
        (&composite(moved, r#"operator="over""#), [50.0, 40.0, 100.0, 80.0]),
        (&composite(moved, r#"operator="xor""#), [50.0, 40.0, 100.0, 80.0]),
        (&composite(moved, r#"operator="in""#), [70.0, 50.0, 80.0, 70.0]),
        (&composite(moved, r#"operator="out""#), [70.0, 40.0, 100.0, 70.0]),
        (&composite(moved, r#"operator="atop""#), source),
        (&composite(moved, r#"operator="arithmetic" k1="1""#), [70.0, 50.0, 80.0, 70.0]),
        (&composite(moved, r#"operator="arithmetic" k2="1""#), [70.0, 40.0, 100.0, 70.0]),
        (&composite(moved, r#"operator="arithmetic" k3="1""#), source),
        (&composite(moved, r#"operator="arithmetic" k4=".1""#), whole),
    ] {
        let found = filtered(primitives);
        let [x0, y0, x1, y1] = expected;
        let expected = Aabb::new(x0, y0, x1, y1).expect("numbers");
        assert_eq!(found, expected, "{primitives}");
    }
    assert_eq!(filtered(r#"<feOffset dx="500"/>"#), Aabb::EMPTY);
}

fn composite(moved: &str, attributes: &str) -> String {
    format!(r#"{moved}<feComposite in="moved" in2="SourceGraphic" {attributes}/>"#)
}

#[test]
fn each_of_several_filters_cuts_the_result_of_the_one_before() {
    let d = Loaded::of(
        r#"<filter id="a" filterUnits="userSpaceOnUse" width="300" height="300"><feOffset dx="20"/></filter>
           <filter id="b" filterUnits="userSpaceOnUse" x="50" y="50" width="40" height="40"><feOffset/></filter>
           <rect filter="url(#a) url(#b)" x="50" y="50" width="100" height="100"/>"#,
    );
    assert_near(d.ink(), [70.0, 50.0, 90.0, 90.0]);
}

#[test]
fn a_rotated_filter_works_in_its_own_user_space() {
    let d = Loaded::of(
        r#"<filter id="f" filterUnits="userSpaceOnUse" x="-100" y="-100" width="200" height="200">
             <feOffset dx="50"/></filter>
           <g transform="translate(100 100) rotate(90)"><rect filter="url(#f)" width="10" height="20"/></g>"#,
    );
    assert_near(d.ink(), [80.0, 150.0, 100.0, 160.0]);
}

#[test]
fn a_filter_without_contents_can_paint_its_region() {
    let d = Loaded::of(
        r#"<filter id="f" filterUnits="userSpaceOnUse" x="50" y="50" width="50" height="50">
             <feFlood flood-color="red"/></filter><g id="g" filter="url(#f)"/>"#,
    );
    assert_near(d.group("g"), [50.0, 50.0, 100.0, 100.0]);
}

#[test]
fn a_mask_clips_to_its_contents() {
    let d = Loaded::of(
        r#"<mask id="n" maskUnits="userSpaceOnUse" width="300" height="300">
             <rect width="300" height="57" fill="white"/></mask>
           <mask id="m" mask="url(#n)"><g transform="translate(60 0)">
             <rect id="inside" y="55" width="10" height="10" fill="white"/></g></mask>
           <g id="g" mask="url(#m)"><rect id="r" x="50" y="50" width="30" height="30"/></g>"#,
    );
    assert_near(d.clip("g"), [60.0, 55.0, 70.0, 57.0]);
    assert_near(d.clipped("r"), [60.0, 55.0, 70.0, 57.0]);
    // The node of the inner mask contains a mask, so it composites.
    let [inner, mask] = [Role::ClipBlend, Role::Mask];
    assert_eq!(d.roles("g"), [Role::ClipBlend, mask, inner, Role::Fill, mask, Role::Fill]);
    let of_mask = &d.withins("g")[1..6];
    assert_eq!(of_mask, [Within::Mask; 5], "the contents of a mask are marked");
    assert_eq!(d.leaf("g"), Aabb::EMPTY, "and have empty boxes");
    assert_eq!(d.drawing.warnings, []);
}

#[test]
fn masks_without_contents_hide_everything() {
    let d = Loaded::of(
        r#"<mask id="m" maskUnits="userSpaceOnUse" width="300" height="300"><rect width="9" height="0"/></mask>
           <mask id="far"><rect x="200" y="200" width="9" height="9" fill="white"/></mask>
           <g mask="url(#m)"><rect width="30" height="30"/></g><g mask="url(#far)"><rect width="30" height="30"/></g>"#,
    );
    assert_eq!(d.ink(), Aabb::EMPTY);
}

#[test]
fn a_mask_clips_to_its_rectangle() {
    let d = Loaded::of(
        r#"<mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="55" height="300">
             <rect width="300" height="300" fill="white"/></mask>
           <g id="g" mask="url(#m)"><rect id="r" x="50" y="50" width="30" height="30"/></g>"#,
    );
    assert_near(d.clip("g"), [0.0, 0.0, 55.0, 300.0]);
    assert_near(d.clipped("r"), [50.0, 50.0, 55.0, 80.0]);
}

#[test]
fn markers_are_clipped_to_their_viewport() {
    let d = Loaded::of(
        r#"<marker id="mk" markerWidth="10" markerHeight="10" refX="5" refY="5" markerUnits="userSpaceOnUse">
             <rect x="-50" y="-50" width="200" height="200" fill="blue"/></marker>
           <path d="M100 100h10" stroke="red" marker-start="url(#mk)"/>"#,
    );
    assert_near(d.ink(), [95.0, 95.0, 110.0, 105.0]);
}

#[test]
fn the_clip_of_the_viewport_can_be_switched_off() {
    let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">
        <rect x="-50" y="20" width="500" height="10"/></svg>"#;
    let options = Options { clip_to_viewport: false, ..options() };
    let drawing = load(svg, &options).expect("it is a drawing");
    assert_eq!(drawing.table[0].role, Role::Blend);
    assert_near(
        boxwood_cpu::specification::boxes(&drawing.elements).group_boxes[0],
        [-50.0, 20.0, 450.0, 30.0],
    );
}

#[test]
fn tiny_units_do_not_change_boxes() {
    let shapes = |unit: f64| {
        let n = |v: f64| format!("{:e}", v * unit);
        let [x, y, w, h, r] = [50.0, 60.0, 40.0, 20.0, 8.0].map(n);
        format!(
            r#"<clipPath id="c"><rect width="{end}" height="{end}"/></clipPath><g clip-path="url(#c)">
            <rect id="fill" x="{x}" y="{y}" width="{w}" height="{h}"/>
            <path id="curve" d="M{x} {y}c0 {w} {w} {w} {w} 0" fill="none" stroke="red" stroke-width="{r}"/>
            <path id="dashed" d="M{x} {y}c0 {w} {w} {w} {w} 0" fill="none" stroke="red" stroke-width="{r}"
                stroke-dasharray="{dash}" stroke-dashoffset="{dash}"/>
            <path id="dot" d="M{x} {y}z" stroke-linecap="square" stroke="red" stroke-width="{r}"/></g>
            <path id="clipped" clip-path="url(#c)" d="M{x} {y}h{end}v{h}" fill="none" stroke="red" stroke-width="{r}"/>"#,
            end = n(100.0),
            dash = n(7.0),
        )
    };
    let usual = Loaded::of(&shapes(1.0));
    for exponent in [6, 9, 15, 30] {
        let scale = 10.0_f64.powi(exponent);
        let d = Loaded::of(&format!(r#"<g transform="scale({scale:e})">{}</g>"#, shapes(scale.recip())));
        for name in ["fill", "curve", "dashed", "dot", "clipped"] {
            let (expected, found) = (usual.clipped(name), d.clipped(name));
            assert!(!expected.is_empty(), "{name}");
            let sides = |b: Aabb| [b.x0, b.y0, b.x1, b.y1];
            let is_near = sides(expected).iter().zip(sides(found)).all(|(a, b)| (a - b).abs() < 0.02);
            assert!(is_near, "{name}, {scale:e}: {found:?} is not {expected:?}");
        }
        assert_eq!(usual.drawing.elements.len(), d.drawing.elements.len());
        assert!(d.drawing.warnings.is_empty());
    }
}
