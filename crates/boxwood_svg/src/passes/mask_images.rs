//! usvg 0.49 ignores gradients of CSS in `mask-image` and `mask`.
//!
//! CSS Masking 1 (section 6) has them. So each element with one gets a `mask` of its own, with a
//! gradient of SVG. The image of the mask is as large as the box of the element's fill, and it is
//! repeated over that of its stroke, as in Chromium.

use kurbo::{Rect, Vec2};

use crate::css::gradients::{Gradient, Placed};
use crate::css::sizes::{LengthAxis, Sizes};
use crate::dom::{Document, Node, NodeId};
use crate::error::Error;
use crate::guard::limits::MAX_COPIED_BYTES;
use crate::passes::Tools;
use crate::passes::clip_shapes::may_be_drawn;
use crate::passes::marked_effects::{NO_AREA, hide};
use crate::passes::plain_boxes::{Boxes, plain_boxes};

/// The images that are ignored.
const IGNORED: &str = "a gradient in `mask` that SVG cannot express";

const PROPERTY: &str = "mask";

/// The properties of the image, with the values that are supported.
const LAYOUT: [(&str, &[&str]); 5] = [
    ("mask-clip", &["border-box"]),
    ("mask-origin", &["border-box"]),
    ("mask-position", &["0% 0%"]),
    ("mask-repeat", &["repeat", "repeat repeat"]),
    ("mask-size", &["auto", "auto auto", "100% 100%"]),
];

/// The largest number of copies of an image on each side of it.
const MAX_COPIES: f64 = 8.0;

/// The margin around the box of the stroke, in user units, so that the edge of the mask is not
/// anti-aliased there.
const MARGIN: f64 = 1.0;

/// Gives a mask to each element with a gradient in its `mask`.
pub(super) fn draw(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    let masked: Vec<_> = document.elements().filter(|node| is_image(*node)).collect();
    if masked.is_empty() {
        return Ok(());
    }
    let boxes = plain_boxes(document, tools);
    let sizes = Sizes::of_document(document, tools.measure);
    let (mut ignored, mut changes, mut n_bytes) = (Vec::new(), Vec::new(), 0);
    for node in masked {
        let known = boxes.get(node.attribute("id").unwrap_or_default());
        // An element that paints nothing needs no mask, and is not worth a warning.
        if known.is_none() && !may_be_drawn(node) {
            changes.push((node.id(), Change::Remove));
            continue;
        }
        let change = known.and_then(|boxes| change(node, boxes, &sizes));
        n_bytes += change.as_ref().map_or(0, Change::size);
        let change = change.filter(|_| n_bytes <= MAX_COPIED_BYTES);
        if change.is_none() {
            ignored.push(node);
        }
        changes.push((node.id(), change.unwrap_or(Change::Remove)));
    }
    tools.ignore(&ignored, IGNORED);
    for (index, (element, change)) in changes.into_iter().enumerate() {
        change.apply(element, index, document);
    }
    Ok(())
}

/// Whether the mask of an element is an image.
fn is_image(node: Node<'_>) -> bool {
    node.attribute(PROPERTY).is_some_and(|value| value.ends_with(')') && !value.starts_with("url("))
}

/// A change of an element with an image in its `mask`.
enum Change {
    /// The mask is removed.
    Remove,
    /// The mask has no area.
    Hide,
    /// The mask is a gradient in a box, repeated over the box of the stroke.
    Mask { gradient: Placed, tile: Rect, stroke: Rect },
}

fn change(node: Node<'_>, [fill, stroke]: &Boxes, sizes: &Sizes<'_>) -> Option<Change> {
    let is_usual =
        |(name, values): &(&str, &[&str])| node.declaration(name).is_none_or(|value| values.contains(&value));
    if !LAYOUT.iter().all(is_usual) {
        return None;
    }
    // Without a size, the image is empty, so the mask hides everything.
    if fill.area() <= 0.0 {
        return Some(Change::Hide);
    }
    let gradient = Gradient::parse_all(node.attribute(PROPERTY)?)?;
    let gradient = gradient.placed(*fill, &sizes.units(node, LengthAxis::Diagonal))?;
    // The copies are counted from the fill, so the box that they cover must contain it.
    let stroke = stroke.union(*fill);
    let copies = [
        (fill.x0 - stroke.x0) / fill.width(),
        (stroke.x1 - fill.x1) / fill.width(),
        (fill.y0 - stroke.y0) / fill.height(),
        (stroke.y1 - fill.y1) / fill.height(),
    ];
    copies.iter().all(|n| *n <= MAX_COPIES).then_some(Change::Mask { gradient, tile: *fill, stroke })
}

