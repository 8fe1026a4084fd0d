//! The boxes of a scene as rows: one for each SVG element and kind of box.

use boxwood_cpu::{Aabb, Boxes, ElementKind, Scene};
use boxwood_svg::{ElementInfo, ObjectBox, Role, Source, SourceKind, Within};
use kurbo::Rect;
use serde::{Serialize, Serializer};

use crate::choices::BoxKind;

/// One box of one SVG element.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Row<'a> {
    /// The SVG id, or a path such as `/g[2]/path[1]`.
    pub(crate) name: &'a str,
    /// Whether the name is an SVG id.
    pub(crate) has_id: bool,
    /// What kind of SVG element it is.
    pub(crate) element: &'static str,
    /// What kind of box it is.
    pub(crate) kind: BoxKind,
    /// The element's position in document order.
    pub(crate) order: usize,
    /// The name of the innermost element around it that is listed, of the root none.
    pub(crate) parent: Option<&'a str>,
    /// Whether it is printed without being asked for by name.
    #[serde(skip)]
    pub(crate) is_listed: bool,
    /// The box, in the space that is asked for. An object box may be without width or height.
    #[serde(rename = "box", serialize_with = "box_as_json")]
    pub(crate) bounds: Aabb,
}

/// The boxes that one SVG element has so far, and how many of its nodes are open.
#[derive(Clone, Copy, Default)]
struct Found {
    leaf: Option<Aabb>,
    clipped: Option<Aabb>,
    clip: Option<Aabb>,
    group: Option<Aabb>,
    open: usize,
}

impl Found {
    fn of_kind(&self, kind: BoxKind) -> Option<Aabb> {
        match kind {
            BoxKind::Leaf => self.leaf,
            BoxKind::Clipped => self.clipped,
            BoxKind::Clip => self.clip,
            BoxKind::Group => self.group,
            BoxKind::Object => None,
        }
    }
}

/// The rows of a scene, in document order, of an element in the order of `kinds`.
///
/// Of an SVG element, `leaf` is the union of its leaf boxes, `clipped` that of its clipped leaf boxes, `clip` the clip
/// box inside all of its nodes, `group` the group box of its outermost node. An element that draws nothing itself has
/// no `leaf`, one without a node has no `clip` and, unless it is a group, no `group`. A group without a node has in
/// `group` what its node would have: the union of the clipped leaf boxes in it. If it has no id either, it is not
/// listed.
pub(crate) fn rows<'a>(
    sources: &'a [Source],
    table: &[ElementInfo],
    elements: &Scene,
    boxes: &Boxes,
    kinds: &[BoxKind],
) -> Vec<Row<'a>> {
    let mut found = found(sources.len(), table, elements, boxes);
    let contents = contents(sources, &found);
    // Of each element, the name of it or of the innermost one around it that is listed.
    let mut listed: Vec<Option<&str>> = Vec::with_capacity(sources.len());
    let mut rows = Vec::new();
    for (order, source) in sources.iter().enumerate() {
        let is_plain = source.kind == SourceKind::Group && found[order].group.is_none();
        if is_plain {
            found[order].group = Some(contents[order]);
        }
        let is_listed = source.has_id || !is_plain;
        let parent = parent(source).and_then(|parent| listed[parent]);
        listed.push(if is_listed { Some(&source.name) } else { parent });
        rows.extend(kinds.iter().filter_map(|&kind| {
            Some(Row {
                name: &source.name,
                has_id: source.has_id,
                element: element_name(source.kind),
                kind,
                order,
                parent,
                is_listed,
                bounds: found[order].of_kind(kind)?,
            })
        }));
    }
    rows
}

/// The object boxes of a scene as rows, in document order: one for each element that is not inside of a marker.
pub(crate) fn object_rows<'a>(sources: &'a [Source], boxes: &[ObjectBox]) -> Vec<Row<'a>> {
    let has_name = |source: &Source| source.has_id || source.kind != SourceKind::Group;
    let mut listed: Vec<Option<&str>> = Vec::with_capacity(sources.len());
    let mut rows = Vec::new();
    for (order, (source, bounds)) in sources.iter().zip(boxes).enumerate() {
        let parent = parent(source).and_then(|parent| listed[parent]);
        let is_listed = has_name(source);
        listed.push(if is_listed { Some(&source.name) } else { parent });
        let bounds = match *bounds {
            ObjectBox::Tight(rect) => rounded(rect),
            ObjectBox::Empty => Aabb::EMPTY,
            ObjectBox::InMarker => continue,
        };
        rows.push(Row {
            name: &source.name,
            has_id: source.has_id,
            element: element_name(source.kind),
            kind: BoxKind::Object,
            order,
            parent,
            is_listed,
            bounds,
        });
    }
    rows
}

