//! What is wasted in a drawing, and what only looks like it.

mod law;

use boxwood_svg::{FindingKind, Options, audit, load, may_change};

use crate::loaded::{Loaded, options};

/// The kind and the name of each finding in a drawing of 300 by 300 with these elements.
#[track_caller]
fn findings(body: &str) -> Vec<(&'static str, String)> {
    let Loaded { drawing, .. } = Loaded::of(body);
    audit(&drawing).into_iter().map(|finding| (finding.kind.word(), finding.name)).collect()
}

/// Asserts that the findings are these.
#[track_caller]
fn assert_found(body: &str, expected: &[(&str, &str)]) {
    let found = findings(body);
    let found: Vec<_> = found.iter().map(|(kind, name)| (*kind, name.as_str())).collect();
    assert_eq!(found, expected, "{body}");
}

/// Clip paths, one of them on fractional coordinates, and other definitions.
const DEFS: &str = r##"<defs>
  <clipPath id="corner"><rect width="100" height="100"/></clipPath>
  <clipPath id="fraction"><rect width="100.5" height="100.5"/></clipPath>
  <clipPath id="all"><rect width="300" height="300"/></clipPath>
  <clipPath id="disc"><circle cx="150" cy="150" r="140"/></clipPath>
  <mask id="mask" maskUnits="userSpaceOnUse" x="0" y="0" width="100" height="100"><rect width="100" height="100" fill="#888"/></mask>
  <filter id="shift" filterUnits="userSpaceOnUse" x="-300" y="0" width="600" height="300"><feOffset dx="200"/></filter>
</defs>"##;

#[track_caller]
fn assert_found_with_defs(body: &str, expected: &[(&str, &str)]) {
    assert_found(&format!("{DEFS}{body}"), expected);
}

