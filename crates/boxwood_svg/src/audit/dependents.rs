//! What depends on an element, apart from what it paints. If something does, the picture may change
//! without the element, although no pixel of it is visible.

use std::collections::HashMap;

use crate::dom::Node;

use crate::audit::changes::style_sheets;
use crate::drawing::Drawing;

/// An effect that can be relative to the bounding box of its group.
struct Effect {
    property: &'static str,
    /// The element that the property refers to.
    tag: &'static str,
    /// The attributes of that element for units, and whether they are those of the user space by
    /// default.
    units: &'static [(&'static str, bool)],
}

const EFFECTS: [Effect; 3] = [
    Effect { property: "clip-path", tag: "clipPath", units: &[("clipPathUnits", true)] },
    Effect { property: "mask", tag: "mask", units: &[("maskUnits", false), ("maskContentUnits", true)] },
    Effect { property: "filter", tag: "filter", units: &[("filterUnits", false), ("primitiveUnits", true)] },
];

/// Parts of selectors that depend on the siblings or on the contents of an element.
const STRUCTURAL: [&str; 8] = ["+", "~", ":first-", ":last-", ":only-", ":nth-", ":empty", ":has("];

/// The values of `transform-box` that are relative to the bounding box of a group.
const BOXES_OF_TRANSFORMS: [&str; 4] = ["fill-box", "stroke-box", "content-box", "border-box"];

/// What depends on the elements of a drawing.
pub(super) struct Dependents {
    /// Whether each element of the document is from an entity, whose text may be there for several
    /// elements.
    is_from_entity: Vec<bool>,
    /// Whether each element is a child of a `switch`, which would select another one.
    is_in_switch: Vec<bool>,
    /// Whether an effect around each element may be relative to a bounding box that it is a part
    /// of.
    is_in_relative_effect: Vec<bool>,
    /// Whether a selector may match other elements if one is missing.
    has_structural_selector: bool,
    /// Whether the canvas is as large as the contents of the drawing.
    has_size_of_contents: bool,
}

