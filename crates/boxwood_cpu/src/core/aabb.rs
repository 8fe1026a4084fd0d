//! The axis-aligned box and its two monoids.

use core::convert::Infallible;
use core::fmt;

use bytemuck::{Pod, Zeroable};

/// An axis-aligned box, half-open: it contains the points with `x0 <= x < x1` and `y0 <= y < y1`.
///
/// The y axis points down, as in SVG, so `y0` is the top edge. The owner of a box says which space
/// its coordinates are in.
///
/// # Algebra
///
/// [`intersect`](Self::intersect) and [`union`](Self::union) are both associative, commutative, and
/// idempotent. Neither rounds, so a product over a tree has the same bits in whatever order it is
/// computed.
///
/// - The identity of intersection is [`PLANE`](Self::PLANE).
/// - The identity of union is [`EMPTY`](Self::EMPTY), which absorbs intersection.
///
/// Both operations take and return *canonical* boxes: either `EMPTY`, or a box with `x0 < x1` and
/// `y0 < y1`. Two boxes that do not overlap would otherwise have an inverted intersection, which
/// corrupts every union above it. [`canonical`](Self::canonical) turns any box into a canonical
/// one.
///
/// # Values
///
/// Coordinates are finite, because WGSL allows an implementation to assume that no value is
/// infinite or NaN. They are neither `-0.0` nor subnormal, because WGSL's `min` and `max` do not
/// define the order of these values. [`Aabb::new`] establishes both rules.
///
/// # Layout
///
/// Four `f32` at offsets 0, 4, 8, 12: the layout of a WGSL `vec4<f32>`.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Aabb {
    /// The smallest x in the box (its left edge).
    pub x0: f32,
    /// The smallest y in the box (its top edge).
    pub y0: f32,
    /// The x just beyond the box (its right edge).
    pub x1: f32,
    /// The y just beyond the box (its bottom edge).
    pub y1: f32,
}

/// The error for four numbers that are not a box because one of them is NaN.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the box ({0}, {1}, {2}, {3}) has a coordinate that is NaN")]
pub struct NotABox(pub f64, pub f64, pub f64, pub f64);

impl Aabb {
    /// The box that contains nothing: the identity of union, absorbing under intersection.
    pub const EMPTY: Self = Self { x0: f32::MAX, y0: f32::MAX, x1: -f32::MAX, y1: -f32::MAX };

    /// The box that contains everything: the identity of intersection, absorbing under union.
    pub const PLANE: Self = Self { x0: -f32::MAX, y0: -f32::MAX, x1: f32::MAX, y1: f32::MAX };

    /// The smallest canonical box with `f32` coordinates that contains the given one.
    ///
    /// - Low edges are rounded down and high edges up, so nothing inside is lost.
    /// - A box with area keeps area, even where `f32` cannot represent its two edges separately.
    /// - Coordinates beyond the range of `f32` become the largest finite ones.
    /// - A box without area becomes [`EMPTY`](Self::EMPTY).
    ///
    /// # Errors
    ///
    /// [`NotABox`] if a coordinate is NaN.
    pub fn new(x0: f64, y0: f64, x1: f64, y1: f64) -> Result<Self, NotABox> {
        if x0.is_nan() || y0.is_nan() || x1.is_nan() || y1.is_nan() {
            return Err(NotABox(x0, y0, x1, y1));
        }
        if x0 >= x1 || y0 >= y1 {
            return Ok(Self::EMPTY);
        }
        // Adding 0.0 turns -0.0 into 0.0 and does not change any other value.
        Ok(Self {
            x0: round_down(x0) + 0.0,
            y0: round_down(y0) + 0.0,
            x1: -round_down(-x1) + 0.0,
            y1: -round_down(-y1) + 0.0,
        })
    }

