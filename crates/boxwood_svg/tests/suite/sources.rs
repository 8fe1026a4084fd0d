//! The SVG elements that elements come from.

use boxwood_svg::{Role, Source, SourceKind, UnlistedReason};

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
        ("/", false, SourceKind::Svg),
        ("/path[1]", false, SourceKind::Path),
        ("/g[1]", false, SourceKind::Group),
        ("/g[1]/path[1]", false, SourceKind::Path),
        ("layer", true, SourceKind::Group),
        ("/g[2]/path[1]", false, SourceKind::Path),
        ("named", true, SourceKind::Path),
        ("/g[2]/g[1]", false, SourceKind::Group),
        ("/g[2]/g[1]/text[1]", false, SourceKind::Text),
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
    assert_eq!(d.drawing.sources.len(), 2);
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
        ("/", SourceKind::Svg, None),
        ("layer", SourceKind::Group, Some("/")),
        ("/g[1]/g[1]", SourceKind::Group, Some("layer")),
        ("/g[1]/g[1]/g[1]", SourceKind::Group, Some("/g[1]/g[1]")),
        ("a", SourceKind::Path, Some("/g[1]/g[1]/g[1]")),
        ("inner", SourceKind::Group, Some("layer")),
        ("t", SourceKind::Text, Some("inner")),
        ("b", SourceKind::Path, Some("/")),
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
fn invisible_elements_with_an_id_are_sources() {
    let d = Loaded::of(
        r#"<g id="empty"/>
           <g><rect fill="none" width="9" height="9"/></g>
           <g opacity="0"><g id="unseen"><rect id="r" width="9" height="9"/></g></g>
           <g id="far" transform="scale(1e30)"><g id="farther" transform="scale(1e30)"><g id="farthest"/></g></g>"#,
    );
    let expected = [
        ("/", SourceKind::Svg, None),
        ("empty", SourceKind::Group, Some("/")),
        ("/g[3]", SourceKind::Group, Some("/")),
        ("unseen", SourceKind::Group, Some("/g[3]")),
        ("r", SourceKind::Path, Some("unseen")),
        ("far", SourceKind::Group, Some("/")),
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
        r#"<g clip-path="url(#c)" opacity=".5"><rect id="r" width="90" height="90"/></g>"#,
        r#"<rect id="r" width="45" height="45" transform="scale(2)" clip-path="url(#c)" opacity=".5"/>"#,
    ] {
        let d = Loaded::of(&format!("{EFFECTS}{shape}"));
        assert_eq!(d.roles("r"), [Role::ClipBlend, Role::Fill], "{shape}");
        let expected = [("/", SourceKind::Svg, None), ("r", SourceKind::Path, Some("/"))];
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
    assert_eq!(group_of(&format!(r#"<g clip-path="url(#c)">{rect}<path d="M0 0h9v9z"/></g>"#)), "/g[1]");
    assert_eq!(group_of(&format!(r#"<g clip-path="url(#c)"><g>{rect}</g></g>"#)), "/g[1]");
    let unnamed = Loaded::of(r#"<rect width="9" height="9" opacity=".5"/>"#);
    assert_eq!(unnamed.roles("/g[1]"), [Role::Blend]);
    assert_eq!(unnamed.roles("/g[1]/path[1]"), [Role::Fill]);
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
        let expected = [("/", SourceKind::Svg, None), ("i", SourceKind::Image, Some("/"))];
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
        assert_eq!(d.roles("/g[1]/g[1]/image[1]"), [Role::Clip, Role::Fill], "{before}");
        let kinds: Vec<_> = d.drawing.sources.iter().map(|s| s.kind).collect();
        assert_eq!(kinds, [SourceKind::Svg, SourceKind::Group, SourceKind::Group, SourceKind::Image]);
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

#[test]
fn unlisted_ids_have_a_reason() {
    let d = Loaded::of(
        r##"<defs><g id="defined"><rect id="in-defs" width="5" height="5"/></g></defs>
           <symbol id="symbol"><rect id="in-symbol" width="9" height="9"/></symbol>
           <use id="use" href="#symbol"/><use href="#defined"/>
           <text id="text" y="50">a<tspan id="span">b</tspan></text><text y="50"><tspan id="other">b</tspan></text>
           <switch id="switch"><rect id="picked" width="9" height="9"/><rect id="passed" width="9" height="9"/></switch>
           <rect id="hidden" display="none" width="9" height="9"/><rect id="flat" width="9"/>
           <svg id="open" overflow="visible" width="9" height="9"><rect width="9" height="9"/></svg>
           <svg id="unsized" style="overflow: hidden"><rect width="9" height="9"/></svg><svg id="empty" width="9"/>
           <g display="none"><svg id="lost"><rect width="9" height="9"/></svg></g>"##,
    );
    let found: Vec<_> = d.drawing.unlisted_ids.iter().map(|a| (a.id.as_str(), a.reason.clone())).collect();
    let within = |within: &str| UnlistedReason::Definition { within: within.to_owned() };
    let text = |text: &str| UnlistedReason::Text { text: text.to_owned() };
    let expected = [
        ("defined", within("defs")),
        ("in-defs", within("defs")),
        ("symbol", within("symbol")),
        ("in-symbol", within("symbol")),
        ("span", text("text")),
        ("other", text("")),
        ("switch", UnlistedReason::Switch),
        ("passed", UnlistedReason::Undrawn),
        ("hidden", UnlistedReason::Undrawn),
        ("flat", UnlistedReason::Undrawn),
        ("open", UnlistedReason::Unclipped),
        ("unsized", UnlistedReason::Unclipped),
        ("empty", UnlistedReason::Undrawn),
        ("lost", UnlistedReason::Undrawn),
    ];
    assert_eq!(found, expected);
    let message = d.drawing.unlisted_ids[4].to_string();
    assert_eq!(message, "it belongs to a <tspan>, which is part of the text `text`: ask for the text");
}
