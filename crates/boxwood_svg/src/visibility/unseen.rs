//! Why a leaf is not visible.

use crate::drawing::Drawing;
use crate::visibility::covers::Covers;
use crate::visibility::nodes::Nodes;
use crate::visibility::pixels::{canvas, overlap, painted};

/// Why no pixel of a leaf is visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unseen {
    /// It paints nothing.
    Empty,
    /// It is outside of the canvas.
    OffCanvas,
    /// It is outside of a node, by its index. `None` if several nodes hide it together.
    Clipped(Option<usize>),
    /// This element, an opaque rectangle, is painted over it.
    Covered(usize),
}

impl Unseen {
    /// Why no pixel of a leaf is visible. `None` if one may be.
    pub(crate) fn of(element: usize, drawing: &Drawing, nodes: &Nodes<'_>, covers: &Covers) -> Option<Self> {
        let pixels = painted(drawing, element);
        if pixels.is_empty() {
            return (!nodes.has_uncertain_filter).then_some(Self::Empty);
        }
        if !overlap(pixels, canvas(drawing)) {
            return Some(Self::OffCanvas);
        }
        let seen = pixels.intersect(nodes.pixels_around(element));
        if seen.is_empty() {
            let hides = |node: &usize| !overlap(nodes.list[*node].touched(), pixels);
            return Some(Self::Clipped(nodes.chain(element).find(hides)));
        }
        covers.over(element, seen).map(Self::Covered)
    }
}
