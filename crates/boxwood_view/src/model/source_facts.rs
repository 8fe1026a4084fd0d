//! The facts about each source: its place in the tree, its boxes, and its visibility.

use std::ops::Range;

use boxwood_cpu::{Aabb, ElementKind};
use boxwood_svg::{Drawing, NoBox, Role, Within};

/// Whether something of a source can be visible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Visibility {
    /// Its clipped box is not empty.
    Visible,
    /// It paints nothing. The reason is `None` if it is not known.
    Unpainted(Option<NoBox>),
    /// Its box is outside of the canvas.
    OffCanvas,
    /// Clips leave nothing of its box.
    ClippedAway,
}

/// The facts about a source.
#[derive(Clone, Debug)]
pub(crate) struct SourceFacts {
    /// The sources inside of it are those after it and before this index.
    pub(crate) end: u32,
    /// The number of sources around it.
    pub(crate) depth: u32,
    /// The elements from its first to its last, and those of the sources inside of it. Empty if it
    /// has none.
    pub(crate) elements: Range<usize>,
    /// The union of the boxes of the leaves of it and inside of it, before clipping.
    pub(crate) own_box: Aabb,
    /// The union of the clipped boxes of these leaves.
    pub(crate) clipped_box: Aabb,
    /// The clip box of its innermost node: the part of the scene that is visible inside of it.
    pub(crate) clip_box: Option<Aabb>,
    /// The group box of its outermost node.
    pub(crate) group_box: Option<Aabb>,
    pub(crate) visibility: Visibility,
    /// Whether it has a node that clips.
    pub(crate) clips: bool,
    /// Whether a leaf is the input of a filter. Its box is then that of the filter's result.
    pub(crate) is_filtered: bool,
}

/// Computes the facts about each source of a drawing.
pub(super) fn of(drawing: &Drawing) -> Vec<SourceFacts> {
    let mut facts = in_tree(drawing);
    add_elements(&mut facts, drawing);
    // A source follows those around it, so a source has everything inside of it before it is added
    // to the source around it.
    for index in (1..facts.len()).rev() {
        let inner = facts[index].clone();
        let Some(parent) = drawing.sources[index].parent else { continue };
        let outer = &mut facts[parent as usize];
        outer.end = outer.end.max(inner.end);
        outer.own_box = outer.own_box.union(inner.own_box);
        outer.clipped_box = outer.clipped_box.union(inner.clipped_box);
        outer.elements = span(&outer.elements, &inner.elements);
    }
    let Ok(canvas) = Aabb::new(0.0, 0.0, drawing.size.width, drawing.size.height) else { return facts };
    for (facts, reason) in facts.iter_mut().zip(drawing.unpainted()) {
        facts.visibility = if facts.own_box.is_empty() {
            Visibility::Unpainted(reason)
        } else if facts.own_box.intersect(canvas).is_empty() {
            Visibility::OffCanvas
        } else if facts.clipped_box.intersect(canvas).is_empty() {
            Visibility::ClippedAway
        } else {
            Visibility::Visible
        };
    }
    facts
}

/// The facts with the place of each source in the tree, and without boxes.
fn in_tree(drawing: &Drawing) -> Vec<SourceFacts> {
    let mut facts: Vec<SourceFacts> = Vec::with_capacity(drawing.sources.len());
    for (end, source) in (1..).zip(&drawing.sources) {
        let depth = source.parent.map_or(0, |parent| facts[parent as usize].depth + 1);
        facts.push(SourceFacts {
            end,
            depth,
            elements: 0..0,
            own_box: Aabb::EMPTY,
            clipped_box: Aabb::EMPTY,
            clip_box: None,
            group_box: None,
            visibility: Visibility::Visible,
            clips: false,
            is_filtered: false,
        });
    }
    facts
}

/// Adds the boxes of each element to the facts about its source.
fn add_elements(facts: &mut [SourceFacts], drawing: &Drawing) {
    let boxes = drawing.boxes();
    let in_table = drawing.table.iter().map(|info| info.source).zip(0..);
    for (source, element) in in_table.chain(drawing.leaves_of_text_parts()) {
        let info = drawing.table[element];
        let facts = &mut facts[source as usize];
        facts.elements = span(&facts.elements, &(element..element + 1));
        let entry = boxes.ranks[element] as usize;
        match drawing.elements.kind(element) {
            ElementKind::Leaf if info.within != Within::Mask => {
                facts.own_box = facts.own_box.union(drawing.elements.boxes()[element]);
                facts.clipped_box = facts.clipped_box.union(boxes.clipped_boxes[element]);
                facts.is_filtered |= info.within == Within::Filter;
            }
            // The nodes of a source begin from the outermost to the innermost.
            ElementKind::Begin if info.within != Within::Mask => {
                facts.clips |= matches!(info.role, Role::Clip | Role::ClipBlend);
                facts.clip_box = Some(boxes.clip_boxes[entry]);
                facts.group_box.get_or_insert(boxes.group_boxes[entry]);
            }
            _ => {}
        }
    }
}

/// The smallest range with two ranges, of which empty ones do not count.
fn span(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    match (a.is_empty(), b.is_empty()) {
        (true, _) => b.clone(),
        (_, true) => a.clone(),
        _ => a.start.min(b.start)..a.end.max(b.end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::{index, model};

    #[test]
    fn each_reason_why_a_source_is_not_visible_is_found() {
        let model = model(
            r##"<clipPath id="k"><rect width="9" height="9"/></clipPath>
            <rect id="shown" width="5" height="5"/><rect id="bare" width="5" height="5" fill="none"/>
            <rect id="off" x="200" width="5" height="5"/>
            <g id="cut" clip-path="url(#k)"><rect id="gone" x="50" width="5" height="5"/></g>
            <filter id="f"><feOffset dx="3"/></filter><rect id="moved" width="5" height="5" filter="url(#f)"/>"##,
        );
        let visibility = |name| model.facts(index(&model, name)).visibility.clone();
        assert_eq!(visibility("shown"), Visibility::Visible);
        assert_eq!(visibility("bare"), Visibility::Unpainted(Some(NoBox::NoPaint)));
        assert_eq!(visibility("off"), Visibility::OffCanvas);
        assert_eq!(visibility("gone"), Visibility::ClippedAway);
        assert_eq!(visibility("cut"), Visibility::ClippedAway, "as everything inside of it");
        assert!(model.facts(index(&model, "moved")).is_filtered);
        assert!(!model.facts(index(&model, "shown")).is_filtered);
    }

    #[test]
    fn a_group_has_the_boxes_of_everything_inside_of_it() {
        let model = model(
            r##"<clipPath id="k"><rect x="10" y="10" width="30" height="30"/></clipPath>
            <g id="g" clip-path="url(#k)"><rect id="a" width="20" height="20"/><rect id="b" x="30" y="30" width="50" height="9"/></g>"##,
        );
        let facts = model.facts(index(&model, "g"));
        let aabb = |x0, y0, x1, y1| Aabb::new(x0, y0, x1, y1).expect("no NaN");
        assert_eq!(facts.own_box, aabb(0.0, 0.0, 80.0, 39.0));
        assert_eq!(facts.clipped_box, aabb(10.0, 10.0, 40.0, 39.0));
        assert_eq!(facts.clip_box, Some(aabb(10.0, 10.0, 40.0, 40.0)));
        assert_eq!(facts.group_box, Some(aabb(10.0, 10.0, 40.0, 39.0)));
        assert_eq!(facts.elements.len(), 4, "a begin, two leaves, and an end");
        assert_eq!(model.facts(index(&model, "a")).clip_box, None, "it has no node");
    }
}
