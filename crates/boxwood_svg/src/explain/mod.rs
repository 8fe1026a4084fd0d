//! Why an element is visible, or not: what each effect around it leaves of its box.

use std::collections::HashSet;

use boxwood_cpu::{Aabb, ElementKind};

use crate::drawing::Drawing;
use crate::table::{Clip, Role, SourceKind, Within};
use crate::visibility::{Covers, Nodes, Unseen};

/// What is left of a source inside of the effects around it.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// An index into [`Drawing::sources`].
    pub source: u32,
    /// What it paints. Empty if it paints nothing; [`Drawing::unpainted`] may have the reason.
    pub parts: Vec<Part>,
}

/// Leaves of a source with the same effects around them.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The role of the leaves. `None` for the contents of a group or SVG image, and for markers.
    pub role: Option<Role>,
    /// Whether the leaves are the markers of a shape.
    pub is_marker: bool,
    /// The number of leaves.
    pub n_leaves: usize,
    /// The source with the filter that these leaves are the input of. Their boxes are then the box
    /// of everything that the filter can paint.
    pub filter: Option<u32>,
    /// The union of their boxes, before the effects. For a group, inside of the clips in it.
    pub own_box: Aabb,
    /// The effects, the innermost first.
    pub steps: Vec<Step>,
    /// The union of the boxes inside of all clips.
    pub left: Aabb,
    /// Why no pixel is visible at 100 %. `None` if one may be.
    pub hidden: Option<Hidden>,
}

/// An effect around leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The source with the effect.
    pub source: u32,
    /// Why it clips, if it does.
    pub clip: Option<Clip>,
    /// The opacity of the group.
    pub opacity: f32,
    /// Whether the group has a blend mode other than `normal`.
    pub blends: bool,
    /// The box of the clip. The plane if it does not clip.
    pub clip_box: Aabb,
    /// The union of the boxes inside of this clip and of those before it.
    pub left: Aabb,
}

/// Why no pixel of a part is visible at 100 %.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// Its filter paints nothing.
    Empty,
    /// It is outside of the canvas.
    OffCanvas,
    /// It is outside of its clips.
    ClippedAway {
        /// The source of the clip after which nothing is left, if one clip hides all of it.
        by: Option<u32>,
    },
    /// It is below opaque rectangles that are painted later.
    Covered {
        /// The source of one of them.
        by: u32,
    },
}

/// Explains what is left of some [sources](Drawing::sources), which are indices.
///
/// # Panics
///
/// If there is no such source.
pub fn explain(drawing: &Drawing, sources: &[u32]) -> Vec<Explanation> {
    let nodes = Nodes::new(drawing);
    let covers = Covers::new(drawing, &nodes);
    let explainer = Explainer { drawing, nodes, covers, families: families(drawing) };
    sources.iter().map(|&source| Explanation { source, parts: explainer.parts(source) }).collect()
}

struct Explainer<'d> {
    drawing: &'d Drawing,
    nodes: Nodes<'d>,
    covers: Covers,
    families: Vec<Family>,
}

/// The own leaves of a source, and the sources that are directly inside of it.
#[derive(Clone, Default)]
struct Family {
    leaves: Vec<usize>,
    children: Vec<u32>,
}

/// The role of the leaves of a part, and whether they are markers.
type PartKey = (Option<Role>, bool);

/// The family of each source.
fn families(drawing: &Drawing) -> Vec<Family> {
    let mut families = vec![Family::default(); drawing.sources.len()];
    for (source, parent) in (0..).zip(drawing.sources.iter().map(|source| source.parent)) {
        if let Some(parent) = parent {
            families[parent as usize].children.push(source);
        }
    }
    for (element, info) in drawing.table.iter().enumerate() {
        if drawing.elements.kind(element) == ElementKind::Leaf && info.within != Within::Mask {
            families[info.source as usize].leaves.push(element);
        }
    }
    for (part, leaf) in drawing.leaves_of_text_parts() {
        families[part as usize].leaves.push(leaf);
    }
    families
}

