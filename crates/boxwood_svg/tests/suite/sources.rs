//! The SVG elements that elements come from.

use boxwood_svg::{Role, Selector, Source, SourceKind};

use crate::loaded::Loaded;

/// The name of each source, whether it is an id, and the kind.
fn sources(body: &str) -> Vec<(String, bool, SourceKind)> {
    let d = Loaded::of(body);
    d.drawing.sources.iter().map(|s| (s.name.clone(), s.has_id, s.kind)).collect()
}

#[test]
fn elements_without_an_id_are_named_by_their_path() {
    let named = sources(
        r#"<rect width="9" height="9"/>
           <g><rect width="9" height="9"/></g>
           <g id="layer" opacity=".5"><rect width="9" height="9"/><rect id="named" width="9" height="9"/>
             <g opacity=".5"><text y="9">t</text></g></g>"#,
    );
    let expected = [
        ("/svg", false, SourceKind::Svg),
        ("/svg/rect[1]", false, SourceKind::Path),
        ("/svg/g[1]", false, SourceKind::Group),
        ("/svg/g[1]/rect[1]", false, SourceKind::Path),
        ("layer", true, SourceKind::Group),
        ("/svg/g[2]/rect[1]", false, SourceKind::Path),
        ("named", true, SourceKind::Path),
        ("/svg/g[2]/g[1]", false, SourceKind::Group),
        ("/svg/g[2]/g[1]/text[1]", false, SourceKind::Text),
    ];
    let expected = expected.map(|(name, has_id, kind)| (name.to_owned(), has_id, kind));
    assert_eq!(named, expected);
}

