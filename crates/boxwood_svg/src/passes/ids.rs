//! usvg 0.49 keeps the id of an element on its node, and nothing else that identifies the element.
//!
//! So each element that can have a node gets an id, and of several elements with one id, all but
//! the first get another one: usvg refers to the last of them, browsers to the first. Nothing
//! refers to these ids, and each group has a node in the tree in any case, so the tree is otherwise
//! the same. Two kinds of elements get a group with the id:
//!
//! - A shape that may have markers: its markers are nodes beside its own, and usvg drops its id if
//!   they are painted between its fill and its stroke.
//! - The contents of an inner `svg` that does not clip, for which usvg has no group.
//!
//! usvg's group for the effects of an inner `svg` has no id. The contents get a group without one,
//! so that the effects are not taken for those of a single shape in it.

use std::collections::HashSet;

use crate::dom::{Document, Node, NodeId};
use crate::error::Error;
use crate::passes::Tools;
use crate::passes::zero_viewports::hidden_contents;
use crate::xml::{DEFINITIONS, EFFECTS, GRAPHICS, SHAPES, is_in_text};

/// The properties for markers.
const MARKERS: [&str; 4] = ["marker", "marker-end", "marker-mid", "marker-start"];

/// The attributes of a shape with markers that its group gets: the space inside of the group is the
/// user space of the shape, and both are composited as a whole.
const OF_GROUP: [&str; 4] = ["isolation", "mix-blend-mode", "opacity", "transform"];

/// What the ids start with. No id of the document contains it, and no reference.
pub(crate) struct Prefix(String);

impl Prefix {
    pub(crate) fn new(document: &Document) -> Self {
        const NAME: &str = "element";
        let n_dashes = |text: &str| text.bytes().take_while(|byte| *byte == b'-').count();
        let attributes = document.elements().flat_map(Node::attributes);
        // Path data is long, and neither an id nor a reference.
        let values = attributes.filter(|attribute| attribute.name != "d").map(|attribute| attribute.value);
        let most = values.flat_map(|value| value.split(NAME).skip(1)).map(n_dashes).max();
        Self(format!("{NAME}{}", "-".repeat(most.unwrap_or_default() + 1)))
    }

    /// The id for a node.
    pub(crate) fn id(&self, node: NodeId) -> String {
        format!("{}{}", self.0, node.to_raw())
    }

    /// The node with an id, if it is one of these.
    pub(crate) fn node(&self, id: &str) -> Option<NodeId> {
        NodeId::from_raw(id.strip_prefix(&self.0)?.parse().ok()?)
    }
}

/// Gives an id of its own to each element that can have a node.
pub(super) fn give(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    let has_markers = document.elements().any(|node| node.has_tag("marker"));
    let mut known: HashSet<String> = HashSet::new();
    for id in document.element_ids() {
        let node = document.node(id);
        let own_id = tools.ids.id(id);
        if node.number().is_none() {
            // usvg's node for it must not be taken for that of an element in it.
            if matches!(node.tag(), "g" | "svg") && !node.has_attribute("id") {
                document.set_attribute(id, "id", own_id);
            }
            continue;
        }
        let known_id = node.attribute("id").filter(|known| !known.is_empty());
        let is_other = known_id.is_some_and(|known_id| !known.insert(known_id.to_owned()));
        if has_markers && may_have_markers(node) {
            let group = document.wrap(id, &[("id", &own_id)]);
            if is_other {
                document.remove_attribute(id, "id");
            }
            if has_no_paint(document.node(id)) {
                // usvg draws neither part of a path with markers between the parts, and then has no
                // node for it.
                document.set_attribute(id, "paint-order", "normal");
            }
            OF_GROUP.iter().for_each(|name| document.move_attribute(id, group, name));
        } else if let Some(contents) = hidden_contents(node) {
            document.set_attribute(contents, "id", own_id);
        } else if is_viewport_without_group(node) {
            document.wrap_contents(id, &[("id", &own_id)]);
        } else {
            let is_viewport = node.has_tag("svg") && node.parent_element().is_some();
            let has_effects = is_viewport && EFFECTS.iter().any(|name| node.declared(name).is_some());
            if is_other || (known_id.is_none() && can_have_node(node)) {
                document.set_attribute(id, "id", own_id);
            }
            if has_effects {
                document.wrap_contents(id, &[]);
            }
        }
    }
    Ok(())
}

fn can_have_node(node: Node<'_>) -> bool {
    let tag = node.tag();
    GRAPHICS.contains(&tag) && (tag != "a" || !is_in_text(node))
}

/// Whether an element is a shape with markers that is drawn where it is. usvg has markers of all
/// shapes.
fn may_have_markers(node: Node<'_>) -> bool {
    let has_marker = |property| node.inherited(property).is_some_and(|value| value.contains('('));
    SHAPES.contains(&node.tag())
        && MARKERS.into_iter().any(has_marker)
        && !node.ancestors().any(|around| DEFINITIONS.contains(&around.tag()))
}

fn has_no_paint(node: Node<'_>) -> bool {
    let is_none = |property: &str, initial: &str| node.inherited(property).unwrap_or(initial) == "none";
    is_none("fill", "black") && is_none("stroke", "none")
}

/// Whether usvg has no group for an inner `svg`: it has one only to clip to the viewport.
fn is_viewport_without_group(node: Node<'_>) -> bool {
    let clips = || {
        let has_size = node.has_attribute("width") && node.has_attribute("height");
        has_size && !matches!(node.attribute("overflow"), Some("visible" | "auto"))
    };
    node.has_tag("svg") && node.parent_element().is_some() && !clips()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::contents_after;

    #[test]
    fn each_element_with_a_node_gets_an_id_of_its_own() {
        let text = "<svg><g id='a'/><defs><rect id='a'/></defs><text class='element-'><tspan/></text>\
<svg id='v' width='9'><path/></svg><svg id='x' width='9' height='9' opacity='0.5'><g/></svg><marker/>\
<g marker-end='url(#m)'><path id='p' transform='scale(2)'/><rect/></g></svg>";
        let expected = "<g id=\"a\"/><defs><rect id=\"element--5\"/></defs><text id=\"element--6\"><tspan/></text>\
<svg id=\"v\" width=\"9\"><g id=\"element--8\"><path id=\"element--9\"/></g></svg>\
<svg id=\"x\" width=\"9\" height=\"9\" opacity=\"0.5\"><g><g id=\"element--11\"/></g></svg><marker/>\
<g marker-end=\"url(#m)\" id=\"element--13\"><g id=\"element--14\" transform=\"scale(2)\"><path id=\"p\"/></g><g id=\"element--15\"><rect/></g></g>";
        assert_eq!(contents_after(give, text), expected);
    }
}
