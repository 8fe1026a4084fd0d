//! The elements that set the edges of a source's boxes.

use std::collections::HashMap;

use boxwood_cpu::{Aabb, ElementKind};
use boxwood_svg::{Clip, Role, Within};

use super::Model;

/// The names of the edges of a box, in their order in [`Edges`].
pub(crate) const EDGES: [&str; 4] = ["left", "top", "right", "bottom"];

/// The edges of a source's boxes. There are none if the box is empty.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Edges {
    /// The edges before clipping.
    pub(crate) own: Option<[Edge; 4]>,
    /// The edges of the clipped box.
    pub(crate) clipped: Option<[Edge; 4]>,
}

/// An edge of a box, and what sets it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Edge {
    /// Its coordinate in scene space.
    pub(crate) at: f32,
    /// The innermost source of the first leaf that extends to the edge.
    pub(crate) source: u32,
    /// The role of this leaf.
    pub(crate) role: Role,
    /// The number of other sources whose leaves extend to the same edge.
    pub(crate) n_others: usize,
    /// The innermost clip that cuts the leaf at the edge, with its source.
    pub(crate) clip: Option<(Clip, u32)>,
}

impl Edges {
    /// Finds the edges of a source's boxes. This takes a pass over the elements inside of it.
    pub(super) fn new(model: &Model, source: u32) -> Self {
        let leaves = leaves(model, source);
        let boxes = [model.drawing.elements.boxes(), &model.boxes().clipped_boxes];
        let [own, clipped] = boxes.map(|boxes| edges(model, &leaves, boxes));
        Self { own, clipped }
    }
}

/// The leaves of a source and inside of it, each with its innermost source. A leaf of a part of a
/// text is also a leaf of the text.
fn leaves(model: &Model, source: u32) -> Vec<(u32, usize)> {
    let mut parts = HashMap::new();
    for (part, leaf) in model.drawing.leaves_of_text_parts() {
        // An inner part follows those around it.
        parts.entry(leaf).and_modify(|inner: &mut u32| *inner = part.max(*inner)).or_insert(part);
    }
    let facts = model.facts(source);
    let is_inside = |of: u32| (source..facts.end).contains(&of);
    let leaf = |element: usize| {
        let info = model.drawing.table[element];
        let innermost = parts.get(&element).copied().unwrap_or(info.source);
        let is_leaf = model.drawing.elements.kind(element) == ElementKind::Leaf;
        (is_leaf && info.within != Within::Mask && is_inside(innermost)).then_some((innermost, element))
    };
    facts.elements.clone().filter_map(leaf).collect()
}

/// The edges of the union of the boxes of some leaves.
fn edges(model: &Model, leaves: &[(u32, usize)], boxes: &[Aabb]) -> Option<[Edge; 4]> {
    let union = leaves.iter().fold(Aabb::EMPTY, |union, (_, leaf)| union.union(boxes[*leaf]));
    if union.is_empty() {
        return None;
    }
    Some([0, 1, 2, 3].map(|side| {
        let outermost = outward(union)[side];
        let mut at_edge = leaves.iter().filter(|(_, leaf)| outward(boxes[*leaf])[side] == outermost);
        let &(source, leaf) = at_edge.next().expect("a union has the edges of its boxes");
        // The input of a filter has the box of the filter.
        let is_filtered = |leaf: usize| model.drawing.table[leaf].within == Within::Filter;
        let mut others: Vec<u32> =
            at_edge.filter(|(_, leaf)| !is_filtered(*leaf)).map(|(other, _)| *other).collect();
        others.retain(|other| *other != source);
        others.sort_unstable();
        others.dedup();
        let is_cut = outward(model.drawing.elements.boxes()[leaf])[side] > outermost;
        let cuts = |begin: &usize| outward(model.drawing.elements.boxes()[*begin])[side] == outermost;
        let clip = is_cut.then(|| model.stack(leaf).into_iter().find(cuts)).flatten();
        Edge {
            at: [union.x0, union.y0, union.x1, union.y1][side],
            source,
            role: model.drawing.table[leaf].role,
            n_others: others.len(),
            clip: clip.and_then(|begin| {
                let clip = model.drawing.clip_at(begin)?;
                Some((clip.clone(), model.drawing.table[begin].source))
            }),
        }
    }))
}