    /// Whether the box contains no point.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.x0 >= self.x1 || self.y0 >= self.y1
    }

    /// The box itself if it has area, otherwise [`EMPTY`](Self::EMPTY).
    #[inline]
    #[must_use]
    pub fn canonical(self) -> Self {
        if self.is_empty() { Self::EMPTY } else { self }
    }

    /// The box of the points that are in both boxes.
    #[inline]
    #[must_use]
    pub fn intersect(self, other: Self) -> Self {
        Self {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        }
        .canonical()
    }

    /// The smallest box that contains both boxes.
    #[inline]
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// Whether a point is in both boxes.
    #[inline]
    pub fn overlaps(self, other: Self) -> bool {
        !self.intersect(other).is_empty()
    }

    /// Whether every point of `other` is in this box.
    #[inline]
    pub fn contains(self, other: Self) -> bool {
        other.is_empty() || self.union(other) == self
    }

    /// The extent in x: 0 for a box without area, infinite if it exceeds the range of `f32`.
    #[inline]
    pub fn width(self) -> f32 {
        if self.is_empty() { 0.0 } else { self.x1 - self.x0 }
    }

    /// The extent in y: 0 for a box without area, infinite if it exceeds the range of `f32`.
    #[inline]
    pub fn height(self) -> f32 {
        if self.is_empty() { 0.0 } else { self.y1 - self.y0 }
    }

    /// Whether the coordinates keep the rules of [the type](Self#values).
    #[inline]
    pub fn has_plain_values(self) -> bool {
        let is_plain = |v: f32| v.is_normal() | (v.to_bits() == 0);
        // Without branches, since all four are plain as a rule.
        is_plain(self.x0) & is_plain(self.y0) & is_plain(self.x1) & is_plain(self.y1)
    }
}

impl fmt::Display for Aabb {
    /// Writes `(x0, y0, x1, y1)`, `empty`, or `the plane`. The precision of the format applies to
    /// each coordinate.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.pad("empty");
        }
        if *self == Self::PLANE {
            return f.pad("the plane");
        }
        let Self { x0, y0, x1, y1 } = *self;
        match f.precision() {
            Some(digits) => write!(f, "({x0:.digits$}, {y0:.digits$}, {x1:.digits$}, {y1:.digits$})"),
            None => write!(f, "({x0}, {y0}, {x1}, {y1})"),
        }
    }
}

/// The same as [`Aabb::new`], for coordinates in the order x0, y0, x1, y1.
impl<T: Into<f64>> TryFrom<[T; 4]> for Aabb {
    type Error = NotABox;

    fn try_from(coordinates: [T; 4]) -> Result<Self, NotABox> {
        let [x0, y0, x1, y1] = coordinates.map(Into::into);
        Self::new(x0, y0, x1, y1)
    }
}

/// The same as [`Aabb::new`].
#[cfg(feature = "kurbo")]
impl TryFrom<kurbo::Rect> for Aabb {
    type Error = NotABox;

    fn try_from(rect: kurbo::Rect) -> Result<Self, NotABox> {
        Self::new(rect.x0, rect.y0, rect.x1, rect.y1)
    }
}

