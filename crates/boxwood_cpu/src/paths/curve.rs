//! How far a curve reaches along an axis.
//!
//! In integers, which neither round nor overflow out of sight: the control values are scaled so that the largest has 28 bits, and
//! the curve is halved towards its crest until the control values of what is left say it closely enough.

use super::arithmetic::{LEAST, exponent, power_of_two};

/// Bits of the scaled control values. With 28, sums and differences of four of them fit an `i32`.
const BITS: i32 = 28;

/// Bits that a result does not keep, so that it is exact as an `f32`.
const DROPPED_BITS: i32 = 4;

/// More than a crest is too low by: half a unit in the last place for the rounding of the control values, 8; 1 for fractions that are cut
/// off; and 3/2 for each halving.
const SLACK: i32 = 32;

/// How often a curve is halved at most: then its control values are within 4⁻¹⁴ of their spread of the curve.
const MAX_HALVINGS: u32 = 14;

/// The least and the greatest value of a curve with `n` control values, 2 to 4, of which those that are `is_inexact` are rounded.
///
/// Between its ends they are bounds: never less of the curve, and more by at most 2⁻⁹ and 4 units in the last place of the largest
/// control value.
pub(super) fn extent(p: [f32; 4], n: usize, is_inexact: [bool; 4]) -> (f32, f32) {
    let down = |i: usize| if is_inexact[i] { below(p[i]) } else { p[i] };
    let up = |i: usize| if is_inexact[i] { above(p[i]) } else { p[i] };
    let (low, high) = (down(0).min(down(n - 1)), up(0).max(up(n - 1)));
    if n == 2 {
        return (low, high);
    }
    let (least, greatest) = (down(1).min(down(n - 2)), up(1).max(up(n - 2)));
    if low <= least && greatest <= high {
        return (low, high);
    }
    let (mut from, mut to) = (low, high);
    // A curve stays within its control values.
    if greatest > high {
        to = high.max(crest_bound(p, n).min(greatest));
    }
    if least < low {
        // A difference, as a negation of 0 is not 0.
        from = low.min((0.0 - crest_bound(p.map(|v| -v), n)).max(least));
    }
    (from, to)
}

/// A bound of the greatest value of a curve of 3 or 4 control values that has its crest between its ends, as tight as [`extent`].
///
/// Of one that has not, no more than that above its greatest value.
pub(super) fn crest_bound(p: [f32; 4], n: usize) -> f32 {
    let k = exponent(p[..n].iter().fold(LEAST, |largest, v| largest.max(v.abs())));
    let scale = power_of_two(BITS - 1 - k);
    #[expect(clippy::cast_possible_truncation, reason = "they have 28 bits, and fractions are cut off")]
    let q = p.map(|v| (v * scale) as i32);
    // 2⁻⁹ of a pixel, or half of what is dropped.
    let tolerance = 1 << (BITS - 10 - k).clamp(DROPPED_BITS - 1, BITS - 1);
    let top = if n == 3 { crest_of_three(q, tolerance) } else { crest_of_four(q, tolerance) };
    let kept = (top + (SLACK + (1 << DROPPED_BITS) - 1)) >> DROPPED_BITS;
    #[expect(clippy::cast_precision_loss, reason = "24 bits are kept")]
    let value = kept as f32 * power_of_two(k + DROPPED_BITS + 1 - BITS);
    value
}

/// The next number above, of those that coordinates take, at least [`LEAST`] above near 0.
fn above(v: f32) -> f32 {
    if v.abs() <= LEAST { v + LEAST } else { v.next_up() }
}

/// The next number below, of those that coordinates take.
fn below(v: f32) -> f32 {
    0.0 - above(-v)
}

/// The greatest control value of the part of a quadratic curve around its maximum.
fn crest_of_three([mut a, mut b, mut c, _]: [i32; 4], tolerance: i32) -> i32 {
    let mut n_halvings = 0;
    while n_halvings < MAX_HALVINGS && b > a.max(c) + tolerance {
        let (ab, bc) = ((a + b) >> 1, (b + c) >> 1);
        let middle = (ab + bc) >> 1;
        if bc > ab {
            (a, b) = (middle, bc);
        } else {
            (b, c) = (ab, middle);
        }
        n_halvings += 1;
    }
    a.max(b).max(c)
}

/// The same of a cubic curve around its only local maximum. Without one, of some part.
fn crest_of_four([mut a, mut b, mut c, mut d]: [i32; 4], tolerance: i32) -> i32 {
    let mut n_halvings = 0;
    while n_halvings < MAX_HALVINGS && b.max(c) > a.max(d) + tolerance {
        let (ab, bc, cd) = ((a + b) >> 1, (b + c) >> 1, (c + d) >> 1);
        let (abc, bcd) = ((ab + bc) >> 1, (bc + cd) >> 1);
        let middle = (abc + bcd) >> 1;
        // Where the slope rises, it has the maximum on one side and the same sign up to the end on the other, which then is higher.
        if bcd > abc {
            (a, b, c) = (middle, bcd, cd);
        } else {
            (b, c, d) = (ab, abc, middle);
        }
        n_halvings += 1;
    }
    a.max(b).max(c.max(d))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    use super::*;

    fn value(p: [f64; 4], n: usize, t: f64) -> f64 {
        let mut p = p.to_vec();
        p.truncate(n);
        while p.len() > 1 {
            p = p.windows(2).map(|w| w[0] + (w[1] - w[0]) * t).collect();
        }
        p[0]
    }

    fn sampled(p: [f32; 4], n: usize) -> (f64, f64) {
        let p = p.map(f64::from);
        let values = (0..=20_000).map(|i| value(p, n, f64::from(i) / 20_000.0));
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn bounds_hold_the_curve_tightly(
            p in prop::array::uniform4(-1.0_f32..1.0), k in -30_i32..60, n in 2_usize..=4, offset in -3.0_f32..3.0,
        ) {
            let p = p.map(|v| super::super::arithmetic::flushed((v + offset) * power_of_two(k), 1e-11));
            let (low, high) = extent(p, n, [false; 4]);
            let (sampled_low, sampled_high) = sampled(p, n);
            let largest = p[..n].iter().fold(0.0_f32, |m, v| m.max(v.abs()));
            let unit = f64::from(largest.next_up() - largest);
            let spread = f64::from(largest) * 8.0 * 2e-9;
            prop_assert!(f64::from(low) <= sampled_low && sampled_high <= f64::from(high));
            let room = 1.0 / 256.0 + 4.0 * unit + spread;
            prop_assert!(sampled_low - f64::from(low) <= room, "{} {}", sampled_low - f64::from(low), room);
            prop_assert!(f64::from(high) - sampled_high <= room, "{} {}", f64::from(high) - sampled_high, room);
        }
    }
}
