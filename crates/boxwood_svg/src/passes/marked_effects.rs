//! usvg 0.49 counts the markers of a path in the bounding box that a clip path, mask or filter is
//! relative to. If that box has no area, usvg removes the path.
//!
//! SVG 2 (section 8.10) has only the fill of shapes in that box. So each such path gets its own
//! copy of the effect, in user units. A group around the path gets one too. The box of the group
//! comes from a tree that is parsed without markers. Filters whose primitives are relative to the
//! box are left unchanged.
//!
//! A path or group without area, such as a horizontal line, is not rendered in browsers if its clip
//! path, mask or filter is relative to it. Its object box stays. So it gets a clip path without
//! interior.

use std::collections::HashMap;

use kurbo::{BezPath, Point, Rect, Shape};
use svgtypes::{Length, LengthUnit, PointsParser};

use crate::dom::{Document, Node, NodeId};
use crate::error::Error;
use crate::guard::document::{
    PATHS, RelativeEffect, effects_of_groups, effects_of_paths, has_relative_effects,
};
use crate::guard::limits::MAX_COPIED_BYTES;
use crate::passes::Tools;
use crate::passes::empty_effects::NO_INTERIOR;
use crate::passes::plain_boxes::plain_boxes;
use crate::warnings::WarningKind;

/// The id of the clip path that hides elements whose effects are in units of a box without area.
pub(crate) const NO_AREA: &str = "boxwood-no-area";

/// The elements that draw something else than a path.
const OTHER_SHAPES: [&str; 7] = ["circle", "ellipse", "image", "rect", "svg", "text", "use"];

/// Gives its own effect to each path for which usvg places the effect wrongly.
pub(super) fn place_on_paths(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    if !has_relative_effects(document) {
        return Ok(());
    }
    let changes = changes(&effects_of_paths(document), "boxwood-effect", fill_box, tools);
    apply(changes, document);
    Ok(())
}

/// Gives their own effects to groups with markers, and hides groups without area.
pub(super) fn place_on_groups(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    if !has_relative_effects(document) {
        return Ok(());
    }
    let relative = effects_of_groups(document, &flat_groups(document));
    if relative.is_empty() {
        return Ok(());
    }
    let boxes = plain_boxes(document, tools);
    let fill_box = |group: Node<'_>| Some(boxes.get(group.attribute("id")?)?[0]);
    let changes = changes(&relative, "boxwood-group-effect", fill_box, tools);
    apply(changes, document);
    Ok(())
}

