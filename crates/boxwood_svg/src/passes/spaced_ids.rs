//! usvg 0.49 reads the id in a reference only up to a space, so that a `use` of an element with
//! such an id draws nothing.
//!
//! XML does not allow such ids, but browsers find the element (DOM, section 4.9). So it gets
//! another id, and so does the `href` of each `use` of it. Only those in clip paths are left here:
//! what the others draw is already in their places.

use std::collections::HashMap;

use crate::dom::{Document, NodeId};
use crate::error::Error;
use crate::passes::Tools;

/// Gives another id to each element whose id has a space and that a `use` refers to.
pub(super) fn replace(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    let mut users: HashMap<String, Vec<NodeId>> = HashMap::new();
    for node in document.elements().filter(|node| node.has_tag("use")) {
        if let Some(id) = node.local_href().filter(|id| id.contains(' ')) {
            users.entry(id.to_owned()).or_default().push(node.id());
        }
    }
    if users.is_empty() {
        return Ok(());
    }
    for id in document.element_ids() {
        let node = document.node(id);
        // Of several elements with the id, the first is referred to.
        let Some(users) = node.attribute("id").and_then(|own| users.remove(own)) else { continue };
        let own = tools.ids.id(id);
        for user in users {
            document.set_href(user, format!("#{own}"));
        }
        document.set_attribute(id, "id", own);
    }
    Ok(())
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
