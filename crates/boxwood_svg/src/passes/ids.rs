//! usvg 0.49 keeps the id of an element on its node, and nothing else that identifies the element.
//!
//! So each element that can have a node gets an id, and of several elements with one id, all but
//! the first get another one: usvg refers to the last of them, browsers to the first. Nothing refers
//! to these ids, and each `g` and `use` has a group in the tree in any case, so the tree is otherwise
//! the same. The contents of an inner `svg` that has no group in the tree get one.

use std::collections::HashSet;

use crate::dom::{Document, Node};
use crate::error::Error;
use crate::passes::Tools;
use crate::xml::GRAPHICS;

/// What the ids start with. No id of the document starts with it, and no reference.
pub(crate) struct Prefix(String);

impl Prefix {
    pub(crate) fn new(document: &Document) -> Self {
        let mut prefix = "element-".to_owned();
        let is_used = |prefix: &str| {
            let mut attributes = document.elements().flat_map(Node::attributes);
            attributes.any(|attribute| attribute.value.contains(prefix))
        };
        while is_used(&prefix) {
            prefix.push('-');
        }
        Self(prefix)
    }

    /// The id for the element with this number.
    pub(crate) fn id(&self, number: u32) -> String {
        format!("{}{number}", self.0)
    }

    /// The id for the group around the contents of the element with this number.
    pub(crate) fn id_of_contents(&self, number: u32) -> String {
        format!("{}{number:010}", self.0)
    }

    /// The number of the element with an id, if it is one of these.
    pub(crate) fn number(&self, id: &str) -> Option<u32> {
        id.strip_prefix(&self.0)?.parse().ok()
    }
}

/// Gives an id of its own to each element that can have a node.
pub(super) fn give(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    let prefix = &tools.ids;
    let mut known: HashSet<String> = HashSet::new();
    for id in document.element_ids() {
        let node = document.node(id);
        let Some(number) = node.number() else { continue };
        let own = node.attribute("id").filter(|own| !own.is_empty());
        let has_contents = own.is_some() && is_viewport_without_group(node) && node.first_child().is_some();
        let is_first = own.map(|own| known.insert(own.to_owned()));
        if is_first == Some(false) || (is_first.is_none() && can_have_node(node)) {
            document.set_attribute(id, "id", prefix.id(number));
        }
        if has_contents {
            document.wrap_contents(id, &[("id", &prefix.id_of_contents(number))]);
        }
    }
    Ok(())
}

fn can_have_node(node: Node<'_>) -> bool {
    let tag = node.tag();
    GRAPHICS.contains(&tag) && (tag != "a" || !node.ancestors().any(|around| around.has_tag("text")))
}

/// Whether usvg has no group for an inner `svg`: it has one only to clip to the viewport.
pub(crate) fn is_viewport_without_group(node: Node<'_>) -> bool {
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
        let text = "<svg><g id='a'/><defs><rect id='a'/></defs><text class='element-'><tspan/></text>
            <svg id='v' width='9'><path/></svg><svg id='w'/><svg id='x' width='9' height='9'><g/></svg></svg>";
        let expected = "<g id=\"a\"/><defs><rect id=\"element--3\"/></defs><text id=\"element--4\"><tspan/></text>
            <svg id=\"v\" width=\"9\"><g id=\"element--0000000006\"><path id=\"element--7\"/></g></svg><svg id=\"w\"/>\
<svg id=\"x\" width=\"9\" height=\"9\"><g id=\"element--10\"/></svg>";
        assert_eq!(contents_after(give, text), expected);
    }
}
