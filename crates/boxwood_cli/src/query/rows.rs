//! The boxes of a drawing as rows: one row per SVG element and kind of box.

use boxwood_cpu::{Aabb, Boxes, ElementKind, Scene};
use boxwood_svg::{ElementInfo, Role, Source, SourceKind, Within};
use clap::ValueEnum;
use kurbo::Rect;
use serde::{Serialize, Serializer};

use super::args::{PartArg, Parts};

/// A kind of box. Its name is the same in every output and on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum BoxKind {
    /// The union of the leaf boxes of an element.
    Leaf,
    /// The union of the clipped boxes of an element.
    Clipped,
    /// The clip box inside all nodes of an element.
    Clip,
    /// The group box of the outermost node of an element. For a group without a node, the box that
    /// its node would have.
    Group,
    /// The object box of an element. The other kinds are ink boxes.
    Object,
}

impl BoxKind {
    /// The kinds of ink box, in the order of the rows.
    pub(super) const INK: [Self; 4] = [Self::Leaf, Self::Clipped, Self::Clip, Self::Group];
}

/// One box of one SVG element.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Row<'a> {
    /// The SVG id, or a path such as `/svg/g[2]/rect[1]`.
    pub(super) name: &'a str,
    /// Whether the name is an SVG id.
    pub(super) has_id: bool,
    /// The name of the SVG element, such as `rect`.
    pub(super) element: &'a str,
    /// Where the element is in the document.
    #[serde(flatten)]
    pub(super) place: Place<'a>,
    /// The kind of box.
    pub(super) kind: BoxKind,
    /// The parts of an object box. Empty for an ink box.
    pub(super) include: &'a [PartArg],
    /// The position of the element in document order.
    pub(super) order: usize,
    /// The name of the innermost listed element around the element. `None` for the root.
    pub(super) parent: Option<&'a str>,
    /// Whether the row is printed if no id is requested.
    #[serde(skip)]
    pub(super) is_listed: bool,
    /// The box, in the requested space. The width or height of an object box can be zero.
    #[serde(rename = "box", serialize_with = "box_as_json")]
    pub(super) bounds: Aabb,
}

/// Where an SVG element is in the document.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Place<'a> {
    /// Its path, with those of the `use` elements that draw it.
    pub(super) path: &'a str,
    /// Its line, starting at 1.
    pub(super) line: u32,
    /// Its column, in characters, starting at 1.
    pub(super) column: u32,
    /// The value of its attribute `class`.
    pub(super) class: &'a str,
}

/// The ink boxes of one SVG element, by [`BoxKind`].
type InkBoxes = [Option<Aabb>; BoxKind::INK.len()];

/// The ink boxes of a drawing, in document order, and for each element in the order of `kinds`.
///
/// An element without paint of its own has no `leaf` and no `clipped`. An element without a node
/// has no `clip` and, unless it is a group, no `group`. A group without a node and without an id is
/// not listed.
pub(super) fn ink_rows<'a>(
    sources: &'a [Source],
    table: &[ElementInfo],
    scene: &Scene,
    boxes: &Boxes,
    kinds: &[BoxKind],
) -> Vec<Row<'a>> {
    let mut own = own_boxes(sources.len(), table, scene, boxes);
    let mut is_listed = vec![true; sources.len()];
    // The union of the clipped boxes of each element and of all elements inside it.
    let clipped = |own: &InkBoxes| own[BoxKind::Clipped as usize].unwrap_or(Aabb::EMPTY);
    let mut contents: Vec<_> = own.iter().map(clipped).collect();
    // Children come after their parents.
    for (order, source) in sources.iter().enumerate().rev() {
        if let Some(parent) = source.parent {
            contents[parent as usize] = contents[parent as usize].union(contents[order]);
        }
        let group = &mut own[order][BoxKind::Group as usize];
        if source.kind == SourceKind::Group && group.is_none() {
            *group = Some(contents[order]);
            is_listed[order] = source.has_id;
        }
    }
    let kinds: Vec<_> = kinds.iter().map(|&kind| (kind, [].as_slice())).collect();
    rows(sources, &kinds, |order| is_listed[order], |order, index| own[order][kinds[index].0 as usize])
}

/// The object boxes of a drawing, in document order, and for each element in the order of `sets`.
/// `boxes` has the boxes of all elements for each set.
pub(super) fn object_rows<'a>(
    sources: &'a [Source],
    sets: &'a [Parts],
    boxes: &[Vec<Option<Rect>>],
) -> Vec<Row<'a>> {
    let kinds: Vec<_> = sets.iter().map(|Parts(parts)| (BoxKind::Object, parts.as_slice())).collect();
    let is_listed = |order: usize| sources[order].has_id || sources[order].kind != SourceKind::Group;
    rows(sources, &kinds, is_listed, |order, index| Some(boxes[index][order].map_or(Aabb::EMPTY, rounded)))
}

