//! The ids of a document that no source has.

use std::fmt;

use usvg::roxmltree::{Document, Node};

use crate::read::elements::{clips, declared};
use crate::xml::DEFINITIONS;

/// An id of the document that no [`Source`](crate::Source) has, because usvg keeps no node for its
/// element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlistedId {
    /// The id.
    pub id: String,
    /// The name of the element that has it.
    pub element: String,
    /// Why usvg keeps no node for the element.
    pub reason: UnlistedReason,
}

/// Why an SVG element is not a [`Source`](crate::Source).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnlistedReason {
    /// It is a definition, or inside of one. It is drawn where something refers to it, and without
    /// its ids.
    Definition {
        /// The name of the innermost definition, such as `defs` or `clipPath`.
        within: String,
    },
    /// It is part of a text, which is one source.
    Text {
        /// The id of the text, empty if it has none.
        text: String,
    },
    /// It is a `switch`. The child that it selects is drawn in its place.
    Switch,
    /// It is an inner `svg` that does not clip. Its contents are drawn without it.
    Unclipped,
    /// It is not drawn.
    Undrawn,
}

/// Says which element has the id, and what to ask for instead.
impl fmt::Display for UnlistedId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it belongs to a <{}>", self.element)?;
        match &self.reason {
            UnlistedReason::Definition { within } if *within == self.element => {
                f.write_str(", which is drawn only where something refers to it, and without its id")
            }
            UnlistedReason::Definition { within } => write!(
                f,
                " in a <{within}>, whose contents are drawn only where something refers to them, and without their ids"
            ),
            UnlistedReason::Text { text } if text.is_empty() => {
                f.write_str(", which is part of a text without an id: ask for the path of the text")
            }
            UnlistedReason::Text { text } => {
                write!(f, ", which is part of the text `{text}`: ask for the text")
            }
            UnlistedReason::Switch => f.write_str(", which is replaced by one of its children: ask for that"),
            UnlistedReason::Unclipped => {
                f.write_str(", which does not clip and is replaced by its contents: ask for those")
            }
            UnlistedReason::Undrawn => f.write_str(
                ", which is not drawn: it, or an element around it, has `display: none`, no contents, no size, or an invalid \
                 effect, or is not selected by a <switch>",
            ),
        }
    }
}

/// Every id of a document, with the reason why its element would not be a source.
pub(crate) fn ids(document: &Document<'_>) -> Vec<UnlistedId> {
    let with_id = |node: Node<'_, '_>| {
        let id = node.attribute("id").filter(|id| !id.is_empty() && node.is_element())?;
        let element = node.tag_name().name().to_owned();
        Some(UnlistedId { id: id.to_owned(), element, reason: reason(node) })
    };
    document.descendants().filter_map(with_id).collect()
}

fn reason(node: Node<'_, '_>) -> UnlistedReason {
    let name = |node: Node<'_, '_>| node.tag_name().name().to_owned();
    if let Some(within) = node.ancestors().find(|node| DEFINITIONS.contains(&node.tag_name().name())) {
        return UnlistedReason::Definition { within: name(within) };
    }
    if let Some(text) = node.ancestors().skip(1).find(|node| node.tag_name().name() == "text") {
        return UnlistedReason::Text { text: text.attribute("id").unwrap_or_default().to_owned() };
    }
    match node.tag_name().name() {
        "switch" => UnlistedReason::Switch,
        "svg" if !clips(node) && node.has_children() && is_displayed(node) => UnlistedReason::Unclipped,
        _ => UnlistedReason::Undrawn,
    }
}

fn is_displayed(node: Node<'_, '_>) -> bool {
    node.ancestors().all(|node| declared(node, "display") != Some("none"))
}
