//! Edits of drawings, such as an author makes.

use std::ops::Range;

use resvg::usvg::roxmltree::{Document, Node};

/// The elements that paint, or groups of them.
const DRAWN: [&str; 12] =
    ["g", "rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "image", "use", "svg"];

/// The largest number of elements that each edit is made to.
const MAX_TARGETS: usize = 2;

/// An edit of an element: from the text of the drawing and the element to the new text.
type Edit = fn(&str, Node<'_, '_>) -> Option<String>;

/// The edits with the elements that they are made to.
const EDITS: [(&str, &[&str], Edit); 17] = [
    ("move", &DRAWN, |text, node| Some(moved(text, node))),
    ("recolour", &DRAWN, |text, node| Some(styled(text, node, "fill", "#1b9e77"))),
    ("stroke", &DRAWN, |text, node| Some(styled(text, node, "stroke", "#d95f02"))),
    ("delete", &DRAWN, |text, node| Some(replaced(text, node.range(), ""))),
    ("insert", &DRAWN, |text, node| Some(replaced(text, node.range().start..node.range().start, ADDED))),
    ("reorder", &DRAWN, reordered),
    ("wrap", &DRAWN, |text, node| Some(wrapped(text, node, "opacity=\"0.8\""))),
    ("wrap and move", &DRAWN, |text, node| Some(wrapped(text, node, "transform=\"translate(9 2.5)\""))),
    ("opacity", &DRAWN, |text, node| Some(styled(text, node, "opacity", "0.4"))),
    ("blend", &DRAWN, |text, node| Some(styled(text, node, "mix-blend-mode", "difference"))),
    ("clip", &["clipPath", "mask", "pattern", "marker", "symbol"], |text, node| {
        Some(moved(text, node.children().find(Node::is_element)?))
    }),
    ("no effect", &DRAWN, |text, node| {
        let effect = node.attributes().find(|a| ["clip-path", "mask", "filter"].contains(&a.name()))?;
        Some(replaced(text, effect.range_value(), "none"))
    }),
    ("filter", &["filter"], |text, node| {
        let numbers = ["stdDeviation", "dx", "flood-opacity", "radius", "scale"];
        let mut attributes = node.descendants().flat_map(|node| node.attributes());
        let number = attributes.find(|attribute| numbers.contains(&attribute.name()))?;
        Some(replaced(text, number.range_value(), "0.7"))
    }),
    ("stop", &["stop"], |text, node| Some(styled(text, node, "stop-color", "#7570b3"))),
    ("target", &["use"], |text, node| {
        let href = node.attributes().find(|attribute| attribute.name() == "href")?;
        let mut elements =
            node.document().descendants().filter(|node| DRAWN[1..9].contains(&node.tag_name().name()));
        let other =
            elements.find_map(|node| node.attribute("id").filter(|id| !href.value().ends_with(id)))?;
        Some(replaced(text, href.range_value(), &format!("#{other}")))
    }),
    ("rule", &["svg"], |text, node| {
        let start = node.first_child()?.range().start;
        Some(replaced(text, start..start, "<style>rect { fill: #66a61e } path { stroke-width: 5 }</style>"))
    }),
    ("size", &["svg"], |text, node| {
        let width = node.attribute_node("width")?;
        let number: f64 = width.value().trim_end_matches("px").parse().ok()?;
        Some(replaced(text, width.range_value(), &(number * 1.25).to_string()))
    }),
];

const ADDED: &str = r##"<rect x="3.3" y="5" width="31.4" height="17.7" fill="#e7298a" fill-opacity="0.7"/>"##;

/// The edited texts of a drawing, each with the name of its edit.
pub(super) fn edits(text: &str) -> Vec<(&'static str, String)> {
    let document = Document::parse(text).expect("the drawing is XML");
    let mut all = Vec::new();
    for (name, tags, edit) in EDITS {
        let is_target = |node: &Node<'_, '_>| tags.contains(&node.tag_name().name());
        let is_root_or_inside = |node: &Node<'_, '_>| tags == ["svg"] || node.parent_element().is_some();
        let targets: Vec<_> = document.descendants().filter(is_target).filter(is_root_or_inside).collect();
        let every = targets.len().div_ceil(MAX_TARGETS).max(1);
        let edited = targets.into_iter().step_by(every).filter_map(|node| edit(text, node));
        all.extend(edited.map(|edited| (name, edited)));
    }
    all
}

fn replaced(text: &str, range: Range<usize>, new: &str) -> String {
    format!("{}{new}{}", &text[..range.start], &text[range.end..])
}

/// Sets an attribute.
fn set(text: &str, node: Node<'_, '_>, name: &str, value: &str) -> String {
    if let Some(attribute) = node.attributes().find(|attribute| attribute.name() == name) {
        return replaced(text, attribute.range_value(), value);
    }
    let start = node.range().start;
    let tag = text[start..].find([' ', '\n', '\t', '\r', '/', '>']).expect("a tag ends");
    replaced(text, start + tag..start + tag, &format!(" {name}=\"{value}\""))
}

/// Sets a property so that no style sheet overrides it.
fn styled(text: &str, node: Node<'_, '_>, property: &str, value: &str) -> String {
    let before = node.attribute("style").map_or(String::new(), |style| format!("{style};"));
    set(text, node, "style", &format!("{before}{property}:{value}").replace('"', "'"))
}

fn moved(text: &str, node: Node<'_, '_>) -> String {
    let before = node.attribute("transform").unwrap_or_default();
    set(text, node, "transform", &format!("translate(7.3 -4.6) {before}"))
}

/// Swaps the element with the next one.
fn reordered(text: &str, node: Node<'_, '_>) -> Option<String> {
    let next = node.next_sibling_element()?;
    let [own, other] = [node, next].map(|node| &text[node.range()]);
    let between = &text[node.range().end..next.range().start];
    Some(replaced(text, node.range().start..next.range().end, &format!("{other}{between}{own}")))
}

fn wrapped(text: &str, node: Node<'_, '_>, attribute: &str) -> String {
    replaced(text, node.range(), &format!("<g {attribute}>{}</g>", &text[node.range()]))
}