/// An object box as the nearest one of `f32`.
#[expect(clippy::cast_possible_truncation, reason = "the nearest that rows hold")]
fn rounded(Rect { x0, y0, x1, y1 }: Rect) -> Aabb {
    let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(|edge| edge as f32);
    Aabb { x0, y0, x1, y1 }
}

/// A box of the scene in pixels at a zoom, rounded outward to whole ones.
pub(crate) fn in_device(bounds: Aabb, zoom: f64) -> Aabb {
    if bounds == Aabb::PLANE || bounds == Aabb::EMPTY {
        return bounds;
    }
    #[expect(clippy::cast_possible_truncation, reason = "pixels, and beyond f32 its largest value")]
    let pixel = |edge: f32, round: fn(f64) -> f64| {
        (round(f64::from(edge) * zoom)).clamp(f64::from(-f32::MAX), f64::from(f32::MAX)) as f32
    };
    Aabb {
        x0: pixel(bounds.x0, f64::floor),
        y0: pixel(bounds.y0, f64::floor),
        x1: pixel(bounds.x1, f64::ceil),
        y1: pixel(bounds.y1, f64::ceil),
    }
}

/// The boxes of each SVG element's own leaves and nodes.
fn found(n_sources: usize, table: &[ElementInfo], elements: &Scene, boxes: &Boxes) -> Vec<Found> {
    let mut found = vec![Found::default(); n_sources];
    // What only shapes a mask inks nothing of its own.
    let inks = |info: &ElementInfo| info.within != Within::Mask;
    for (index, info) in table.iter().enumerate().filter(|(_, info)| inks(info)) {
        let of_source = &mut found[info.source as usize];
        match elements.kind(index) {
            ElementKind::Nop => {}
            ElementKind::Leaf => {
                add(&mut of_source.leaf, elements.boxes()[index], Aabb::union);
                add(&mut of_source.clipped, boxes.clipped_boxes[index], Aabb::union);
            }
            ElementKind::Begin => {
                let node = boxes.node_ranks[index] as usize;
                if matches!(info.role, Role::Clip | Role::ClipBlend) {
                    add(&mut of_source.clip, boxes.clip_boxes[node], Aabb::intersect);
                }
                if of_source.open == 0 {
                    add(&mut of_source.group, boxes.group_boxes[node], Aabb::union);
                }
                of_source.open += 1;
            }
            ElementKind::End => of_source.open = of_source.open.saturating_sub(1),
        }
    }
    found
}

/// The union of the clipped leaf boxes of each SVG element and of all that are inside it.
fn contents(sources: &[Source], found: &[Found]) -> Vec<Aabb> {
    let mut contents: Vec<_> = found.iter().map(|found| found.clipped.unwrap_or(Aabb::EMPTY)).collect();
    // Parents come before their children.
    for (order, source) in sources.iter().enumerate().rev() {
        if let Some(parent) = parent(source) {
            contents[parent] = contents[parent].union(contents[order]);
        }
    }
    contents
}

/// The place among the sources of the group around one.
fn parent(source: &Source) -> Option<usize> {
    source.parent.map(|parent| parent as usize)
}

fn add(sum: &mut Option<Aabb>, next: Aabb, join: impl Fn(Aabb, Aabb) -> Aabb) {
    *sum = Some(sum.map_or(next, |before| join(before, next)));
}

fn element_name(kind: SourceKind) -> &'static str {
    match kind {
        SourceKind::Svg => "svg",
        SourceKind::Group => "group",
        SourceKind::Path => "path",
        SourceKind::Image => "image",
        SourceKind::Text => "text",
    }
}

/// `[x0, y0, x1, y1]`, `null` for the empty box, `"plane"` for the whole plane.
fn box_as_json<S: Serializer>(bounds: &Aabb, serializer: S) -> Result<S::Ok, S::Error> {
    match *bounds {
        Aabb::PLANE => serializer.serialize_str("plane"),
        // Ink boxes without area all are the empty box; an object box may be a line.
        Aabb::EMPTY => serializer.serialize_none(),
        Aabb { x0, y0, x1, y1 } => [x0, y0, x1, y1].serialize(serializer),
    }
}

#[cfg(test)]
mod tests {
    use boxwood_cpu::tag;

    use super::*;

    const LEAF: u32 = 0x44;

    fn aabb(x0: f64, y0: f64, x1: f64, y1: f64) -> Aabb {
        Aabb::new(x0, y0, x1, y1).expect("no coordinate is NaN")
    }

    fn source(name: &str, kind: SourceKind, parent: Option<u32>) -> Source {
        Source { name: name.into(), has_id: !name.starts_with('/'), kind, parent }
    }

    const fn info(source: u32, role: Role) -> ElementInfo {
        ElementInfo::new(source, role)
    }

