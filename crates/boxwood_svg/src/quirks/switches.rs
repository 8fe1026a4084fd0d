//! usvg 0.49 keeps no node for a `switch` without effects, and ignores its transform in some boxes.
//!
//! SVG 2 (section 8.10) has it as a container like `g`. So it becomes a `g`, whose children except
//! the selected one are not displayed.

use usvg::roxmltree::{Document, Node};

use crate::rewrite::Edits;
use crate::xml::is_selected;

/// Whether [`make_groups`] can make a group of an element.
pub(crate) fn is_replaced(node: Node<'_, '_>) -> bool {
    // What a `switch` means in a text or in a clip path is left to usvg.
    let is_other = |around: Node<'_, '_>| matches!(around.tag_name().name(), "clipPath" | "text");
    node.has_tag_name("switch") && !node.ancestors().any(is_other)
}
