//! usvg 0.49 ignores the shapes of CSS in `clip-path`, such as `circle(10px)`, and boxes such as
//! `fill-box`.
//!
//! CSS Masking 1 (section 5.1) has both. So each element with one gets a `clipPath` of its own,
//! with the path of the shape. The shape is relative to a box of the element, which usvg computes.

use std::collections::BTreeMap;

use cssparser::Parser;
use kurbo::Rect;
use svgtypes::PathParser;

use crate::css::shapes::{ClipShape, Reference, ReferenceBox, ShapePath};
use crate::css::sizes::{LengthAxis, Sizes};
use crate::dom::{Document, Node, NodeId};
use crate::error::Error;
use crate::guard::limits::MAX_COPIED_BYTES;
use crate::passes::Tools;
use crate::passes::empty_effects::NO_INTERIOR;
use crate::passes::plain_boxes::{Boxes, plain_boxes};
use crate::xml::DEFINITIONS;

/// The warning about shapes that are ignored.
const IGNORED: &str = "a shape in `clip-path`, relative to a box that is not known here";

const PROPERTY: &str = "clip-path";

/// What the ids of the clip paths start with.
const PREFIX: &str = "boxwood-shape";

/// The elements whose boxes are known here if usvg draws them.
const BOXED: [&str; 13] = [
    "a", "circle", "ellipse", "g", "image", "line", "path", "polygon", "polyline", "rect", "switch", "text",
    "use",
];

/// Gives a clip path to each element with a shape in its `clip-path`. A shape is ignored if its box
/// is not known.
pub(super) fn draw(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    let shaped: Vec<_> = document.elements().filter_map(|node| Some((node, shape(node)?))).collect();
    if shaped.is_empty() {
        return Ok(());
    }
    let boxes = plain_boxes(document, tools);
    let sizes = Sizes::of_document(document, tools.measure);
    let (mut ignored, mut clipped) = (Vec::new(), Vec::new());
    let mut clip_paths = ClipPaths::default();
    for (node, shape) in shaped {
        let known = boxes.get(node.attribute("id").unwrap_or_default());
        if known.is_none() && !may_be_drawn(node) {
            continue;
        }
        let rect = reference_box(node, shape.reference, known, &sizes);
        let path = rect.and_then(|rect| path(node, &shape, rect, &sizes));
        match path.and_then(|path| clip_paths.id_of(path)) {
            Some(id) => clipped.push((node.id(), id)),
            None => ignored.push(node),
        }
    }
    tools.ignore(&ignored, IGNORED);
    clipped.into_iter().for_each(|(node, id)| document.set_attribute(node, PROPERTY, format!("url(#{id})")));
    clip_paths.write(document);
    Ok(())
}

/// The shape in the `clip-path` of an element.
fn shape(node: Node<'_>) -> Option<ClipShape> {
    let value = node.attribute(PROPERTY)?;
    let mut input = Parser::new(value);
    input.parse_entirely(|input| ClipShape::parse(input, true)).ok()
}

/// Whether an element may be drawn although the tree without effects does not have it: inside of a
/// mask, for example.
pub(crate) fn may_be_drawn(node: Node<'_>) -> bool {
    let is_effect = |tag: &str| DEFINITIONS.contains(&tag) && !matches!(tag, "defs" | "symbol");
    let is_inside = node.ancestors().any(|around| is_effect(around.tag()));
    is_inside || matches!(node.tag(), "svg" | "foreignObject")
}

/// The box that a shape of an element is relative to. `None` if it is not known.
fn reference_box(
    node: Node<'_>,
    reference: ReferenceBox,
    known: Option<&Boxes>,
    sizes: &Sizes<'_>,
) -> Option<Rect> {
    let tag = node.tag();
    let [fill, stroke] = *known.filter(|_| BOXED.contains(&tag))?;
    match reference {
        ReferenceBox::View => {
            Some(Rect::from_origin_size((0.0, 0.0), <(f64, f64)>::from(sizes.viewport(node))))
        }
        // usvg has the box of its pixels.
        _ if tag == "image" => image_rect(node, sizes),
        ReferenceBox::Fill => Some(fill),
        ReferenceBox::Stroke => Some(stroke),
    }
}

/// The rectangle of an image. `None` if it depends on the file.
fn image_rect(image: Node<'_>, sizes: &Sizes<'_>) -> Option<Rect> {
    let length = |name: &str| sizes.length(image, name);
    let (x, y) = (length("x").unwrap_or(0.0), length("y").unwrap_or(0.0));
    Some(Rect::from_origin_size((x, y), (length("width")?, length("height")?)))
}

/// The path of a shape of an element.
fn path(node: Node<'_>, shape: &ClipShape, rect: Rect, sizes: &Sizes<'_>) -> Option<ShapePath> {
    let units = |axis, whole: f64| sizes.units(node, axis).relative_to(whole);
    let (width, height) = (rect.width(), rect.height());
    let (x, y) = (units(LengthAxis::X, width), units(LengthAxis::Y, height));
    let diagonal = units(LengthAxis::Diagonal, width.hypot(height) / std::f64::consts::SQRT_2);
    shape.path(&Reference { rect, x: &x, y: &y, diagonal: &diagonal })
}

/// The clip paths of a document, one for each different path, with their ids.
#[derive(Default)]
struct ClipPaths {
    ids: BTreeMap<ShapePath, String>,
    n_bytes: usize,
}

impl ClipPaths {
    /// The id of the clip path with a path. `None` if all of them are too large.
    fn id_of(&mut self, path: ShapePath) -> Option<String> {
        if let Some(known) = self.ids.get(&path) {
            return Some(known.clone());
        }
        self.n_bytes += path.data.len();
        let id = format!("{PREFIX}-{}", self.ids.len());
        (self.n_bytes <= MAX_COPIED_BYTES).then(|| self.ids.insert(path, id.clone()))?;
        Some(id)
    }

    /// Adds them at the end of the document.
    fn write(&self, document: &mut Document) {
        let root: NodeId = document.root_element().id();
        for (ShapePath { data, origin, fill_rule }, id) in &self.ids {
            let clip_path = document.append_element(root, "clipPath", &[("id", id)]);
            let own =
                [("d", &**data), ("transform", origin), ("clip-rule", fill_rule), ("visibility", "visible")];
            let is_empty = PathParser::from(&**data).take(2).count() < 2;
            document.append_element(clip_path, "path", if is_empty { &NO_INTERIOR } else { &own });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::quirks::upstream::tree;

    #[test]
    fn usvg_still_ignores_shapes_in_clip_paths() {
        for shape in ["circle(1px)", "inset(4px) fill-box", "fill-box"] {
            let drawn = tree(&format!("<rect width='9' height='9' style='clip-path:{shape}'/>"));
            assert!(drawn.clip_paths().is_empty(), "{shape}");
            assert!(drawn.root().has_children(), "{shape}");
        }
    }
}
