//! Elements that have the id of another element.

use boxwood_svg::{Include, Space};
use kurbo::Rect;

use crate::loaded::Loaded;

/// The name, the path and the width of each source of a drawing, except for the root.
fn named(body: &str) -> Vec<(String, String, f64)> {
    let drawing = Loaded::of(body).drawing;
    let fill = Include { fill: true, stroke: false, markers: false, clipped: false };
    let boxes = drawing.object_boxes(fill, Space::Scene);
    let sources = drawing.sources.iter().zip(boxes).skip(1);
    let width = |bounds: Option<Rect>| bounds.map_or(0.0, |bounds| bounds.width());
    sources.map(|(source, bounds)| (source.name.clone(), source.path.clone(), width(bounds))).collect()
}

#[test]
fn each_of_several_elements_with_an_id_has_it() {
    let found =
        named(r#"<rect id="r" width="9" height="9"/><g id="r"><rect id="r" width="5" height="5"/></g>"#);
    let expected = [("r", "/svg/rect[1]", 9.0), ("r", "/svg/g[1]", 5.0), ("r", "/svg/g[1]/rect[1]", 5.0)];
    assert_eq!(found, expected.map(|(name, path, width)| (name.to_owned(), path.to_owned(), width)));
}

#[test]
fn a_reference_is_one_to_the_first_element_with_the_id() {
    let found = named(
        r##"<defs><rect id="r" width="9" height="9"/><rect id="r" width="5" height="5"/></defs>
           <use id="u" href="#r"/>"##,
    );
    assert_eq!((found[0].0.as_str(), found[0].2), ("u", 9.0));
    assert_eq!(found[1].1, "/svg/use[1] → /svg/defs[1]/rect[1]");
}

#[test]
fn a_style_rule_for_an_id_applies_to_all_elements_that_have_it() {
    let sheet = "<style>#r { stroke: red; stroke-width: 4 }</style>";
    let rects = r#"<rect id="r" width="9" height="9"/><rect id="r" y="20" width="9" height="9"/>"#;
    let [plain, styled] = [rects.to_owned(), format!("{sheet}{rects}")].map(|body| Loaded::of(&body).drawing);
    assert_eq!(styled.elements.len(), plain.elements.len() + 2, "both have a stroke");
}
