//! The extents of curves of fills along an axis.
//!
//! They are computed in integers, which do not round. The control values are scaled so that the
//! largest one has 28 bits. The curve is halved towards its extremum until its control values are
//! close enough.

use super::arithmetic::exponent;
use super::thresholds::{
    DROPPED_BITS, EXTREMUM_BITS, EXTREMUM_SLACK, MAX_HALVINGS, MIN_COORDINATE, power_of_two,
};

/// Bounds of a curve with `n` control values, 2 to 4. Those that are `is_inexact` are rounded.
///
/// The bounds contain the curve. They exceed it by at most 2⁻⁹ and 4 units in the last place of the
/// largest control value.
pub(super) fn extent(p: [f32; 4], n: usize, is_inexact: [bool; 4]) -> (f32, f32) {
    let down = |i: usize| if is_inexact[i] { below(p[i]) } else { p[i] };
    let up = |i: usize| if is_inexact[i] { above(p[i]) } else { p[i] };
    let (low, high) = (down(0).min(down(n - 1)), up(0).max(up(n - 1)));
    if n == 2 {
        return (low, high);
    }
    let (least, greatest) = (down(1).min(down(n - 2)), up(1).max(up(n - 2)));
    let (mut from, mut to) = (low, high);
    // A curve stays within its control values.
    if greatest > high {
        to = high.max(upper_bound(p, n).min(greatest));
    }
    if least < low {
        // A difference, since the negation of 0 is not 0.
        from = low.min((0.0 - upper_bound(p.map(|v| -v), n)).max(least));
    }
    (from, to)
}

/// An upper bound of a curve with 3 or 4 control values whose maximum is between its ends, as tight
/// as [`extent`]. For another curve, at most that much above its maximum.
fn upper_bound(p: [f32; 4], n: usize) -> f32 {
    let k = exponent(p[..n].iter().fold(MIN_COORDINATE, |largest, v| largest.max(v.abs())));
    let scale = power_of_two(EXTREMUM_BITS - 1 - k);
    #[expect(clippy::cast_possible_truncation, reason = "they have 28 bits, and fractions are dropped")]
    let q = p.map(|v| (v * scale) as i32);
    // 2⁻⁹ pixels, or half of the part that the result drops.
    let tolerance = 1 << (EXTREMUM_BITS - 10 - k).clamp(DROPPED_BITS - 1, EXTREMUM_BITS - 1);
    let top = if n == 3 { maximum([q[0], q[1], q[2]], tolerance) } else { maximum(q, tolerance) };
    let kept = (top + (EXTREMUM_SLACK + (1 << DROPPED_BITS) - 1)) >> DROPPED_BITS;
    #[expect(clippy::cast_precision_loss, reason = "24 bits are kept")]
    let value = kept as f32 * power_of_two(k + DROPPED_BITS + 1 - EXTREMUM_BITS);
    value
}

/// The next coordinate above. Near 0, at least [`MIN_COORDINATE`] above.
fn above(v: f32) -> f32 {
    if v.abs() <= MIN_COORDINATE { v + MIN_COORDINATE } else { v.next_up() }
}

/// The next coordinate below.
fn below(v: f32) -> f32 {
    0.0 - above(-v)
}

/// The largest control value of the part of a quadratic or cubic curve around its only local
/// maximum. Without a local maximum, the largest control value of any part.
fn maximum<const N: usize>(mut p: [i32; N], tolerance: i32) -> i32 {
    let inner = |p: &[i32; N]| p[1].max(p[N - 2]);
    let mut n_halvings = 0;
    while n_halvings < MAX_HALVINGS && inner(&p) > p[0].max(p[N - 1]) + tolerance {
        // De Casteljau's algorithm: in the end, the second half is left over.
        let (mut first, mut second) = (p, p);
        for (level, value) in first.iter_mut().enumerate().skip(1) {
            for i in 0..N - level {
                second[i] = (second[i] + second[i + 1]) >> 1;
            }
            *value = second[0];
        }
        p = if second[1] > first[N - 2] { second } else { first };
        n_halvings += 1;
    }
    inner(&p).max(p[0]).max(p[N - 1])
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
        fn bounds_contain_the_curve_tightly(
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
