//! The boxes of a drawing as rows: one row per SVG element and kind of box.

use std::borrow::Cow;

use boxwood_cpu::{Aabb, Boxes, ElementKind, Scene};
use boxwood_svg::{Drawing, ElementInfo, Include, NoBox, Role, Source, SourceKind, Space, Unlisted, Within};
use kurbo::Rect;

use crate::clips::ClipAround;
use crate::position::DocumentPosition;
use crate::words::{BoxKind, NO_PARTS};

/// One box of one SVG element, or the reason why it has none.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxRow<'a> {
    /// The SVG id, or a path such as `/svg/g[2]/rect[1]`.
    pub name: Cow<'a, str>,
    /// Whether the name is an SVG id.
    pub has_id: bool,
    /// The name of the SVG element, such as `rect`.
    pub element: Cow<'a, str>,
    /// Where the element is in the document.
    pub position: DocumentPosition<'a>,
    /// The kind of box. `None` for an element without an ink box of the requested kinds.
    pub kind: Option<BoxKind>,
    /// The parts of an object box. None of them for an ink box.
    pub include: Include,
    /// The position of the element in document order. Elements that are not drawn come last.
    pub order: usize,
    /// The name of the innermost listed element around the element. `None` for the root.
    pub parent: Option<&'a str>,
    /// Whether an answer has the row if the query names no elements.
    pub is_listed: bool,
    /// The box, in the requested space. The width or height of an object box can be zero.
    pub bounds: Aabb,
    /// The reason, if the box is empty.
    pub reason: Option<NoBox>,
    /// The clips around the element, the innermost first. `None` unless the query has a place.
    pub clips: Option<Vec<ClipAround>>,
}

impl<'a> BoxRow<'a> {
    /// The row of an element without a box of a kind.
    fn without_box(
        name: Cow<'a, str>,
        has_id: bool,
        element: Cow<'a, str>,
        position: DocumentPosition<'a>,
    ) -> Self {
        Self {
            name,
            has_id,
            element,
            position,
            kind: None,
            include: NO_PARTS,
            order: 0,
            parent: None,
            is_listed: true,
            bounds: Aabb::EMPTY,
            reason: None,
            clips: None,
        }
    }
}

/// The elements of a drawing, and the SVG elements that they come from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Content<'a, 'c> {
    pub(crate) sources: &'a [Source],
    pub(crate) table: &'c [ElementInfo],
    /// The [leaves of the parts of texts](Drawing::leaves_of_text_parts).
    pub(crate) text_leaves: &'c [(u32, usize)],
    pub(crate) scene: &'c Scene,
}

/// The ink boxes of one SVG element, by [`BoxKind`].
type InkBoxes = [Option<Aabb>; BoxKind::INK.len()];

/// A box, or the reason why there is none.
type BoxOrReason<'r> = Result<Aabb, &'r NoBox>;

/// The ink boxes of a drawing, in document order, and for each element in the order of `kinds`.
///
/// An element without paint of its own has no `leaf` and no `clipped`. An element without a node
/// has no `clip` and, unless it is a group, no `group`. A part of a text without an id is not
/// listed.
///
/// An element with none of these kinds has one row. `unpainted` has the reasons of the elements
/// that paint nothing.
pub(crate) fn ink_rows<'a>(
    Content { sources, table, text_leaves, scene }: Content<'a, '_>,
    boxes: &Boxes,
    kinds: &[BoxKind],
    unpainted: &[Option<NoBox>],
) -> Vec<BoxRow<'a>> {
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
    let kinds: Vec<_> = kinds.iter().map(|&kind| (kind, NO_PARTS)).collect();
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
/// The boxes of elements that are not wanted are not computed, and their rows have no meaning.
pub(crate) fn object_rows<'a>(
    drawing: &'a Drawing,
    sets: &[Include],
    space: Space,
    is_wanted: impl Fn(usize) -> bool,
) -> Vec<BoxRow<'a>> {
    let sources = &drawing.sources;
    let wanted_boxes = |include| drawing.object_boxes_of(include, space, &is_wanted);
    let boxes: Vec<_> = sets.iter().map(|set| wanted_boxes(*set)).collect();
    let is_missing = |(order, found): (usize, &Option<Rect>)| is_wanted(order) && found.is_none();
    let has_missing = boxes.iter().any(|boxes| boxes.iter().enumerate().any(is_missing));
    let boxes_of = |include| if has_missing { wanted_boxes(include) } else { vec![None; sources.len()] };
    let unclipped: Vec<_> = sets.iter().map(|set| boxes_of(Include { clipped: false, ..*set })).collect();
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

