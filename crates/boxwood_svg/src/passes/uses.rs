//! usvg 0.49 drops the ids of what a `use` draws, so its nodes cannot be told apart.
//!
//! SVG 2 (section 5.5) draws a copy of the element that a `use` refers to. So the copy is made
//! here, and the `use` becomes a group around it. A `symbol` becomes an `svg`, with the size of the
//! `use` or else of the `symbol`, which usvg ignores. Uses in clip paths stay, because usvg draws
//! no groups there.

use std::collections::{HashMap, HashSet};

use crate::css::sizes::Sizes;
use crate::dom::{Document, Node, NodeId};
use crate::error::{Error, Quantity, Work};
use crate::guard::deadline::Deadline;
use crate::guard::document::closing_uses;
use crate::guard::limits::MAX_ELEMENTS;
use crate::passes::Tools;
use crate::warnings::WarningKind;
use crate::xml::{DEFINITIONS, GRAPHICS};

/// The definitions whose contents are drawn where they are referred to. Those of the others are not
/// drawn, or not by `use`.
const DRAWN_DEFINITIONS: [&str; 3] = ["marker", "mask", "pattern"];

/// The attributes of a `use` for its copy.
const OF_COPY: [&str; 4] = ["height", "width", "x", "y"];

/// The property that marks a `use` that closes a cycle.
const CYCLE: &str = "-boxwood-cycle";

/// The effects in the user space of a `use`.
const EFFECTS: [&str; 3] = ["clip-path", "filter", "mask"];

/// The paints of a `use` that its copy can refer to, with the initial values of the properties.
const CONTEXT_PAINTS: [(&str, &str, &str); 2] =
    [("context-fill", "fill", "black"), ("context-stroke", "stroke", "none")];

/// Adds a copy of its target to each `use` that is drawn, before the cascade: selectors match the
/// copy as a tree of its own, which inherits from the `use`.
///
/// # Errors
///
/// If there are too many copies, or if they nest too deep.
pub(crate) fn copy_targets(document: &mut Document, deadline: &Deadline) -> Result<(), Error> {
    let closing: Vec<_> = closing_uses(document)?.into_iter().map(Node::id).collect();
    closing.into_iter().for_each(|id| document.declare(id, CYCLE, ""));
    let mut targets = HashMap::new();
    for node in document.elements() {
        if let Some(id) = node.attribute("id") {
            // Of several elements with an id, browsers use the first.
            targets.entry(id.to_owned()).or_insert(node.id());
        }
    }
    // What masks and the like contain is drawn wherever these are.
    let drawn = document.elements().filter(|node| DRAWN_DEFINITIONS.contains(&node.tag()));
    let mut left: Vec<_> = drawn.chain([document.root_element()]).map(Node::id).collect();
    let starts: HashSet<_> = left.iter().copied().collect();
    let mut n_copies = 0;
    while let Some(id) = left.pop() {
        let node = document.node(id);
        let is_undrawn = DEFINITIONS.contains(&node.tag()) && !node.is_drawn_by_use();
        if (is_undrawn && !starts.contains(&id)) || node.declaration(CYCLE).is_some() {
            continue;
        }
        if !node.has_tag("use") {
            let children =
                node.children().filter(|child| child.is_element() && !starts.contains(&child.id()));
            left.extend(children.map(Node::id));
            continue;
        }
        deadline.check(Work::Loading)?;
        let target = node.local_href().and_then(|to| targets.get(to)).copied();
        let can_be_drawn = |target: &NodeId| {
            let tag = document.node(*target).tag();
            tag == "symbol" || GRAPHICS.contains(&tag)
        };
        if let Some(target) = target.filter(can_be_drawn) {
            let copy = document.copy_of(target);
            document.draw_by_use(id, copy);
            n_copies += document.node(copy).descendants().count();
            Quantity::Elements.check(n_copies as f64, MAX_ELEMENTS.into())?;
            // The copy may contain uses, or be one.
            left.push(copy);
        }
    }
    Ok(())
}

/// Makes an `svg` of each copy of a `symbol`, and gives the size of its `use` to each `svg`. This
/// comes before lengths are resolved, which may be relative to the viewport.
pub(super) fn make_viewports(document: &mut Document, _tools: &Tools<'_>) -> Result<(), Error> {
    let uses = document.elements().filter_map(|node| Some((node.id(), copy_in(node)?)));
    for (id, copy) in uses.collect::<Vec<_>>() {
        if document.node(copy).has_tag("symbol") {
            document.rename(copy, "svg");
            // It is not an element of the document.
            document.remove_number(copy);
            for name in ["width", "height"] {
                if document.node(copy).declared(name).is_none() {
                    document.set_attribute(copy, name, "100%");
                }
            }
        }
        if document.node(copy).has_tag("svg") {
            ["width", "height"].iter().for_each(|name| document.copy_attribute(id, copy, name));
        }
    }
    Ok(())
}

