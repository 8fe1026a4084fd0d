//! usvg 0.49 ignores `vector-effect: non-scaling-stroke`.
//!
//! SVG 2 (section 8.11) strokes such a path in the space of the screen. If all of its transforms
//! keep angles, a width and dashes that are smaller by the factor of the transforms are the same.

use std::collections::HashMap;

use usvg::{Group, Node as UsvgNode, Path, Transform};

use crate::dom::{Document, Node};
use crate::error::Error;
use crate::passes::Tools;
use crate::passes::clip_shapes::may_be_drawn;
use crate::passes::plain_boxes::plain_tree;
use crate::xml::SHAPES;

/// The strokes that are scaled.
const IGNORED: &str = "`vector-effect: non-scaling-stroke` in a mask, a text, transforms that do not keep angles, or with markers";

const PROPERTY: &str = "vector-effect";

/// The largest difference between transforms that keep angles, relative to their factor: some
/// roundings of `f32`.
const TOLERANCE: f32 = 1e-5;

/// Sets the width and dashes of the strokes that do not scale. Some scale anyway.
pub(super) fn keep_widths(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    let is_kept = |node: &Node<'_>| node.attribute(PROPERTY) == Some("non-scaling-stroke");
    let kept: Vec<_> = document.elements().filter(is_kept).collect();
    let tree = if kept.is_empty() { None } else { plain_tree(document, tools) };
    let mut paths = HashMap::new();
    if let Some(tree) = &tree {
        add_paths(tree.root(), &mut paths);
    }
    let (mut ignored, mut changes) = (Vec::new(), Vec::new());
    for node in kept {
        let placed = node.attribute("id").and_then(|id| paths.get(id)).map_or(&[][..], Vec::as_slice);
        let Some(stroke) = placed.first().and_then(|path| path.stroke()) else {
            ignored.extend((placed.is_empty() && may_be_stroked(node)).then_some(node));
            continue;
        };
        let factors: Option<Vec<f32>> = placed.iter().map(|path| factor(path.abs_transform())).collect();
        let common =
            factors.filter(|factors| factors.iter().all(|f| is_near(*f, factors[0])) && !has_markers(node));
        let Some(factor) = common.map(|factors| factors[0]) else {
            ignored.push(node);
            continue;
        };
        changes.push((node.id(), "stroke-width", (stroke.width().get() / factor).to_string()));
        if let Some(dashes) = stroke.dasharray() {
            let dashes: Vec<_> = dashes.iter().map(|dash| (dash / factor).to_string()).collect();
            changes.push((node.id(), "stroke-dasharray", dashes.join(" ")));
            changes.push((node.id(), "stroke-dashoffset", (stroke.dashoffset() / factor).to_string()));
        }
    }
    tools.ignore(&ignored, IGNORED);
    changes.into_iter().for_each(|(id, name, value)| document.set_attribute(id, name, value));
    Ok(())
}

/// Whether an element without a path in the tree without effects may be stroked, such as a text or
/// a shape in a mask.
fn may_be_stroked(node: Node<'_>) -> bool {
    let tag = node.tag();
    let has_stroke = || node.inherited("stroke").is_some_and(|stroke| stroke != "none");
    tag == "text" && has_stroke() || SHAPES.contains(&tag) && may_be_drawn(node)
}

/// Whether an element may have markers, whose size depends on the width before it is changed.
fn has_markers(node: Node<'_>) -> bool {
    let is_set = |property| node.inherited(property).is_some_and(|marker| marker != "none");
    ["marker", "marker-start", "marker-mid", "marker-end"].into_iter().any(is_set)
}

/// Adds the paths with an id, several for one that a `use` draws as well.
fn add_paths<'t>(group: &'t Group, paths: &mut HashMap<&'t str, Vec<&'t Path>>) {
    for node in group.children() {
        match node {
            UsvgNode::Path(path) if !path.id().is_empty() => {
                paths.entry(path.id()).or_default().push(path);
            }
            UsvgNode::Group(group) => add_paths(group, paths),
            UsvgNode::Path(_) | UsvgNode::Image(_) | UsvgNode::Text(_) => {}
        }
    }
}

/// The factor by which a transform scales all lengths. `None` if it does not keep angles.
fn factor(Transform { sx, kx, ky, sy, .. }: Transform) -> Option<f32> {
    let factor = sx.hypot(ky);
    let keeps_angles = [(sy, -kx), (-sy, kx)].into_iter().any(|(a, b)| {
        let largest = (sx - a).abs().max((ky - b).abs());
        largest <= TOLERANCE * factor
    });
    (keeps_angles && factor.is_normal()).then_some(factor)
}

fn is_near(a: f32, b: f32) -> bool {
    (a - b).abs() <= TOLERANCE * a.max(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quirks::upstream::tree;

    #[test]
    fn usvg_still_scales_all_strokes() {
        let style = "stroke='red' stroke-width='2' vector-effect='non-scaling-stroke'";
        let drawn = tree(&format!("<g transform='scale(3)'><path d='M1 1H9' {style}/></g>"));
        assert_eq!(drawn.root().abs_stroke_bounding_box().height(), 6.0, "SVG makes it 2 high");
    }

    #[test]
    fn only_transforms_that_keep_angles_have_a_factor() {
        for (transform, expected) in [
            (Transform::from_scale(4.0, 4.0), Some(4.0)),
            (Transform::from_scale(-4.0, 4.0), Some(4.0)),
            (Transform::from_row(0.0, 4.0, 4.0, 0.0, 7.0, 8.0), Some(4.0)),
            (Transform::from_rotate(30.0), Some(1.0)),
            (Transform::from_scale(4.0, 4.1), None),
            (Transform::from_skew(0.1, 0.0), None),
            (Transform::from_scale(0.0, 0.0), None),
        ] {
            let found = factor(transform).map(|factor| (factor * 1e4).round() / 1e4);
            assert_eq!(found, expected, "{transform:?}");
        }
    }
}
