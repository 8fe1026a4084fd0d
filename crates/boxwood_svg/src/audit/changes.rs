//! The parts of a drawing that a browser may show differently from their boxes: those with CSS that
//! is ignored, those that refer to other files, and everything that changes after the drawing is
//! loaded.

use std::collections::HashMap;

use crate::dom::{Document, Node};

use crate::drawing::Drawing;
use crate::read::elements::Elements;
use crate::xml::ANIMATIONS;

/// Features of CSS, each with the words in style sheets and `style` attributes that indicate it.
const CSS_CHANGES: [(&str, &[&str]); 4] = [
    ("CSS animations", &["@keyframes", "animation", "transition"]),
    ("CSS rules for interaction", &[":hover", ":target", ":focus", ":active"]),
    ("@media rules", &["@media"]),
    ("CSS variables", &["var("]),
];

/// The parts of a drawing that may change what is visible after it is loaded, such as `scripts`.
/// The findings of [`audit`](crate::audit()) hold only while these do nothing.
pub fn may_change(drawing: &Drawing) -> Vec<&'static str> {
    let document = drawing.original();
    let elements = || document.elements();
    let is_handler = |name: &str| name.starts_with("on") && name.bytes().all(|b| b.is_ascii_lowercase());
    let has_handler = |node: Node<'_>| node.attributes().any(|a| a.namespace.is_none() && is_handler(a.name));
    let is_script = |node: Node<'_>| node.tag() == "script" || has_handler(node);
    let mut found = Vec::new();
    if elements().any(is_script) {
        found.push("scripts");
    }
    if elements().any(is_animation) {
        found.push("animations");
    }
    let mut css = style_sheets(drawing);
    for style in elements().filter_map(|node| node.attribute("style")) {
        css.push('\n');
        css.push_str(&style.to_ascii_lowercase());
    }
    let has = |words: &[&str]| words.iter().any(|word| css.contains(word));
    found.extend(CSS_CHANGES.iter().filter(|(_, words)| has(words)).map(|(what, _)| *what));
    found
}

/// The style sheets in a drawing, in lower case.
pub(super) fn style_sheets(drawing: &Drawing) -> String {
    let styles = drawing.original().elements().filter(|node| node.tag() == "style");
    let sheets = styles.flat_map(|style| style.children().filter_map(|child| child.text()));
    sheets.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("\n")
}

/// Whether CSS that is not read may apply to all elements: a style sheet or a paint in another
/// file, or an animation.
fn has_other_css(drawing: &Drawing) -> bool {
    let css = style_sheets(drawing);
    let is_link = |node: Node<'_>| {
        node.has_tag("link") && node.attribute("rel").is_some_and(|rel| rel.contains("stylesheet"))
    };
    let mut instructions = drawing.original().instructions();
    has_url_of_other_file(&css)
        || css.contains("@import")
        || css.contains("@keyframes")
        || instructions.any(|(target, _)| target == "xml-stylesheet")
        || drawing.original().elements().any(is_link)
}

/// Whether CSS refers to an element in another file, such as a gradient.
fn has_url_of_other_file(css: &str) -> bool {
    css.split("url(").skip(1).any(|rest| {
        let address = rest.split(')').next().unwrap_or_default();
        !address.trim_start_matches([' ', '"', '\'']).starts_with('#') && address.contains('#')
    })
}

/// Whether an element refers to something in another file, which usvg does not read.
fn refers_to_other_file(node: Node<'_>) -> bool {
    // An image that is not loaded is known as such.
    let is_link = matches!(node.tag(), "a" | "image" | "feImage");
    (!is_link && node.href().is_some_and(|href| !href.trim().starts_with('#')))
        || node.attributes().any(|attribute| has_url_of_other_file(attribute.value))
}

/// For each element of the document, whether a browser may show something else than its boxes say.
/// An element is also uncertain if an element inside of it or around it is. A `use` is uncertain if
/// its target is.
pub(super) fn uncertain(drawing: &Drawing) -> Vec<bool> {
    let elements = &drawing.document;
    if has_other_css(drawing) {
        return vec![true; elements.iter().count()];
    }
    let mut own = own(&drawing.styled, elements);
    drawing.uncertain_elements().for_each(|index| own[index as usize] = true);
    let original = drawing.original().elements();
    own.iter_mut().zip(original).for_each(|(own, node)| *own |= refers_to_other_file(node));
    let contains = elements.containing(&mut own);
    contains.iter().zip(inside(own, elements)).map(|(a, b)| *a || b).collect()
}

fn is_animation(node: Node<'_>) -> bool {
    ANIMATIONS.contains(&node.tag())
}

/// Whether each element is the target of an animation.
fn own(document: &Document, elements: &Elements) -> Vec<bool> {
    let nodes = || document.originals();
    let mut all = vec![false; nodes().count()];
    // Of elements with the same id, the first counts.
    let mut by_id: HashMap<&str, usize> = HashMap::new();
    for (index, element) in elements.iter().enumerate() {
        by_id.entry(&element.id).or_insert(index);
    }
    for (index, node) in (0..).zip(nodes()).filter(|(_, node)| is_animation(*node)) {
        let target = match node.local_href() {
            Some(id) => by_id.get(id).copied(),
            None => elements.get(index).parent().map(|parent| parent as usize),
        };
        target.into_iter().for_each(|target| all[target] = true);
    }
    all
}

/// Whether each element is one of these, or inside of one.
fn inside(mut these: Vec<bool>, elements: &Elements) -> Vec<bool> {
    for (index, element) in elements.iter().enumerate() {
        these[index] |= element.parent().is_some_and(|parent| these[parent as usize]);
    }
    these
}
