//! Without a font, usvg leaves texts out, so a clip path or mask of texts would hide everything.
//!
//! What such an effect lets through is not known then. So it is removed: the boxes inside of it may
//! be too large, and a warning says so.

use std::collections::HashSet;

use crate::dom::{Document, Node};
use crate::error::Error;
use crate::passes::Tools;
use crate::warnings::WarningKind;

/// The attributes that refer to clip paths and masks.
const EFFECTS: [&str; 2] = ["clip-path", "mask"];

/// Removes the clip paths and masks with texts if there is no font.
pub(super) fn remove_effects(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    if tools.has_fonts {
        return Ok(());
    }
    let mut unknown = HashSet::new();
    for effect in document.elements().filter(|node| matches!(node.tag(), "clipPath" | "mask")) {
        if let (Some(id), Some(text)) =
            (effect.attribute("id"), effect.descendants().find(is_text_with_characters))
        {
            tools.warnings.add(WarningKind::NoFont, || text.name_or_place());
            unknown.insert(format!("url(#{id})"));
        }
    }
    let references = document.elements().flat_map(|node| EFFECTS.map(|name| (node, name)));
    let removed =
        references.filter(|(node, name)| node.attribute(name).is_some_and(|value| unknown.contains(value)));
    let removed: Vec<_> = removed.map(|(node, name)| (node.id(), name)).collect();
    let numbers = removed.iter().filter_map(|(node, _)| document.node(*node).number());
    tools.unknown_ink.borrow_mut().extend(numbers.map(|number| (number, WarningKind::NoFont)));
    removed.into_iter().for_each(|(node, name)| document.remove_attribute(node, name));
    Ok(())
}

/// Whether an element is a text with characters other than white space.
pub(crate) fn is_text_with_characters(node: &Node<'_>) -> bool {
    node.has_tag("text") && has_characters(*node)
}

/// Whether an element contains a character other than white space.
pub(crate) fn has_characters(node: Node<'_>) -> bool {
    node.descendants().any(|inner| inner.text().is_some_and(|text| !text.trim().is_empty()))
}