/// The edges of a box as numbers that are larger for edges further outside.
fn outward(Aabb { x0, y0, x1, y1 }: Aabb) -> [f32; 4] {
    [-x0, -y0, x1, y1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::{index, model};

    /// What sets each edge: the coordinate, the name, the role, the other sources, the clip.
    fn described(model: &Model, edges: Option<[Edge; 4]>) -> Vec<String> {
        let name = |source: u32| &model.source(source).name;
        let describe = |Edge { at, source, role, n_others, clip }| {
            let cut = clip.map_or(String::new(), |(clip, of)| format!(", cut by {clip} of {}", name(of)));
            format!("{at}: {role:?} of {} + {n_others}{cut}", name(source))
        };
        edges.into_iter().flatten().map(describe).collect()
    }

    #[test]
    fn each_edge_has_the_leaf_that_extends_to_it_and_the_clip_that_cuts_it() {
        let model = model(
            r##"<clipPath id="k"><rect x="5" width="55" height="90"/></clipPath>
            <g id="outer"><g id="cut" clip-path="url(#k)"><rect id="wide" y="10" width="80" height="20"/></g>
            <path id="low" d="M20 20h10v60h-10z" stroke="red" stroke-width="4"/>
            <rect id="small" x="20" y="10" width="9" height="9"/><g mask="url(#none)"/></g>"##,
        );
        let Edges { own, clipped } = Edges::new(&model, index(&model, "outer"));
        assert_eq!(
            described(&model, clipped),
            [
                "5: Fill of wide + 0, cut by clip path #k of cut",
                "10: Fill of wide + 1",
                "60: Fill of wide + 0, cut by clip path #k of cut",
                "82: Stroke of low + 0"
            ]
        );
        let before = described(&model, own);
        assert_eq!(before[..3], ["0: Fill of wide + 0", "10: Fill of wide + 1", "80: Fill of wide + 0"]);
        let Edges { own, clipped } = Edges::new(&model, index(&model, "small"));
        assert_eq!(own, clipped);
        assert_eq!(described(&model, own)[0], "20: Fill of small + 0");
    }

    #[test]
    fn masks_and_the_page_cut_too() {
        let model = model(
            r##"<mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="30" height="99"><rect width="99" height="99" fill="#fff"/></mask>
            <g id="g" mask="url(#m)"><rect id="r" x="10" y="10" width="80" height="200"/></g>"##,
        );
        let edges = described(&model, Edges::new(&model, index(&model, "r")).clipped);
        assert_eq!(
            edges[2..],
            ["30: Fill of r + 0, cut by mask #m of g", "99: Fill of r + 0, cut by mask #m of g"]
        );
        let page = self::model(r#"<rect id="r" x="10" y="10" width="800" height="20"/>"#);
        let edges = described(&page, Edges::new(&page, index(&page, "r")).clipped);
        assert_eq!(edges[2], "100: Fill of r + 0, cut by viewport of /svg");
    }

    #[test]
    fn a_part_of_a_text_and_a_filter_set_edges() {
        let model = model(
            r##"<text id="t" y="20" font-size="10">a<tspan id="last" x="50">b</tspan></text>
            <filter id="f"><feGaussianBlur stdDeviation="1"/></filter>
            <g id="soft" filter="url(#f)"><rect id="in" x="10" y="50" width="10" height="10"/></g>
            <rect id="none" width="9" height="9" fill="none"/>"##,
        );
        let text = described(&model, Edges::new(&model, index(&model, "t")).clipped);
        assert!(text[0].ends_with("Fill of t + 0") && text[2].ends_with("Fill of last + 0"), "{text:?}");
        let part = described(&model, Edges::new(&model, index(&model, "last")).clipped);
        assert_eq!(part[2], text[2]);
        let soft = described(&model, Edges::new(&model, index(&model, "soft")).clipped);
        assert!(soft.iter().all(|edge| edge.ends_with("Filter of soft + 0")), "{soft:?}");
        let none = Edges::new(&model, index(&model, "none"));
        assert_eq!(none, Edges { own: None, clipped: None });
    }
}
