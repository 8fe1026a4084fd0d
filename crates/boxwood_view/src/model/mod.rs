//! The facts about a drawing that the panels show: plain data, computed off the thread of the
//! window.

mod details;
mod edges;
mod filter;
mod formats;
mod source_facts;

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use boxwood_cpu::{Aabb, Boxes, ElementKind, Picker, Place};
use boxwood_svg::{Drawing, Hits, Role, Source, Within};
use kurbo::{Point, Rect};

pub(crate) use details::{Details, OBJECT_BOXES};
pub(crate) use edges::{EDGES, Edge, Edges};
pub(crate) use filter::{Filter, KindFilter};
pub(crate) use formats::{CopyFormat, decimal};
pub(crate) use source_facts::{SourceFacts, Visibility};

/// What of an element the pointer hits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum HitTest {
    /// What it paints.
    #[default]
    Paint,
    /// Its clipped box, or the group box of a group.
    Boxes,
}

/// A drawing with the boxes of its scene, and the facts about each of its sources.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) drawing: Drawing,
    /// The facts about each of the drawing's sources.
    pub(crate) facts: Vec<SourceFacts>,
    /// What is painted at a point.
    hits: Hits,
    /// The time for the boxes and the facts.
    pub(crate) time: Duration,
    /// The largest depth of a source.
    pub(crate) deepest: u32,
    /// The rectangle of the root's `viewBox` in scene space.
    pub(crate) view_box: Option<Rect>,
}

impl Model {
    /// Computes the facts. This takes a few passes over the elements.
    pub(crate) fn new(drawing: Drawing) -> Self {
        let start = Instant::now();
        let facts = source_facts::of(&drawing);
        let deepest = facts.iter().map(|facts| facts.depth).max().unwrap_or(0);
        let view_box = drawing.view_box();
        let hits = Hits::new(&drawing);
        Self { drawing, facts, hits, time: start.elapsed(), deepest, view_box }
    }

    /// The boxes of the scene.
    pub(crate) fn boxes(&self) -> &Boxes {
        self.drawing.boxes()
    }

    /// The sources of the drawing.
    pub(crate) fn sources(&self) -> &[Source] {
        &self.drawing.sources
    }

    pub(crate) fn source(&self, index: u32) -> &Source {
        &self.drawing.sources[index as usize]
    }

    pub(crate) fn facts(&self, source: u32) -> &SourceFacts {
        &self.facts[source as usize]
    }

    /// The number of sources with one of these depths, and of all sources.
    pub(crate) fn n_in_depths(&self, depths: RangeInclusive<u32>) -> [usize; 2] {
        [self.facts.iter().filter(|facts| depths.contains(&facts.depth)).count(), self.facts.len()]
    }

    /// The bytes of the tags, boxes, and links of the scene.
    pub(crate) fn boxes_bytes(&self) -> u64 {
        let (scene, boxes) = (&self.drawing.elements, self.boxes());
        let bytes = size_of_val(scene.tags())
            + size_of_val(scene.boxes())
            + size_of_val(&*boxes.entries)
            + size_of_val(&*boxes.ranks)
            + size_of_val(&*boxes.links)
            + size_of_val(&*boxes.clip_boxes)
            + size_of_val(&*boxes.clipped_boxes)
            + size_of_val(&*boxes.group_boxes);
        bytes as u64
    }