    #[test]
    fn boxes_gather_at_their_svg_element() {
        let sources = [
            source("/", SourceKind::Svg, None),
            source("twice-clipped", SourceKind::Group, Some(0)),
            source("fill-and-stroke", SourceKind::Path, Some(1)),
        ];
        let table = [
            info(0, Role::Clip),
            info(1, Role::Clip),
            info(1, Role::ClipBlend),
            info(2, Role::Fill),
            info(2, Role::Stroke),
            info(1, Role::ClipBlend),
            info(1, Role::Clip),
            info(0, Role::Clip),
        ];
        let b = tag::BEGIN;
        let e = tag::END;
        let elements = Scene::new(
            vec![b, b, b, LEAF, LEAF, e, e, e],
            vec![
                aabb(0.0, 0.0, 100.0, 100.0),
                aabb(10.0, 10.0, 60.0, 60.0),
                aabb(40.0, 0.0, 90.0, 90.0),
                aabb(20.0, 20.0, 50.0, 50.0),
                aabb(18.0, 18.0, 52.0, 52.0),
                Aabb::EMPTY,
                Aabb::EMPTY,
                Aabb::EMPTY,
            ],
        )
        .expect("the streams are good");
        let boxes = boxwood_cpu::boxes(&elements);
        let all = rows(&sources, &table, &elements, &boxes, &BoxKind::ALL);
        let found: Vec<_> = all.iter().map(|row| (row.name, row.kind, row.bounds)).collect();
        let visible = aabb(40.0, 18.0, 52.0, 52.0);
        assert_eq!(
            found,
            [
                ("/", BoxKind::Clip, aabb(0.0, 0.0, 100.0, 100.0)),
                ("/", BoxKind::Group, visible),
                ("twice-clipped", BoxKind::Clip, aabb(40.0, 10.0, 60.0, 60.0)),
                ("twice-clipped", BoxKind::Group, visible),
                ("fill-and-stroke", BoxKind::Leaf, aabb(18.0, 18.0, 52.0, 52.0)),
                ("fill-and-stroke", BoxKind::Clipped, visible),
            ]
        );
        let clips = rows(&sources, &table, &elements, &boxes, &[BoxKind::Clip]);
        assert_eq!(clips.iter().map(|row| row.order).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn pixels_hold_the_box() {
        assert_eq!(in_device(aabb(0.4, -0.4, 1.1, 2.0), 2.0), aabb(0.0, -1.0, 3.0, 4.0));
        assert_eq!(in_device(Aabb::EMPTY, 2.0), Aabb::EMPTY);
        assert_eq!(in_device(Aabb::PLANE, 2.0), Aabb::PLANE);
        assert_eq!(in_device(aabb(0.0, 0.0, 1.0, 3e38), 9.0).y1, f32::MAX);
    }

    #[test]
    fn groups_without_a_node_hold_what_is_in_them() {
        let sources = [
            source("/", SourceKind::Svg, None),
            source("layer", SourceKind::Group, Some(0)),
            source("/g[1]/g[1]", SourceKind::Group, Some(1)),
            source("left", SourceKind::Path, Some(2)),
            source("right", SourceKind::Path, Some(1)),
            source("empty", SourceKind::Group, Some(0)),
            source("beside", SourceKind::Path, Some(0)),
        ];
        let leaves = [info(3, Role::Fill), info(4, Role::Fill), info(6, Role::Fill)];
        let table = [&[info(0, Role::Clip)][..], &leaves, &[info(0, Role::Clip)]].concat();
        let elements = Scene::new(
            vec![tag::BEGIN, LEAF, LEAF, LEAF, tag::END],
            vec![
                aabb(0.0, 0.0, 100.0, 100.0),
                aabb(-10.0, 10.0, 20.0, 20.0),
                aabb(50.0, 30.0, 60.0, 40.0),
                aabb(70.0, 70.0, 90.0, 90.0),
                Aabb::EMPTY,
            ],
        )
        .expect("the streams are good");
        let boxes = boxwood_cpu::boxes(&elements);
        let groups = rows(&sources, &table, &elements, &boxes, &[BoxKind::Group]);
        let found: Vec<_> = groups.iter().map(|row| (row.name, row.is_listed, row.bounds)).collect();
        assert_eq!(
            found,
            [
                ("/", true, aabb(0.0, 10.0, 90.0, 90.0)),
                ("layer", true, aabb(0.0, 10.0, 60.0, 40.0)),
                ("/g[1]/g[1]", false, aabb(0.0, 10.0, 20.0, 20.0)),
                ("empty", true, Aabb::EMPTY),
            ]
        );
        let leaves = rows(&sources, &table, &elements, &boxes, &[BoxKind::Leaf]);
        let parents: Vec<_> = leaves.iter().map(|row| (row.name, row.parent)).collect();
        assert_eq!(
            parents,
            [("left", Some("layer")), ("right", Some("layer")), ("beside", Some("/"))],
            "the group that is not listed is passed over"
        );
    }
}
