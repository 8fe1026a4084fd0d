//! The distance over which filters move colours.

use anyrender::Filter;
use anyrender::filters::{EdgeMode, FilterEffect};
use kurbo::{Affine, Rect};

/// The pixels by which renderers may exceed the extent of a filter: they round it outward, and blur
/// smaller copies of the picture.
const ROUNDING: f64 = 2.0;

/// How far an effect paints beyond its input, in pixels. The sides are those of the box that a
/// point of the input becomes: negative numbers on the left and at the top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reach(Rect);

impl Reach {
    pub(crate) const NONE: Self = Self(Rect::ZERO);

    /// The reach of an effect whose extent is not known.
    pub(crate) const UNBOUNDED: Self =
        Self(Rect::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::INFINITY));

    /// The reach of a filter of a layer with this transform.
    pub(crate) fn of(filter: &Filter, transform: Affine) -> Self {
        // The nodes may be connected in any order, so that all of them count as a chain.
        let mut sum = Rect::ZERO;
        for node in filter.nodes() {
            let Some(own) = extent(&node.effect) else { return Self::UNBOUNDED };
            sum = add(sum, own);
        }
        let [a, b, c, d, ..] = transform.as_coeffs();
        let linear = Affine::new([a, b, c, d, 0.0, 0.0]);
        Self(linear.transform_rect_bbox(sum).inflate(ROUNDING, ROUNDING))
    }

    /// The reach of one effect after the other.
    pub(crate) fn and(self, other: Self) -> Self {
        Self(add(self.0, other.0))
    }

    /// The box of an effect whose input is in a box.
    pub(crate) fn around(self, rect: Rect) -> Rect {
        add(rect, self.0)
    }

    /// The box of the input that an output in a box depends on.
    pub(crate) fn before(self, rect: Rect) -> Rect {
        let Self(Rect { x0, y0, x1, y1 }) = self;
        add(rect, Rect::new(-x1, -y1, -x0, -y0))
    }

    pub(crate) fn is_unbounded(self) -> bool {
        self == Self::UNBOUNDED
    }
}

fn add(a: Rect, b: Rect) -> Rect {
    Rect::new(a.x0 + b.x0, a.y0 + b.y0, a.x1 + b.x1, a.y1 + b.y1)
}

/// The extent of an effect in user space, or `None` if it may paint where its input is transparent
/// at any distance.
fn extent(effect: &FilterEffect) -> Option<Rect> {
    let around = |radius: f64| Rect::new(-radius, -radius, radius, radius);
    match effect {
        // Other modes depend on the place where the input ends.
        FilterEffect::GaussianBlur(blur) if blur.edge_mode == EdgeMode::None => Some(effect.expansion_rect()),
        FilterEffect::DropShadow(shadow) if shadow.edge_mode == EdgeMode::None => {
            Some(effect.expansion_rect())
        }
        FilterEffect::Offset(_) => Some(effect.expansion_rect()),
        // The last number is added to the opacity of every pixel.
        FilterEffect::ColorMatrix(matrix) if matrix.0[19] <= 0.0 => Some(Rect::ZERO),
        FilterEffect::Morphology(morphology) => Some(around(f64::from(morphology.radius.abs()))),
        _ => None,
    }
    .filter(|extent| extent.is_finite())
}

#[cfg(test)]
mod tests {
    use anyrender::filters::FilterEffect;
    use kurbo::Vec2;

    use super::*;

    #[test]
    fn effects_add_up() {
        let moves = [FilterEffect::Offset(Vec2::new(10.0, 0.0)), FilterEffect::Offset(Vec2::new(5.0, -2.0))];
        let filter = Filter::linear_list(moves.into_iter());
        let reach = Reach::of(&filter, Affine::scale(2.0));
        assert_eq!(reach.around(Rect::ZERO), Rect::new(-2.0, -6.0, 32.0, 2.0));
        // The pixel at 0 shows what was up to 30 pixels to the left of it.
        assert_eq!(reach.before(Rect::ZERO), Rect::new(-32.0, -2.0, 2.0, 6.0));
    }

    #[test]
    fn effects_of_unknown_extent_have_no_bounds() {
        let flood = Filter::single(FilterEffect::Flood(peniko::Color::WHITE));
        assert!(Reach::of(&flood, Affine::IDENTITY).is_unbounded());
        assert!(Reach::NONE.and(Reach::UNBOUNDED).is_unbounded());
    }
}