/// A change of an element for its effect.
enum Change {
    /// The element is hidden.
    Hide(NodeId),
    /// The element gets its own copy of the effect, by this property.
    Place { element: NodeId, property: &'static str, copy: Copy },
}

/// Applies changes. Several clip paths may get the id `NO_AREA`; they are equal.
fn apply(changes: Vec<Change>, document: &mut Document) {
    let mut hidden = Vec::new();
    for change in changes {
        match change {
            Change::Hide(element) => hidden.push(element),
            Change::Place { element, property, copy } => {
                document.set_attribute(element, property, format!("url(#{})", copy.id));
                copy.add(document);
            }
        }
    }
    hide(hidden, NO_AREA, document);
}

/// The changes of the elements with a known box of their fill. `prefix` is that of the ids.
fn changes(
    relative: &[RelativeEffect<'_>],
    prefix: &str,
    fill_box: impl Fn(Node<'_>) -> Option<Rect>,
    tools: &Tools<'_>,
) -> Vec<Change> {
    let (mut changes, mut n_copied_bytes) = (Vec::new(), 0);
    for (index, RelativeEffect { element, effect, is_marked }) in relative.iter().enumerate() {
        let Some(fill) = fill_box(*element) else { continue };
        if !has_area(fill) {
            changes.push(Change::Hide(element.id()));
            continue;
        }
        if !is_marked {
            continue;
        }
        n_copied_bytes += effect.size();
        if n_copied_bytes > MAX_COPIED_BYTES {
            tools.warnings.add(WarningKind::CopiedEffect, || element.name_or_place());
            continue;
        }
        if let Some((property, copy)) =
            copy_in_user_units(*element, *effect, fill, format!("{prefix}-{index}"))
        {
            changes.push(Change::Place { element: element.id(), property, copy });
        }
    }
    changes
}

/// Clips elements to nothing, by a clip path with this id. Their object boxes stay.
pub(super) fn hide(elements: impl IntoIterator<Item = NodeId>, id: &str, document: &mut Document) {
    let mut is_any = false;
    for element in elements {
        document.set_attribute(element, "clip-path", format!("url(#{id})"));
        document.set_attribute(element, "mask", "none");
        document.set_attribute(element, "filter", "none");
        is_any = true;
    }
    if is_any {
        let root = document.root_element().id();
        let clip_path = document.append_element(root, "clipPath", &[("id", id)]);
        document.append_element(clip_path, "path", &NO_INTERIOR);
    }
}

/// A copy of an effect with other attributes.
struct Copy {
    effect: NodeId,
    id: String,
    attributes: Vec<(&'static str, String)>,
    /// The transform of a group around its contents.
    transform: Option<String>,
}

impl Copy {
    /// Adds the copy to the document, after the effect.
    fn add(self, document: &mut Document) {
        let copy = document.copy_of(self.effect);
        document.set_attribute(copy, "id", self.id);
        for (name, value) in self.attributes {
            document.set_attribute(copy, name, value);
        }
        if let Some(transform) = self.transform {
            document.wrap_contents(copy, &[("transform", &transform)]);
        }
        document.insert_after(self.effect, copy);
    }
}

/// A copy of an effect of an element, in user units, and the property that refers to it. `None` if
/// the copy would not be the same.
fn copy_in_user_units(
    element: Node<'_>,
    effect: Node<'_>,
    fill: Rect,
    id: String,
) -> Option<(&'static str, Copy)> {
    let Rect { x0, y0, .. } = fill;
    let (width, height) = (fill.width(), fill.height());
    let matrix = format!("matrix({width} 0 0 {height} {x0} {y0})");
    let is_relative = |units| effect.attribute(units).is_some_and(|u| u.trim() == "objectBoundingBox");
    // A percentage in the contents is relative to the units.
    let has_percentage = || {
        let mut contents = effect.descendants().skip(1);
        contents.any(|node| node.attributes().any(|attribute| attribute.value.contains('%')))
    };
    let (property, units, are_contents_relative) = match effect.tag() {
        "clipPath" if has_percentage() => return None,
        "clipPath" => {
            let transform = format!("{} {matrix}", effect.attribute("transform").unwrap_or_default());
            let user_units = ("clipPathUnits", "userSpaceOnUse".to_owned());
            let attributes = vec![user_units, ("transform", transform)];
            return Some(("clip-path", Copy { effect: effect.id(), id, attributes, transform: None }));
        }
        "mask" => ("mask", "maskUnits", is_relative("maskContentUnits")),
        // A list of filters would be lost, and a filter may take attributes from another one.
        _ if element.attribute("filter")? != format!("url(#{})", effect.attribute("id")?)
            || is_relative("primitiveUnits")
            || effect.local_href().is_some() =>
        {
            return None;
        }
        _ => ("filter", "filterUnits", false),
    };
    let mut attributes = vec![(units, "userSpaceOnUse".to_owned())];
    let fraction = |name, default| match effect.attribute(name).map(|text| text.trim().parse::<Length>()) {
        None => Some(default),
        Some(Ok(Length { number, unit: LengthUnit::None })) => Some(number),
        Some(Ok(Length { number, unit: LengthUnit::Percent })) => Some(number / 100.0),
        Some(_) => None,
    };
    if effect.attribute(units).is_none_or(|units| units.trim() != "userSpaceOnUse") {
        attributes.extend([
            ("x", (x0 + fraction("x", -0.1)? * width).to_string()),
            ("y", (y0 + fraction("y", -0.1)? * height).to_string()),
            ("width", (fraction("width", 1.2)? * width).to_string()),
            ("height", (fraction("height", 1.2)? * height).to_string()),
        ]);
    }
    if are_contents_relative {
        attributes.push(("maskContentUnits", "userSpaceOnUse".to_owned()));
    }
    let transform = are_contents_relative.then_some(matrix);
    let is_same = transform.is_none() || !has_percentage();
    is_same.then(|| (property, Copy { effect: effect.id(), id, attributes, transform }))
}

/// The box of the fill of a path. `None` if it is not certain.
fn fill_box(shape: Node<'_>) -> Option<Rect> {
    let number = |name| shape.attribute(name).map_or(Some(0.0), |text| text.trim().parse().ok());
    Some(match shape.tag() {
        "path" => BezPath::from_svg(shape.attribute("d")?).ok()?.bounding_box(),
        "line" => Rect::from_points((number("x1")?, number("y1")?), (number("x2")?, number("y2")?)),
        _ => {
            let points = PointsParser::from(shape.attribute("points")?).map(Point::from);
            points.map(|p| Rect::from_points(p, p)).reduce(|a, b| a.union(b))?
        }
    })
}

/// Whether a box has an area in usvg, which computes in `f32`.
#[expect(clippy::cast_possible_truncation, reason = "usvg computes in f32")]
fn has_area(fill: Rect) -> bool {
    (fill.x0 as f32) < fill.x1 as f32 && (fill.y0 as f32) < fill.y1 as f32
}

/// The groups whose only shapes are paths without area, such as horizontal lines. Together, the
/// paths may have an area.
fn flat_groups(document: &Document) -> Vec<Node<'_>> {
    let mut groups = Vec::new();
    // Whether everything that an element draws is a path without area. Missing if it draws nothing.
    let mut are_flat: HashMap<NodeId, bool> = HashMap::new();
    // Children come before their parents.
    let elements: Vec<_> = document.elements().collect();
    for node in elements.into_iter().rev() {
        let is_flat = match node.tag() {
            path if PATHS.contains(&path) => Some(fill_box(node).is_some_and(|fill| !has_area(fill))),
            other if OTHER_SHAPES.contains(&other) => Some(false),
            _ => are_flat.get(&node.id()).copied(),
        };
        let Some(is_flat) = is_flat else { continue };
        if is_flat && node.has_tag("g") {
            groups.push(node);
        }
        if let Some(parent) = node.parent() {
            *are_flat.entry(parent.id()).or_insert(true) &= is_flat;
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use usvg::Node;

    use super::flat_groups;
    use crate::dom;
    use crate::quirks::upstream::tree;

    #[test]
    fn usvg_still_counts_markers_in_the_box_of_an_effect() {
        let drawn = tree(
            "<marker id='m' markerUnits='userSpaceOnUse' overflow='visible'><rect width='50' height='50'/></marker>
            <clipPath id='c' clipPathUnits='objectBoundingBox'><rect width='1' height='1'/></clipPath>
            <path d='M0 0H9V9' marker-end='url(#m)' clip-path='url(#c)'/>",
        );
        let [Node::Group(group)] = drawn.root().children() else { panic!("one group") };
        let clip_path = group.clip_path().expect("it is clipped");
        assert!(clip_path.transform().sx > 50.0, "SVG makes it 9");
    }

    #[test]
    fn usvg_still_removes_lines_with_effects_relative_to_their_box() {
        for effect in [
            "<clipPath id='e' clipPathUnits='objectBoundingBox'><rect width='1' height='1'/></clipPath>",
            "<filter id='e'><feOffset/></filter>",
            "<filter id='e' filterUnits='userSpaceOnUse' primitiveUnits='objectBoundingBox'><feOffset/></filter>",
        ] {
            let property = if effect.starts_with("<clip") {
                "clip-path"
            } else {
                &effect[1..effect.find(' ').expect("an id")]
            };
            let drawn = tree(&format!("{effect}<g {property}='url(#e)'><path d='M0 9H9' stroke='red'/></g>"));
            assert!(!drawn.root().has_children(), "{effect}");
        }
    }

    #[test]
    fn groups_are_flat_if_all_of_their_shapes_are() {
        let text = "<svg><g id='a'><g id='b'><path d='M0 9H9'/></g><g id='c'><rect/><line x2='9'/></g></g>
            <g id='d'><title/><a><polyline points='1 1 1 9'/></a><line x2='9'/></g><g id='e'><path d='M0 0H9V9'/></g><g id='f'/></svg>";
        let document = dom::Document::parse(text).expect("it is XML");
        let ids = |groups: Vec<dom::Node<'_>>| {
            groups.into_iter().filter_map(|group| group.attribute("id")).collect::<String>()
        };
        assert_eq!(ids(flat_groups(&document)), "db");
    }
}