impl Explainer<'_> {
    fn parts(&self, source: u32) -> Vec<Part> {
        let drawing = self.drawing;
        let kind = drawing.sources[source as usize].kind;
        let is_whole = matches!(kind, SourceKind::Svg | SourceKind::Group | SourceKind::Image);
        let inside = self.inside(source);
        let mut leaves: Vec<_> = inside.iter().flat_map(|of| &self.families[*of as usize].leaves).collect();
        leaves.sort_unstable();
        // The leaves of a part of a text are also those of the text.
        leaves.dedup();
        let mut parts: Vec<(PartKey, Vec<usize>)> = Vec::new();
        for &element in leaves {
            let info = drawing.table[element];
            let is_marker = !is_whole && info.in_marker;
            let key = ((!is_whole && !is_marker).then_some(info.role), is_marker);
            match parts.iter_mut().find(|(other, _)| *other == key) {
                Some((_, leaves)) => leaves.push(element),
                None => parts.push((key, vec![element])),
            }
        }
        let part = |(key, leaves): (PartKey, Vec<usize>)| {
            // The innermost node of the steps: the nodes inside of a group are parts of it.
            let around = |element: &usize| {
                let is_outside = |node: &usize| {
                    let of = self.nodes.list[*node].info.source;
                    kind == SourceKind::Image || of == source || !inside.contains(&of)
                };
                self.nodes.chain(*element).find(is_outside)
            };
            let start = leaves.iter().map(around).reduce(|a, b| self.common(a, b)).flatten();
            self.part(key, &leaves, start)
        };
        parts.into_iter().map(part).collect()
    }

    /// A source and those inside of it.
    fn inside(&self, source: u32) -> HashSet<u32> {
        let (mut inside, mut left) = (HashSet::new(), vec![source]);
        while let Some(source) = left.pop() {
            inside.insert(source);
            left.extend(&self.families[source as usize].children);
        }
        inside
    }

    /// The innermost node around two nodes, which may be one of them.
    fn common(&self, a: Option<usize>, b: Option<usize>) -> Option<usize> {
        let (mut a, mut b) = (a?, b?);
        while a != b {
            // A node comes after those around it.
            let later = if a > b { &mut a } else { &mut b };
            *later = self.nodes.list[*later].parent?;
        }
        Some(a)
    }

    fn part(&self, (role, is_marker): PartKey, leaves: &[usize], start: Option<usize>) -> Part {
        let union = |boxes: &[Aabb]| boxes.iter().copied().fold(Aabb::EMPTY, Aabb::union);
        let clipped_inside = |element: &usize| {
            let inner = self.nodes.chain(*element).take_while(|node| Some(*node) != start);
            let own = self.drawing.elements.boxes()[*element];
            inner.fold(own, |b, node| b.intersect(self.nodes.list[node].shape))
        };
        let mut boxes: Vec<_> = leaves.iter().map(clipped_inside).collect();
        let own_box = union(&boxes);
        let mut steps = Vec::new();
        for node in self.nodes.chain_from(start).map(|node| &self.nodes.list[node]) {
            boxes.iter_mut().for_each(|b| *b = b.intersect(node.shape));
            let effects = node.effects;
            if effects.clip.is_some() || effects.opacity < 1.0 || effects.blends {
                steps.push(Step {
                    source: node.info.source,
                    clip: effects.clip.clone(),
                    opacity: effects.opacity,
                    blends: effects.blends,
                    clip_box: node.shape,
                    left: union(&boxes),
                });
            }
        }
        Part {
            role,
            is_marker,
            n_leaves: leaves.len(),
            filter: self.filter_of(leaves[0]),
            own_box,
            left: union(&boxes),
            hidden: self.hidden(leaves).map(|hidden| by_emptying_clip(hidden, &steps)),
            steps,
        }
    }

    /// The source with the outermost filter that a leaf is the input of.
    fn filter_of(&self, leaf: usize) -> Option<u32> {
        let table = &self.drawing.table;
        if table[leaf].within != Within::Filter {
            return None;
        }
        // The leaf of a filter is the first element in the innermost node of its group.
        let filters = self.nodes.chain(leaf).map(|node| table[self.nodes.list[node].begin + 1]);
        filters.filter(|info| info.role == Role::Filter).last().map(|info| info.source)
    }

    /// Why no pixel of some leaves is visible, if the kind of reason is the same for all.
    fn hidden(&self, leaves: &[usize]) -> Option<Hidden> {
        let source = |element: usize| self.drawing.table[element].source;
        let hidden = |leaf: &usize| {
            Some(match Unseen::of(*leaf, self.drawing, &self.nodes, &self.covers)? {
                Unseen::Empty => Hidden::Empty,
                Unseen::OffCanvas => Hidden::OffCanvas,
                Unseen::Clipped(by) => {
                    Hidden::ClippedAway { by: by.map(|node| self.nodes.list[node].info.source) }
                }
                Unseen::Covered(by) => Hidden::Covered { by: source(by) },
            })
        };
        let mut all = leaves.iter().map(hidden);
        let first = all.next()??;
        all.try_fold(first, |first, other| match (first, other?) {
            (Hidden::ClippedAway { by }, Hidden::ClippedAway { by: other }) => {
                Some(Hidden::ClippedAway { by: by.filter(|_| by == other) })
            }
            (Hidden::Covered { by }, Hidden::Covered { .. }) => Some(Hidden::Covered { by }),
            (first, other) => (first == other).then_some(first),
        })
    }
}

/// What hides a part, with the first clip after which nothing is left. The viewport of the root is
/// the canvas.
fn by_emptying_clip(hidden: Hidden, steps: &[Step]) -> Hidden {
    let emptying = steps.iter().find(|step| step.left.is_empty() && step.clip.is_some());
    match (hidden, emptying) {
        (Hidden::OffCanvas | Hidden::ClippedAway { by: Some(_) }, Some(step))
            if step.source != 0 || step.clip != Some(Clip::Viewport) =>
        {
            Hidden::ClippedAway { by: Some(step.source) }
        }
        _ => hidden,
    }
}
