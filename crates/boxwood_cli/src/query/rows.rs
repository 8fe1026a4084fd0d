//! The boxes of a drawing as rows: one row per SVG element and kind of box.

use boxwood_cpu::{Aabb, Boxes, ElementKind, Scene};
use boxwood_svg::{Drawing, ElementInfo, Include, NoBox, Role, Source, SourceKind, Space, Unlisted, Within};
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
pub(super) struct ElementRow<'a> {
    /// The SVG id, or a path such as `/svg/g[2]/rect[1]`.
    pub(super) name: &'a str,
    /// Whether the name is an SVG id.
    pub(super) has_id: bool,
    /// The name of the SVG element, such as `rect`.
    pub(super) element: &'a str,
    /// Where the element is in the document.
    #[serde(flatten)]
    pub(super) place: DocumentPosition<'a>,
    /// The kind of box. `None` for an element without an ink box of the requested kinds.
    pub(super) kind: Option<BoxKind>,
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
    /// The reason, if the box is empty.
    #[serde(serialize_with = "reason_as_json")]
    pub(super) reason: Option<&'a NoBox>,
}

impl<'a> ElementRow<'a> {
    /// The row of an element without a box of a kind.
    fn without_box(name: &'a str, has_id: bool, element: &'a str, place: DocumentPosition<'a>) -> Self {
        Self {
            name,
            has_id,
            element,
            place,
            kind: None,
            include: &[],
            order: 0,
            parent: None,
            is_listed: true,
            bounds: Aabb::EMPTY,
            reason: None,
        }
    }
}

/// Where an SVG element is in the document.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct DocumentPosition<'a> {
    /// Its path, with those of the `use` elements that draw it.
    pub(super) path: &'a str,
    /// Its line, starting at 1.
    pub(super) line: u32,
    /// Its column, in characters, starting at 1.
    pub(super) column: u32,
    /// The value of its attribute `class`.
    pub(super) class: &'a str,
}

/// The elements of a drawing, and the SVG elements that they come from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Content<'a> {
    pub(super) sources: &'a [Source],
    pub(super) table: &'a [ElementInfo],
    /// The [leaves of the parts of texts](Drawing::leaves_of_text_parts).
    pub(super) text_leaves: &'a [(u32, usize)],
    pub(super) scene: &'a Scene,
}

/// The ink boxes of one SVG element, by [`BoxKind`].
type InkBoxes = [Option<Aabb>; BoxKind::INK.len()];

/// A box, or the reason why there is none.
type BoxOrReason<'a> = Result<Aabb, &'a NoBox>;

/// The ink boxes of a drawing, in document order, and for each element in the order of `kinds`.
///
/// An element without paint of its own has no `leaf` and no `clipped`. An element without a node
/// has no `clip` and, unless it is a group, no `group`. A part of a text without an id is not
/// listed.
///
/// An element with none of these kinds has one row. `unpainted` has the reasons of the elements
/// that paint nothing.
pub(super) fn ink_rows<'a>(
    Content { sources, table, text_leaves, scene }: Content<'a>,
    boxes: &Boxes,
    kinds: &[BoxKind],
    unpainted: &'a [Option<NoBox>],
) -> Vec<ElementRow<'a>> {
    let mut own = own_boxes(sources.len(), table, scene, boxes);
    for &(part, leaf) in text_leaves.iter().filter(|(_, leaf)| table[*leaf].within != Within::Mask) {
        add_leaf(&mut own[part as usize], leaf, scene, boxes);
    }
    // The union of the clipped boxes of each element and of all elements inside it.
    let clipped = |own: &InkBoxes| own[BoxKind::Clipped as usize].unwrap_or(Aabb::EMPTY);
    let mut contents: Vec<_> = own.iter().map(clipped).collect();
    // Whether something in each element has a box before clipping.
    let mut is_painted: Vec<_> = own.iter().map(|own| has_box(own[BoxKind::Leaf as usize])).collect();
    // Children come after their parents.
    for (order, source) in sources.iter().enumerate().rev() {
        if let Some(parent) = source.parent {
            contents[parent as usize] = contents[parent as usize].union(contents[order]);
            is_painted[parent as usize] |= is_painted[order];
        }
        let group = &mut own[order][BoxKind::Group as usize];
        if source.kind == SourceKind::Group && group.is_none() {
            *group = Some(contents[order]);
        }
    }
    let kinds: Vec<_> = kinds.iter().map(|&kind| (kind, [].as_slice())).collect();
    let own_reason = |order: usize| unpainted[order].as_ref().unwrap_or(&NoBox::NoContents);
    let bounds = |order: usize, index: usize| {
        let kind = kinds[index].0;
        let reason = match kind {
            BoxKind::Clip => &NoBox::ClippedAway,
            BoxKind::Clipped | BoxKind::Group if is_painted[order] => &NoBox::ClippedAway,
            _ => own_reason(order),
        };
        own[order][kind as usize].map(|bounds| if bounds == Aabb::EMPTY { Err(reason) } else { Ok(bounds) })
    };
    let other = |order: usize| {
        let has_other = own[order].iter().any(|bounds| has_box(*bounds));
        if has_other { &NoBox::OtherBoxes } else { own_reason(order) }
    };
    rows(sources, &kinds, bounds, other)
}

