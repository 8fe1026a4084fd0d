//! A box as four lanes: x0, y0, −x1, −y1.
//!
//! With the high edges negated, the intersection of two boxes is one maximum, and their union is
//! one minimum. [`Aabb::PLANE`] is −MAX in every lane, and [`Aabb::EMPTY`] is MAX.
//!
//! Negation only flips the sign bit, so it is exact in both directions. A zero is 0.0 in a low lane
//! and −0.0 in a high lane, and a minimum or a maximum never mixes the two: it compares lanes at
//! the same position. So the bits of a result are those of [`Aabb::intersect`] and
//! [`Aabb::union`].

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, u32x4};

use crate::core::Aabb;

/// The lanes of a box in memory.
pub(super) type Lanes = [f32; 4];

/// The lanes of [`Aabb::EMPTY`].
pub(super) const EMPTY: Lanes = [f32::MAX; 4];

/// The lanes of [`Aabb::PLANE`].
pub(super) const PLANE: Lanes = [-f32::MAX; 4];

/// The lanes of a box, outside of the pass.
#[cfg(feature = "parallel")]
pub(super) fn of(Aabb { x0, y0, x1, y1 }: Aabb) -> Lanes {
    [x0, y0, -x1, -y1]
}

/// The box with these lanes, outside of the pass.
pub(super) fn aabb([x0, y0, negated_x1, negated_y1]: Lanes) -> Aabb {
    Aabb { x0, y0, x1: -negated_x1, y1: -negated_y1 }
}

/// The lanes of a box.
#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, aabb: &Aabb) -> f32x4<S> {
    negate_high(simd, f32x4::load_array_ref(simd, bytemuck::cast_ref(aabb)))
}

/// The box with these lanes.
#[inline(always)]
pub(super) fn store<S: Simd>(simd: S, lanes: f32x4<S>) -> Aabb {
    bytemuck::cast(negate_high(simd, lanes).to_array())
}

#[inline(always)]
fn negate_high<S: Simd>(simd: S, lanes: f32x4<S>) -> f32x4<S> {
    const SIGN: u32 = 1 << 31;
    let signs = u32x4::load_array(simd, [0, 0, SIGN, SIGN]);
    (lanes.bitcast::<u32x4<S>>() ^ signs).bitcast()
}

/// [`Aabb::intersect`].
#[inline(always)]
pub(super) fn intersect<S: Simd>(simd: S, a: f32x4<S>, b: f32x4<S>) -> f32x4<S> {
    let raw = a.max(b);
    // Lanes 0 and 2 compare x0 with x1, and lanes 1 and 3 compare y0 with y1.
    let has_no_extent = raw.simd_ge(-raw.slide::<2>(raw));
    let is_empty = has_no_extent | has_no_extent.rotate_elements_left::<1>();
    is_empty.select(f32x4::load_array(simd, EMPTY), raw)
}

/// [`Aabb::union`].
#[inline(always)]
pub(super) fn union<S: Simd>(a: f32x4<S>, b: f32x4<S>) -> f32x4<S> {
    a.min(b)
}
