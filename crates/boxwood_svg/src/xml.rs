//! The elements and lengths of SVG.

use svgtypes::LengthUnit;

use crate::dom::Node;

/// The elements whose contents are drawn only where something refers to them.
pub(crate) const DEFINITIONS: [&str; 9] =
    ["defs", "symbol", "clipPath", "mask", "pattern", "marker", "filter", "linearGradient", "radialGradient"];

/// The elements that draw something, or contain elements that do.
pub(crate) const GRAPHICS: [&str; 14] = [
    "a", "circle", "ellipse", "g", "image", "line", "path", "polygon", "polyline", "rect", "svg", "switch",
    "text", "use",
];

/// The elements that are filled and stroked, except texts.
pub(crate) const SHAPES: [&str; 7] = ["circle", "ellipse", "line", "path", "polygon", "polyline", "rect"];

/// The elements that can have markers.
pub(crate) const MARKED: [&str; 4] = ["line", "path", "polygon", "polyline"];

/// The properties for markers, which are inherited.
pub(crate) const MARKERS: [&str; 4] = ["marker", "marker-start", "marker-mid", "marker-end"];

/// The elements that change other elements while a browser shows the drawing.
pub(crate) const ANIMATIONS: [&str; 5] =
    ["animate", "animateColor", "animateMotion", "animateTransform", "set"];

/// The properties for which usvg makes a group.
pub(crate) const EFFECTS: [&str; 6] =
    ["clip-path", "filter", "isolation", "mask", "mix-blend-mode", "opacity"];

/// The properties for geometry, and the elements that they apply to.
pub(crate) const GEOMETRY: [(&str, &[&str]); 10] = [
    ("x", &["foreignObject", "image", "rect", "svg", "use"]),
    ("y", &["foreignObject", "image", "rect", "svg", "use"]),
    ("width", &["foreignObject", "image", "rect", "svg", "use"]),
    ("height", &["foreignObject", "image", "rect", "svg", "use"]),
    ("cx", &["circle", "ellipse"]),
    ("cy", &["circle", "ellipse"]),
    ("r", &["circle"]),
    ("rx", &["ellipse", "rect"]),
    ("ry", &["ellipse", "rect"]),
    ("d", &["path"]),
];

/// The languages that usvg prefers by default.
const LANGUAGES: [&str; 1] = ["en"];

/// The elements that are parts of a text.
pub(crate) const TEXT_PARTS: [&str; 4] = ["a", "textPath", "tref", "tspan"];

/// Whether the conditional attributes of an element are met, and the `switch` around it selects it.
pub(crate) fn is_selected(node: Node<'_>) -> bool {
    let switch = node.parent_element().filter(|parent| parent.has_tag("switch"));
    meets_conditions(node) && switch.is_none_or(|switch| selected_child(switch) == Some(node))
}

/// The child that a `switch` selects. As in browsers, this may be a `foreignObject`.
pub(crate) fn selected_child<'a>(switch: Node<'a>) -> Option<Node<'a>> {
    switch.children().find(|child| {
        let tag = child.tag();
        let can_be_selected = GRAPHICS.contains(&tag) || DEFINITIONS.contains(&tag) || tag == "foreignObject";
        can_be_selected && meets_conditions(*child)
    })
}

/// Whether browsers take the conditional attributes of an element as met.
fn meets_conditions(node: Node<'_>) -> bool {
    let is_preferred = |language: &str| {
        let language = language.trim();
        LANGUAGES.contains(&language)
            || language.split_once('-').is_some_and(|(prefix, _)| LANGUAGES.contains(&prefix))
    };
    let languages = node.attribute("systemLanguage");
    let extensions = node.attribute("requiredExtensions");
    let is_met = extensions.is_none_or(meets_extensions)
        && languages.is_none_or(|languages| languages.split(',').any(is_preferred));
    is_met || node == node.document().root_element()
}

/// Whether an element is a text or in one.
pub(crate) fn is_in_text(node: Node<'_>) -> bool {
    node.ancestors().any(|around| around.has_tag("text"))
}

/// Whether browsers have all of a list of extensions. They have none of an empty list.
pub(crate) fn meets_extensions(list: &str) -> bool {
    const KNOWN: [&str; 2] = ["http://www.w3.org/1998/Math/MathML", "http://www.w3.org/1999/xhtml"];
    let mut extensions = list.split_ascii_whitespace().peekable();
    extensions.peek().is_some() && extensions.all(|extension| KNOWN.contains(&extension))
}

/// The number of user units in a unit of length, `None` if it depends on a font or a viewport.
pub(crate) const fn user_units(unit: LengthUnit) -> Option<f64> {
    match unit {
        LengthUnit::None | LengthUnit::Px => Some(1.0),
        LengthUnit::In => Some(96.0),
        LengthUnit::Cm => Some(96.0 / 2.54),
        LengthUnit::Mm => Some(96.0 / 25.4),
        LengthUnit::Pt => Some(96.0 / 72.0),
        LengthUnit::Pc => Some(96.0 / 6.0),
        LengthUnit::Em | LengthUnit::Ex | LengthUnit::Percent => None,
    }
}