#[test]
fn the_root_has_its_id() {
    let d = Loaded::whole(br#"<svg xmlns="http://www.w3.org/2000/svg" id="root" width="9" height="9"/>"#);
    assert_eq!((d.drawing.sources[0].name.as_str(), d.drawing.sources[0].kind), ("root", SourceKind::Svg));
    assert_eq!(d.drawing.elements.len(), 2);
}

#[test]
fn fill_and_stroke_are_two_leaves_of_one_element_in_paint_order() {
    let d = Loaded::of(
        r#"<rect id="a" width="9" height="9" stroke="red"/>
           <rect id="b" width="9" height="9" stroke="red" paint-order="stroke"/>"#,
    );
    assert_eq!(d.roles("a"), [Role::Fill, Role::Stroke]);
    assert_eq!(d.roles("b"), [Role::Stroke, Role::Fill]);
    assert_eq!(d.drawing.sources.len(), 3);
}

#[test]
fn glyphs_belong_to_their_text() {
    let d = Loaded::of(
        r#"<text id="t" y="50">one <tspan fill="red" text-decoration="underline">two</tspan></text>"#,
    );
    assert!(d.roles("t").len() >= 3, "two spans and a line: {:?}", d.roles("t"));
    assert_eq!(d.drawing.sources.len(), 3, "the root, the text, and its part");
}

/// The name, kind and parent of each source.
fn families(d: &Loaded) -> Vec<(&str, SourceKind, Option<&str>)> {
    let sources = &d.drawing.sources;
    let parent = |s: &Source| s.parent.map(|parent| sources[parent as usize].name.as_str());
    sources.iter().map(|s| (s.name.as_str(), s.kind, parent(s))).collect()
}

#[test]
fn sources_know_the_group_around_them_and_come_after_it() {
    let d = Loaded::of(
        r#"<g id="layer"><g transform="scale(2)"><g><rect id="a" width="9" height="9"/></g></g>
             <g id="inner" opacity=".5"><text id="t" y="9">one <tspan fill="red">two</tspan></text></g></g>
           <rect id="b" width="9" height="9"/>"#,
    );
    let expected = [
        ("/svg", SourceKind::Svg, None),
        ("layer", SourceKind::Group, Some("/svg")),
        ("/svg/g[1]/g[1]", SourceKind::Group, Some("layer")),
        ("/svg/g[1]/g[1]/g[1]", SourceKind::Group, Some("/svg/g[1]/g[1]")),
        ("a", SourceKind::Path, Some("/svg/g[1]/g[1]/g[1]")),
        ("inner", SourceKind::Group, Some("layer")),
        ("t", SourceKind::Text, Some("inner")),
        ("/svg/g[1]/g[2]/text[1]/tspan[1]", SourceKind::TextPart, Some("t")),
        ("b", SourceKind::Path, Some("/svg")),
    ];
    assert_eq!(families(&d), expected);
    for sample in boxwood_assets::SAMPLES {
        let sources = Loaded::whole(sample.1).drawing.sources;
        for (index, source) in sources.iter().enumerate() {
            let is_before = source.parent.map(|parent| (parent as usize) < index);
            assert_eq!(is_before, (index > 0).then_some(true), "{}: {source:?}", sample.0);
        }
    }
}

#[test]
fn invisible_elements_are_sources() {
    let d = Loaded::of(
        r#"<g id="empty"/>
           <g><rect fill="none" width="9" height="9"/></g>
           <g opacity="0"><g id="unseen"><rect id="r" width="9" height="9"/></g></g>
           <g id="far" transform="scale(1e30)"><g id="farther" transform="scale(1e30)"><g id="farthest"/></g></g>"#,
    );
    let expected = [
        ("/svg", SourceKind::Svg, None),
        ("empty", SourceKind::Group, Some("/svg")),
        ("/svg/g[2]", SourceKind::Group, Some("/svg")),
        ("/svg/g[2]/rect[1]", SourceKind::Path, Some("/svg/g[2]")),
        ("/svg/g[3]", SourceKind::Group, Some("/svg")),
        ("unseen", SourceKind::Group, Some("/svg/g[3]")),
        ("r", SourceKind::Path, Some("unseen")),
        ("far", SourceKind::Group, Some("/svg")),
        ("farther", SourceKind::Group, Some("far")),
        ("farthest", SourceKind::Group, Some("farther")),
    ];
    assert_eq!(families(&d), expected);
    assert_eq!(d.drawing.elements.len(), 2);
}

/// Definitions for effects.
const EFFECTS: &str = r#"<defs><clipPath id="c"><rect width="50" height="50"/></clipPath></defs>"#;

#[test]
fn an_effect_on_a_shape_belongs_to_the_shape() {
    for shape in [
        r#"<rect id="r" width="90" height="90" clip-path="url(#c)" opacity=".5"/>"#,
        r#"<rect id="r" width="45" height="45" transform="scale(2)" clip-path="url(#c)" opacity=".5"/>"#,
    ] {
        let d = Loaded::of(&format!("{EFFECTS}{shape}"));
        assert_eq!(d.roles("r"), [Role::ClipBlend, Role::Fill], "{shape}");
        let expected = [("/svg", SourceKind::Svg, None), ("r", SourceKind::Path, Some("/svg"))];
        assert_eq!(families(&d), expected, "{shape}");
    }
    let d = Loaded::of(r#"<text id="t" y="50" opacity=".5">t</text>"#);
    assert_eq!(d.roles("t"), [Role::Blend, Role::Fill]);
}

#[test]
fn an_effect_on_a_group_belongs_to_the_group() {
    let rect = r#"<rect id="r" width="90" height="90"/>"#;
    let group_of = |group: &str| {
        let d = Loaded::of(&format!("{EFFECTS}{group}"));
        assert_eq!(d.roles("r"), [Role::Fill], "{group}");
        assert_eq!(d.drawing.sources[1].kind, SourceKind::Group, "{group}");
        d.drawing.sources[1].name.clone()
    };
    assert_eq!(group_of(&format!(r#"<g id="g" clip-path="url(#c)">{rect}</g>"#)), "g");
    assert_eq!(group_of(&format!(r#"<g clip-path="url(#c)">{rect}<path d="M0 0h9v9z"/></g>"#)), "/svg/g[1]");
    assert_eq!(group_of(&format!(r#"<g clip-path="url(#c)"><g>{rect}</g></g>"#)), "/svg/g[1]");
    assert_eq!(group_of(&format!(r#"<g clip-path="url(#c)">{rect}</g>"#)), "/svg/g[1]");
    let unnamed = Loaded::of(r#"<rect width="9" height="9" opacity=".5"/>"#);
    assert_eq!(unnamed.roles("/svg/rect[1]"), [Role::Blend, Role::Fill]);
}

/// A drawing with an image that has these attributes. It shows a drawing that is twice as high as
/// wide.
fn image(around: [&str; 2], attributes: &str) -> Loaded {
    let href = "data:image/svg+xml;utf8,%3Csvg xmlns='http://www.w3.org/2000/svg' width='10' height='20'%3E\
        %3Cg id='inside'%3E%3Crect width='10' height='20'/%3E%3C/g%3E%3C/svg%3E";
    let [before, after] = around;
    Loaded::of(&format!(
        r#"{EFFECTS}{before}<image {attributes} x="20" y="20" width="40" height="40" href="{href}"/>{after}"#
    ))
}

#[test]
fn the_nodes_of_an_image_belong_to_the_image() {
    let slice = r#"id="i" preserveAspectRatio="xMidYMid slice""#;
    for (attributes, roles) in [
        (r#"id="i""#.to_owned(), vec![Role::Clip, Role::Fill]),
        (slice.to_owned(), vec![Role::Clip, Role::Clip, Role::Fill]),
        (r#"id="i" clip-path="url(#c)""#.to_owned(), vec![Role::Clip, Role::Clip, Role::Fill]),
        (format!(r#"{slice} clip-path="url(#c)""#), vec![Role::Clip, Role::Clip, Role::Clip, Role::Fill]),
    ] {
        let d = image(["", ""], &attributes);
        assert_eq!(d.roles("i"), roles, "{attributes}");
        let expected = [("/svg", SourceKind::Svg, None), ("i", SourceKind::Image, Some("/svg"))];
        assert_eq!(families(&d), expected, "{attributes}");
    }
}

#[test]
fn an_image_without_an_id_does_not_take_that_of_its_group() {
    for (before, roles) in
        [(r#"<g id="layer">"#, vec![]), (r#"<g id="layer" clip-path="url(#c)">"#, vec![Role::Clip])]
    {
        let d = image([before, "</g>"], "");
        assert_eq!(d.roles("layer"), roles, "{before}");
        assert_eq!(d.roles("/svg/g[1]/image[1]"), [Role::Clip, Role::Fill], "{before}");
        let kinds: Vec<_> = d.drawing.sources.iter().map(|s| s.kind).collect();
        assert_eq!(kinds, [SourceKind::Svg, SourceKind::Group, SourceKind::Image]);
    }
}

#[test]
fn images_keep_the_id_of_their_element() {
    let d =
        Loaded::whole(boxwood_assets::SAMPLES.iter().find(|s| s.0 == "image.svg").expect("it is there").1);
    for id in ["pixels", "turned-pixels", "drawing"] {
        let source = d.drawing.sources.iter().find(|s| s.name == id).expect("the image has its id");
        assert_eq!(source.kind, SourceKind::Image, "{id}");
    }
}

#[test]
fn groups_without_effects_have_no_elements() {
    let d = Loaded::of(r#"<g id="g" transform="scale(2)"><rect id="r" width="9" height="9"/></g>"#);
    assert_eq!(d.roles("g"), []);
    assert_eq!(d.drawing.elements.len(), 3);
}

/// The paths of the sources of a whole document, with their tags and positions.
fn places(svg: &str) -> Vec<String> {
    let place = |s: &Source| format!("{} {} {}:{} {}", s.path, s.tag, s.line, s.column, s.class);
    Loaded::whole(svg.as_bytes()).drawing.sources.iter().map(place).collect()
}

#[test]
fn sources_are_found_in_the_document() {
    let svg = r##"<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:s="http://www.w3.org/2000/svg" viewBox="0 0 9 9">
  <title>é</title><defs><g id="twice"><circle r="1"/><g><rect width="2" height="2"/></g></g>
    <symbol id="icon" viewBox="0 0 9 9"><path d="M0 0h9v9z"/><line x2="9" stroke="red"/></symbol></defs>
  <s:rect class="a b" width="4" height="4"/><!-- é --><rect width="5" height="5" opacity=".5"/>
  <a><use href="#twice" x="3"/></a><use href="#icon" width="5" height="5"/>
  <svg width="5" height="5"><ellipse rx="2" ry="1"/></svg><switch><g><polygon points="0 0 1 1 2 0"/></g></switch>
</svg>"##;
    insta::assert_snapshot!(places(svg).join("\n"));
}

#[test]
fn elements_that_a_use_draws_are_told_apart() {
    // usvg leaves out one of the two.
    let used = r##"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">
  <defs><g id="g"><rect width="0" height="2"/><rect width="3" height="3"/></g></defs><use href="#g"/></svg>"##;
    let d = Loaded::whole(used.as_bytes());
    assert_eq!(d.roles("/svg/use[1] → /svg/defs[1]/g[1]/rect[2]"), [Role::Fill]);
}

#[test]
fn markers_in_a_use_do_not_belong_to_a_hidden_element() {
    let d = Loaded::of(
        r##"<marker id="m" overflow="visible"><rect width="6" height="6"/></marker>
           <defs><g id="g"><path d="M0 0h20v20" marker-end="url(#m)"/><rect width="0" height="2"/></g></defs>
           <use href="#g"/>"##,
    );
    assert!(d.drawing.sources.iter().all(|source| source.tag != "rect"), "{:?}", d.drawing.sources);
    assert_eq!(d.leaf("/svg/use[1] → /svg/defs[1]/g[1]/path[1]").x1, 26.0);
}

#[test]
fn the_same_id_twice_names_both() {
    let d = Loaded::of(r#"<rect id="a" width="1" height="1"/><g/><circle id="a" r="2"/>"#);
    let tags: Vec<_> = d.drawing.sources.iter().map(|s| (s.name.as_str(), s.tag.as_str())).collect();
    assert_eq!(tags, [("/svg", "svg"), ("a", "rect"), ("/svg/g[1]", "g"), ("a", "circle")]);
}

#[test]
fn no_id_is_taken_for_one_that_an_element_gets() {
    let d = Loaded::of(r#"<rect width="1" height="1"/><circle id="element&#45;999" r="2"/>"#);
    let names: Vec<_> = d.drawing.sources.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["/svg", "/svg/rect[1]", "element-999"]);
}

#[test]
fn a_selector_for_ids_selects_the_same_elements() {
    let d = Loaded::of(
        r#"<style>:not([id]) { stroke: none } rect[id] { fill: none }</style><rect width="1" height="1"/>"#,
    );
    assert_eq!(d.roles("/svg/rect[1]"), [Role::Fill]);
}

#[test]
fn selectors_select_sources() {
    let d = Loaded::of(
        r##"<defs><g id="a" class="x"><path d="M0 0h9v9z"/></g></defs>
           <use href="#a"/><g class="y z"><rect width="1" height="1"/><rect class="x" width="2" height="2"/></g>"##,
    );
    let selected = |selector: &str| {
        let selected = d.drawing.select(&selector.parse().ok()?);
        let sources = d.drawing.sources.iter().zip(selected).filter(|(_, selected)| *selected);
        Some(sources.map(|(source, _)| source.name.as_str()).collect::<Vec<_>>())
    };
    let used = "/svg/use[1] → /svg/defs[1]/g[1]/path[1]";
    for (selector, expected) in [
        ("rect.x", vec!["/svg/g[1]/rect[2]"]),
        ("#a > path", vec![used]),
        ("g.z rect, path", vec![used, "/svg/g[1]/rect[1]", "/svg/g[1]/rect[2]"]),
        ("rect:first-child", vec!["/svg/g[1]/rect[1]"]),
        ("[width='2']", vec!["/svg/g[1]/rect[2]"]),
        ("[d='M0,0'], [class|=x], rect + rect", vec!["/svg/use[1] → /svg/defs[1]/g[1]", "/svg/g[1]/rect[2]"]),
        ("rect ~ rect:not(.y), :is(#a, text)", vec!["/svg/use[1] → /svg/defs[1]/g[1]", "/svg/g[1]/rect[2]"]),
        ("rect:nth-last-child(2), g:has(> rect)", vec!["/svg/g[1]", "/svg/g[1]/rect[1]"]),
        ("text", vec![]),
    ] {
        assert_eq!(selected(selector), Some(expected), "{selector}");
    }
    // Each with its first invalid selector or useless pseudo-class, and the position of that.
    for (invalid, part, position) in [
        ("", "", 1),
        ("rect {", "rect {", 1),
        ("rect }", "rect }", 1),
        ("rect/b", "rect/b", 1),
        (",", ",", 1),
        ("rect, @media", "@media", 7),
        ("g, [class=]", "[class=]", 4),
        ("[class=':foo'], ü > rect:foo.x", "ü > rect:foo.x", 17),
        ("rect:hover", ":hover", 5),
        ("g, rect::before", "rect::before", 4),
        ("[class=':hover'], ü > :not(rect:FOCUS).x", ":FOCUS", 32),
    ] {
        let error = invalid.parse::<Selector>().expect_err(invalid);
        assert_eq!((error.part.as_str(), error.position), (part, position), "{invalid}");
    }
    let error = "rect:foo".parse::<Selector>().expect_err("there is no such pseudo-class").to_string();
    assert!(
        error.starts_with("`rect:foo` at character 1 is not supported. A selector consists of"),
        "{error}"
    );
}

#[test]
fn many_uses_of_an_entity_have_its_position() {
    let entity = r#"<!DOCTYPE svg [<!ENTITY e "é<rect width='1' height='1'/>">]>"#;
    let root = r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">"#;
    let n = 10_000;
    let (uses, indent) = ("&e;<g/>\n".repeat(n), "é".repeat(100));
    let last = r#"<rect width="2" height="2"/>"#;
    let places = places(&format!("{entity}\n{root}{uses}{indent}{last}{last}</svg>"));
    assert_eq!(places.len(), 2 * n + 3);
    let uses = places[1..=2 * n].iter().step_by(2);
    assert!(uses.clone().all(|place| place.contains(" rect 1:29 ")), "{}", places[1]);
    assert!(places[2 * n + 1].contains(" rect 10002:101 "), "{}", places[2 * n + 1]);
    assert!(places[2 * n + 2].contains(" rect 10002:129 "), "{}", places[2 * n + 2]);
}

#[test]
fn children_are_counted_by_their_names() {
    let n = 30_000;
    let others: String = (0..n).map(|i| format!("<n{i}/>")).collect();
    let rect = r#"<rect width="9" height="9"/>"#;
    let found = sources(&format!("{rect}{others}{rect}"));
    let names: Vec<_> = found.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, ["/svg", "/svg/rect[1]", "/svg/rect[2]"]);
}
