//! The extents of a stroke along pieces of a curve (`docs/strokes.md`, section 3.3).

use super::arithmetic::{Vec2, dot, exponent, flushed, inverse_root};
use super::thresholds::{N_PIECES, TANGENT_EPSILON, power_of_two};

/// A piece of a cubic curve in one direction along an axis.
pub(super) struct Piece {
    pub(super) values: [f32; 4],
    /// The control vectors of its derivative, as components along and across that direction. Only
    /// their proportions matter.
    pub(super) tangents: [Vec2; 3],
}

impl Piece {
    /// The piece that begins at the parameter `at` / [`N_PIECES`].
    fn piece(&self, at: u32, size: u32) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "they are small")]
        let [t0, t1] = [at, at + size].map(|i| i as f32 * (1.0 / N_PIECES as f32));
        Self {
            values: piece_of_cubic(self.values, t0, t1),
            tangents: piece_of_quadratic(self.tangents, t0, t1),
        }
    }

    fn halves(&self) -> [Self; 2] {
        [self.piece(0, N_PIECES / 2), self.piece(N_PIECES / 2, N_PIECES / 2)]
    }

    /// The largest control value, which bounds the piece.
    fn hull(&self) -> f32 {
        let [a, b, c, d] = self.values;
        a.max(b).max(c.max(d))
    }

    /// Whether the piece starts at a cusp where the whole brush exceeds a limit.
    fn is_cusp_beyond(&self, limit: f32, support: f32) -> bool {
        self.tangents[0] == [0.0; 2] && self.values[0] + support > limit
    }

    /// An upper bound of the support of the brush along a piece that is short. The whole support if
    /// the piece may turn around, otherwise the largest at its tangents.
    fn support_along(&self, support: f32) -> f32 {
        let (mut least, mut greatest, mut across) = (f32::MAX, -f32::MAX, 0.0_f32);
        for tangent in self.tangents.into_iter().filter(|tangent| *tangent != [0.0; 2]) {
            least = least.min(tangent[0]);
            greatest = greatest.max(tangent[0]);
            across = across.max(unit(tangent)[1].abs());
        }
        if least <= 0.0 && greatest >= 0.0 { support } else { support * across }
    }

    fn start_unit(&self) -> Vec2 {
        first_unit(self.tangents)
    }

    fn end_unit(&self) -> Vec2 {
        let [a, b, c] = self.tangents;
        first_unit([c, b, a])
    }

    /// Whether the halves of a curve, or their halves, show that the stroke does not exceed a
    /// limit.
    pub(super) fn is_nowhere_beyond(&self, limit: f32, support: f32) -> bool {
        // A cusp where two quarters meet is in neither of them.
        let quarters = [1, 2, 3].map(|k| self.piece(k * N_PIECES / 4, 0));
        let is_within = |half: &Self| half.is_within(limit, support);
        !quarters.iter().any(|quarter| quarter.is_cusp_beyond(limit, support))
            && self.halves().iter().all(|half| is_within(half) || half.halves().iter().all(is_within))
    }

    /// An upper bound of the extent of the stroke along the pieces of a curve. It exceeds the
    /// extent by at most the tolerance, except where a piece of 1 / [`N_PIECES`] turns around.
    /// `known` is a lower bound.
    ///
    /// Pieces are halved until each is bounded closely enough.
    pub(super) fn bound_by_pieces(&self, known: f32, tolerance: f32, support: f32) -> f32 {
        let mut covered = known;
        let mut bound = -f32::MAX;
        let (mut at, mut size) = (0, N_PIECES);
        while at < N_PIECES {
            let piece = self.piece(at, size);
            // A cusp where two pieces meet is in neither of them.
            if at > 0 && piece.is_cusp_beyond(bound, support) {
                bound = piece.values[0] + support;
                covered = covered.max(bound);
            }
            let farthest = piece.hull() + support;
            let of_piece = if farthest <= covered + tolerance {
                Some(farthest)
            } else if size == 1 {
                Some(piece.hull() + piece.support_along(support))
            } else {
                covered = covered.max(piece.values[0] + support * piece.start_unit()[1].abs());
                covered = covered.max(piece.values[3] + support * piece.end_unit()[1].abs());
                let limit = covered + tolerance;
                piece.is_within(limit, support).then_some(limit)
            };
            if let Some(of_piece) = of_piece {
                bound = bound.max(of_piece);
                at += size;
                // The largest aligned piece that begins here.
                size = 1 << at.trailing_zeros();
            } else {
                size /= 2;
            }
        }
        bound
    }

    /// Whether the control values of a curve of degree 5 show that the stroke along the piece does
    /// not exceed a limit. They are sums of products of the control values of both factors, with
    /// weights.
    fn is_within(&self, limit: f32, support: f32) -> bool {
        let hull = self.hull();
        if hull > limit || hull + support <= limit {
            return hull <= limit;
        }
        let room = self.values.map(|v| limit - v);
        let towards = if self.values[3] >= self.values[0] { self.end_unit() } else { self.start_unit() };
        let ahead = self.tangents.map(|t| dot(t, towards));
        let across = self.tangents.map(|t| support * t[1].abs());
        let of = |i: usize, k: usize| room[i] * ahead[k] - across[k];
        of(0, 0) >= 0.0
            && 2.0 * of(0, 1) + 3.0 * of(1, 0) >= 0.0
            && of(0, 2) + 6.0 * of(1, 1) + 3.0 * of(2, 0) >= 0.0
            && 3.0 * of(1, 2) + 6.0 * of(2, 1) + of(3, 0) >= 0.0
            && 3.0 * of(2, 2) + 2.0 * of(3, 1) >= 0.0
            && of(3, 2) >= 0.0
    }
}

