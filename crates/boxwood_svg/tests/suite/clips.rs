//! Clip paths.

use boxwood_cpu::Aabb;
use boxwood_svg::Role;

use crate::loaded::{Loaded, assert_near, assert_within};

/// A drawing with a large rectangle `r` in a group `g`, which is clipped by `#c` of `defs`.
fn clipped(defs: &str) -> Loaded {
    Loaded::of(&format!(
        r#"<defs>{defs}</defs><g id="g" clip-path="url(#c)"><rect id="r" width="200" height="200"/></g>"#
    ))
}

#[test]
fn a_clip_path_clips_to_its_fill_and_not_its_stroke() {
    let d = clipped(
        r#"<clipPath id="c"><rect x="60" y="60" width="20" height="20" stroke="red" stroke-width="30"/></clipPath>"#,
    );
    assert_eq!(d.roles("g"), [Role::Clip]);
    assert_near(d.clip("g"), [60.0, 60.0, 80.0, 80.0]);
    assert_near(d.clipped("r"), [60.0, 60.0, 80.0, 80.0]);
    assert_near(d.leaf("r"), [0.0, 0.0, 200.0, 200.0]);
}

#[test]
fn a_clip_path_of_a_clip_path_is_a_further_node() {
    let d = clipped(
        r#"<clipPath id="d"><rect x="60" y="60" width="5" height="5"/></clipPath>
           <clipPath id="c" clip-path="url(#d)"><rect x="50" y="50" width="50" height="50"/></clipPath>"#,
    );
    assert_eq!(d.roles("g"), [Role::Clip, Role::Clip]);
    assert_near(d.clip("g"), [60.0, 60.0, 65.0, 65.0]);
}

#[test]
fn a_clip_path_on_the_only_child_is_a_further_node() {
    let d = clipped(
        r#"<clipPath id="d"><rect x="60" y="60" width="5" height="5"/></clipPath>
           <clipPath id="c"><rect x="50" y="50" width="50" height="50" clip-path="url(#d)"/></clipPath>"#,
    );
    assert_near(d.clip("g"), [60.0, 60.0, 65.0, 65.0]);
    assert_eq!(d.drawing.warnings, []);
}

#[test]
fn several_children_clip_to_their_union() {
    let d = clipped(
        r#"<clipPath id="c"><rect x="10" y="20" width="30" height="10"/><circle cx="60" cy="60" r="20"/></clipPath>"#,
    );
    assert_eq!(d.roles("g"), [Role::Clip]);
    assert_within(d.clip("g"), [10.0, 20.0, 80.0, 80.0], 0.01);
    assert_eq!(d.drawing.warnings, []);
}

#[test]
fn each_of_several_children_is_cut_by_its_own_clip_path() {
    let d = clipped(
        r#"<clipPath id="d"><rect x="60" y="60" width="5" height="5"/></clipPath>
           <clipPath id="c"><rect x="50" y="50" width="50" height="50" clip-path="url(#d)"/>
             <rect x="80" y="55" width="10" height="5"/></clipPath>"#,
    );
    assert_near(d.clip("g"), [60.0, 55.0, 90.0, 65.0]);

    let round = clipped(
        r#"<clipPath id="d"><circle cx="60" cy="60" r="5"/></clipPath>
           <clipPath id="c"><rect x="50" y="50" width="50" height="50" clip-path="url(#d)"/>
             <rect x="80" y="55" width="10" height="5"/></clipPath>"#,
    );
    assert_within(round.clip("g"), [55.0, 55.0, 90.0, 65.0], 0.01);
    assert_eq!(d.roles("g"), [Role::Clip], "a rectangle needs no mask");
    assert!(round.roles("g").contains(&Role::Mask), "a circle does");
}

#[test]
fn hidden_children_do_not_clip() {
    let d = clipped(
        r#"<clipPath id="c"><rect x="50" y="50" width="20" height="20" visibility="hidden"/>
             <rect x="100" y="100" width="20" height="20"/></clipPath>"#,
    );
    assert_near(d.clip("g"), [100.0, 100.0, 120.0, 120.0]);
}

#[test]
fn a_transformed_clip_path_has_the_box_of_its_rotated_shape() {
    let d = clipped(
        r#"<clipPath id="c" transform="rotate(45 100 100)"><rect x="80" y="80" width="40" height="40"/></clipPath>"#,
    );
    let half = 20.0 * 2.0_f64.sqrt();
    assert_near(d.clip("g"), [100.0 - half, 100.0 - half, 100.0 + half, 100.0 + half]);
}

