//! Draws some elements alone, as [`Only`](crate::Only) says.
//!
//! All other elements become definitions, so that references to them stay.

use std::collections::HashSet;

use crate::dom::{Document, Node, NodeId};
use crate::error::Error;
use crate::options::Only;
use crate::passes::Tools;
use crate::selector::Selector;
use crate::xml::DEFINITIONS;

/// The numbers of the elements that are drawn alone, in a document as it is written.
///
/// # Errors
///
/// If a name is that of no element.
pub(crate) fn numbers(document: &Document, only: &Only) -> Result<HashSet<u32>, Error> {
    let mut numbers = HashSet::new();
    for name in &only.names {
        let named = document.elements().filter(|node| node.attribute("id") == Some(name));
        let mut found: Vec<u32> = named.chain(with_path(document, name)).filter_map(Node::number).collect();
        if let Some(selector) = name.parse::<Selector>().ok().filter(|_| found.is_empty()) {
            let selected = (0..).zip(selector.selected(document));
            found.extend(selected.filter(|(_, is_selected)| *is_selected).map(|(number, _)| number));
        }
        if found.is_empty() {
            return Err(Error::NotFound { name: name.clone() });
        }
        numbers.extend(found);
    }
    Ok(numbers)
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
    let Some((numbers, only)) = &tools.only else { return Ok(()) };
    let mut left: Vec<NodeId> = vec![document.root_element().id()];
    let is_kept = |node: Node<'_>| node.number().is_some_and(|number| numbers.contains(&number));
    let is_drawn = |node: &Node<'_>| node.is_element() && !DEFINITIONS.contains(&node.tag());
    // The elements around those that are kept. The root cannot be a definition.
    let mut around = HashSet::from([document.root_element().id()]);
    for node in document.elements().filter(|node| is_kept(*node)) {
        around.extend(node.ancestors().skip(1).map(Node::id));
    }
    while let Some(id) = left.pop() {
        if is_kept(document.node(id)) {
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
        left.extend(document.node(id).children().filter(is_drawn).map(Node::id));
    }
    Ok(())
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
            let mut found: Vec<_> = numbers(&document, &only).ok()?.into_iter().collect();
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