/// The direction of a vector whose largest component is from 2⁻¹⁰⁰ to 2¹⁰³. That of the x axis for
/// 0.
fn unit(v: Vec2) -> Vec2 {
    let greatest = v[0].abs().max(v[1].abs());
    if greatest == 0.0 {
        return [1.0, 0.0];
    }
    let scale = power_of_two(-exponent(greatest));
    let v = v.map(|c| flushed(c * scale, TANGENT_EPSILON));
    let scale = inverse_root(dot(v, v));
    v.map(|c| c * scale)
}

/// The direction of the first vector that is not 0.
fn first_unit(tangents: [Vec2; 3]) -> Vec2 {
    unit(tangents.into_iter().find(|tangent| *tangent != [0.0; 2]).unwrap_or_default())
}

/// Linear interpolation. The parameters are multiples of 1 / [`N_PIECES`], so the weights are
/// exact.
fn mix(a: f32, b: f32, t: f32) -> f32 {
    (1.0 - t) * a + t * b
}

/// The control values between two parameters: the blossom at every choice of them.
fn piece_of_cubic(p: [f32; 4], t0: f32, t1: f32) -> [f32; 4] {
    let once = |t: f32| [mix(p[0], p[1], t), mix(p[1], p[2], t), mix(p[2], p[3], t)];
    let (from, to) = (once(t0), once(t1));
    let from = [mix(from[0], from[1], t0), mix(from[1], from[2], t0)];
    let to = [mix(to[0], to[1], t1), mix(to[1], to[2], t1)];
    [mix(from[0], from[1], t0), mix(from[0], from[1], t1), mix(to[0], to[1], t0), mix(to[0], to[1], t1)]
}

fn piece_of_quadratic(p: [Vec2; 3], t0: f32, t1: f32) -> [Vec2; 3] {
    let mix = |a: Vec2, b: Vec2, t: f32| [mix(a[0], b[0], t), mix(a[1], b[1], t)];
    let once = |t: f32| [mix(p[0], p[1], t), mix(p[1], p[2], t)];
    let (from, to) = (once(t0), once(t1));
    [mix(from[0], from[1], t0), mix(from[0], from[1], t1), mix(to[0], to[1], t1)]
}