    /// A source, and the sources around it, outward.
    pub(crate) fn outward(&self, source: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(source), |index| self.source(*index).parent)
    }

    /// The sources at a place in scene space, the top-most first. A group comes after everything
    /// inside of it. By boxes, leaves are found by their clipped boxes, and groups by their group
    /// boxes. By paint, a group is found if something inside of it is.
    ///
    /// `tolerance` is half the side of the place. By paint, it counts for elements that are thinner
    /// than that: the place of others is a point.
    pub(crate) fn pick(&self, at: Point, tolerance: f64, hit_test: HitTest) -> Vec<u32> {
        let Point { x, y } = at;
        let area = Aabb::new(x - tolerance, y - tolerance, x + tolerance, y + tolerance);
        let Ok(place) = area.map(Place::Area) else { return Vec::new() };
        let (scene, mut picker) = (&self.drawing.elements, Picker::new());
        let elements = match hit_test {
            HitTest::Boxes => picker.pick(scene, self.boxes(), place),
            HitTest::Paint => {
                let is_hit = |element, _| self.hits.is_hit(&self.drawing, element, at, tolerance);
                picker.pick_precise(scene, self.boxes(), place, is_hit)
            }
        };
        let mut found: Vec<u32> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for element in elements {
            let source = self.drawing.table[*element].source;
            if seen.insert(source) {
                found.push(source);
            }
        }
        found
    }

    /// The indices of the leaves that are painted, in paint order. Those of masks are not.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = usize> {
        let is_painted = |index: &usize| {
            let is_leaf = self.drawing.elements.kind(*index) == ElementKind::Leaf;
            is_leaf && self.drawing.table[*index].within != Within::Mask
        };
        (0..self.drawing.table.len()).filter(is_painted)
    }

    /// The begins of the nodes that are open at an element, the innermost first. A begin is open at
    /// itself, and at its end.
    pub(crate) fn stack(&self, element: usize) -> Vec<usize> {
        let boxes = self.boxes();
        let rank = boxes.ranks[element] as usize;
        let innermost = match self.drawing.elements.kind(element) {
            ElementKind::Begin => Some(rank),
            ElementKind::End => usize::try_from(boxes.links[rank].partner).ok(),
            ElementKind::Leaf | ElementKind::Nop => boxes.parent(element),
        };
        let outward = |begin: &usize| usize::try_from(boxes.links[*begin].parent).ok();
        let begins = std::iter::successors(innermost, outward);
        begins.map(|begin| boxes.entries[begin].element()).collect()
    }

    /// The end of the mask of a node that begins at this element, if it has a mask. A mask is
    /// painted last in its node.
    pub(crate) fn end_of_mask(&self, begin: usize) -> Option<usize> {
        let boxes = self.boxes();
        let partner = boxes.links[boxes.ranks[begin] as usize].partner;
        let last = boxes.entries.get(usize::try_from(partner).ok()?)?.element().checked_sub(1)?;
        let is_end = self.drawing.elements.kind(last) == ElementKind::End;
        (is_end && self.drawing.table[last].role == Role::Mask).then_some(last)
    }

    /// The source with a path, if there is one.
    pub(crate) fn source_at_path(&self, path: &str) -> Option<u32> {
        let found = self.sources().iter().position(|source| source.path == path)?;
        u32::try_from(found).ok()
    }
}

/// A box as a rectangle. `None` for an empty box.
pub(crate) fn rect(Aabb { x0, y0, x1, y1 }: Aabb) -> Option<Rect> {
    let rect = Rect::new(x0.into(), y0.into(), x1.into(), y1.into());
    (x0 <= x1 && y0 <= y1).then_some(rect)
}

#[cfg(test)]
pub(crate) mod tests {
    use boxwood_svg::{Fonts, Options, load};

    use super::*;

    /// The model of a drawing of 100 x 100 with these contents.
    pub(crate) fn model(contents: &str) -> Model {
        let svg =
            format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">{contents}</svg>"#);
        let options = Options { fonts: Fonts::Bundled, ..Options::default() };
        Model::new(load(svg.as_bytes(), &options).expect("the drawing is correct"))
    }

    /// The index of the source with a name.
    pub(crate) fn index(model: &Model, name: &str) -> u32 {
        let found = model.sources().iter().position(|source| source.name == name);
        u32::try_from(found.expect("there is such a source")).expect("there are few")
    }

    const NESTED: &str = r##"<g id="outer"><rect id="a" width="50" height="50"/>
        <g id="inner"><rect id="b" x="20" y="20" width="50" height="50"/></g></g>
        <rect id="c" x="90" y="90" width="5" height="5"/>"##;