#[test]
fn a_clip_path_without_area_hides_everything() {
    for shape in [r#"<path d="M0 0H100"/>"#, r#"<line x2="100" y2="100" stroke="red"/>"#] {
        let d = clipped(&format!(r#"<clipPath id="c">{shape}</clipPath>"#));
        assert_eq!(d.ink(), Aabb::EMPTY, "{shape}");
    }
    assert_eq!(clipped(r#"<clipPath id="c"/>"#).ink(), Aabb::EMPTY);
}

#[test]
fn children_that_one_path_cannot_replace_are_a_mask() {
    let roles = |children: &str| {
        let d = clipped(&format!(
            r#"<clipPath id="turned"><rect width="99" height="99" transform="rotate(9)"/></clipPath>
               <clipPath id="c">{children}</clipPath>"#
        ));
        let mut roles = d.roles("g");
        roles.dedup();
        (roles, d.clip("g"))
    };
    let (one_path, mask) = (vec![Role::Clip], vec![Role::ClipBlend, Role::Mask, Role::Fill]);
    for (children, expected) in [
        (r#"<rect width="10" height="10"/><rect x="5" y="5" width="20" height="20"/>"#, &one_path),
        (r#"<circle r="10"/><path d="M5 5V20H30Z"/>"#, &one_path),
        // Not convex, without overlap.
        (r#"<path d="M0 0H20V20L10 5Z"/><rect x="50" width="9" height="9"/>"#, &one_path),
        // Not convex, with overlap.
        (r#"<path d="M0 0H20V20L10 5Z"/><rect x="15" width="9" height="9"/>"#, &mask),
        (r#"<path d="M0 0H20V20H0ZM5 5V9H9V5Z"/><rect x="15" width="9" height="9"/>"#, &mask),
        (r#"<circle clip-rule="evenodd" r="9"/><rect x="50" width="9" height="9"/>"#, &mask),
    ] {
        let (roles, clip_box) = roles(children);
        assert_eq!(&roles, expected, "{children}");
        assert!(!clip_box.is_empty(), "{children}");
    }
    let (roles, clip_box) = roles(
        r#"<rect width="30" height="30" clip-path="url(#turned)"/><rect x="50" width="9" height="9"/>"#,
    );
    assert_eq!(roles, [Role::ClipBlend, Role::Mask, Role::Clip, Role::Fill]);
    assert_within(clip_box, [0.0, 0.0, 59.0, 30.0], 1e-3);
}

#[test]
fn a_clip_path_elsewhere_hides_everything() {
    let d = clipped(r#"<clipPath id="c"><rect x="250" y="250" width="10" height="10"/></clipPath>"#);
    assert_eq!(d.clipped("r"), Aabb::EMPTY);
    assert_eq!(d.group("g"), Aabb::EMPTY);
}

#[test]
fn text_clips_to_its_outlines() {
    let d = clipped(
        r#"<clipPath id="c"><text x="50" y="100" font-size="40" font-family="Noto Sans">l</text></clipPath>"#,
    );
    let clip_box = d.clip("g");
    assert!(
        clip_box.x0 > 50.0 && clip_box.x1 < 62.0 && clip_box.y0 > 60.0 && clip_box.y1 <= 100.001,
        "{clip_box:?}"
    );
}

#[test]
fn clip_and_opacity_of_one_group_are_one_node() {
    let d = Loaded::of(
        r#"<clipPath id="c"><rect width="50" height="50"/></clipPath>
           <g id="g" clip-path="url(#c)" opacity=".5"><rect width="90" height="90"/></g>"#,
    );
    assert_eq!(d.roles("g"), [Role::ClipBlend]);
    assert_near(d.group("g"), [0.0, 0.0, 50.0, 50.0]);
}

#[test]
fn a_clip_around_a_blend_isolates_it() {
    let d = Loaded::of(
        r#"<clipPath id="c"><rect width="50" height="50"/></clipPath>
           <g id="outer" clip-path="url(#c)">
             <g id="inner" clip-path="url(#c)">
               <g id="b" style="mix-blend-mode:multiply"><rect width="90" height="90"/></g></g></g>"#,
    );
    assert_eq!(d.roles("inner"), [Role::ClipBlend]);
    assert_eq!(d.roles("outer"), [Role::Clip]);
    assert_eq!(d.roles("b"), [Role::Blend]);
    assert_eq!(d.roles("/svg"), [Role::Clip]);
}

#[test]
fn markers_do_not_count_in_the_box_of_a_clip_path() {
    let d = Loaded::of(
        r#"<marker id="m" markerWidth="20" markerHeight="20" refX="10" refY="10" markerUnits="userSpaceOnUse"
             overflow="visible"><rect width="60" height="60" fill="blue"/></marker>
           <clipPath id="c" clipPathUnits="objectBoundingBox"><rect width="1" height="1"/></clipPath>
           <path id="p" d="M50 50h40v40h-40z" marker-end="url(#m)" clip-path="url(#c)"/>"#,
    );
    assert_near(d.ink(), [50.0, 50.0, 90.0, 90.0]);
}
