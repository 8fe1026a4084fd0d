//! The parts of a drawing that a browser may show differently from their boxes: those with CSS that
//! is ignored, and everything that changes after the drawing is loaded.

use std::collections::HashMap;

use crate::dom::{Document, Node};

use crate::drawing::Drawing;
use crate::read::elements::{Element, Elements};

/// The elements that change other elements while a browser shows the drawing.
const ANIMATIONS: [&str; 5] = ["animate", "animateColor", "animateMotion", "animateTransform", "set"];

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
    let styles = document.elements().filter(|node| node.has_tag("style"));
    let sheets = styles.flat_map(|style| style.children().filter_map(|child| child.text()));
    let mut css: Vec<String> = sheets.map(str::to_owned).collect();
    css.extend(elements().filter_map(|node| node.attribute("style").map(str::to_owned)));
    css.iter_mut().for_each(|text| text.make_ascii_lowercase());
    let has = |words: &[&str]| css.iter().any(|text| words.iter().any(|word| text.contains(word)));
    found.extend(CSS_CHANGES.iter().filter(|(_, words)| has(words)).map(|(what, _)| *what));
    found
}

/// For each element of the document, whether a browser may show something else than its boxes say.
/// An element is also uncertain if an element inside of it or around it is. A `use` is uncertain if
/// its target is.
pub(super) fn uncertain(drawing: &Drawing) -> Vec<bool> {
    let elements = &drawing.document;
    let mut own = own(&drawing.styled, elements);
    drawing.uncertain.iter().for_each(|index| own[*index as usize] = true);
    loop {
        let contains = around(&own, elements);
        let is_new = |(index, element): &(usize, &Element)| {
            !own[*index] && element.target().is_some_and(|target| contains[target as usize])
        };
        let uses: Vec<usize> = elements.iter().enumerate().filter(is_new).map(|(index, _)| index).collect();
        if uses.is_empty() {
            return contains.iter().zip(inside(own, elements)).map(|(a, b)| *a || b).collect();
        }
        uses.into_iter().for_each(|index| own[index] = true);
    }
}

/// Whether the document has an `feImage` of a file. If that is not loaded, its filter may paint
/// nothing here, but something in a browser.
pub(super) fn has_image_in_filter(drawing: &Drawing) -> bool {
    let is_file =
        |node: Node<'_>| node.tag() == "feImage" && node.href().is_some_and(|to| !to.starts_with('#'));
    drawing.original().elements().any(is_file)
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

/// Whether each element is one of these, or contains one.
fn around(these: &[bool], elements: &Elements) -> Vec<bool> {
    let (mut all, parents) = (these.to_vec(), elements.iter().map(Element::parent).collect::<Vec<_>>());
    for (index, parent) in parents.into_iter().enumerate().rev() {
        if let Some(parent) = parent {
            all[parent as usize] |= all[index];
        }
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
