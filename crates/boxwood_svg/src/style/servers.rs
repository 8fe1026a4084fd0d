//! The ids of gradients and patterns.
//!
//! usvg copies a gradient or pattern with the units `objectBoundingBox` for each shape, and makes
//! up an id for the copy. The id in the document is then read from the declaration that applies to
//! the shape.

use crate::dom::Node;

use super::{PaintStyle, Paints, Run};
use crate::drawing::Drawing;

/// Replaces the ids that usvg has made up. An id that is not known becomes empty. The runs are
/// those of this source.
pub(super) fn name(drawing: &Drawing, source: u32, runs: &mut [Run]) {
    let is_known = |tag: &str, id: &str| {
        let document = &drawing.document;
        document.with_id(id).is_some_and(|element| document.get(element).tag == tag)
    };
    let mut made_up = Vec::new();
    for Run { paints, element } in runs {
        for (property, tag, id) in servers(paints).filter(|(_, tag, id)| !is_known(tag, id)) {
            id.clear();
            made_up.push((property, *element, tag, id));
        }
    }
    if made_up.is_empty() {
        return;
    }
    let nodes: Vec<Node<'_>> = drawing.styled.originals().collect();
    for (property, element, tag, id) in made_up {
        let around = element.map_or_else(Vec::new, |element| around(drawing, source, element));
        let around = around.iter().filter_map(|element| {
            let is_use = drawing.document.get(*element).target().is_some();
            Some((*nodes.get(*element as usize)?, is_use))
        });
        let target = declared(around, property).and_then(target);
        *id = target.filter(|id| is_known(tag, id)).unwrap_or_default();
    }
}

/// The gradients and patterns of some paints: the property, the tag of the element, and its id.
fn servers(paints: &mut Paints) -> impl Iterator<Item = (&'static str, &'static str, &mut String)> {
    let fill = paints.fill.as_mut().map(|fill| ("fill", &mut fill.paint));
    let stroke = paints.stroke.as_mut().map(|stroke| ("stroke", &mut stroke.paint));
    fill.into_iter().chain(stroke).filter_map(|(property, paint)| match paint {
        PaintStyle::Color(_) => None,
        PaintStyle::LinearGradient { id, .. } => Some((property, "linearGradient", id)),
        PaintStyle::RadialGradient { id, .. } => Some((property, "radialGradient", id)),
        PaintStyle::Pattern { id } => Some((property, "pattern", id)),
    })
}

/// An element and those that it inherits properties from, the innermost first. What a `use` draws
/// inherits from the `use`. The element is that of a source, or inside of it.
fn around(drawing: &Drawing, source: u32, element: u32) -> Vec<u32> {
    let document = &drawing.document;
    let (mut found, mut source, mut element) = (Vec::new(), source, element);
    loop {
        let parent = drawing.sources[source as usize].parent;
        let outer = parent.map(|parent| drawing.origins[parent as usize].element);
        let target = outer.and_then(|outer| document.get(outer).target());
        for around in std::iter::once(element).chain(document.around(element)) {
            if Some(around) == outer {
                break;
            }
            found.push(around);
            if Some(around) == target {
                break;
            }
        }
        let Some((parent, outer)) = parent.zip(outer) else { return found };
        (source, element) = (parent, outer);
    }
}

/// The value of a property of the first of these elements, which inherits from the others. The flag
/// of an element is true if it is a `use`. `context-fill` and `context-stroke` refer to its paint.
fn declared<'a>(
    around: impl Iterator<Item = (Node<'a>, bool)>,
    mut property: &'static str,
) -> Option<&'a str> {
    let mut is_of_use = false;
    for (node, is_use) in around {
        if is_of_use && !is_use {
            continue;
        }
        is_of_use = false;
        match node.attribute(property) {
            None | Some("inherit") => {}
            Some("context-fill") => (property, is_of_use) = ("fill", true),
            Some("context-stroke") => (property, is_of_use) = ("stroke", true),
            Some(value) => return Some(value),
        }
    }
    None
}

/// The id of the gradient or pattern that a paint refers to.
fn target(paint: &str) -> Option<String> {
    match svgtypes::Paint::from_str(paint) {
        Ok(svgtypes::Paint::FuncIRI(id, _)) => Some(id.to_owned()),
        _ => None,
    }
}
