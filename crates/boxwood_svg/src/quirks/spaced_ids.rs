//! usvg 0.49 reads the id in a reference only up to a space, so that a `use` of an element with
//! such an id draws nothing.
//!
//! XML does not allow such ids, but browsers find the element (DOM, section 4.9). So it gets
//! another id, and so do the references to it.

use std::collections::HashMap;

use usvg::roxmltree::{Document, Node};

use crate::rewrite::Edits;
use crate::xml::{href_attribute, local_href};

/// The `use` elements that refer to an id with a space, by the id.
pub(crate) struct SpacedIds<'d>(HashMap<&'d str, Vec<Node<'d, 'd>>>);

impl<'d> SpacedIds<'d> {
    pub(crate) fn of(document: &'d Document<'_>) -> Self {
        let mut uses: HashMap<_, Vec<_>> = HashMap::new();
        for node in document.descendants().filter(|node| node.has_tag_name("use")) {
            if let Some(id) = local_href(node).filter(|id| id.contains(' ')) {
                uses.entry(id).or_default().push(node);
            }
        }
        Self(uses)
    }

    /// Whether an element with this id needs another one.
    pub(crate) fn contains(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }

    /// Lets the references to an id refer to another one. Further elements with the id are not
    /// referred to.
    pub(crate) fn replace(&mut self, id: &str, other: &str, edits: &mut Edits<'_>) {
        for node in self.0.remove(id).into_iter().flatten() {
            if let Some(range) = href_attribute(node).and_then(|href| edits.range_of_value(href)) {
                edits.replace(range, format!("#{other}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::quirks::upstream::tree;

    #[test]
    fn usvg_still_reads_an_id_up_to_a_space() {
        let drawn = tree("<defs><path id='a b' d='M0 0H9V9'/></defs><use href='#a b'/>");
        assert!(!drawn.root().has_children());
    }
}
