//! The nodes of a drawing as a tree.

use crate::dom::Node;
use boxwood_cpu::{Aabb, ElementKind};

use crate::drawing::Drawing;
use crate::table::{Clip, ElementInfo, NodeEffects};
use crate::visibility::pixels::{margin, touched};

/// The nodes of a drawing, in the order of their begins.
pub(crate) struct Nodes<'d> {
    pub(crate) list: Vec<PlacedNode<'d>>,
    /// The innermost node around each element. That around a begin or end is not its own.
    pub(crate) around: Vec<Option<usize>>,
    /// Whether a filter that paints nothing here may paint something in a browser.
    pub(crate) has_uncertain_filter: bool,
}

/// A node and its place.
#[derive(Clone, Copy)]
pub(crate) struct PlacedNode<'d> {
    /// The node around it, which comes before it.
    pub(crate) parent: Option<usize>,
    /// The number of nodes around it.
    pub(crate) depth: usize,
    /// The element that begins it.
    pub(crate) begin: usize,
    /// The element that ends it.
    pub(crate) end: usize,
    pub(crate) info: ElementInfo,
    pub(crate) effects: &'d NodeEffects,
    /// The box of its shape.
    pub(crate) shape: Aabb,
    /// The pixels that it and the nodes around it let through, at least in part.
    pub(crate) pixels: Aabb,
}

impl PlacedNode<'_> {
    /// The pixels that the shape lets through, at least in part.
    pub(crate) fn touched(&self) -> Aabb {
        let is_mask = matches!(self.effects.clip, Some(Clip::Mask { .. }));
        touched(self.shape, if is_mask { margin(self.info.role) } else { 0.0 })
    }

    /// Whether an opaque colour inside of its shape stays opaque.
    pub(crate) fn keeps_opaque(&self) -> bool {
        self.effects.is_box && self.effects.opacity == 1.0 && !self.effects.blends
    }
}

/// Whether the document has a primitive of a filter that may paint nothing in usvg alone: an
/// `feImage` of a file, which may not be loaded, or an `feConvolveMatrix`, whose attributes usvg
/// may refuse.
fn has_uncertain_filter(drawing: &Drawing) -> bool {
    let is_uncertain = |node: Node<'_>| match node.tag() {
        "feImage" => node.href().is_some_and(|to| !to.starts_with('#')),
        "feConvolveMatrix" => true,
        _ => false,
    };
    drawing.original().elements().any(is_uncertain)
}

impl<'d> Nodes<'d> {
    pub(crate) fn new(drawing: &'d Drawing) -> Self {
        let (scene, mut effects) = (&drawing.elements, drawing.effects.iter());
        let mut nodes = Self {
            list: Vec::with_capacity(drawing.effects.len()),
            around: Vec::new(),
            has_uncertain_filter: has_uncertain_filter(drawing),
        };
        let mut current: Option<usize> = None;
        for (element, info) in drawing.table.iter().enumerate() {
            match scene.kind(element) {
                ElementKind::Begin => {
                    let effects = effects.next().expect("each begin has effects");
                    let outer = current.map(|parent| nodes.list[parent]);
                    let (depth, around) = outer.map_or((0, Aabb::PLANE), |n| (n.depth + 1, n.pixels));
                    let (begin, end, shape) = (element, element, scene.boxes()[element]);
                    let (parent, info, pixels) = (current, *info, Aabb::PLANE);
                    let node = PlacedNode { parent, depth, begin, end, info, effects, shape, pixels };
                    nodes.around.push(current);
                    current = Some(nodes.list.len());
                    nodes.list.push(PlacedNode { pixels: around.intersect(node.touched()), ..node });
                }
                ElementKind::End => {
                    if let Some(index) = current {
                        nodes.list[index].end = element;
                        current = nodes.list[index].parent;
                    }
                    nodes.around.push(current);
                }
                ElementKind::Leaf | ElementKind::Nop => nodes.around.push(current),
            }
        }
        nodes
    }

    /// A node and the nodes around it, the innermost first, by their indices.
    pub(crate) fn chain_from(&self, node: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(node, |node| self.list[*node].parent)
    }

    /// The nodes around an element, the innermost first, by their indices.
    pub(crate) fn chain(&self, element: usize) -> impl Iterator<Item = usize> {
        self.chain_from(self.around[element])
    }

    /// The pixels that the nodes around an element let through, at least in part.
    pub(crate) fn pixels_around(&self, element: usize) -> Aabb {
        self.around[element].map_or(Aabb::PLANE, |node| self.list[node].pixels)
    }
}