fn has_box(bounds: Option<Aabb>) -> bool {
    bounds.is_some_and(|bounds| bounds != Aabb::EMPTY)
}

/// The object boxes of a drawing, in document order, and for each element in the order of `sets`.
pub(super) fn object_rows<'a>(drawing: &'a Drawing, sets: &'a [Parts], space: Space) -> Vec<ElementRow<'a>> {
    let sources = &drawing.sources;
    let boxes: Vec<_> = sets.iter().map(|parts| drawing.object_boxes(parts.into(), space)).collect();
    let has_missing = boxes.iter().flatten().any(Option::is_none);
    let boxes_of = |include| if has_missing { drawing.object_boxes(include, space) } else { Vec::new() };
    let unclipped: Vec<_> =
        sets.iter().map(|parts| boxes_of(Include { clipped: false, ..parts.into() })).collect();
    let whole = boxes_of(Include { fill: true, stroke: true, markers: true, clipped: false });
    let bounds = |order: usize, index: usize| {
        Some(boxes[index][order].map(rounded).ok_or_else(|| {
            if unclipped[index][order].is_some() {
                &NoBox::ClippedAway
            } else if whole[order].is_some() {
                &NoBox::OtherBoxes
            } else if sources[order].kind == SourceKind::TextPart {
                &NoBox::Unknown
            } else {
                &NoBox::NoContents
            }
        }))
    };
    rows(sources, &object_kinds(sets), bounds, |_| &NoBox::OtherBoxes)
}

fn object_kinds(sets: &[Parts]) -> Vec<(BoxKind, &[PartArg])> {
    sets.iter().map(|Parts(parts)| (BoxKind::Object, parts.as_slice())).collect()
}

/// The rows of these kinds, each with its parts. `bounds` returns the box of an element, by the
/// positions of the element and of the kind, and `other` the reason why it has none of these kinds.
fn rows<'a>(
    sources: &'a [Source],
    kinds: &[(BoxKind, &'a [PartArg])],
    bounds: impl Fn(usize, usize) -> Option<BoxOrReason<'a>>,
    other: impl Fn(usize) -> &'a NoBox,
) -> Vec<ElementRow<'a>> {
    // For each element, the name of the innermost listed element that contains it, which may be
    // itself.
    let mut listed: Vec<Option<&str>> = Vec::with_capacity(sources.len());
    let mut rows = Vec::new();
    for (order, source) in sources.iter().enumerate() {
        let Source { path, line, column, class, .. } = source;
        let place = DocumentPosition { path, line: *line, column: *column, class };
        let parent = source.parent.and_then(|parent| listed[parent as usize]);
        let is_listed = source.has_id || source.kind != SourceKind::TextPart;
        listed.push(if is_listed { Some(&source.name) } else { parent });
        let (name, has_id, element) = (&*source.name, source.has_id, &*source.tag);
        let row =
            ElementRow { order, parent, is_listed, ..ElementRow::without_box(name, has_id, element, place) };
        let n_rows = rows.len();
        rows.extend(kinds.iter().enumerate().filter_map(|(index, &(kind, include))| {
            let bounds = bounds(order, index)?;
            let (reason, bounds) = (bounds.err(), bounds.unwrap_or(Aabb::EMPTY));
            Some(ElementRow { kind: Some(kind), include, bounds, reason, ..row })
        }));
        if rows.len() == n_rows {
            let reason = other(order);
            let is_listed = is_listed && *reason != NoBox::OtherBoxes;
            rows.push(ElementRow { reason: Some(reason), is_listed, ..row });
        }
    }
    rows
}

