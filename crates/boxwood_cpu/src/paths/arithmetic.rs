//! Arithmetic that every device does alike.
//!
//! WGSL rounds sums and products of `f32` correctly, yet lets a compiler fuse a product into a sum, flush subnormal numbers to zero
//! and pass over infinities and NaN; quotients and roots may be some units off. So here
//!
//! - a product is either exact, so that fusing changes nothing, or rounded on its own (in WGSL with a term that changes nothing and
//!   that no compiler knows, so that it is fused with that);
//! - inputs are brought to a range in which nothing is subnormal or overflows, and what is too small for it is zero;
//! - roots and quotients come from Newton's iteration on products and sums.
//!
//! What is left to trust is that sums and products round to the nearest, ties to even, as on every GPU in use.

/// A point or a vector.
pub(super) type Vec2 = [f32; 2];

/// The exponent of a normal number.
#[expect(clippy::cast_possible_wrap, reason = "it is 8 bits")]
pub(super) fn exponent(x: f32) -> i32 {
    ((x.to_bits() >> 23) & 0xff) as i32 - 127
}

/// 2 to the power of `k`, which is that of a normal number.
#[expect(clippy::cast_sign_loss, reason = "the exponents of normal numbers, biased, are positive")]
pub(super) fn power_of_two(k: i32) -> f32 {
    f32::from_bits(((k + 127) as u32) << 23)
}

/// The number, or 0 if its magnitude is below `least`.
pub(super) fn flushed(x: f32, least: f32) -> f32 {
    if x.abs() < least { 0.0 } else { x }
}

/// The number with the 12 highest of its 24 significant bits. The rest has 12 too, so products of such halves are exact.
pub(super) fn high(x: f32) -> f32 {
    f32::from_bits(x.to_bits() & 0xffff_f000)
}

/// A sum and what its rounding has left out. Source: Knuth, The Art of Computer Programming, volume 2, 4.2.2, theorem B.
fn two_sum(a: f32, b: f32) -> (f32, f32) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

/// The least magnitude of a coordinate in device space other than 0.
pub(super) const LEAST: f32 = f32::from_bits((127 - 40) << 23);

/// a x + c y + e, rounded once but for 2⁻³⁰ of the largest of the three terms, and whether anything has been lost.
pub(super) fn affine(a: f32, x: f32, c: f32, y: f32, e: f32) -> (f32, bool) {
    let (a1, x1, c1, y1) = (high(a), high(x), high(c), high(y));
    let (a2, x2, c2, y2) = (a - a1, x - x1, c - c1, y - y1);
    let low = ((a1 * x2 + a2 * x1) + a2 * x2) + ((c1 * y2 + c2 * y1) + c2 * y2);
    let (linear, linear_rest) = two_sum(a1 * x1, c1 * y1);
    let (moved, moved_rest) = two_sum(linear, e);
    let (sum, rest) = two_sum(moved, moved_rest + (linear_rest + low));
    let is_inexact = rest != 0.0;
    if sum.abs() < LEAST { (0.0, is_inexact || sum != 0.0) } else { (sum, is_inexact) }
}

/// x to the power of -1/2 for a positive normal number, but for 2⁻²⁰ of it.
///
/// Two of Newton's steps from a first guess by the exponent. Their constants, 1.5 otherwise, halve the errors that have one sign.
pub(super) fn inverse_root(x: f32) -> f32 {
    let half = 0.5 * x;
    let first = f32::from_bits(0x5f37_5a86 - (x.to_bits() >> 1));
    let second = first * (1.500_879 - half * (first * first));
    second * (1.500_000_6 - half * (second * second))
}

/// 1 / x for a number from 2⁻⁶⁰ to 2⁹⁰, but for 2⁻¹⁹ of it: likewise, with constants of 2 otherwise.
pub(super) fn reciprocal(x: f32) -> f32 {
    let first = f32::from_bits(0x7ef3_3000 - x.to_bits());
    let second = first * (2.001_250_5 - x * first);
    second * (2.000_000_7 - x * second)
}

/// The direction of a vector whose greatest component is of a magnitude from 2⁻¹⁰⁰ to 2¹⁰³; that of the x axis for none.
pub(super) fn unit(v: Vec2) -> Vec2 {
    let greatest = v[0].abs().max(v[1].abs());
    if greatest == 0.0 {
        return [1.0, 0.0];
    }
    let k = exponent(greatest);
    let [x, y] = v.map(|c| flushed(c * power_of_two(-k), DUST));
    let scale = inverse_root(x * x + y * y);
    [x * scale, y * scale]
}

/// What is nothing beside 1.
const DUST: f32 = f32::from_bits((127 - 40) << 23);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    use super::*;

    /// The same with every product fused into the sum that it is a term of, which a compiler may do.
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
        if sum.abs() < LEAST { (0.0, is_inexact || sum != 0.0) } else { (sum, is_inexact) }
    }

    fn number() -> impl Strategy<Value = f32> {
        (-1.0_f32..1.0, -37_i32..20).prop_map(|(v, k)| flushed(v * power_of_two(k), power_of_two(-38)))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn fused_products_change_nothing(a in number(), x in -4.0_f32..4.0, c in number(), y in -4.0_f32..4.0, e in number()) {
            prop_assert_eq!(affine(a, x, c, y, e), fused_affine(a, x, c, y, e));
        }

        #[test]
        fn a_transform_is_rounded_once(a in number(), x in -4.0_f32..4.0, c in number(), y in -4.0_f32..4.0, cancels in any::<bool>()) {
            // What nearly cancels has lost the most.
            let e = if cancels { -(a * x + c * y) } else { 1.5 };
            let exact = f64::from(a) * f64::from(x) + f64::from(c) * f64::from(y) + f64::from(e);
            let largest = (a * x).abs().max((c * y).abs()).max(e.abs());
            let (found, is_inexact) = affine(a, x, c, y, e);
            let unit = f64::from(found.abs().next_up() - found.abs());
            let error = (f64::from(found) - exact).abs();
            prop_assert!(error <= 0.5 * unit + f64::from(largest) * 30.0_f64.exp2().recip() + f64::from(LEAST), "{error}");
            prop_assert!(is_inexact || error <= f64::from(largest) * 30.0_f64.exp2().recip());
        }

        #[test]
        fn roots_and_quotients_are_close(v in 0.0_f32..1.0, k in -22_i32..24) {
            let x = (1.0 + v) * power_of_two(k);
            let exact = 1.0 / f64::from(x);
            prop_assert!((f64::from(reciprocal(x)) / exact - 1.0).abs() < 19.0_f64.exp2().recip());
            prop_assert!((f64::from(inverse_root(x)) / exact.sqrt() - 1.0).abs() < 20.0_f64.exp2().recip());
        }
    }
}
