//! Why elements are visible, or not.

use boxwood_cpu::Aabb;
use boxwood_svg::{Clip, Explanation, Hidden, Part, Role, explain};

use crate::loaded::Loaded;

fn aabb(x0: f32, y0: f32, x1: f32, y1: f32) -> Aabb {
    Aabb { x0, y0, x1, y1 }
}

fn explained(d: &Loaded, name: &str) -> Vec<Explanation> {
    explain(&d.drawing, &d.named(name))
}

/// The only part of the only source with a name.
#[track_caller]
fn part(d: &Loaded, name: &str) -> Part {
    let [Explanation { parts, .. }] = &explained(d, name)[..] else { panic!("one source") };
    let [part] = &parts[..] else { panic!("one part: {parts:?}") };
    part.clone()
}

const NESTED: &str = r#"<clipPath id="c"><rect x="10" y="10" width="40" height="40"/></clipPath>
  <mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="30" height="300"><rect width="300" height="300" fill="white"/></mask>
  <g id="outer" clip-path="url(#c)" opacity=".5"><g id="inner" mask="url(#m)">
    <rect id="r" width="100" height="20" stroke="red" stroke-width="2"/></g></g>"#;

#[test]
fn each_effect_leaves_a_part_of_the_box() {
    let d = Loaded::of(NESTED);
    let [Explanation { parts, .. }] = &explained(&d, "r")[..] else { panic!("one source") };
    let [fill, stroke] = &parts[..] else { panic!("two parts") };
    assert_eq!((fill.role, stroke.role), (Some(Role::Fill), Some(Role::Stroke)));
    assert_eq!((fill.own_box, stroke.own_box), (aabb(0.0, 0.0, 100.0, 20.0), aabb(-1.0, -1.0, 101.0, 21.0)));
    let steps: Vec<_> = fill.steps.iter().map(|step| (step.clip.clone(), step.left)).collect();
    let expected = [
        (Some(Clip::Mask { id: "m".into() }), aabb(0.0, 0.0, 30.0, 20.0)),
        (Some(Clip::ClipPath { id: "c".into() }), aabb(10.0, 10.0, 30.0, 20.0)),
        (Some(Clip::Viewport), aabb(10.0, 10.0, 30.0, 20.0)),
    ];
    assert_eq!(steps, expected);
    assert_eq!((fill.steps[1].opacity, fill.steps[1].clip_box), (0.5, aabb(10.0, 10.0, 50.0, 50.0)));
    assert_eq!((fill.left, fill.hidden), (d.clipped("r").intersect(fill.own_box), None));
}

#[test]
fn an_inner_svg_has_a_viewport_and_a_clip_path() {
    for (units, size) in [("userSpaceOnUse", "50"), ("objectBoundingBox", ".5")] {
        let d = Loaded::of(&format!(
            r#"<clipPath id="c" clipPathUnits="{units}"><rect width="{size}" height="{size}"/></clipPath>
               <svg id="n" width="100" height="100" clip-path="url(#c)"><rect id="r" width="100" height="100"/></svg>"#
        ));
        let steps: Vec<_> = part(&d, "r")
            .steps
            .into_iter()
            .map(|step| (step.clip, d.drawing.sources[step.source as usize].name.clone()))
            .collect();
        let expected = [
            (Some(Clip::ClipPath { id: "c".into() }), "n".to_owned()),
            (Some(Clip::Viewport), "n".to_owned()),
            (Some(Clip::Viewport), "/svg".to_owned()),
        ];
        assert_eq!(steps, expected, "{units}");
    }
}

#[test]
fn a_group_is_its_contents_inside_of_the_clips_in_it() {
    let d = Loaded::of(NESTED);
    let inner = part(&d, "inner");
    assert_eq!((inner.role, inner.n_leaves, inner.own_box), (None, 2, aabb(-1.0, -1.0, 101.0, 21.0)));
    let outer = part(&d, "outer");
    assert_eq!(outer.own_box, aabb(0.0, 0.0, 30.0, 21.0), "the mask of `inner` is a part of it");
    assert_eq!((outer.steps.len(), outer.left), (2, aabb(10.0, 10.0, 30.0, 21.0)));
}

#[test]
fn every_use_of_an_element_is_explained() {
    let d = Loaded::of(
        r##"<rect id="r" width="9" height="9"/><use href="#r" x="295"/><use href="#r" x="400"/>"##,
    );
    let all = explained(&d, "r");
    let names: Vec<_> = all.iter().map(|e| d.drawing.sources[e.source as usize].name.as_str()).collect();
    assert_eq!(names, ["r", "/svg/use[1] → /svg/rect[1]", "/svg/use[2] → /svg/rect[1]"]);
    let hidden: Vec<_> = all.iter().map(|e| e.parts[0].hidden).collect();
    assert_eq!(hidden, [None, None, Some(Hidden::OffCanvas)]);
}