/// The rows of these kinds, each with its parts. `bounds` returns the box of an element, by the
/// positions of the element and of the kind.
fn rows<'a>(
    sources: &'a [Source],
    kinds: &[(BoxKind, &'a [PartArg])],
    is_listed: impl Fn(usize) -> bool,
    bounds: impl Fn(usize, usize) -> Option<Aabb>,
) -> Vec<Row<'a>> {
    // For each element, the name of the innermost listed element that contains it, which may be
    // itself.
    let mut listed: Vec<Option<&str>> = Vec::with_capacity(sources.len());
    let mut rows = Vec::new();
    for (order, source) in sources.iter().enumerate() {
        let Source { path, line, column, class, .. } = source;
        let place = Place { path, line: *line, column: *column, class };
        let parent = source.parent.and_then(|parent| listed[parent as usize]);
        let is_listed = is_listed(order);
        listed.push(if is_listed { Some(&source.name) } else { parent });
        rows.extend(kinds.iter().enumerate().filter_map(|(index, &(kind, include))| {
            Some(Row {
                name: &source.name,
                has_id: source.has_id,
                element: &source.tag,
                place,
                kind,
                include,
                order,
                parent,
                is_listed,
                bounds: bounds(order, index)?,
            })
        }));
    }
    rows
}

/// The boxes of the leaves and nodes of each SVG element itself, without those of its children.
fn own_boxes(n_sources: usize, table: &[ElementInfo], scene: &Scene, boxes: &Boxes) -> Vec<InkBoxes> {
    let mut own = vec![InkBoxes::default(); n_sources];
    let mut n_open = vec![0_usize; n_sources];
    // The contents of a mask are not painted.
    for (index, info) in table.iter().enumerate().filter(|(_, info)| info.within != Within::Mask) {
        let source = info.source as usize;
        let mut add = |kind: BoxKind, bounds: Aabb, join: fn(Aabb, Aabb) -> Aabb| {
            let sum = &mut own[source][kind as usize];
            *sum = Some(sum.map_or(bounds, |sum| join(sum, bounds)));
        };
        match scene.kind(index) {
            ElementKind::Nop => {}
            ElementKind::Leaf => {
                add(BoxKind::Leaf, scene.boxes()[index], Aabb::union);
                add(BoxKind::Clipped, boxes.clipped_boxes[index], Aabb::union);
            }
            ElementKind::Begin => {
                let node = boxes.node_ranks[index] as usize;
                if matches!(info.role, Role::Clip | Role::ClipBlend) {
                    add(BoxKind::Clip, boxes.clip_boxes[node], Aabb::intersect);
                }
                // Only the outermost nodes count: they contain the others.
                if n_open[source] == 0 {
                    add(BoxKind::Group, boxes.group_boxes[node], Aabb::union);
                }
                n_open[source] += 1;
            }
            ElementKind::End => n_open[source] = n_open[source].saturating_sub(1),
        }
    }
    own
}

/// Converts a box of the scene to pixels at a zoom, and rounds it outward to whole pixels.
pub(super) fn in_device(bounds: Aabb, zoom: f64) -> Aabb {
    if bounds == Aabb::PLANE || bounds == Aabb::EMPTY {
        return bounds;
    }
    #[expect(clippy::cast_possible_truncation, reason = "clamped to the range of f32")]
    let pixel = |edge: f32, round: fn(f64) -> f64| {
        round(f64::from(edge) * zoom).clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
    };
    Aabb {
        x0: pixel(bounds.x0, f64::floor),
        y0: pixel(bounds.y0, f64::floor),
        x1: pixel(bounds.x1, f64::ceil),
        y1: pixel(bounds.y1, f64::ceil),
    }
}

/// Rounds each edge to the nearest `f32`.
#[expect(clippy::cast_possible_truncation, reason = "rows have f32")]
fn rounded(Rect { x0, y0, x1, y1 }: Rect) -> Aabb {
    Aabb { x0: x0 as f32, y0: y0 as f32, x1: x1 as f32, y1: y1 as f32 }
}

/// The position, size and edges of a box. The width and height are rounded to the nearest `f32`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Numbers<T> {
    pub(super) x: T,
    pub(super) y: T,
    pub(super) width: T,
    pub(super) height: T,
    pub(super) x0: T,
    pub(super) y0: T,
    pub(super) x1: T,
    pub(super) y1: T,
}

impl From<Aabb> for Numbers<f32> {
    fn from(Aabb { x0, y0, x1, y1 }: Aabb) -> Self {
        // Both edges may be near the largest number, on either side of zero.
        let length = |start: f32, end: f32| (end - start).min(f32::MAX);
        Self { x: x0, y: y0, width: length(x0, x1), height: length(y0, y1), x0, y0, x1, y1 }
    }
}

impl<T: Clone> Numbers<T> {
    /// The numbers of a box, or eight times `plane` or `empty`.
    pub(super) fn of(bounds: Aabb, number: impl Fn(f32) -> T, plane: T, empty: T) -> Self {
        let convert = |value| match bounds {
            Aabb::PLANE => plane.clone(),
            // Not `is_empty`: an object box can be a line.
            Aabb::EMPTY => empty.clone(),
            _ => number(value),
        };
        let Numbers { x, y, width, height, x0, y0, x1, y1 } = Numbers::from(bounds);
        let [x, y, width, height] = [x, y, width, height].map(convert);
        let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(convert);
        Self { x, y, width, height, x0, y0, x1, y1 }
    }
}