    #[test]
    fn the_sources_inside_of_a_source_follow_it() {
        let model = model(NESTED);
        let names = |range: std::ops::Range<u32>| -> Vec<_> {
            range.map(|source| model.source(source).name.as_str()).collect()
        };
        let inside = |name| index(&model, name) + 1..model.facts(index(&model, name)).end;
        assert_eq!(names(inside("outer")), ["a", "inner", "b"]);
        assert_eq!(names(inside("inner")), ["b"]);
        assert_eq!(names(inside("b")), [""; 0]);
        let outward: Vec<_> = model.outward(index(&model, "b")).collect();
        assert_eq!(outward, [index(&model, "b"), index(&model, "inner"), index(&model, "outer"), 0]);
        assert_eq!(model.facts(index(&model, "b")).depth, 3);
    }

    #[test]
    fn the_stack_has_the_open_nodes_from_the_innermost_outward() {
        // The viewport begins, a group begins, a leaf, the group ends, a leaf, the viewport ends.
        let model = model(r#"<g opacity="0.5"><rect width="9" height="9"/></g><rect width="9" height="9"/>"#);
        let stacks: Vec<_> = (0..6).map(|element| model.stack(element)).collect();
        assert_eq!(stacks, [vec![0], vec![1, 0], vec![1, 0], vec![1, 0], vec![0], vec![0]]);
    }

    #[test]
    fn the_mask_of_a_node_ends_just_before_it() {
        // The viewport begins, a group begins, its leaf, its mask with a leaf, another group.
        let model = model(
            r##"<mask id="m"><rect width="9" height="9"/></mask><g mask="url(#m)"><rect width="9" height="9"/></g>
            <g opacity="0.5"><rect width="9" height="9"/></g>"##,
        );
        let begins = (0..model.drawing.table.len())
            .filter(|element| model.drawing.elements.kind(*element) == ElementKind::Begin);
        let ends: Vec<_> = begins.map(|begin| (begin, model.end_of_mask(begin))).collect();
        assert_eq!(ends, [(0, None), (1, Some(5)), (3, None), (7, None)]);
    }

    #[test]
    fn the_top_most_source_is_picked_first() {
        let model = model(NESTED);
        let names = |x, y, tolerance| -> Vec<_> {
            let found = model.pick(Point::new(x, y), tolerance, HitTest::Boxes);
            found.into_iter().map(|source| model.source(source).name.clone()).collect()
        };
        assert_eq!(names(30.0, 30.0, 0.5), ["b", "a", "/svg"]);
        assert_eq!(names(10.0, 10.0, 0.5), ["a", "/svg"]);
        assert_eq!(names(89.0, 92.0, 0.5), ["/svg"]);
        assert_eq!(names(89.0, 92.0, 1.5), ["c", "/svg"], "within the tolerance");
        assert_eq!(names(-9.0, 0.0, 0.5), [""; 0]);
        assert_eq!(names(f64::NAN, 0.0, 0.5), [""; 0]);
    }

    #[test]
    fn what_is_painted_is_picked_and_thin_lines_near_by() {
        let model = model(
            r#"<rect id="below" width="100" height="100"/>
            <g id="g" opacity="0.5"><path id="ring" fill="none" stroke="red" stroke-width="10" d="M20 20H80V80H20Z"/>
            <path id="thin" stroke="red" stroke-width="0.1" d="M40 40H60"/></g>"#,
        );
        let names = |x, y, hit_test| -> Vec<_> {
            let found = model.pick(Point::new(x, y), 2.0, hit_test);
            found.into_iter().map(|source| model.source(source).name.as_str()).collect()
        };
        assert_eq!(names(50.0, 60.0, HitTest::Boxes), ["ring", "g", "below", "/svg"]);
        assert_eq!(names(50.0, 60.0, HitTest::Paint), ["below", "/svg"]);
        assert_eq!(names(50.0, 41.5, HitTest::Paint), ["thin", "g", "below", "/svg"]);
        assert_eq!(names(22.0, 50.0, HitTest::Paint), ["ring", "g", "below", "/svg"]);
        assert_eq!(names(26.0, 50.0, HitTest::Paint), ["below", "/svg"], "the stroke is not thin");
        assert_eq!(names(f64::NAN, 0.0, HitTest::Paint), [""; 0]);
    }
}
