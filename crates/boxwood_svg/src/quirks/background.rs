//! usvg 0.49 paints the property `background-color` of the root by a path, which looks like that of
//! an element.
//!
//! In browsers, the background is not graphics: no object box contains it. It is painted, so its
//! ink counts for the root.

use usvg::{Group, Node, Path};

/// The background of a drawing, given the root of its tree. All other paths there have ids.
pub(crate) fn background(root: &Group) -> Option<&Path> {
    let [Node::Group(whole)] = root.children() else { return None };
    let Some(Node::Path(path)) = whole.children().first() else { return None };
    let is_added = whole.id().is_empty() && path.id().is_empty() && !whole.should_isolate();
    (is_added && path.stroke().is_none() && path.fill().is_some()).then_some(&**path)
}

#[cfg(test)]
mod tests {
    use usvg::{Options, Tree};

    use super::*;

    #[test]
    fn usvg_still_adds_a_path_for_the_background() {
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9' background-color='red'/>";
        let drawn = Tree::from_str(svg, &Options::default()).expect("the drawing is valid");
        assert!(background(drawn.root()).is_some());
    }
}
