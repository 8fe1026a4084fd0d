//! Differences of two drawings in text that is ignored, so that what it changes is not known.

use std::collections::BTreeSet;

use crate::dom::{Document, Node};
use crate::drawing::Drawing;
use crate::warnings::WarningKind;

/// The places where two drawings, the old one and the new one, differ in text that is ignored: in
/// style sheets, in attributes of elements with CSS that is ignored and of the elements around
/// them, and in the contents of `foreignObject` elements. Each is named in the new drawing, or in
/// the old one if it is only there. Empty if the whole text of both drawings is understood.
///
/// The first call parses the documents again.
pub fn ignored_differences(drawings: [&Drawing; 2]) -> Vec<String> {
    const KINDS: [WarningKind; 3] =
        [WarningKind::ForeignObject, WarningKind::IgnoredCss, WarningKind::Transform];
    let is_ignored =
        |drawing: &&Drawing| drawing.warnings.iter().any(|warning| KINDS.contains(&warning.kind));
    if !drawings.iter().any(is_ignored) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let sheets = drawings.map(|drawing| texts(drawing.original(), "style"));
    found.extend(first_difference(&sheets).map(|place| format!("the style sheet {place}")));
    let attributes = drawings.map(uncertain_attributes);
    found.extend(first_difference(&attributes).map(|place| format!("the attributes of {place}")));
    let contents = drawings.map(|drawing| texts(drawing.original(), "foreignObject"));
    found.extend(first_difference(&contents).map(|place| format!("the contents of {place}")));
    found
}

/// The name of the first element, except the root, to which CSS gives other attributes in the
/// second of two drawings with the same elements: those of a `@media` rule for the size of the
/// canvas, for example.
pub fn first_restyled(drawings: [&Drawing; 2]) -> Option<String> {
    let [old, new] = drawings.map(|drawing| drawing.styled.originals().skip(1));
    let different = old.zip(new).find(|(old, new)| own_text(*old) != own_text(*new));
    different.map(|(old, _)| old.name_or_place())
}

/// Some text, and the name of the element that it belongs to.
type Named = (String, String);

/// The name of the first text that is in one list only.
fn first_difference([old, new]: &[Vec<Named>; 2]) -> Option<&str> {
    let known = |list: &[Named]| -> BTreeSet<String> { list.iter().map(|(text, _)| text.clone()).collect() };
    let only_in = |list: &'_ [Named], other: &[Named]| {
        let other = known(other);
        list.iter().position(|(text, _)| !other.contains(text))
    };
    let in_new = only_in(new, old).map(|index| &*new[index].1);
    in_new.or_else(|| only_in(old, new).map(|index| &*old[index].1))
}

/// The contents of each element with a name.
fn texts(document: &Document, tag: &str) -> Vec<Named> {
    let elements = document.elements().filter(|node| node.has_tag(tag));
    elements.map(|node| (node.descendants().map(own_text).collect(), node.name_or_place())).collect()
}

/// The attributes of the elements that ignored CSS applies to, and of those around them.
fn uncertain_attributes(drawing: &Drawing) -> Vec<Named> {
    let numbers: BTreeSet<u32> = drawing
        .uncertain_elements()
        .flat_map(|element| drawing.document.around(element).chain([element]))
        .collect();
    let elements = drawing.original().elements();
    let elements = elements.filter(|node| node.number().is_some_and(|number| numbers.contains(&number)));
    elements.map(|node| (own_text(node), node.name_or_place())).collect()
}

/// The characters of a text, or the name and attributes of an element.
fn own_text(node: Node<'_>) -> String {
    let mut text = node.text().unwrap_or_else(|| node.tag()).to_owned();
    for attribute in node.attributes() {
        text += &format!(" {}={:?}", attribute.name, attribute.value);
    }
    text
}