/// Writes `[x0, y0, x1, y1]`, `null` for an empty box, or `"plane"` for the whole plane.
fn box_as_json<S: Serializer>(bounds: &Aabb, serializer: S) -> Result<S::Ok, S::Error> {
    match *bounds {
        Aabb::PLANE => serializer.serialize_str("plane"),
        // Not `is_empty`: an object box can be a line.
        Aabb::EMPTY => serializer.serialize_none(),
        Aabb { x0, y0, x1, y1 } => [x0, y0, x1, y1].serialize(serializer),
    }
}

#[cfg(test)]
mod tests {
    use boxwood_cpu::tag;

    use super::*;

    fn aabb(x0: f64, y0: f64, x1: f64, y1: f64) -> Aabb {
        Aabb::new(x0, y0, x1, y1).expect("no coordinate is NaN")
    }

    fn source(name: &str, kind: SourceKind, parent: Option<u32>) -> Source {
        let (tag, path, class) = (String::new(), String::new(), String::new());
        let has_id = !name.starts_with('/');
        Source { name: name.into(), has_id, kind, parent, tag, path, line: 1, column: 1, class }
    }

    const fn info(source: u32, role: Role) -> ElementInfo {
        ElementInfo { source, role, within: Within::Scene }
    }

    #[test]
    fn the_boxes_of_an_svg_element_are_combined() {
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
        let scene = Scene::new(
            vec![b, b, b, tag::LEAF, tag::LEAF, e, e, e],
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
        .expect("the streams are valid");
        let boxes = boxwood_cpu::boxes(&scene);
        let all = ink_rows(&sources, &table, &scene, &boxes, &BoxKind::INK);
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
        let clips = ink_rows(&sources, &table, &scene, &boxes, &[BoxKind::Clip]);
        assert_eq!(clips.iter().map(|row| row.order).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn boxes_in_pixels_are_rounded_outward() {
        assert_eq!(in_device(aabb(0.4, -0.4, 1.1, 2.0), 2.0), aabb(0.0, -1.0, 3.0, 4.0));
        assert_eq!(in_device(Aabb::EMPTY, 2.0), Aabb::EMPTY);
        assert_eq!(in_device(Aabb::PLANE, 2.0), Aabb::PLANE);
        assert_eq!(in_device(aabb(0.0, 0.0, 1.0, 3e38), 9.0).y1, f32::MAX);
    }

    #[test]
    fn the_size_of_a_box_is_finite() {
        let Numbers { x, y, width, height, x1, .. } = aabb(-3e38, 0.5, 3e38, 2.0).into();
        assert_eq!((x, y, x1), (-3e38, 0.5, 3e38));
        assert_eq!((width, height), (f32::MAX, 1.5));
    }

    #[test]
    fn an_element_has_a_row_for_each_set_of_parts() {
        let sources = [source("/", SourceKind::Svg, None), source("r", SourceKind::Path, Some(0))];
        let sets = [Parts(vec![PartArg::Fill]), Parts(vec![PartArg::Fill, PartArg::Stroke])];
        let square = |size| Some(Rect::new(0.0, 0.0, size, size));
        let boxes = [vec![square(1.0), None], vec![square(3.0), square(4.0)]];
        let rows = object_rows(&sources, &sets, &boxes);
        let found: Vec<_> = rows.iter().map(|row| (row.name, row.include.len(), row.bounds.x1)).collect();
        assert_eq!(found, [("/", 1, 1.0), ("/", 2, 3.0), ("r", 1, Aabb::EMPTY.x1), ("r", 2, 4.0)]);
    }

    #[test]
    fn a_group_without_a_node_has_the_box_of_its_contents() {
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
        let scene = Scene::new(
            vec![tag::BEGIN, tag::LEAF, tag::LEAF, tag::LEAF, tag::END],
            vec![
                aabb(0.0, 0.0, 100.0, 100.0),
                aabb(-10.0, 10.0, 20.0, 20.0),
                aabb(50.0, 30.0, 60.0, 40.0),
                aabb(70.0, 70.0, 90.0, 90.0),
                Aabb::EMPTY,
            ],
        )
        .expect("the streams are valid");
        let boxes = boxwood_cpu::boxes(&scene);
        let groups = ink_rows(&sources, &table, &scene, &boxes, &[BoxKind::Group]);
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
        let leaves = ink_rows(&sources, &table, &scene, &boxes, &[BoxKind::Leaf]);
        let parents: Vec<_> = leaves.iter().map(|row| (row.name, row.parent)).collect();
        assert_eq!(
            parents,
            [("left", Some("layer")), ("right", Some("layer")), ("beside", Some("/"))],
            "a group that is not listed is not a parent"
        );
    }
}
