//! Boxes of whole pixels at 100 %.

use boxwood_cpu::Aabb;

use crate::drawing::Drawing;
use crate::geometry::aabb;
use crate::table::{Role, SourceKind};

/// How far resvg may paint beyond the box of a stroke that is thinner than a pixel, in px: it draws
/// a line of one pixel.
const STROKE_MARGIN: f32 = 1.0;

/// How far resvg may paint beyond the box of a filter or mask, in px. It draws them in whole pixels
/// of their regions. Comparisons with its pictures have found at most this.
const EFFECT_MARGIN: f32 = 2.0;

/// How far a browser may paint beyond the box of a glyph, in px: hinting moves its outline to whole
/// pixels.
const HINTING_MARGIN: f32 = 1.0;

/// How far a leaf or node with this role may paint beyond its box, in px.
pub(crate) fn margin(role: Role) -> f32 {
    match role {
        Role::Fill | Role::Image | Role::Clip | Role::Blend => 0.0,
        Role::Stroke => STROKE_MARGIN,
        Role::Filter | Role::ClipBlend | Role::Mask => EFFECT_MARGIN,
    }
}

/// The pixels that something in a box can paint, with a margin around the box.
pub(crate) fn touched(b: Aabb, margin: f32) -> Aabb {
    if b.is_empty() {
        return Aabb::EMPTY;
    }
    Aabb {
        x0: (b.x0 - margin).floor().max(-f32::MAX),
        y0: (b.y0 - margin).floor().max(-f32::MAX),
        x1: (b.x1 + margin).ceil().min(f32::MAX),
        y1: (b.y1 + margin).ceil().min(f32::MAX),
    }
}

/// The pixels that a leaf can paint, without the nodes around it.
pub(crate) fn painted(drawing: &Drawing, leaf: usize) -> Aabb {
    let info = drawing.table[leaf];
    let is_text = drawing.sources[info.source as usize].kind == SourceKind::Text;
    let of_text = if is_text { HINTING_MARGIN } else { 0.0 };
    touched(drawing.elements.boxes()[leaf], margin(info.role).max(of_text))
}

/// The pixels of the canvas.
pub(crate) fn canvas(drawing: &Drawing) -> Aabb {
    touched(aabb(drawing.size.to_rect()), 0.0)
}

/// The pixels that are entirely in a box.
pub(crate) fn covered(b: Aabb) -> Aabb {
    Aabb { x0: b.x0.ceil(), y0: b.y0.ceil(), x1: b.x1.floor(), y1: b.y1.floor() }.canonical()
}

/// Whether two boxes have a pixel in common.
pub(crate) fn overlap(a: Aabb, b: Aabb) -> bool {
    !a.intersect(b).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aabb(x0: f32, y0: f32, x1: f32, y1: f32) -> Aabb {
        Aabb { x0, y0, x1, y1 }
    }

    #[test]
    fn pixels_are_rounded_outward_and_inward() {
        let b = aabb(0.5, -0.5, 2.5, 3.0);
        assert_eq!(touched(b, 0.0), aabb(0.0, -1.0, 3.0, 3.0));
        assert_eq!(touched(b, 1.0), aabb(-1.0, -2.0, 4.0, 4.0));
        assert_eq!(covered(b), aabb(1.0, 0.0, 2.0, 3.0));
        assert_eq!(covered(aabb(0.1, 0.0, 0.9, 9.0)), Aabb::EMPTY, "no whole pixel");
        assert_eq!(touched(Aabb::EMPTY, 1.0), Aabb::EMPTY);
        assert_eq!((touched(Aabb::PLANE, 1.0), covered(Aabb::PLANE)), (Aabb::PLANE, Aabb::PLANE));
    }
}
