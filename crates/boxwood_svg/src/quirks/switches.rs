//! usvg 0.49 keeps no node with the id of a `switch`.
//!
//! SVG 2 (section 8.10) has it as a container like `g`, whose box is that of the selected child. So
//! it becomes a `g`, in which the other children are not displayed.

use usvg::roxmltree::{Document, Node};

use crate::rewrite::Edits;
use crate::xml::{GRAPHICS, selected_child};

/// Makes a group of each `switch`.
pub(crate) fn make_groups(document: &Document<'_>, edits: &mut Edits<'_>) {
    for switch in document.descendants().filter(|node| is_replaced(*node)) {
        edits.rename(switch, "g");
        let selected = selected_child(switch);
        let others = switch.children().filter(|child| Some(*child) != selected);
        for other in others.filter(|child| GRAPHICS.contains(&child.tag_name().name())) {
            // With a group around it, a `use` of it still draws it.
            if !edits.wrap(other, "display=\"none\"") {
                edits.set_property(other, "display", "none");
            }
        }
    }
}

/// Whether [`make_groups`] makes a group of an element. It leaves a `switch` from an entity alone,
/// and one where usvg draws no groups.
pub(crate) fn is_replaced(node: Node<'_, '_>) -> bool {
    let is_other = |around: Node<'_, '_>| matches!(around.tag_name().name(), "clipPath" | "text");
    node.tag_name().name() == "switch"
        && node.range().start >= node.document().root_element().range().start
        && !node.ancestors().any(is_other)
}

#[cfg(test)]
mod tests {
    use usvg::Node as UsvgNode;

    use super::*;
    use crate::quirks::upstream::tree;
    use crate::xml::parse;

    #[test]
    fn usvg_still_keeps_no_node_of_a_switch() {
        let drawn = tree("<switch id='s' transform='scale(2)'><rect id='r' width='9' height='9'/></switch>");
        let [UsvgNode::Group(group)] = drawn.root().children() else { panic!("one group") };
        assert_eq!(group.id(), "");
    }

    #[test]
    fn a_switch_becomes_a_group() {
        let text = "<svg><switch a='1'><title/><g requiredExtensions='x'/><rect/><use/></switch ><s:switch xmlns:s='u'/></svg>";
        let document = parse(text).expect("it is XML");
        let mut edits = Edits::new(&document);
        make_groups(&document, &mut edits);
        let expected = "<svg><g a='1'><title/><g display=\"none\"><g requiredExtensions='x'/></g><rect/><g display=\"none\"><use/></g></g ><s:g xmlns:s='u'/></svg>";
        assert_eq!(edits.apply().as_deref(), Some(expected));
    }
}
