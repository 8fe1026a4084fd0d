//! Which SVG element an element of the scene comes from.

use boxwood_svg::{Role, SourceKind};

use crate::drawing::Drawing;

/// Name, whether it is an id, and kind of each source.
fn sources(body: &str) -> Vec<(String, bool, SourceKind)> {
    let d = Drawing::of(body);
    d.scene.sources.iter().map(|s| (s.name.clone(), s.has_id, s.kind)).collect()
}

#[test]
fn elements_without_an_id_have_the_path_to_them() {
    let named = sources(
        r#"<rect width="9" height="9"/>
           <g><rect width="9" height="9"/></g>
           <g id="layer" opacity=".5"><rect width="9" height="9"/><rect id="named" width="9" height="9"/>
             <g opacity=".5"><text y="9">t</text></g></g>"#,
    );
    let expected = [
        ("/", false, SourceKind::Svg),
        ("/path[1]", false, SourceKind::Path),
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
    let d = Drawing::whole(br#"<svg xmlns="http://www.w3.org/2000/svg" id="root" width="9" height="9"/>"#);
    assert_eq!((d.scene.sources[0].name.as_str(), d.scene.sources[0].kind), ("root", SourceKind::Svg));
    assert_eq!(d.scene.elements.len(), 2);
}

#[test]
fn fill_and_stroke_are_two_leaves_of_one_element_in_paint_order() {
    let d = Drawing::of(
        r#"<rect id="a" width="9" height="9" stroke="red"/>
           <rect id="b" width="9" height="9" stroke="red" paint-order="stroke"/>"#,
    );
    assert_eq!(d.roles("a"), [Role::Fill, Role::Stroke]);
    assert_eq!(d.roles("b"), [Role::Stroke, Role::Fill]);
    assert_eq!(d.scene.sources.len(), 3);
}

#[test]
fn glyphs_belong_to_their_text() {
    let d = Drawing::of(
        r#"<text id="t" y="50">one <tspan fill="red" text-decoration="underline">two</tspan></text>"#,
    );
    assert!(d.roles("t").len() >= 3, "two spans and a line: {:?}", d.roles("t"));
    assert_eq!(d.scene.sources.len(), 2);
}

#[test]
fn images_keep_the_id_of_their_element() {
    let d =
        Drawing::whole(boxwood_assets::SAMPLES.iter().find(|s| s.0 == "image.svg").expect("it is there").1);
    for id in ["pixels", "turned-pixels", "drawing"] {
        let source = d.scene.sources.iter().find(|s| s.name == id).expect("the image has its id");
        assert_eq!(source.kind, SourceKind::Image, "{id}");
    }
}

#[test]
fn groups_that_do_nothing_are_no_element() {
    let d = Drawing::of(r#"<g id="g" transform="scale(2)"><rect id="r" width="9" height="9"/></g>"#);
    assert_eq!(d.roles("g"), []);
    assert_eq!(d.scene.elements.len(), 3);
}