/// The rows of the elements that are not sources, in document order: one for each set of parts of
/// object boxes, or one for ink boxes. `order` is the position of the first one.
pub(super) fn unlisted_rows<'a>(
    unlisted: &'a [Unlisted],
    order: usize,
    sets: &'a [Parts],
) -> impl Iterator<Item = ElementRow<'a>> {
    let mut kinds: Vec<_> = object_kinds(sets).into_iter().map(|(kind, parts)| (Some(kind), parts)).collect();
    if kinds.is_empty() {
        kinds.push((None, &[]));
    }
    unlisted.iter().enumerate().flat_map(move |(index, element)| {
        let Unlisted { tag, path, line, column, class, reason, .. } = element;
        let place = DocumentPosition { path, line: *line, column: *column, class };
        let has_id = !element.id.is_empty();
        let row = ElementRow {
            order: order + index,
            is_listed: has_id || element.would_be_drawn(),
            reason: Some(reason),
            ..ElementRow::without_box(element.name(), has_id, tag, place)
        };
        kinds.clone().into_iter().map(move |(kind, include)| ElementRow { kind, include, ..row })
    })
}

/// The boxes of the leaves and nodes of each SVG element itself, without those of its children.
fn own_boxes(n_sources: usize, table: &[ElementInfo], scene: &Scene, boxes: &Boxes) -> Vec<InkBoxes> {
    let mut own = vec![InkBoxes::default(); n_sources];
    let mut n_open = vec![0_usize; n_sources];
    // The contents of a mask are not painted.
    for (index, info) in table.iter().enumerate().filter(|(_, info)| info.within != Within::Mask) {
        let source = info.source as usize;
        match scene.kind(index) {
            ElementKind::Nop => {}
            ElementKind::Leaf => add_leaf(&mut own[source], index, scene, boxes),
            ElementKind::Begin => {
                let entry = boxes.ranks[index] as usize;
                if matches!(info.role, Role::Clip | Role::ClipBlend) {
                    add(&mut own[source], BoxKind::Clip, boxes.clip_boxes[entry], Aabb::intersect);
                }
                // Only the outermost nodes count: they contain the others.
                if n_open[source] == 0 {
                    add(&mut own[source], BoxKind::Group, boxes.group_boxes[entry], Aabb::union);
                }
                n_open[source] += 1;
            }
            ElementKind::End => n_open[source] = n_open[source].saturating_sub(1),
        }
    }
    own
}

fn add_leaf(own: &mut InkBoxes, leaf: usize, scene: &Scene, boxes: &Boxes) {
    add(own, BoxKind::Leaf, scene.boxes()[leaf], Aabb::union);
    add(own, BoxKind::Clipped, boxes.clipped_boxes[leaf], Aabb::union);
}

fn add(own: &mut InkBoxes, kind: BoxKind, bounds: Aabb, join: fn(Aabb, Aabb) -> Aabb) {
    let sum = &mut own[kind as usize];
    *sum = Some(sum.map_or(bounds, |sum| join(sum, bounds)));
}

/// Rounds each edge to the nearest `f32`.
#[expect(clippy::cast_possible_truncation, reason = "rows have f32")]
fn rounded(Rect { x0, y0, x1, y1 }: Rect) -> Aabb {
    Aabb { x0: x0 as f32, y0: y0 as f32, x1: x1 as f32, y1: y1 as f32 }
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

/// Writes the word of a reason.
fn reason_as_json<S: Serializer>(reason: &Option<&NoBox>, serializer: S) -> Result<S::Ok, S::Error> {
    reason.map(NoBox::word).serialize(serializer)
}

#[cfg(test)]
mod tests;