impl Change {
    /// About the bytes that it adds.
    fn size(&self) -> usize {
        match self {
            Self::Remove | Self::Hide => 0,
            Self::Mask { gradient, tile, stroke } => {
                1_000 + 100 * gradient.stops.len() + 250 * tiles(*tile, *stroke).len()
            }
        }
    }

    fn apply(self, element: NodeId, index: usize, document: &mut Document) {
        match self {
            Self::Remove => document.set_attribute(element, PROPERTY, "none"),
            Self::Hide => hide([element], NO_AREA, document),
            Self::Mask { gradient, tile, stroke } => {
                let id = format!("boxwood-mask-{index}");
                document.set_attribute(element, PROPERTY, format!("url(#{id})"));
                add_mask(&id, &gradient, tile, stroke, document);
            }
        }
    }
}

/// Adds a mask at the end of the document.
fn add_mask(id: &str, gradient: &Placed, tile: Rect, stroke: Rect, document: &mut Document) {
    let root = document.root_element().id();
    let gradient_id = format!("{id}-gradient");
    let attributes = gradient.attributes.iter().map(|(name, value)| (*name, &**value));
    let attributes: Vec<_> = [("id", &*gradient_id)].into_iter().chain(attributes).collect();
    let server = document.append_element(root, gradient.tag, &attributes);
    for [offset, alpha] in &gradient.stops {
        let [offset, alpha] = [offset, alpha].map(|number| number.to_string());
        document.append_element(server, "stop", &[("offset", &offset), ("stop-opacity", &alpha)]);
    }
    // The default region of a mask is relative to the fill, and would cut wide strokes.
    let region = stroke.inflate(MARGIN, MARGIN);
    let [x, y, width, height] = strings(region);
    let mask = document.append_element(
        root,
        PROPERTY,
        &[
            ("id", id),
            ("mask-type", "alpha"),
            ("maskUnits", "userSpaceOnUse"),
            ("x", &x),
            ("y", &y),
            ("width", &width),
            ("height", &height),
        ],
    );
    let paint = format!("url(#{gradient_id})");
    for (shape, offset) in tiles(tile, stroke) {
        let [x, y, width, height] = strings(shape);
        let transform = format!("translate({} {})", offset.x, offset.y);
        document.append_element(
            mask,
            "rect",
            &[
                ("x", &x),
                ("y", &y),
                ("width", &width),
                ("height", &height),
                ("transform", &transform),
                ("fill", &paint),
                // The inherited properties of the root must not change the mask.
                ("fill-opacity", "1"),
                ("stroke", "none"),
                ("visibility", "visible"),
                // Anti-aliased edges of adjacent copies would show as seams.
                ("shape-rendering", "crispEdges"),
            ],
        );
    }
}

/// The copies of a tile that cover a box, each with its offset. A single one covers the margin,
/// too.
fn tiles(tile: Rect, around: Rect) -> Vec<(Rect, Vec2)> {
    if tile == around {
        return vec![(around.inflate(MARGIN, MARGIN), Vec2::ZERO)];
    }
    // The offsets are multiples of the size, so that one copy is exactly at the tile.
    let range = |start: f64, end: f64, size: f64| {
        let (mut first, mut offsets) = (0.0, Vec::new());
        while first * size > start {
            first -= 1.0;
        }
        while first * size < end {
            offsets.push(first * size);
            first += 1.0;
        }
        offsets
    };
    let x = range(around.x0 - tile.x0, around.x1 - tile.x0, tile.width());
    let y = range(around.y0 - tile.y0, around.y1 - tile.y0, tile.height());
    let copies = y.iter().flat_map(|y| x.iter().map(|x| Vec2::new(*x, *y)));
    // Cut, so that the box of the mask has no part outside.
    copies.map(|offset| (tile.intersect(around - offset), offset)).collect()
}

fn strings(rect: Rect) -> [String; 4] {
    [rect.x0, rect.y0, rect.width(), rect.height()].map(|length| length.to_string())
}

#[cfg(test)]
mod tests {
    use crate::quirks::upstream::tree;

    #[test]
    fn usvg_still_ignores_gradients_in_masks() {
        for style in ["mask:linear-gradient(red,tan)", "mask-image:linear-gradient(red,tan)"] {
            let drawn = tree(&format!("<rect width='9' height='9' style='{style}'/>"));
            assert!(drawn.masks().is_empty(), "{style}");
            assert!(drawn.root().has_children(), "{style}");
        }
    }
}
