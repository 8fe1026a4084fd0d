//! Draws some elements alone, as [`Only`](crate::Only) says.
//!
//! All other elements become definitions, so that references to them stay.

use std::collections::HashSet;

use crate::dom::{Document, Node, NodeId};
use crate::error::Error;
use crate::options::Only;
use crate::passes::Tools;
use crate::selector::Selector;
use crate::xml::{DEFINITIONS, GRAPHICS, TEXT_PARTS};

/// The elements with one of the names of [`Only`].
pub(crate) struct Named {
    name: String,
    /// The numbers of the elements.
    numbers: HashSet<u32>,
}

/// The elements that are drawn alone, in a document as it is written.
///
/// # Errors
///
/// If a name is that of no element.
pub(crate) fn named(document: &Document, only: &Only) -> Result<Vec<Named>, Error> {
    let with_name = |name: &String| {
        let with_id = document.elements().filter(|node| node.attribute("id") == Some(name));
        let mut numbers: HashSet<u32> =
            with_id.chain(with_path(document, name)).filter_map(Node::number).collect();
        if let Some(selector) = name.parse::<Selector>().ok().filter(|_| numbers.is_empty()) {
            let selected = (0..).zip(selector.selected(document));
            numbers.extend(selected.filter(|(_, is_selected)| *is_selected).map(|(number, _)| number));
        }
        let name = name.clone();
        if numbers.is_empty() { Err(Error::NotFound { name }) } else { Ok(Named { name, numbers }) }
    };
    only.names.iter().map(with_name).collect()
}

/// The element with a path such as `/svg/g[1]`.
fn with_path<'d>(document: &'d Document, path: &str) -> Option<Node<'d>> {
    let mut steps = path.strip_prefix('/')?.split('/');
    let root = document.root_element();
    let is_root = steps.next().is_some_and(|step| root.has_tag(step));
    steps.try_fold(Some(root).filter(|_| is_root)?, |node, step| {
        let (tag, ordinal) = step.strip_suffix(']')?.split_once('[')?;
        let index = ordinal.parse::<usize>().ok()?.checked_sub(1)?;
        node.children().filter(|child| child.has_tag(tag)).nth(index)
    })
}

/// Makes definitions of all elements except those that are drawn alone, and those around them.
pub(super) fn keep(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    let Some((named, only)) = &tools.only else { return Ok(()) };
    for Named { name, numbers } in named {
        let is_named = |node: &Node<'_>| node.number().is_some_and(|number| numbers.contains(&number));
        if !document.elements().filter(is_named).any(is_drawn) {
            return Err(Error::NotDrawn { name: name.clone() });
        }
    }
    let is_kept = |node: Node<'_>| {
        let number = node.number();
        number.is_some_and(|number| named.iter().any(|named| named.numbers.contains(&number)))
    };
    let kept: HashSet<NodeId> = document.elements().filter(|node| is_kept(*node)).map(Node::id).collect();
    let mut left: Vec<NodeId> = vec![document.root_element().id()];
    // The elements around those that are kept. The root cannot be a definition.
    let mut around = HashSet::from([document.root_element().id()]);
    for id in &kept {
        around.extend(document.node(*id).ancestors().skip(1).map(Node::id));
    }
    while let Some(id) = left.pop() {
        if kept.contains(&id) {
            continue;
        }
        if !around.contains(&id) {
            let definitions = document.new_element("defs", &[]);
            document.replace(id, definitions);
            document.append(definitions, id);
            continue;
        }
        if !only.clips {
            ["clip-path", "mask"].iter().for_each(|effect| document.remove_attribute(id, effect));
            if document.node(id).parent_element().is_some() {
                document.set_attribute(id, "overflow", "visible");
            }
        }
        if document.node(id).has_tag("text") {
            hide_other_parts(document, id, &kept);
            continue;
        }
        let inner = document.node(id).children().filter(Node::is_element);
        left.extend(inner.filter(|node| !DEFINITIONS.contains(&node.tag())).map(Node::id));
    }
    Ok(())
}

/// Whether something can be drawn of an element where it is.
fn is_drawn(node: Node<'_>) -> bool {
    let is_drawn_at = |around: Node<'_>| {
        let tag = around.tag();
        (GRAPHICS.contains(&tag) || TEXT_PARTS.contains(&tag) || tag == "foreignObject")
            && around.declared("display") != Some("none")
    };
    node.ancestors().filter(Node::is_element).all(is_drawn_at)
}

/// Hides the parts of a text that are not kept, which the layout of the others depends on.
fn hide_other_parts(document: &mut Document, text: NodeId, kept: &HashSet<NodeId>) {
    let parts = document.node(text).descendants().filter(Node::is_element);
    let visibility = |part: Node<'_>| {
        let is_kept = |around: Node<'_>| kept.contains(&around.id());
        match part.ancestors().any(is_kept) {
            true if is_kept(part) => Some(part.inherited("visibility").unwrap_or("visible").to_owned()),
            true => None,
            false => Some("hidden".to_owned()),
        }
    };
    let changes: Vec<_> = parts.filter_map(|part| Some((part.id(), visibility(part)?))).collect();
    for (id, visibility) in changes {
        document.set_attribute(id, "visibility", visibility);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ids_paths_or_selectors() {
        let text = "<svg><g id='a'><rect/><rect class='b'/></g><rect id='rect'/></svg>";
        let document = Document::parse(text).expect("it is XML");
        let found = |name: &str| {
            let only = Only { names: vec![name.to_owned()], clips: true };
            let [only] = named(&document, &only).ok()?.try_into().ok()?;
            let mut found: Vec<_> = only.numbers.into_iter().collect();
            found.sort_unstable();
            Some(found)
        };
        for (name, expected) in [
            ("a", Some(vec![1])),
            ("#a", Some(vec![1])),
            ("/svg/g[1]/rect[2]", Some(vec![3])),
            (".b", Some(vec![3])),
            // It is an id, although it would be a selector as well.
            ("rect", Some(vec![4])),
            ("svg rect", Some(vec![2, 3, 4])),
            ("/svg/g[0]", None),
            ("none", None),
            ("a:foo", None),
        ] {
            assert_eq!(found(name), expected, "{name}");
        }
    }
}