#[test]
fn elements_off_the_canvas_are_found() {
    let off = [("off-canvas", "e")];
    assert_found(r#"<rect id="e" x="301" width="9" height="9"/>"#, &off);
    assert_found(r#"<g id="e"><rect x="-50" width="9" height="9"/><circle cx="400" r="9"/></g>"#, &off);
    // Partly on the canvas, by less than a pixel; by a hairline; by a filter; or only in part.
    assert_found(r#"<rect id="e" x="299.9" width="9" height="9"/>"#, &[("mostly-outside", "e")]);
    assert_found(
        r#"<path d="M300.2 0V90" stroke="red" stroke-width=".1"/>"#,
        &[("mostly-outside", "/svg/path[1]")],
    );
    assert_found_with_defs(r#"<rect x="-90" width="50" height="9" filter="url(#shift)"/>"#, &[]);
    assert_found(
        r#"<g><rect x="400" width="9" height="9"/><rect width="9" height="9"/></g>"#,
        &[("off-canvas", "/svg/g[1]/rect[1]")],
    );
}

#[test]
fn elements_that_something_refers_to_are_not_wasted() {
    let around = r#"<g id="all"><rect width="9" height="9"/><rect width="9" height="9" fill="red"/></g>"#;
    assert_found(&format!(r##"{around}<use href="#all" fill="none" stroke="black"/>"##), &[]);
    assert_found(
        r##"<g transform="translate(500)"><rect id="r" width="9" height="9"/></g><use href="#r"/>"##,
        &[],
    );
    assert_found(
        r##"<path id="p" d="M0 50H90" fill="none"/><text><textPath href="#p">t</textPath></text>"##,
        &[],
    );
}

#[test]
fn elements_outside_of_their_clips_are_found() {
    let clipped = [("clipped-away", "e")];
    assert_found_with_defs(
        r#"<g clip-path="url(#corner)"><rect id="e" x="101" width="9" height="9"/><rect width="200" height="9"/></g>"#,
        &clipped,
    );
    assert_found_with_defs(r#"<rect id="e" x="150" width="9" height="9" mask="url(#mask)"/>"#, &clipped);
    // Both edges are in one pixel, which is painted.
    assert_found_with_defs(
        r#"<rect id="e" x="100.5" width="9" height="9" clip-path="url(#fraction)"/>"#,
        &[("mostly-outside", "e")],
    );
    // Together, two clips let nothing through.
    assert_found_with_defs(
        r#"<clipPath id="right"><rect x="200" width="50" height="50"/></clipPath>
           <g clip-path="url(#right)"><g id="e" clip-path="url(#corner)"><rect width="250" height="50"/></g></g>"#,
        &[("clipped-away", "/svg/g[1]")],
    );
}

#[test]
fn the_reason_names_the_clip() {
    let body = format!(r#"{DEFS}<rect x="150" width="9" height="9" clip-path="url(#corner)"/>"#);
    let Loaded { drawing, .. } = Loaded::of(&body);
    let [finding] = &audit(&drawing)[..] else { panic!("one finding") };
    assert_eq!(finding.kind, FindingKind::ClippedAway);
    assert_eq!((finding.tag.as_str(), finding.n_elements, finding.area), ("rect", 3, 81.0));
    let position = format!("({}:{})", finding.line, finding.column);
    assert_eq!(finding.reason, format!("is outside of the clip path #corner of /svg/rect[1] {position}"));
}

/// An element below a cover, with an effect around both if needed.
#[track_caller]
fn assert_covers(cover: &str, is_cover: bool) {
    let below = r#"<rect id="e" x="10" y="10" width="20" height="20" fill="red"/>"#;
    let expected = [("covered", "e")];
    let found = findings(&format!("{DEFS}{below}{cover}"));
    let found: Vec<_> = found.iter().map(|(kind, name)| (*kind, name.as_str())).collect();
    let covered: Vec<_> = found.into_iter().filter(|(kind, _)| *kind == "covered").collect();
    assert_eq!(covered, if is_cover { &expected[..] } else { &[] }, "{cover}");
}

#[test]
fn elements_below_opaque_rectangles_are_found() {
    for cover in [
        r#"<rect width="50" height="50"/>"#,
        r#"<path d="M0 0H50V50H0z"/>"#,
        r#"<path d="M10 10H30V30H10"/>"#,
        r#"<rect width="5" height="5" transform="scale(10)"/>"#,
        r#"<g clip-path="url(#corner)"><rect width="300" height="300"/></g>"#,
        r#"<g style="isolation:isolate"><rect width="50" height="50"/></g>"#,
    ] {
        assert_covers(cover, true);
    }
}

#[test]
fn other_elements_do_not_cover() {
    for cover in [
        r#"<rect width="29" height="50"/>"#,
        r#"<rect width="50" height="50" fill-opacity=".99"/>"#,
        r#"<rect width="50" height="50" fill="rgb(0 0 0 / .5)"/>"#,
        r#"<rect width="50" height="50" rx="20"/>"#,
        r#"<rect width="50" height="50" visibility="hidden"/>"#,
        r#"<rect x="-50" y="-50" width="150" height="150" transform="rotate(1)"/>"#,
        r#"<path d="M0 0H50V50H0zM11 11V20H20V11z"/>"#,
        r#"<circle cx="20" cy="20" r="100"/>"#,
        r#"<path d="M0 20H50" stroke="black" stroke-width="80"/>"#,
        // Anti-aliased edges.
        r#"<rect x="10.5" y="0" width="50" height="50"/>"#,
        r#"<rect width="29.5" height="50"/>"#,
        r#"<g opacity=".5"><rect width="50" height="50"/></g>"#,
        r#"<g style="mix-blend-mode:multiply"><rect width="50" height="50"/></g>"#,
        r#"<g mask="url(#mask)"><rect width="50" height="50"/></g>"#,
        r#"<g filter="url(#shift)"><rect width="50" height="50"/></g>"#,
        r#"<g clip-path="url(#disc)"><rect width="300" height="300"/></g>"#,
        r#"<clipPath id="small"><rect width="29.5" height="50"/></clipPath>
           <g clip-path="url(#small)"><rect width="300" height="300"/></g>"#,
        r#"<mask id="in-mask"><rect width="50" height="50" fill="white"/></mask>"#,
    ] {
        assert_covers(cover, false);
    }
    // Before it.
    assert_found(r#"<rect width="50" height="50"/><rect x="10" y="10" width="9" height="9"/>"#, &[]);
    // A stroke of less than a pixel may be drawn beyond its box.
    let thin = r#"<path d="M5 9.9V20" stroke="red" stroke-width=".1"/>"#;
    assert_found(&format!(r#"{thin}<rect y="9.9" width="50" height="50"/>"#), &[]);
}

#[test]
fn elements_that_paint_nothing_are_found() {
    for (body, name) in [
        (r#"<g id="e"/>"#, "e"),
        ("<g><g/><rect width='0' height='9'/></g>", "/svg/g[1]"),
        ("<rect width='9' height='0'/>", "/svg/rect[1]"),
        ("<rect width='9' height='9' fill='none'/>", "/svg/rect[1]"),
        ("<g opacity='0'><rect width='9' height='9'/></g>", "/svg/g[1]"),
        ("<path d='M0 0h24v24H0z' id='bounds' fill='none'/>", "bounds"),
        // The rectangle is needed for the `use`, which itself is not needed.
        ("<rect id='gone' width='9' height='9' fill='none'/><use href='#gone' fill='red'/>", "/svg/use[1]"),
    ] {
        assert_found(body, &[("empty", name)]);
    }
    for body in [
        "<rect width='9' height='9' display='none'/>",
        "<g><rect width='9' height='9' visibility='hidden'/></g>",
        "<g display='none'><g/></g>",
        "<rect width='9' height='9' fill='none'><animate attributeName='fill'/></rect>",
        "<title>t</title><desc/><metadata><g/></metadata><style/>",
        "<defs><g id='unused'/><rect/></defs>",
        "<text y='20'>t<tspan/></text>",
        "<style>[id] { fill: red }</style><g><rect id='r' width='9' height='9'/></g>",
    ] {
        assert_found(body, &[]);
    }
}

#[test]
fn a_transparent_gradient_is_no_paint() {
    let gradient = "<linearGradient id='g'><stop stop-opacity='0'/><stop stop-opacity='0'/></linearGradient>";
    let d = Loaded::of(&format!("{gradient}<rect width='9' height='9' fill='url(#g)'/>"));
    let reasons: Vec<_> = audit(&d.drawing).into_iter().map(|finding| finding.reason).collect();
    assert_eq!(reasons, ["has neither a fill nor a stroke that paints"]);
}

#[test]
fn elements_mostly_outside_of_their_clips_are_found() {
    assert_found(r#"<rect id="e" x="-91" width="100" height="9"/>"#, &[("mostly-outside", "e")]);
    assert_found(r#"<rect id="e" x="-89" width="100" height="9"/>"#, &[]);
}

#[test]
fn clip_paths_that_cut_nothing_are_found() {
    let needless = [("needless-clip", "e")];
    let in_clip =
        |clip: &str, contents: &str| format!(r#"<g id="e" clip-path="url(#{clip})">{contents}</g>"#);
    let contents = r#"<rect x="10" y="10" width="50" height="50"/><circle cx="90" cy="90" r="10"/>"#;
    assert_found_with_defs(&in_clip("corner", contents), &needless);
    // Its edges are on parts of pixels; it cuts one pixel, or a part of one.
    assert_found_with_defs(&in_clip("fraction", contents), &[]);
    let wide = |width: f64| in_clip("corner", &format!(r#"<rect width="{width}" height="9"/>"#));
    assert_found_with_defs(&wide(100.0), &needless);
    assert_found_with_defs(&wide(101.0), &[]);
    assert_found_with_defs(&wide(100.1), &[]);
    assert_found_with_defs(&in_clip("fraction", r#"<rect width="100.4" height="9"/>"#), &[]);
    // Not a rectangle; a stroke; a filter; a blend mode that the clip path isolates.
    assert_found_with_defs(&in_clip("disc", r#"<rect x="140" y="140" width="9" height="9"/>"#), &[]);
    assert_found_with_defs(&in_clip("corner", r#"<path d="M9 99.5H90" stroke="red"/>"#), &[]);
    assert_found_with_defs(
        &in_clip("corner", r#"<rect x="-105" width="9" height="9" filter="url(#shift)"/>"#),
        &[],
    );
    let blending = r#"<path d="M0 0H9V9"/><rect width="9" height="9" style="mix-blend-mode:multiply"/>"#;
    assert_found_with_defs(&in_clip("corner", blending), &[]);
    // The viewport cuts nothing, but the clip path does.
    for contents in
        [r#"<rect width="150" height="9"/>"#, r#"<rect width="150" height="9"/><path d="M0 0H9V9"/>"#]
    {
        let svg = format!(r#"<svg id="e" width="150" height="90" clip-path="url(#corner)">{contents}</svg>"#);
        assert_found_with_defs(&svg, &[]);
    }
    // Of two equal clips, only one is found.
    assert_found_with_defs(
        r#"<g id="outer" clip-path="url(#corner)"><g id="inner" clip-path="url(#corner)">
             <rect width="200" height="50"/></g></g>"#,
        &[("needless-clip", "outer")],
    );
}

#[test]
fn groups_without_need_are_found() {
    let needless = [("needless-group", "e")];
    for group in [
        r#"<g id="e" style="isolation:isolate"><rect width="9" height="9"/><rect width="9" height="9" fill="red"/></g>"#,
        r#"<g id="e" opacity=".5"><rect width="9" height="9"/></g>"#,
        r#"<rect id="e" opacity=".5" width="9" height="9"/>"#,
        r#"<g id="e" opacity=".5"><rect width="9" height="9"/><rect x="20" width="9" height="9"/></g>"#,
        r#"<g style="isolation:isolate;opacity:.9"><rect width="9" height="9"/><rect width="9" height="9" fill="navy"/>
             <rect id="e" x="20" width="9" height="9" style="mix-blend-mode:screen"/></g>"#,
    ] {
        let found: Vec<_> =
            findings(group).into_iter().filter(|(kind, _)| *kind == "needless-group").collect();
        let found: Vec<_> = found.iter().map(|(kind, name)| (*kind, name.as_str())).collect();
        assert_eq!(found, needless, "{group}");
    }
    for group in [
        r#"<g opacity=".5"><rect width="9" height="9"/><circle cx="9" cy="9" r="9" fill="red"/></g>"#,
        r#"<g opacity=".5"><rect width="9.2" height="9"/><rect x="9.6" width="9" height="9"/></g>"#,
        r#"<rect opacity=".5" width="9" height="9" stroke="red"/>"#,
        r#"<path opacity=".5" d="M0 0Q300 90 290 290z"/>"#,
        r#"<g style="isolation:isolate"><rect width="9" height="9"/>
             <rect width="9" height="9" style="mix-blend-mode:screen"/></g>"#,
        r#"<rect width="9" height="9" style="mix-blend-mode:screen"/>"#,
        r#"<g opacity=".5" filter="url(#shift)"><rect width="9" height="9"/></g>"#,
        r#"<g opacity=".5" mask="url(#mask)"><rect width="9" height="9"/></g>"#,
        r#"<g opacity=".9"><rect width="30" height="9"/><rect width="9" height="9" style="mix-blend-mode:screen"/></g>"#,
        r#"<marker id="m" overflow="visible"><g opacity=".5"><rect width="3" height="3"/></g></marker>
           <path d="M9 9H90V90" fill="none" stroke="red" marker-start="url(#m)" marker-end="url(#m)"/>"#,
    ] {
        let found = findings(&format!("{DEFS}{group}"));
        assert!(found.iter().all(|(kind, _)| *kind != "needless-group"), "{group}: {found:?}");
    }
}

#[test]
fn an_effect_belongs_to_the_element_that_declares_it() {
    let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" opacity=".5"><path d="M0 0h9v9z"/></svg>"#;
    let drawing = load(svg, &options()).expect("it is a drawing");
    assert!(audit(&drawing).iter().all(|finding| finding.name != "/svg/path[1]"));
}

#[test]
fn opacities_that_leaves_cannot_have_are_needed() {
    for body in [
        r#"<text x="9" y="50" opacity=".5">l</text>"#,
        r##"<defs><rect id="r" width="9" height="9"/></defs><use href="#r" opacity=".5"/>"##,
        r#"<marker id="m" overflow="visible"><circle cx="30" r="3"/></marker>
           <path d="M9 9h9v9z" fill="none" stroke="red" marker-end="url(#m)" opacity=".5"/>"#,
    ] {
        let found = findings(body);
        assert!(found.iter().all(|(kind, _)| *kind != "needless-group"), "{body}: {found:?}");
    }
}

#[test]
fn clip_paths_of_single_shapes_and_around_texts_are_not_needless() {
    assert_found_with_defs(r#"<circle cx="50" cy="50" r="9" clip-path="url(#corner)"/>"#, &[]);
    assert_found_with_defs(r#"<g clip-path="url(#corner)"><text x="9" y="50">t</text></g>"#, &[]);
}

#[test]
fn elements_that_the_picture_depends_on_are_not_reported() {
    let empty = r#"<rect id="e" width="90" height="90" fill="none"/>"#;
    let visible = r#"<rect x="20" y="20" width="9" height="9"/>"#;
    let effects = r#"<clipPath id="half" clipPathUnits="objectBoundingBox"><rect width=".5" height=".5"/></clipPath>
        <filter id="blur"><feGaussianBlur stdDeviation="1"/></filter>"#;
    for around in [
        r#"<g clip-path="url(#half)">"#,
        r#"<g filter="url(#blur)"><g>"#,
        r#"<g style="filter: blur(1px)">"#,
        r#"<switch>"#,
        "<style>rect:first-child { fill: none } g { fill: red }</style><g>",
        "<style>rect + rect { fill: none }</style><g>",
        "<g style='transform-box: fill-box'>",
    ] {
        let name = around.rsplit('<').next().and_then(|tag| tag.split([' ', '>']).next()).expect("a tag");
        let outer = if around.ends_with("<g>") && around.contains("filter") { "</g>" } else { "" };
        let found = findings(&format!("{effects}{around}{empty}{visible}</{name}>{outer}"));
        assert!(found.iter().all(|(kind, _)| *kind != "empty"), "{around}: {found:?}");
    }
    for around in
        [r#"<g clip-path="url(#disc)">"#, r#"<g mask="none">"#, "<style>g > rect { fill: red }</style><g>"]
    {
        let found = findings(&format!("{DEFS}{around}<g id='e'/>{visible}</g>"));
        assert!(found.iter().any(|(kind, name)| [*kind, name] == ["empty", "e"]), "{around}: {found:?}");
    }
}

#[test]
fn the_canvas_may_be_as_large_as_the_contents() {
    let found = |attributes: &str| {
        let body = r#"<rect width="90" height="90" fill="none"/><rect width="9" height="9"/><g id="e"/>"#;
        let svg = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{body}</svg>"#);
        let drawing = load(svg.as_bytes(), &options()).expect("it is a drawing");
        audit(&drawing).into_iter().map(|finding| finding.name).collect::<Vec<_>>()
    };
    for attributes in ["", r#"width="50""#, r#"width="100%" height="50""#] {
        assert_eq!(found(attributes), ["e"], "{attributes}");
    }
    for attributes in [r#"width="50" height="50""#, r#"viewBox="0 0 50 50""#] {
        assert_eq!(found(attributes), ["/svg/rect[1]", "e"], "{attributes}");
    }
}

#[test]
fn elements_from_entities_are_not_reported() {
    let svg = br#"<!DOCTYPE svg [<!ENTITY far "<rect x='99' width='9' height='9'/>">]>
        <svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><g id="a">&far;</g>
        <g transform="translate(-90)">&far;</g></svg>"#;
    let drawing = load(svg, &options()).expect("it is a drawing");
    let names: Vec<_> = audit(&drawing).into_iter().map(|finding| finding.name).collect();
    assert_eq!(names, ["a"]);
}

#[test]
fn a_group_stands_for_the_empty_elements_in_it() {
    let group = r#"<g id="e"><rect x="400" width="9" height="9"/><rect width="0" height="9"/></g>"#;
    assert_found(group, &[("off-canvas", "e")]);
}

#[test]
fn the_viewport_is_the_canvas_even_if_it_does_not_clip() {
    let svg =
        br#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M50 50h9v9z"/></svg>"#;
    let drawing = load(svg, &Options { clip_to_viewport: false, ..options() }).expect("it is a drawing");
    let Loaded { drawing, .. } = Loaded::new(drawing);
    assert_eq!(audit(&drawing).len(), 1);
}

#[test]
fn elements_that_a_browser_shows_otherwise_are_not_reported() {
    for paint in ["ButtonText", "oklch(60% 0.2 30)", "color(display-p3 1 0 0)", "var(--c, red)"] {
        assert_found(&format!(r#"<path d="M0 0H9" fill="none" stroke="{paint}"/>"#), &[]);
        assert_found(&format!(r#"<g style="stroke: {paint}"><path d="M0 0H9" fill="none"/></g>"#), &[]);
    }
    let uncertain = r#"<rect id="u" width="9" height="9"/>
        <rect width="300" height="300" style="clip-path: shape(from 0 0, line to 5px 5px)"/>"#;
    assert_found(uncertain, &[]);
    let thin =
        r#"<path id="p" d="M0 -20H900" stroke="red" stroke-width="20" vector-effect="non-scaling-stroke"/>"#;
    assert_found(&format!(r##"<g transform="scale(.1)">{thin}<use href="#p"/></g>"##), &[]);
    let animation = r#"<animateTransform attributeName="transform" type="translate" to="90"/>"#;
    assert_found(&format!(r#"<rect x="-50" width="9" height="9">{animation}</rect>"#), &[]);
    assert_found(&format!(r#"<g>{animation}<rect x="-50" width="9" height="9"/></g>"#), &[]);
    let cover = format!(r#"<rect width="300" height="300">{animation}</rect>"#);
    assert_found(&format!(r#"<rect width="9" height="9"/>{cover}"#), &[]);
    let by_id = r##"<set href="#a" attributeName="x" to="9"/>"##;
    assert_found(
        &format!(
            r#"<rect id="a" x="-50" width="9" height="9"/><rect id="b" x="-50" width="9" height="9"/>{by_id}"#
        ),
        &[("off-canvas", "b")],
    );
    let filter = |image: &str| {
        format!(r#"<filter id="f">{image}</filter><rect id="e" width="9" height="9" filter="url(#f)"/>"#)
    };
    assert_found(&filter(r#"<feImage href="missing.png"/>"#), &[]);
    assert_found(&filter(r#"<feConvolveMatrix kernelMatrix="1 1 1 1 -8 1 1 1 1" edgeMode="x"/>"#), &[]);
    // In other files, or shown by something that usvg leaves out.
    for body in [
        r#"<rect width="9" height="9" fill="url(paints.svg#p)"/>"#,
        r#"<use href="other.svg#r"/>"#,
        r#"<g><use href="other.svg#r"/></g>"#,
        r#"<text y="20" font-size="0">t</text>"#,
        r#"<marker id="m"><rect width="3" height="3"/></marker><path d="M9 9" marker-end="url(#m)"/>"#,
        r#"<style>@import "other.css";</style><rect width="9" height="9" fill="none"/>"#,
        r#"<style>@keyframes k { to { opacity: 1 } }</style><rect width="9" height="9" opacity="0"/>"#,
    ] {
        assert_found(body, &[]);
    }
    // Hinting may move a glyph by a pixel.
    assert_found(r#"<text y="-1.5" font-size="9">E</text>"#, &[("off-canvas", "/svg/text[1]")]);
    assert_found(r#"<text y="0" font-size="9">E</text>"#, &[("mostly-outside", "/svg/text[1]")]);
}

#[test]
fn what_may_change_a_drawing_is_named() {
    let changes = |body: &str| may_change(&Loaded::of(body).drawing);
    assert_eq!(changes(r#"<rect width="9" height="9" fill="red"/>"#), [""; 0]);
    assert_eq!(changes(r#"<rect onclick="f()"/><set attributeName="x"/>"#), ["scripts", "animations"]);
    assert_eq!(changes(r#"<effect only_selected="false" xmlns:i="i" i:once="1"/>"#), [""; 0]);
    assert_eq!(
        changes("<style>@media print {} a:HOVER {}</style>"),
        ["CSS rules for interaction", "@media rules"]
    );
    assert_eq!(
        changes(r#"<rect style="transition: all 1s; opacity: var(--o)"/>"#),
        ["CSS animations", "CSS variables"]
    );
}

#[test]
fn blending_groups_above_many_elements_are_not_compared_with_them() {
    let rect = |i| {
        let (x, y) = (2 * (i % 140), 2 * (i / 140));
        format!(r#"<rect x="{x}" y="{y}" width="1" height="1" style="mix-blend-mode:screen"/>"#)
    };
    let apart: String = (0..10_000).map(rect).collect();
    let found = findings(&format!(r#"<g style="isolation:isolate;opacity:.9">{apart}</g>"#));
    assert!((100..1_000).contains(&found.len()), "{}", found.len());
    assert!(found.iter().all(|(kind, _)| *kind == "needless-group"));
}