/// A conversion that cannot fail, from `Aabb` to itself.
impl From<Infallible> for NotABox {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// The largest normal or zero `f32` that is not above `v`.
///
/// Values beyond the range of `f32` saturate. At the positive end they saturate one step below the
/// largest number, so that a box out there keeps area.
fn round_down(v: f64) -> f32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the next lines correct the direction of the rounding"
    )]
    let nearest = v as f32;
    let below = if f64::from(nearest) > v { nearest.next_down() } else { nearest };
    if below.is_subnormal() {
        if below > 0.0 { 0.0 } else { -f32::MIN_POSITIVE }
    } else {
        below.clamp(-f32::MAX, f32::MAX.next_down())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Canonical boxes with few distinct coordinates, so that edges often coincide.
    fn any_box() -> impl Strategy<Value = Aabb> {
        prop_oneof![
            1 => Just(Aabb::EMPTY),
            1 => Just(Aabb::PLANE),
            8 => (-4_i8..4, -4_i8..4, -4_i8..4, -4_i8..4).prop_map(|(x0, y0, x1, y1)| {
                Aabb::new(x0.into(), y0.into(), x1.into(), y1.into()).expect("no coordinate is NaN")
            }),
        ]
    }

    proptest! {
        #[test]
        fn intersection_is_a_commutative_idempotent_monoid(a in any_box(), b in any_box(), c in any_box()) {
            prop_assert_eq!(a.intersect(b).intersect(c), a.intersect(b.intersect(c)));
            prop_assert_eq!(a.intersect(b), b.intersect(a));
            prop_assert_eq!(a.intersect(a), a);
            prop_assert_eq!(a.intersect(Aabb::PLANE), a);
            prop_assert_eq!(a.intersect(Aabb::EMPTY), Aabb::EMPTY);
        }

        #[test]
        fn union_is_a_commutative_idempotent_monoid(a in any_box(), b in any_box(), c in any_box()) {
            prop_assert_eq!(a.union(b).union(c), a.union(b.union(c)));
            prop_assert_eq!(a.union(b), b.union(a));
            prop_assert_eq!(a.union(a), a);
            prop_assert_eq!(a.union(Aabb::EMPTY), a);
            prop_assert_eq!(a.union(Aabb::PLANE), Aabb::PLANE);
        }

        #[test]
        fn results_are_canonical(a in any_box(), b in any_box()) {
            prop_assert_eq!(a.intersect(b).canonical(), a.intersect(b));
            prop_assert_eq!(a.union(b).canonical(), a.union(b));
            prop_assert!(a.contains(a.intersect(b)) && a.union(b).contains(a));
        }

        #[test]
        fn rounding_is_outward_and_keeps_area(x in any::<f64>(), w in 1e-300_f64..1e300) {
            prop_assume!(x.is_finite() && x + w > x);
            let rounded = Aabb::new(x, -w, x + w, w).expect("no coordinate is NaN");
            prop_assert!(!rounded.is_empty());
            prop_assert!(rounded.has_plain_values());
            prop_assert!(f64::from(rounded.x0) <= x || rounded.x0 == -f32::MAX);
            prop_assert!(f64::from(rounded.x1) >= x + w || rounded.x1 == f32::MAX);
        }
    }

    #[test]
    fn new_at_the_edges_of_f32() {
        let huge = Aabb::new(f64::NEG_INFINITY, -1e300, f64::INFINITY, 1e300);
        assert_eq!(huge, Ok(Aabb::PLANE));
        assert_eq!(Aabb::new(1.0, 0.0, 1.0, 5.0), Ok(Aabb::EMPTY), "a line has no area");
        assert_eq!(Aabb::new(2.0, 0.0, 1.0, 5.0), Ok(Aabb::EMPTY), "an inverted box has no area");
        assert!(Aabb::new(f64::NAN, 0.0, 1.0, 1.0).is_err());
        let tiny = Aabb::new(-0.0, -1e-320, 1e-320, 1e-40).expect("no coordinate is NaN");
        assert_eq!(tiny.x0.to_bits(), 0, "-0.0 becomes 0.0");
        assert_eq!((tiny.y0, tiny.x1), (-f32::MIN_POSITIVE, f32::MIN_POSITIVE));
        let far = Aabb::new(1e30, 0.0, 1e30 + 1e20, 1.0).expect("no coordinate is NaN");
        assert!(far.width() > 0.0, "f32 cannot represent both edges");
    }

    #[test]
    fn conversions_round_like_new() {
        let expected = Aabb::new(1.0, 2.0, 3.0, 4.0).expect("no coordinate is NaN");
        assert_eq!(Aabb::try_from([1.0_f32, 2.0, 3.0, 4.0]), Ok(expected));
        assert_eq!(Aabb::try_from([1.0_f64, 2.0, 3.0, 4.0]), Ok(expected));
        assert_eq!(Aabb::try_from(kurbo::Rect::new(1.0, 2.0, 3.0, 4.0)), Ok(expected));
        assert!(Aabb::try_from([f32::NAN, 2.0, 3.0, 4.0]).is_err());
    }

    #[test]
    fn display_is_short() {
        let aabb = Aabb::new(0.5, -2.0, 3.25, 4.0).expect("no coordinate is NaN");
        assert_eq!(aabb.to_string(), "(0.5, -2, 3.25, 4)");
        assert_eq!(format!("{aabb:.1}"), "(0.5, -2.0, 3.2, 4.0)");
        assert_eq!(format!("{:>6}", Aabb::EMPTY), " empty");
        assert_eq!(Aabb::PLANE.to_string(), "the plane");
    }
}
