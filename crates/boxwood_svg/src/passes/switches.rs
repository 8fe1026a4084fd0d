//! usvg 0.49 keeps no node with the id of a `switch`.
//!
//! SVG 2 (section 8.10) has it as a container like `g`, whose box is that of the selected child. So
//! it becomes a `g`, in which the other children are not displayed.

use crate::dom::{Document, Node};
use crate::error::Error;
use crate::passes::Tools;
use crate::xml::{GRAPHICS, selected_child};

/// Makes a group of each `switch`.
pub(super) fn make_groups(document: &mut Document, _tools: &Tools<'_>) -> Result<(), Error> {
    let switches = document.elements().filter(|node| is_replaced(*node));
    for switch in switches.map(|switch| switch.id()).collect::<Vec<_>>() {
        let selected = selected_child(document.node(switch));
        let others = document.node(switch).children().filter(|child| Some(*child) != selected);
        let others = others.filter(|child| GRAPHICS.contains(&child.tag()) || child.has_tag("foreignObject"));
        // With a group around it, a reference to it still finds it.
        for other in others.map(|other| other.id()).collect::<Vec<_>>() {
            document.wrap(other, &[("display", "none")]);
        }
        document.rename(switch, "g");
    }
    Ok(())
}

/// Whether [`make_groups`] makes a group of an element. It leaves a `switch` alone where usvg draws
/// no groups.
pub(crate) fn is_replaced(node: Node<'_>) -> bool {
    let is_other = |around: Node<'_>| matches!(around.tag(), "clipPath" | "text");
    node.tag() == "switch" && !node.ancestors().any(is_other)
}

#[cfg(test)]
mod tests {
    use usvg::Node as UsvgNode;

    use super::*;
    use crate::passes::testing::contents_after;
    use crate::quirks::upstream::tree;

    #[test]
    fn usvg_still_keeps_no_node_of_a_switch() {
        let drawn = tree("<switch id='s' transform='scale(2)'><rect id='r' width='9' height='9'/></switch>");
        let [UsvgNode::Group(group)] = drawn.root().children() else { panic!("one group") };
        assert_eq!(group.id(), "");
    }

    #[test]
    fn a_switch_becomes_a_group() {
        let text = "<svg><switch a='1'><title/><g requiredExtensions='x'/><rect/><use/></switch ></svg>";
        let expected = "<g a=\"1\"><title/><g display=\"none\"><g requiredExtensions=\"x\"/></g><rect/><g display=\"none\"><use/></g></g>";
        assert_eq!(contents_after(make_groups, text), expected);
    }
}
