//! The boxes of fills, which `transform-box: fill-box` refers to.

use crate::dom::Node;
use kurbo::{BezPath, Point, Rect, Shape, Vec2};
use svgtypes::PointsParser;

use super::Transforms;
use super::text_boxes::text_boxes;
use crate::guard::limits::MAX_DEPTH;
use crate::xml::{DEFINITIONS, is_selected};

/// The box of the fill of an element in its user space: `None` inside if it is empty, and `None` if
/// it is unknown, because it depends on an inner viewport, a file, or a path with an error.
pub(super) type FillBox = Option<Option<Rect>>;

impl Transforms<'_> {
    /// The box of the fill of an element.
    pub(super) fn fill_box(&mut self, node: Node<'_>, depth: u32) -> FillBox {
        if let Some(known) = self.fill_boxes.get(&node.id()) {
            return *known;
        }
        self.fill_boxes.insert(node.id(), None);
        let fill_box = if depth < MAX_DEPTH { self.compute_fill_box(node, depth) } else { None };
        self.fill_boxes.insert(node.id(), fill_box);
        fill_box
    }

    fn compute_fill_box(&mut self, node: Node<'_>, depth: u32) -> FillBox {
        let length = |name| self.length(node, name);
        let around = |x: f64, y: f64| {
            let (cx, cy) = (length("cx"), length("cy"));
            (x > 0.0 && y > 0.0).then(|| Rect::new(cx - x, cy - y, cx + x, cy + y))
        };
        let tag = node.tag();
        Some(match tag {
            // The other size is that of the file.
            "image" if !["width", "height"].iter().all(|name| node.has_attribute(name)) => return None,
            "rect" | "image" => {
                let (x, y, w, h) = (length("x"), length("y"), length("width"), length("height"));
                (w > 0.0 && h > 0.0).then(|| Rect::new(x, y, x + w, y + h))
            }
            "circle" => around(length("r"), length("r")),
            "ellipse" => {
                let [rx, ry] = [("rx", "ry"), ("ry", "rx")]
                    .map(|(own, other)| length(if node.has_attribute(own) { own } else { other }));
                around(rx, ry)
            }
            "line" => Some(Rect::new(length("x1"), length("y1"), length("x2"), length("y2")).abs()),
            "polygon" | "polyline" => {
                let points =
                    PointsParser::from(node.attribute("points").unwrap_or_default()).map(Point::from);
                points.map(|p| Rect::from_points(p, p)).reduce(|a, b| a.union(b))
            }
            "path" => {
                // A browser draws a path with an error up to the error.
                let path = BezPath::from_svg(node.attribute("d").unwrap_or_default()).ok()?;
                (!path.is_empty()).then(|| path.bounding_box())
            }
            // Its x and y are a part of its transform (SVG 2, section 5.5).
            "use" => match node.children().find(|child| child.is_drawn_by_use()) {
                Some(copy) if copy.has_tag("svg") => return None,
                Some(copy) => self.placed_box(copy, depth + 1)?,
                None => None,
            },
            "a" | "g" | "switch" => {
                let mut union: Option<Rect> = None;
                for child in node.children().filter(|child| child.is_element() && is_selected(*child)) {
                    if let Some(part) = self.placed_box(child, depth + 1)? {
                        union = Some(union.map_or(part, |union| union.union(part)));
                    }
                }
                union
            }
            "text" => {
                let boxes = self.text_boxes.get_or_init(|| text_boxes(node.document(), self.tools));
                let boxes = boxes.as_ref()?;
                let known = boxes.get(&node.id()).copied();
                if known.is_none() && node.descendants().any(|part| part.text().is_some()) {
                    return None;
                }
                known
            }
            "svg" | "foreignObject" => return None,
            _ => None,
        })
    }

    /// The box of an element in the space around it.
    fn placed_box(&mut self, node: Node<'_>, depth: u32) -> FillBox {
        if DEFINITIONS.contains(&node.tag()) || node.attribute("display") == Some("none") {
            return Some(None);
        }
        let Some(fill_box) = self.fill_box(node, depth)? else { return Some(None) };
        let offset = if node.has_tag("use") {
            Vec2::new(self.length(node, "x"), self.length(node, "y"))
        } else {
            Vec2::ZERO
        };
        Some(Some(self.of(node, depth)?.transform_rect_bbox(fill_box + offset)))
    }

    /// A length of an element, zero if it is invalid.
    fn length(&self, node: Node<'_>, name: &str) -> f64 {
        self.sizes.length(node, name).unwrap_or(0.0)
    }
}