fn object_kinds(sets: &[Include]) -> Vec<(BoxKind, Include)> {
    sets.iter().map(|set| (BoxKind::Object, *set)).collect()
}

/// The rows of these kinds, each with its parts. `bounds` returns the box of an element, by the
/// positions of the element and of the kind, and `other` the reason why it has none of these kinds.
fn rows<'a, 'r>(
    sources: &'a [Source],
    kinds: &[(BoxKind, Include)],
    bounds: impl Fn(usize, usize) -> Option<BoxOrReason<'r>>,
    other: impl Fn(usize) -> &'r NoBox,
) -> Vec<BoxRow<'a>> {
    // For each element, the name of the innermost listed element that contains it, which may be
    // itself.
    let mut listed: Vec<Option<&str>> = Vec::with_capacity(sources.len());
    let mut rows = Vec::new();
    for (order, source) in sources.iter().enumerate() {
        let parent = source.parent.and_then(|parent| listed[parent as usize]);
        let is_listed = source.has_id || source.kind != SourceKind::TextPart;
        listed.push(if is_listed { Some(&source.name) } else { parent });
        let (name, element) = (Cow::from(&source.name), Cow::from(&source.tag));
        let row = BoxRow {
            order,
            parent,
            is_listed,
            ..BoxRow::without_box(name, source.has_id, element, source.into())
        };
        let n_rows = rows.len();
        rows.extend(kinds.iter().enumerate().filter_map(|(index, &(kind, include))| {
            let bounds = bounds(order, index)?;
            let (reason, bounds) = (bounds.err().cloned(), bounds.unwrap_or(Aabb::EMPTY));
            Some(BoxRow { kind: Some(kind), include, bounds, reason, ..row.clone() })
        }));
        if rows.len() == n_rows {
            let reason = other(order);
            let is_listed = is_listed && *reason != NoBox::OtherBoxes;
            rows.push(BoxRow { reason: Some(reason.clone()), is_listed, ..row });
        }
    }
    rows
}

/// The rows of the elements that are not sources, in document order: one for each set of parts of
/// object boxes, or one for ink boxes. `order` is the position of the first one.
pub(crate) fn unlisted_rows<'a>(
    unlisted: Vec<Unlisted>,
    order: usize,
    sets: &[Include],
) -> impl Iterator<Item = BoxRow<'a>> {
    let mut kinds: Vec<_> = object_kinds(sets).into_iter().map(|(kind, set)| (Some(kind), set)).collect();
    if kinds.is_empty() {
        kinds.push((None, NO_PARTS));
    }
    unlisted.into_iter().enumerate().flat_map(move |(index, element)| {
        let has_id = !element.id.is_empty();
        let (name, position) = (element.name().to_owned(), DocumentPosition::from(&element));
        let row = BoxRow {
            order: order + index,
            is_listed: has_id || element.would_be_drawn(),
            reason: Some(element.reason),
            ..BoxRow::without_box(name.into(), has_id, element.tag.into(), position)
        };
        kinds.clone().into_iter().map(move |(kind, include)| BoxRow { kind, include, ..row.clone() })
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

#[cfg(test)]
mod tests;
