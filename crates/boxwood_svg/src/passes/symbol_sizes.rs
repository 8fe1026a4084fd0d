//! usvg 0.49 ignores the width and height of a `symbol`.
//!
//! They are those of its viewport, unless the `use` has its own (SVG 2, section 5.5). So the `use`
//! gets them.

use crate::dom::{Document, Node};
use crate::error::Error;
use crate::guard::references::Ids;
use crate::passes::Tools;

const SIZES: [&str; 2] = ["width", "height"];

/// Gives the size of its symbol to each `use` without a size.
pub(super) fn copy_to_uses(document: &mut Document, _tools: &Tools<'_>) -> Result<(), Error> {
    let has_size = |symbol: Node<'_>| SIZES.iter().any(|name| symbol.has_attribute(name));
    if !document.elements().any(|node| node.has_tag("symbol") && has_size(node)) {
        return Ok(());
    }
    let ids = Ids::new(document);
    let mut sizes = Vec::new();
    for node in document.elements() {
        let Some(symbol) = ids.of_use(node).filter(|used| used.has_tag("symbol")) else { continue };
        for name in SIZES {
            if let Some(size) = symbol.attribute(name).filter(|_| !node.has_attribute(name)) {
                sizes.push((node.id(), name, size.to_owned()));
            }
        }
    }
    sizes.into_iter().for_each(|(id, name, size)| document.set_attribute(id, name, size));
    Ok(())
}

#[cfg(test)]
mod tests {
    use usvg::Node;

    use crate::quirks::upstream::tree;

    #[test]
    fn usvg_still_ignores_the_size_of_a_symbol() {
        let drawn = tree(
            "<symbol id='s' width='10' height='10' viewBox='0 0 1 1'><rect width='1' height='1'/></symbol>
            <use href='#s'/>",
        );
        let [Node::Group(group)] = drawn.root().children() else { panic!("one group") };
        assert_eq!(group.abs_bounding_box().width(), 100.0, "SVG makes it 10 wide");
    }
}
