//! usvg 0.49 counts the markers of a path in the bounding box that a clip path, mask or filter is
//! relative to. If that box has no area, usvg removes the path.
//!
//! SVG 2 (section 8.10) has only the fill of shapes in that box. So each such path gets its own
//! copy of the effect, in user units. A group around the path gets one too. The box of the group
//! comes from a tree that is parsed without markers. Two kinds of effects are left unchanged:
//! those of a group that a `use` draws, and filters whose primitives are relative to the box.
//!
//! A path or group without area, such as a horizontal line, is not rendered in browsers if its clip
//! path, mask or filter is relative to it. Its object box stays. So it gets a clip path without
//! interior.

use std::collections::HashMap;

use kurbo::{BezPath, Point, Rect, Shape};
use svgtypes::{Length, LengthUnit, PointsParser};
use usvg::roxmltree::{Document, Node, NodeId};
use usvg::{Group, Tree};

use crate::guard::document::{PATHS, RelativeEffect, effects_of_groups};
use crate::guard::limits::MAX_COPIED_BYTES;
use crate::inline_style::declared;
use crate::quirks::empty_effects::NO_INTERIOR;
use crate::rewrite::Edits;
use crate::warnings::{WarningKind, Warnings};
use crate::xml::{local_href, name_or_place};

/// The id of the clip path that lets nothing through.
const NOTHING: &str = "boxwood-clip-nothing";

/// The elements that draw something else than a path.
const OTHER_SHAPES: [&str; 7] = ["circle", "ellipse", "image", "rect", "svg", "text", "use"];

/// The style sheet for a tree in which the box of each group is that of its fill.
pub(crate) const STYLE_SHEET: &str = "* { marker-start: none !important; marker-mid: none !important;
    marker-end: none !important; clip-path: none !important; mask: none !important; filter: none !important }";

/// Gives its own effect to each path for which usvg places the effect wrongly.
pub(crate) fn place_effects(relative: &[RelativeEffect<'_>], warnings: &Warnings, edits: &mut Edits<'_>) {
    place(relative, "boxwood-effect", fill_box, warnings, edits);
}

/// The text of a document in which groups with markers have their own effects, and groups without
/// area are hidden. `None` if there are none. `parse` returns the tree with [`STYLE_SHEET`].
pub(crate) fn place_on_groups(
    document: &Document<'_>,
    warnings: &Warnings,
    parse: impl FnOnce() -> Option<Tree>,
) -> Option<String> {
    let relative = effects_of_groups(document, &flat_groups(document));
    if relative.is_empty() {
        return None;
    }
    let (tree, mut boxes, mut edits) = (parse()?, HashMap::new(), Edits::new(document));
    add_group_boxes(tree.root(), &mut boxes);
    let fill_box = |group: Node<'_, '_>| boxes.get(group.attribute("id")?).copied();
    place(&relative, "boxwood-group-effect", fill_box, warnings, &mut edits);
    edits.warn(warnings);
    edits.apply()
}

/// Adds the box of each group with an id, in the space of its contents.
fn add_group_boxes<'t>(group: &'t Group, boxes: &mut HashMap<&'t str, Rect>) {
    for child in group.children() {
        let usvg::Node::Group(child) = child else { continue };
        if !child.id().is_empty() {
            let r = child.bounding_box();
            let [x0, y0, x1, y1] = [r.left(), r.top(), r.right(), r.bottom()].map(f64::from);
            boxes.insert(child.id(), Rect::new(x0, y0, x1, y1));
        }
        add_group_boxes(child, boxes);
    }
}