impl Dependents {
    /// What depends on the elements of a drawing, which are given with the cascade resolved.
    pub(super) fn new(drawing: &Drawing, styled: &[Node<'_>]) -> Self {
        let (original, css) = (drawing.original(), style_sheets(drawing));
        let root_start = original.root_element().start();
        let starts = original.elements().map(Node::start);
        let is_in_switch =
            |node: &Node<'_>| node.parent_element().is_some_and(|around| around.has_tag("switch"));
        let is_structural = |selector: &str| STRUCTURAL.iter().any(|part| selector.contains(part));
        Self {
            is_from_entity: starts.map(|start| start < root_start).collect(),
            is_in_switch: styled.iter().map(is_in_switch).collect(),
            is_in_relative_effect: in_relative_effects(styled, &css),
            has_structural_selector: selectors(&css).any(|selector| is_structural(&selector)),
            has_size_of_contents: has_size_of_contents(drawing),
        }
    }

    /// Whether the text of an element may be that of several elements.
    pub(super) fn is_from_entity(&self, element: u32) -> bool {
        self.is_from_entity[element as usize]
    }

    /// Whether the picture may change without an element that is not visible. `has_box` is whether
    /// it may be a part of the bounding boxes around it.
    pub(super) fn may_need(&self, element: u32, has_box: bool) -> bool {
        let index = element as usize;
        self.has_structural_selector
            || self.is_in_switch[index]
            || (has_box && (self.has_size_of_contents || self.is_in_relative_effect[index]))
    }
}

/// Whether an element around each element has an effect that may be relative to its bounding box.
fn in_relative_effects(styled: &[Node<'_>], css: &str) -> Vec<bool> {
    let is_box = |text: &str| BOXES_OF_TRANSFORMS.iter().any(|word| text.contains(word));
    if is_box(css) || styled.iter().any(|node| node.attributes().any(|a| is_box(a.value))) {
        return vec![true; styled.len()];
    }
    let mut by_id = HashMap::new();
    for node in styled {
        if let Some(id) = node.attribute("id") {
            by_id.entry(id).or_insert(*node);
        }
    }
    let (mut all, mut open): (Vec<bool>, Vec<(Node<'_>, bool)>) = (Vec::new(), Vec::new());
    for node in styled {
        while open.last().is_some_and(|(around, _)| Some(*around) != node.parent_element()) {
            open.pop();
        }
        let is_inside = open.last().is_some_and(|(_, is_relative)| *is_relative);
        all.push(is_inside);
        let is_relative = is_inside || EFFECTS.iter().any(|effect| effect.is_relative(*node, &by_id));
        open.push((*node, is_relative));
    }
    all
}

impl Effect {
    /// Whether an element has this effect, and it may be relative to its bounding box.
    fn is_relative(&self, node: Node<'_>, by_id: &HashMap<&str, Node<'_>>) -> bool {
        let Some(value) = node.attribute(self.property).filter(|value| *value != "none") else {
            return false;
        };
        let url = value.strip_prefix("url(").and_then(|rest| rest.strip_suffix(')'));
        let id = url.and_then(|url| url.trim().trim_matches(['"', '\'']).strip_prefix('#'));
        let is_in_user_space = |target: &Node<'_>| {
            let is_user_space = |(name, is_default): &(&str, bool)| match target.attribute(name) {
                Some(units) => units == "userSpaceOnUse",
                None => *is_default,
            };
            target.tag() == self.tag
                && self.units.iter().all(is_user_space)
                // An effect on the effect is relative to the same box.
                && target.attribute(self.property).is_none()
        };
        !id.and_then(|id| by_id.get(id)).is_some_and(is_in_user_space)
    }
}

/// The selectors of a style sheet, roughly: the texts outside of braces and in front of one.
fn selectors(css: &str) -> impl Iterator<Item = String> {
    css.split('{').map(|text| {
        let selector = text.rsplit(['}', ';']).next().unwrap_or_default();
        selector.replace("~=", "")
    })
}

/// Whether usvg makes the canvas as large as the contents: the root has no `viewBox`, and a width
/// or height that is missing or a percentage.
fn has_size_of_contents(drawing: &Drawing) -> bool {
    let root = drawing.styled.root_element();
    let is_relative = |name: &&str| root.declared(name).is_none_or(|length| length.ends_with('%'));
    drawing.view_box().is_none() && ["width", "height"].iter().any(is_relative)
}

#[cfg(test)]
mod tests {
    use crate::dom::Document;

    use super::*;

    #[test]
    fn selectors_are_in_front_of_braces() {
        let css = "a > b, [c~='d'] { e: f + g } @media x { h + i { j: k; } l { m: n } }";
        let found: Vec<_> = selectors(css).map(|selector| selector.trim().to_owned()).collect();
        assert_eq!(found, ["a > b, [c'd']", "@media x", "h + i", "l", ""]);
    }

    #[test]
    fn effects_are_relative_to_boxes_unless_all_units_are_those_of_the_user_space() {
        let text = r##"<svg><clipPath id="c"/><clipPath id="o" clipPathUnits="objectBoundingBox"/>
            <mask id="m"/><clipPath id="cc" clip-path="url(#o)"/>
            <filter id="f" filterUnits="userSpaceOnUse"/>
            <g clip-path="url(#c)"><a/></g><g filter="url('#f')"><a/></g><g mask="none"><a/></g>
            <g clip-path="url(#o)"><a/></g><g mask="url(#m)"><a/></g><g clip-path="url(#cc)"><a/></g>
            <g filter="blur(2px)"><b><a/></b></g><g clip-path="url(#x)"><a/></g><a/></svg>"##;
        let document = Document::parse(text).expect("it is XML");
        let nodes: Vec<_> = document.elements().collect();
        let all = nodes.iter().zip(in_relative_effects(&nodes, ""));
        let found: Vec<_> = all.filter(|(node, _)| node.has_tag("a")).map(|(_, is)| is).collect();
        assert_eq!(found, [false, false, false, true, true, true, true, true, false]);
        let css = "g { transform-box: fill-box }";
        assert!(in_relative_effects(&nodes, css).iter().all(|is_inside| *is_inside));
    }
}
