//! usvg 0.49 drops the ids of what a `use` draws, so its nodes cannot be told apart.
//!
//! SVG 2 (section 5.5) draws a copy of the element that a `use` refers to. So the copy is made here,
//! and the `use` becomes a group around it. A `symbol` becomes an `svg`, with the size of the `use`
//! or else of the `symbol`, which usvg ignores. Uses in clip paths stay, because usvg draws no
//! groups there.

use std::collections::HashMap;

use crate::css::sizes::{Axis, Sizes};
use crate::css::values::{Units, evaluate};
use crate::dom::{Document, Node, NodeId};
use crate::error::{Error, Quantity};
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
pub(crate) fn copy_targets(document: &mut Document) -> Result<(), Error> {
    let closing: Vec<_> = closing_uses(document)?.into_iter().map(Node::id).collect();
    closing.into_iter().for_each(|id| document.declare(id, CYCLE, ""));
    let mut targets = HashMap::new();
    for node in document.elements() {
        if let Some(id) = node.attribute("id") {
            // Of several elements with an id, browsers use the first.
            targets.entry(id.to_owned()).or_insert(node.id());
        }
    }
    let (mut left, mut n_copies) = (vec![document.root_element().id()], 0);
    while let Some(id) = left.pop() {
        let node = document.node(id);
        if !is_drawn(node) || node.declaration(CYCLE).is_some() {
            continue;
        }
        if !node.has_tag("use") {
            left.extend(node.children().filter(Node::is_element).map(|child| child.id()));
            continue;
        }
        let target = node.local_href().and_then(|to| targets.get(to)).copied();
        let can_be_drawn = |target: &NodeId| {
            let tag = document.node(*target).tag();
            tag == "symbol" || GRAPHICS.contains(&tag)
        };
        if let Some(target) = target.filter(can_be_drawn) {
            n_copies += document.node(target).descendants().filter(|node| !node.is_copy()).count();
            Quantity::Elements.check(n_copies as f64, MAX_ELEMENTS.into())?;
            let copy = document.copy_of(target);
            remove_copies(copy, target, document);
            document.append(id, copy);
            // The copy may contain uses, or be one.
            left.push(copy);
        }
    }
    Ok(())
}

/// Whether an element is drawn where it is, or where something other than a `use` refers to it.
fn is_drawn(node: Node<'_>) -> bool {
    let is_used = node.is_copy() && node.has_tag("symbol");
    is_used || !DEFINITIONS.contains(&node.tag()) || DRAWN_DEFINITIONS.contains(&node.tag())
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
        let place = ["x", "y"].map(|name| length(document.node(id), name, &sizes));
        make_group(id, copy, place, document);
    }
    Ok(())
}

/// The copy in a `use`.
fn copy_in(node: Node<'_>) -> Option<NodeId> {
    let mut children = node.children().filter(|_| node.has_tag("use"));
    // A copied `use` has children that are copies as well: those of the original come first.
    let copy = children
        .find(|child| child.is_copy() && (GRAPHICS.contains(&child.tag()) || child.has_tag("symbol")));
    copy.map(|copy| copy.id())
}

fn length(node: Node<'_>, name: &str, sizes: &Sizes<'_>) -> f64 {
    let units = sizes.units(node, Axis::of(name));
    let value = node.attribute(name).and_then(|text| evaluate(text, &units));
    value.map_or(0.0, |value| units.px(value))
}

/// Makes a group of a `use` with this copy.
fn make_group(id: NodeId, copy: NodeId, [x, y]: [f64; 2], document: &mut Document) {
    let node = document.node(id);
    let size = ["width", "height"].map(|name| (name, node.attribute(name).map(str::to_owned)));
    let paints = CONTEXT_PAINTS.map(|(context, property, initial)| {
        (context, node.inherited(property).unwrap_or(initial).to_owned())
    });
    document.remove(copy);
    clean(copy, &paints, document);
    let copy = if document.node(copy).has_tag("symbol") { viewport_of(copy, document) } else { copy };
    if document.node(copy).has_tag("svg") {
        for (name, value) in size {
            if let Some(value) = value {
                document.set_attribute(copy, name, value);
            }
        }
    }
    document.remove_contents(id);
    document.rename(id, "g");
    document.remove_href(id);
    OF_COPY.iter().for_each(|name| document.remove_attribute(id, name));
    let parent = if [x, y] == [0.0; 2] { id } else { moved_contents(id, [x, y], document) };
    document.append(parent, copy);
}

/// Adds a group in a `use` for its x and y. The box of the `use` contains them, and the effects that
/// are in its user space are moved by them.
fn moved_contents(id: NodeId, [x, y]: [f64; 2], document: &mut Document) -> NodeId {
    let group = document.append_element(id, "g", &[("transform", &format!("translate({x} {y})"))]);
    EFFECTS.iter().for_each(|effect| document.move_attribute(id, group, effect));
    group
}

/// Removes the copies in a copy. The original may be a `use` with a copy, or contain some.
fn remove_copies(copy: NodeId, original: NodeId, document: &mut Document) {
    let originals: Vec<_> = document.node(original).descendants().collect();
    let in_uses: Vec<_> = originals
        .iter()
        .zip(document.node(copy).descendants())
        .filter_map(|(original, copy)| {
            let is_extra =
                original.is_copy() && original.parent().is_some_and(|parent| parent.has_tag("use"));
            is_extra.then(|| copy.id())
        })
        .collect();
    in_uses.into_iter().for_each(|id| document.remove(id));
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

/// Makes an `svg` of a copy of a `symbol`. It is not an element of the document.
fn viewport_of(symbol: NodeId, document: &mut Document) -> NodeId {
    let own = document.node(symbol).attributes().filter(|attribute| attribute.namespace.is_none());
    let attributes: Vec<_> = own.map(|own| (own.name.to_owned(), own.value.to_owned())).collect();
    let viewport = document.new_element("svg", &[("width", "100%"), ("height", "100%")]);
    for (name, value) in attributes {
        document.set_attribute(viewport, &name, value);
    }
    document.move_contents(symbol, viewport);
    viewport
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
        copy_targets(document)?;
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
                "<g><svg width=\"9\" height=\"5\" viewBox=\"0 0 1 1\"><title/></svg></g>",
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