/// Replaces each `use` with a copy by a group around the copy. Removes those that close a cycle.
pub(super) fn place(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    let closing = document.elements().filter(|node| node.declaration(CYCLE).is_some());
    for id in closing.map(Node::id).collect::<Vec<_>>() {
        if !document.node(id).is_copy() {
            tools.warnings.add(WarningKind::ReferenceCycle, || document.node(id).name_or_place());
        }
        document.remove(id);
    }
    let uses = document.elements().filter_map(|node| Some((node.id(), copy_in(node)?)));
    let uses: Vec<_> = uses.collect();
    if uses.is_empty() {
        return Ok(());
    }
    let sizes = Sizes::of_document(document, tools.measure);
    // The inner ones come first, because an outer one cleans what is left of them.
    for (id, copy) in uses.into_iter().rev() {
        let place = ["x", "y"].map(|name| sizes.length(document.node(id), name).unwrap_or(0.0));
        make_group(id, copy, place, document);
    }
    Ok(())
}

/// The copy in a `use`.
fn copy_in(node: Node<'_>) -> Option<NodeId> {
    let copy = node.children().find(|child| child.is_drawn_by_use())?;
    (copy.has_tag("symbol") || GRAPHICS.contains(&copy.tag())).then(|| copy.id())
}

/// Makes a group of a `use` with this copy.
fn make_group(id: NodeId, copy: NodeId, [x, y]: [f64; 2], document: &mut Document) {
    let node = document.node(id);
    let paints = CONTEXT_PAINTS.map(|(context, property, initial)| {
        (context, node.inherited(property).unwrap_or(initial).to_owned())
    });
    document.remove(copy);
    clean(copy, &paints, document);
    document.remove_contents(id);
    document.rename(id, "g");
    document.remove_href(id);
    OF_COPY.iter().for_each(|name| document.remove_attribute(id, name));
    let parent = if [x, y] == [0.0; 2] { id } else { moved_contents(id, [x, y], document) };
    document.append(parent, copy);
}

/// Adds a group in a `use` for its x and y. The box of the `use` contains them, and the effects
/// that are in its user space are moved by them.
fn moved_contents(id: NodeId, [x, y]: [f64; 2], document: &mut Document) -> NodeId {
    let group = document.append_element(id, "g", &[("transform", &format!("translate({x} {y})"))]);
    EFFECTS.iter().for_each(|effect| document.move_attribute(id, group, effect));
    group
}

/// Removes the definitions and ids in a copy, which are those of the original, and replaces the
/// paints that refer to the `use`.
fn clean(copy: NodeId, paints: &[(&str, String)], document: &mut Document) {
    let inside: Vec<_> = document.node(copy).descendants().map(|node| node.id()).collect();
    for id in inside {
        if id != copy && DEFINITIONS.contains(&document.node(id).tag()) {
            document.remove(id);
            continue;
        }
        document.remove_attribute(id, "id");
        for property in ["fill", "stroke"] {
            let own = document.node(id).attribute(property);
            if let Some((_, paint)) = paints.iter().find(|(context, _)| own == Some(context)) {
                document.set_attribute(id, property, &**paint);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use usvg::Node as UsvgNode;

    use super::*;
    use crate::passes::testing::contents_after;
    use crate::quirks::upstream::tree;

    #[test]
    fn usvg_still_drops_the_ids_of_copies() {
        let drawn = tree("<defs><path id='p' d='M0 0H9V9'/></defs><use id='u' href='#p'/>");
        let [UsvgNode::Group(group)] = drawn.root().children() else { panic!("one group") };
        assert_eq!((group.id(), group.children()[0].id()), ("u", ""));
    }

    #[test]
    fn usvg_still_ignores_the_size_of_a_symbol() {
        let drawn = tree(
            "<symbol id='s' width='10' height='10' viewBox='0 0 1 1'><rect width='1' height='1'/></symbol>
            <use href='#s'/>",
        );
        let [UsvgNode::Group(group)] = drawn.root().children() else { panic!("one group") };
        assert_eq!(group.abs_bounding_box().width(), 100.0, "SVG makes it 10 wide");
    }

    fn expand(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
        copy_targets(document, &Deadline::default())?;
        make_viewports(document, tools)?;
        place(document, tools)
    }

    #[test]
    fn uses_become_groups_with_copies() {
        let expanded = |target: &str, of_use: &str| {
            let xml = contents_after(expand, &format!("<svg>{target}<use href='#t' {of_use}/></svg>"));
            xml[xml.rfind("<g").unwrap_or_default()..].to_owned()
        };
        for (target, of_use, expected) in [
            ("<path id='t' d='M0 0'/>", "id='u'", "<g id=\"u\"><path d=\"M0 0\"/></g>"),
            (
                "<rect id='t' fill='context-fill'/>",
                "fill='red' y='1em'",
                "<g transform=\"translate(0 16)\"><rect fill=\"red\"/></g></g>",
            ),
            (
                "<symbol id='t' viewBox='0 0 1 1' width='9'><title/></symbol>",
                "height='5'",
                "<g><svg viewBox=\"0 0 1 1\" width=\"9\" height=\"5\"><title/></svg></g>",
            ),
            ("<svg id='t' width='1'/>", "width='7'", "<g><svg width=\"7\"/></g>"),
            ("<g id='t'><defs/><a id='a'/></g>", "", "<g><a/></g></g>"),
        ] {
            assert_eq!(expanded(target, of_use), expected, "{target}");
        }
        let stays = "<linearGradient id=\"t\"/><clipPath><use href=\"#r\"/></clipPath><rect id=\"r\"/>";
        assert_eq!(
            contents_after(expand, &format!("<svg>{stays}<use href='#t'/></svg>")),
            format!("{stays}<use href=\"#t\"/>")
        );
    }
}