#[test]
fn the_glyphs_of_a_text_are_one_part() {
    let d = Loaded::of(r#"<text id="t" y="50">one <tspan fill="red">two</tspan></text>"#);
    let text = part(&d, "t");
    assert!(text.n_leaves >= 2 && text.own_box == d.leaf("t"), "{text:?}");
}

#[test]
fn what_hides_an_element_is_named() {
    let d = Loaded::of(
        r#"<clipPath id="c"><rect width="50" height="50"/></clipPath>
           <rect id="below" x="9" width="9" height="9"/><rect id="cover" width="50" height="50"/>
           <g id="g" clip-path="url(#c)"><rect id="outside" x="60" width="9" height="9"/></g>
           <rect id="edge" x="300" width="9" height="9"/>"#,
    );
    let index = |name: &str| d.named(name)[0];
    assert_eq!(part(&d, "below").hidden, Some(Hidden::Covered { by: index("cover") }));
    assert_eq!(part(&d, "outside").hidden, Some(Hidden::ClippedAway { by: Some(index("g")) }));
    assert_eq!(part(&d, "edge").hidden, Some(Hidden::OffCanvas));
    assert_eq!(part(&d, "cover").hidden, None);
}

#[test]
fn the_input_of_a_filter_has_the_box_of_the_filter() {
    let d = Loaded::of(
        r#"<filter id="f"><feGaussianBlur stdDeviation="2"/></filter>
           <g id="g" filter="url(#f)"><rect id="r" x="50" y="50" width="9" height="9"/></g>"#,
    );
    assert_eq!(part(&d, "r").filter, Some(d.named("g")[0]));
    assert_eq!((part(&d, "r").own_box, part(&d, "g").filter), (d.leaf("g"), None));
}

#[test]
fn markers_are_a_part_of_their_shape() {
    let marker = r#"<marker id="m" markerWidth="4" markerHeight="4"><g opacity=".5"><rect width="9" height="9"/></g></marker>"#;
    for (style, parts) in [
        (r#"fill="none" marker-end="url(#m)""#, &[(None, true, 1)][..]),
        (
            r#"fill="none" stroke="red" marker-start="url(#m)" marker-end="url(#m)""#,
            &[(Some(Role::Stroke), false, 1), (None, true, 2)],
        ),
        (
            r#"marker-end="url(#m)" opacity=".5" clip-path="url(#c)""#,
            &[(Some(Role::Fill), false, 1), (None, true, 1)],
        ),
    ] {
        let d = Loaded::of(&format!(
            r#"<clipPath id="c"><rect width="90" height="90"/></clipPath>{marker}<path id="p" d="M10 10H50V50" {style}/>"#
        ));
        let found = explained(&d, "p").swap_remove(0).parts;
        let kinds: Vec<_> = found.iter().map(|part| (part.role, part.is_marker, part.n_leaves)).collect();
        assert_eq!(kinds, parts, "{style}");
        let clips = |part: &Part| part.steps.iter().filter(|step| step.clip == Some(Clip::Marker)).count();
        for part in &found {
            // Several markers have no viewport in common.
            assert_eq!(clips(part), usize::from(part.is_marker && part.n_leaves == 1), "{style}");
        }
    }
    let beside = Loaded::of(
        r#"<circle r="5"/><rect id="k" width="9" height="9" opacity=".5"/><g id="g" opacity=".5"><path d="M0 0H9V9"/></g>"#,
    );
    assert!(["k", "g"].iter().all(|id| !part(&beside, id).is_marker));
    let group = Loaded::of(r#"<g id="p"><path d="M0 0H9V9"/><g><rect width="9" height="9"/></g></g>"#);
    assert!(!part(&group, "p").is_marker);
}

#[test]
fn an_element_without_paint_has_no_parts() {
    let d = Loaded::of(r#"<rect id="r" width="9" height="9" fill="none"/>"#);
    assert_eq!(explained(&d, "r")[0].parts, []);
    assert!(!d.drawing.named("nothing").contains(&true));
}

#[test]
fn many_sources_are_explained() {
    let n = 10_000;
    let d = Loaded::of(&r#"<rect class="r" width="9" height="9"/>"#.repeat(n));
    let all: Vec<_> = (0..).take(d.drawing.sources.len()).collect();
    let explained = explain(&d.drawing, &all);
    let leaves: Vec<usize> =
        explained.iter().map(|of| of.parts.iter().map(|part| part.n_leaves).sum()).collect();
    assert_eq!(leaves[0], n);
    assert!(leaves[1..].iter().all(|of| *of == 1));
}
