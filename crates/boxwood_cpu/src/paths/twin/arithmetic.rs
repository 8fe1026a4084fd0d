//! Arithmetic with the same bits on every device (`docs/strokes.md`, section 5).
//!
//! WGSL lets a compiler fuse a product into a sum, flush subnormal numbers to 0, and assume that
//! there are no infinities and no NaN. It does not say how quotients and roots are rounded. So here
//!
//! - a product is either exact, so that fusing changes nothing, or rounded by itself;
//! - inputs are scaled to a range without overflow and subnormal numbers, and smaller ones count as
//!   0;
//! - roots and quotients come from Newton's iteration.
//!
//! The remaining assumption is that sums and products round to nearest, ties to even.

use super::thresholds::{
    INVERSE_ROOT_FIRST, INVERSE_ROOT_SECOND, INVERSE_ROOT_SEED, MIN_COORDINATE, RECIPROCAL_FIRST,
    RECIPROCAL_SECOND, RECIPROCAL_SEED,
};

/// A point or a vector.
pub(super) type Vec2 = [f32; 2];

pub(super) fn dot(a: Vec2, b: Vec2) -> f32 {
    a[0] * b[0] + a[1] * b[1]
}

pub(super) fn cross(a: Vec2, b: Vec2) -> f32 {
    a[0] * b[1] - a[1] * b[0]
}

/// The bits of the magnitude of a number, which have the same order.
pub(super) fn magnitude(x: f32) -> u32 {
    x.to_bits() & 0x7fff_ffff
}

/// The exponent of a normal number.
#[expect(clippy::cast_possible_wrap, reason = "it has 8 bits")]
pub(super) fn exponent(x: f32) -> i32 {
    ((x.to_bits() >> 23) & 0xff) as i32 - 127
}

/// The number, or 0 if its magnitude is below `least`.
pub(super) fn flushed(x: f32, least: f32) -> f32 {
    if x.abs() < least { 0.0 } else { x }
}

/// The number with only the 12 highest of its 24 significant bits. The rest has 12 bits too, so
/// products of such halves are exact.
pub(super) fn high(x: f32) -> f32 {
    f32::from_bits(x.to_bits() & 0xffff_f000)
}

/// A sum and its rounding error. Source: Knuth, *The Art of Computer Programming*, volume 2,
/// section 4.2.2, theorem B.
fn two_sum(a: f32, b: f32) -> (f32, f32) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

/// a x + c y + e, rounded once except for 2⁻³⁰ of the largest term, and whether it is inexact.
pub(super) fn affine(a: f32, x: f32, c: f32, y: f32, e: f32) -> (f32, bool) {
    let (a1, x1, c1, y1) = (high(a), high(x), high(c), high(y));
    let (a2, x2, c2, y2) = (a - a1, x - x1, c - c1, y - y1);
    let low = ((a1 * x2 + a2 * x1) + a2 * x2) + ((c1 * y2 + c2 * y1) + c2 * y2);
    let (linear, linear_rest) = two_sum(a1 * x1, c1 * y1);
    let (moved, moved_rest) = two_sum(linear, e);
    let (sum, rest) = two_sum(moved, moved_rest + (linear_rest + low));
    let is_inexact = rest != 0.0;
    if sum.abs() < MIN_COORDINATE { (0.0, is_inexact || sum != 0.0) } else { (sum, is_inexact) }
}

/// x to the power of -1/2 for a positive normal number, with a relative error below 2⁻²⁰.
pub(super) fn inverse_root(x: f32) -> f32 {
    let half = 0.5 * x;
    let first = f32::from_bits(INVERSE_ROOT_SEED - (x.to_bits() >> 1));
    let second = first * (INVERSE_ROOT_FIRST - half * (first * first));
    second * (INVERSE_ROOT_SECOND - half * (second * second))
}

