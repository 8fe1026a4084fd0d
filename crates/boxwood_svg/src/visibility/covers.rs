//! Opaque rectangles, which hide everything that is painted before them.

use boxwood_cpu::Aabb;

use crate::drawing::Drawing;
use crate::visibility::nodes::Nodes;
use crate::visibility::pixels::covered;

/// The number of rectangles that elements are compared with, the largest ones. A drawing of small
/// rectangles, such as pixel art, has few elements that fit below one of the others.
const MAX_COVERS: usize = 256;

/// The opaque rectangles of a drawing, the largest first.
pub(crate) struct Covers(Vec<Cover>);

/// A leaf that paints whole pixels with an opaque colour.
#[derive(Clone, Copy)]
struct Cover {
    element: usize,
    pixels: Aabb,
}

impl Covers {
    /// The rectangles that nothing makes transparent: around them are only clips to rectangles, and
    /// groups that neither blend nor have an opacity.
    pub(crate) fn new(drawing: &Drawing, nodes: &Nodes<'_>) -> Self {
        let cover = |&element: &usize| {
            if !nodes.chain(element).all(|node| nodes.list[node].keeps_opaque()) {
                return None;
            }
            let own = covered(drawing.elements.boxes()[element]);
            let pixels =
                nodes.chain(element).fold(own, |b, node| b.intersect(covered(nodes.list[node].shape)));
            (!pixels.is_empty()).then_some(Cover { element, pixels })
        };
        let mut covers: Vec<_> = drawing.opaque_boxes.iter().filter_map(cover).collect();
        let area = |cover: &Cover| cover.pixels.width() * cover.pixels.height();
        covers.sort_by(|a, b| area(b).total_cmp(&area(a)));
        covers.truncate(MAX_COVERS);
        Self(covers)
    }

    /// A leaf that paints over everything that a leaf can paint in these pixels.
    pub(crate) fn over(&self, leaf: usize, pixels: Aabb) -> Option<usize> {
        let hides = |cover: &&Cover| cover.element > leaf && cover.pixels.contains(pixels);
        self.0.iter().find(hides).map(|cover| cover.element)
    }
}
