//! Elements that browsers draw but Boxwood does not, so that their ink is not known.

use std::collections::HashSet;

use usvg::{Group, Tree};

use crate::dom::{Document, Node};
use crate::no_box::NoBox;
use crate::passes::foreign_objects;
use crate::passes::missing_fonts::{has_characters, is_text_with_characters};
use crate::read::elements::Elements;
use crate::warnings::{UnknownInk, WarningKind, Warnings};
use crate::xml::{DEFINITIONS, MARKED, MARKERS, is_selected};

/// The `foreignObject` elements with contents. Warns about them.
pub(crate) fn of_foreign_objects(document: &Document, warnings: &Warnings) -> Vec<UnknownInk> {
    let mut found = Vec::new();
    for node in document.elements().filter(|node| node.has_tag("foreignObject")) {
        let is_drawn = node.ancestors().filter(Node::is_element).all(is_selected);
        if let Some(contents) = foreign_objects::contents(node).filter(|_| is_drawn) {
            let kind = WarningKind::ForeignObject;
            warnings.add(kind, || format!("{} (<{contents}>)", node.name_or_place()));
            found.extend(node.number().map(|number| (number, kind)));
        }
    }
    found
}

/// Finds the texts without a font, which usvg leaves out, and the shapes whose markers contain such
/// a text. Warns about each such text that would be drawn.
pub(crate) fn of_missing_fonts(
    drawn: &Document,
    tree: &Tree,
    elements: &mut Elements,
    warnings: &Warnings,
) -> Vec<UnknownInk> {
    let mut found = Vec::new();
    for text in without_font(drawn, tree) {
        let is_part = |part: &Node<'_>| part.is_element() && !part.is_copy() && has_characters(*part);
        for number in text.descendants().filter(is_part).filter_map(Node::number) {
            elements.get_mut(number).note(NoBox::NoFont);
        }
        if let Some(numbers) = elements_that_draw(text) {
            warnings.add(WarningKind::NoFont, || text.name_or_place());
            found.extend(numbers.into_iter().map(|number| (number, WarningKind::NoFont)));
        }
    }
    found
}

/// Warns about the texts without a font in an SVG image, which usvg leaves out. Returns whether
/// there are any.
pub(crate) fn warn_of_image(drawn: &Document, tree: &Tree, warnings: &Warnings) -> bool {
    let mut has_any = false;
    for text in without_font(drawn, tree).filter(|text| elements_that_draw(*text).is_some()) {
        warnings.add(WarningKind::NoFont, || text.name_or_place());
        has_any = true;
    }
    has_any
}

/// The texts with characters that are not in usvg's tree. It has no texts of clip paths, so these
/// are among them.
fn without_font<'d>(drawn: &'d Document, tree: &Tree) -> impl Iterator<Item = Node<'d>> {
    let mut with_font = HashSet::new();
    list_texts(tree.root(), &mut with_font);
    let is_left_out = move |text: &Node<'_>| text.attribute("id").is_some_and(|id| !with_font.contains(id));
    drawn.elements().filter(is_text_with_characters).filter(is_left_out)
}

/// Adds the ids of the texts in a group.
fn list_texts(group: &Group, ids: &mut HashSet<String>) {
    for node in group.children() {
        match node {
            usvg::Node::Group(group) => list_texts(group, ids),
            usvg::Node::Text(text) => _ = ids.insert(text.id().to_owned()),
            usvg::Node::Path(_) | usvg::Node::Image(_) => {}
        }
    }
}

/// The numbers of the elements that draw a text: the text itself, or the shapes with the marker that
/// contains it. `None` if it is not drawn.
fn elements_that_draw(text: Node<'_>) -> Option<Vec<u32>> {
    let is_hidden = |around: Node<'_>| {
        DEFINITIONS.contains(&around.tag())
            || around.declared("display") == Some("none")
            || around.is_element() && !is_selected(around)
    };
    let marker = text.ancestors().find(|around| around.has_tag("marker"));
    // A marker is drawn where a shape refers to it, wherever the marker itself is.
    if text.ancestors().take_while(|around| Some(*around) != marker).any(is_hidden) {
        return None;
    }
    let Some(marker) = marker else { return Some(text.number().into_iter().collect()) };
    let reference = format!("url(#{})", marker.attribute("id")?);
    let is_marked =
        |shape: &Node<'_>| MARKERS.iter().any(|property| shape.inherited(property) == Some(&reference));
    let shapes = text.document().elements().filter(|node| MARKED.contains(&node.tag())).filter(is_marked);
    let numbers: Vec<u32> = shapes.filter_map(Node::number).collect();
    (!numbers.is_empty()).then_some(numbers)
}