/// 1 / x for a number from 2⁻⁶⁰ to 2⁹⁰, with a relative error below 2⁻¹⁹.
pub(super) fn reciprocal(x: f32) -> f32 {
    let first = f32::from_bits(RECIPROCAL_SEED - x.to_bits());
    let second = first * (RECIPROCAL_FIRST - x * first);
    second * (RECIPROCAL_SECOND - x * second)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    use super::super::thresholds::power_of_two;
    use super::*;

    /// `affine` with every product fused into its sum, as a compiler may do.
    fn fused_affine(a: f32, x: f32, c: f32, y: f32, e: f32) -> (f32, bool) {
        let (a1, x1, c1, y1) = (high(a), high(x), high(c), high(y));
        let (a2, x2, c2, y2) = (a - a1, x - x1, c - c1, y - y1);
        let of_x = a2.mul_add(x2, a1.mul_add(x2, a2 * x1));
        let low = of_x + c2.mul_add(y2, c2.mul_add(y1, c1 * y2));
        let linear = a1.mul_add(x1, c1 * y1);
        let part = (-a1).mul_add(x1, linear);
        let linear_rest = a1.mul_add(x1, -(linear - part)) + c1.mul_add(y1, -part);
        let (moved, moved_rest) = two_sum(linear, e);
        let (sum, rest) = two_sum(moved, moved_rest + (linear_rest + low));
        let is_inexact = rest != 0.0;
        if sum.abs() < MIN_COORDINATE { (0.0, is_inexact || sum != 0.0) } else { (sum, is_inexact) }
    }

    fn number() -> impl Strategy<Value = f32> {
        (-1.0_f32..1.0, -37_i32..20).prop_map(|(v, k)| flushed(v * power_of_two(k), power_of_two(-38)))
    }

    /// The largest magnitude of some relative errors.
    fn largest(errors: impl Iterator<Item = f64>) -> f64 {
        errors.fold(0.0, |largest, error| largest.max(error.abs()))
    }

    /// The errors that the derivations in section 7 of `docs/strokes.md` use. They depend on the
    /// mantissa, and for the root on whether the exponent is even.
    #[test]
    fn errors_of_roots_and_reciprocals_over_all_mantissas() {
        let numbers = || (1.0_f32.to_bits()..4.0_f32.to_bits()).map(f32::from_bits);
        let of_root = largest(numbers().map(|x| f64::from(inverse_root(x)) * f64::from(x).sqrt() - 1.0));
        assert!((7.7e-7..=7.8e-7).contains(&of_root), "{of_root}");
        let of_reciprocal = largest(numbers().map(|x| f64::from(reciprocal(x)) * f64::from(x) - 1.0));
        assert!((1.1e-6..=1.2e-6).contains(&of_reciprocal), "{of_reciprocal}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn fusing_products_does_not_change_affine(a in number(), x in -4.0_f32..4.0, c in number(), y in -4.0_f32..4.0, e in number()) {
            prop_assert_eq!(affine(a, x, c, y, e), fused_affine(a, x, c, y, e));
        }

        #[test]
        fn affine_rounds_once(a in number(), x in -4.0_f32..4.0, c in number(), y in -4.0_f32..4.0, cancels in any::<bool>()) {
            // Near cancellation shows the most errors.
            let e = if cancels { -(a * x + c * y) } else { 1.5 };
            let exact = f64::from(a) * f64::from(x) + f64::from(c) * f64::from(y) + f64::from(e);
            let largest = (a * x).abs().max((c * y).abs()).max(e.abs());
            let (found, is_inexact) = affine(a, x, c, y, e);
            let unit = f64::from(found.abs().next_up() - found.abs());
            let error = (f64::from(found) - exact).abs();
            prop_assert!(error <= 0.5 * unit + f64::from(largest) * 30.0_f64.exp2().recip() + f64::from(MIN_COORDINATE), "{error}");
            prop_assert!(is_inexact || error <= f64::from(largest) * 30.0_f64.exp2().recip());
        }

        #[test]
        fn roots_and_reciprocals_are_within_their_error(v in 0.0_f32..1.0, k in -22_i32..24) {
            let x = (1.0 + v) * power_of_two(k);
            let exact = 1.0 / f64::from(x);
            prop_assert!((f64::from(reciprocal(x)) / exact - 1.0).abs() < 19.0_f64.exp2().recip());
            prop_assert!((f64::from(inverse_root(x)) / exact.sqrt() - 1.0).abs() < 20.0_f64.exp2().recip());
        }
    }
}