/// Gives its own effect to each element with a known box of its fill. `prefix` is that of the ids.
fn place(
    relative: &[RelativeEffect<'_>],
    prefix: &str,
    fill_box: impl Fn(Node<'_, '_>) -> Option<Rect>,
    warnings: &Warnings,
    edits: &mut Edits<'_>,
) {
    let mut n_copied_bytes = 0;
    for (index, RelativeEffect { element, effect, is_marked }) in relative.iter().enumerate() {
        let Some(fill) = fill_box(*element) else { continue };
        if !has_area(fill) {
            hide(*element, edits);
            continue;
        }
        if !is_marked {
            continue;
        }
        n_copied_bytes += effect.range().len();
        if n_copied_bytes > MAX_COPIED_BYTES {
            warnings.add(WarningKind::CopiedEffect, || name_or_place(*element));
            continue;
        }
        let id = format!("{prefix}-{index}");
        if let Some(property) = copy_in_user_units(*element, *effect, fill, &id, edits) {
            edits.set_property(*element, property, &format!("url(#{id})"));
        }
    }
}

/// Clips an element to nothing. Its object box stays.
pub(crate) fn hide(element: Node<'_, '_>, edits: &mut Edits<'_>) {
    edits.set_property(element, "clip-path", &format!("url(#{NOTHING})"));
    edits.set_property(element, "mask", "none");
    edits.set_property(element, "filter", "none");
    // Equal edits count once.
    let (root, attributes) = (element.document().root_element(), format!("id='{NOTHING}'"));
    edits.append_child(root, ("clipPath", &attributes), Some(("path", NO_INTERIOR)));
}

/// Adds a copy of an effect of an element, in user units, with this id. Returns the property that
/// refers to it, or `None` if the copy would not be the same.
fn copy_in_user_units(
    element: Node<'_, '_>,
    effect: Node<'_, '_>,
    fill: Rect,
    id: &str,
    edits: &mut Edits<'_>,
) -> Option<&'static str> {
    let Rect { x0, y0, .. } = fill;
    let (width, height) = (fill.width(), fill.height());
    let matrix = format!("matrix({width} 0 0 {height} {x0} {y0})");
    let is_relative = |units| effect.attribute(units).is_some_and(|u| u.trim() == "objectBoundingBox");
    // A percentage in the contents is relative to the units.
    let contents = effect.first_child().map_or(effect.range().end, |child| child.range().start);
    let has_percentage = effect.document().input_text()[contents..effect.range().end].contains('%');
    let (property, units, are_contents_relative) = match effect.tag_name().name() {
        "clipPath" if has_percentage => return None,
        "clipPath" => {
            let transform = format!("{} {matrix}", effect.attribute("transform").unwrap_or_default());
            let changes = [("id", id), ("clipPathUnits", "userSpaceOnUse"), ("transform", &transform)];
            return edits.copy_element(effect, &changes, None).then_some("clip-path");
        }
        "mask" => ("mask", "maskUnits", is_relative("maskContentUnits")),
        // A list of filters would be lost, and a filter may take attributes from another one.
        _ if declared(element, "filter")? != format!("url(#{})", effect.attribute("id")?)
            || is_relative("primitiveUnits")
            || local_href(effect).is_some() =>
        {
            return None;
        }
        _ => ("filter", "filterUnits", false),
    };
    let mut changes = vec![("id", id), (units, "userSpaceOnUse")];
    let fraction = |name, default| match effect.attribute(name).map(|text| text.trim().parse::<Length>()) {
        None => Some(default),
        Some(Ok(Length { number, unit: LengthUnit::None })) => Some(number),
        Some(Ok(Length { number, unit: LengthUnit::Percent })) => Some(number / 100.0),
        Some(_) => None,
    };
    let region;
    if effect.attribute(units).is_none_or(|units| units.trim() != "userSpaceOnUse") {
        region = [
            ("x", (x0 + fraction("x", -0.1)? * width).to_string()),
            ("y", (y0 + fraction("y", -0.1)? * height).to_string()),
            ("width", (fraction("width", 1.2)? * width).to_string()),
            ("height", (fraction("height", 1.2)? * height).to_string()),
        ];
        changes.extend(region.iter().map(|(name, value)| (*name, &**value)));
    }
    if are_contents_relative {
        changes.push(("maskContentUnits", "userSpaceOnUse"));
    }
    let transform = are_contents_relative.then_some(&*matrix);
    let is_same = transform.is_none() || !has_percentage;
    (is_same && edits.copy_element(effect, &changes, transform)).then_some(property)
}

/// The box of the fill of a path. `None` if it is not certain.
fn fill_box(shape: Node<'_, '_>) -> Option<Rect> {
    let number = |name| shape.attribute(name).map_or(Some(0.0), |text| text.trim().parse().ok());
    Some(match shape.tag_name().name() {
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
fn flat_groups<'d>(document: &'d Document<'d>) -> Vec<Node<'d, 'd>> {
    let mut groups = Vec::new();
    // Whether everything that an element draws is a path without area. Missing if it draws nothing.
    let mut are_flat: HashMap<NodeId, bool> = HashMap::new();
    // Children come before their parents.
    for node in document.descendants().rev().filter(Node::is_element) {
        let is_flat = match node.tag_name().name() {
            path if PATHS.contains(&path) => Some(fill_box(node).is_some_and(|fill| !has_area(fill))),
            other if OTHER_SHAPES.contains(&other) => Some(false),
            _ => are_flat.get(&node.id()).copied(),
        };
        let Some(is_flat) = is_flat else { continue };
        if is_flat && node.has_tag_name("g") {
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
    use usvg::{Node, roxmltree};

    use super::flat_groups;
    use crate::quirks::upstream::tree;
    use crate::xml::parse;

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
        let document = parse(text).expect("it is XML");
        let ids = |groups: Vec<roxmltree::Node<'_, '_>>| {
            groups.into_iter().filter_map(|group| group.attribute("id")).collect::<String>()
        };
        assert_eq!(ids(flat_groups(&document)), "db");
    }
}
