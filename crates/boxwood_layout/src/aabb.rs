//! The axis-aligned box and its two monoids.

use bytemuck::{Pod, Zeroable};

/// An axis-aligned box, half-open: it holds the points with `x0 <= x < x1` and `y0 <= y < y1`.
///
/// The y axis points down, as in SVG, so `y0` is the top edge. Which space the coordinates are in is for the holder
/// to say.
///
/// # Algebra
///
/// [`intersect`](Self::intersect) and [`union`](Self::union) are both associative, commutative and idempotent, and
/// neither rounds, so a product over a tree has the same bits whatever the order it is computed in. The identity of
/// intersection is [`PLANE`](Self::PLANE), the identity of union is [`EMPTY`](Self::EMPTY), and `EMPTY` absorbs
/// intersection.
///
/// All boxes without area are one box. Both operations take and give **canonical** boxes: either `EMPTY`, or one with
/// `x0 < x1` and `y0 < y1`. [`canonical`](Self::canonical) brings any box there; without it, the inverted result of
/// an intersection that misses would spoil the unions above it.
///
/// # Values
///
/// Coordinates are finite: WGSL lets an implementation assume that no value is infinite or NaN. They are neither
/// `-0.0` nor subnormal, whose order under WGSL's `min` and `max` is not fixed either. [`Aabb::new`] establishes
/// this.
///
/// Layout: four `f32` at offsets 0, 4, 8, 12, the same as a WGSL `vec4<f32>`.
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

/// Why four numbers are not a box: one of them is NaN.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the box ({0}, {1}, {2}, {3}) has a coordinate that is not a number")]
pub struct NotABox(pub f64, pub f64, pub f64, pub f64);

impl Aabb {
    /// The box that holds nothing: the identity of union, absorbing under intersection.
    pub const EMPTY: Self = Self { x0: f32::MAX, y0: f32::MAX, x1: -f32::MAX, y1: -f32::MAX };

    /// The box that holds everything: the identity of intersection, absorbing under union.
    pub const PLANE: Self = Self { x0: -f32::MAX, y0: -f32::MAX, x1: f32::MAX, y1: f32::MAX };

    /// The smallest canonical box of `f32` that holds the given one.
    ///
    /// Low edges are rounded down and high edges up, so that nothing inside is lost; a box with area keeps area even
    /// where `f32` cannot tell its edges apart. Coordinates beyond the range of `f32` become
    /// the largest finite ones. A box without
    /// area becomes [`EMPTY`](Self::EMPTY).
    ///
    /// # Errors
    ///
    /// A coordinate that is NaN.
    pub fn new(x0: f64, y0: f64, x1: f64, y1: f64) -> Result<Self, NotABox> {
        if x0.is_nan() || y0.is_nan() || x1.is_nan() || y1.is_nan() {
            return Err(NotABox(x0, y0, x1, y1));
        }
        if x0 >= x1 || y0 >= y1 {
            return Ok(Self::EMPTY);
        }
        // Adding 0.0 turns -0.0 into 0.0 and leaves any other value as it is.
        Ok(Self {
            x0: round_down(x0) + 0.0,
            y0: round_down(y0) + 0.0,
            x1: -round_down(-x1) + 0.0,
            y1: -round_down(-y1) + 0.0,
        })
    }

    /// Whether the box holds nothing.
    pub fn is_empty(self) -> bool {
        self.x0 >= self.x1 || self.y0 >= self.y1
    }

    /// The box itself where it has area, else [`EMPTY`](Self::EMPTY).
    #[must_use]
    pub fn canonical(self) -> Self {
        if self.is_empty() { Self::EMPTY } else { self }
    }

    /// The points that are in both boxes.
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

    /// The smallest box that holds both boxes.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// Whether every point of `other` is in this box.
    pub fn contains(self, other: Self) -> bool {
        other.is_empty() || self.union(other) == self
    }

    /// The extent in x, 0 for a box without area. Infinite for boxes wider than `f32` can count.
    pub fn width(self) -> f32 {
        if self.is_empty() { 0.0 } else { self.x1 - self.x0 }
    }

    /// The extent in y, 0 for a box without area. Infinite for boxes taller than `f32` can count.
    pub fn height(self) -> f32 {
        if self.is_empty() { 0.0 } else { self.y1 - self.y0 }
    }

    /// Whether the values keep the rules of [the type](Self#values).
    pub(crate) fn has_plain_values(self) -> bool {
        [self.x0, self.y0, self.x1, self.y1].iter().all(|v| v.is_normal() || v.to_bits() == 0)
    }
}

/// The largest finite `f32` that is not above `v`, subnormals left out. Beyond the range of `f32` it saturates, just
/// below the largest number, so that a box out there keeps area.
fn round_down(v: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "the direction of the rounding is mended below")]
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

    /// Canonical boxes with few distinct coordinates, so that edges often meet.
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
        assert!(far.width() > 0.0, "two edges that f32 cannot tell apart");
    }
}
