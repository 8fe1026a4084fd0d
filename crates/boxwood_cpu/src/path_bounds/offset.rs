//! How far what a pen covers along a curve reaches.
//!
//! Both edges of the stroke of a curve are offset curves. Where one is furthest along an axis, it ends; or the curve turns back along
//! that axis, and the pen reaches as far as it can; or the curve turns around in less than half the line's width, and the edge has a
//! cusp. The first two are known at once; that the last goes no further is shown by [`Piece::is_within`], or bounded piece by piece.

use super::arithmetic::{Vec2, exponent, flushed, power_of_two, unit};
use super::curve::crest_bound;
use super::direction::Direction;
use super::pen::PenRow;
use super::segment::power_of_two_below_1;

/// How the pieces of a curve are numbered.
const FINEST: u32 = 256;

/// How much more than at its ends is not more: they are known but for that, and have twice as much around them as their error.
const END_DOUBT: f32 = 1.0 / 2_097_152.0;

/// How much looser than the exact outline a bound may be: in pixels, or as a part of the way from end to end.
const TOLERANCE: f32 = 0.4375;
const RELATIVE_TOLERANCE: f32 = 1.0 / 128.0;

/// How much further than its ends a curve must go to be known to turn back: in pixels, more than [`crest_bound`] is loose by, or as a
/// part of the largest coordinate.
const CREST_DOUBT: f32 = 1.0 / 256.0;
const RELATIVE_CREST_DOUBT: f32 = 1.0 / 1_048_576.0;

/// What is nothing beside 1.
const TURN_DUST: f32 = power_of_two_below_1(40);

/// How far what the pen covers along a curve goes one way, but for rounding; `None` where that is no further than at its ends.
///
/// The control points are at `values` along that way, `n` of them. Those of its derivative in the path's space are `slopes`, as a
/// cubic curve. It starts and ends in `directions`.
pub(super) fn offset_reach(
    values: [f32; 4],
    n: usize,
    slopes: [Vec2; 3],
    directions: [&Direction; 2],
    row: &PenRow,
) -> Option<f32> {
    let (start, end) = (values[0], values[n - 1]);
    let further_end = start.max(end);
    let greatest = values[1].max(values[n - 2]);
    let mut top = further_end;
    if greatest > further_end {
        top = top.max(crest_bound(values, n).min(greatest));
    }
    let ceiling = top + row.reach;
    let largest = values[..n].iter().fold(0.0_f32, |m, v| m.max(v.abs()));
    if top - further_end > CREST_DOUBT.max(largest * RELATIVE_CREST_DOUBT) {
        return Some(ceiling);
    }
    if directions.iter().all(|direction| direction.is_nowhere) {
        return None;
    }
    let (of_start, of_end) = (start + row.extent(directions[0].unit), end + row.extent(directions[1].unit));
    let known = of_start.max(of_end);
    let further = if of_start > of_end { start } else { end };
    let curve = Piece { values: raised(values, n), turns: turns(slopes, row) };
    if is_nowhere_beyond(&curve, known + (further.abs() + 4.0 * row.reach) * END_DOUBT, row.reach) {
        return None;
    }
    let tolerance = TOLERANCE.max((end - start).abs() * RELATIVE_TOLERANCE);
    if ceiling <= known + tolerance {
        return Some(ceiling);
    }
    Some(ceiling.min(bound_of_pieces(&curve, known, tolerance, row.reach)))
}

/// The control values of a curve as a cubic one.
fn raised(p: [f32; 4], n: usize) -> [f32; 4] {
    if n == 4 {
        return p;
    }
    let third = |end: f32| (end + 2.0 * p[1]) * (1.0 / 3.0);
    [p[0], third(p[0]), third(p[2]), p[2]]
}

/// The directions of slopes as they are for the pen: how far it reaches along them and across them; only their proportions count.
fn turns(slopes: [Vec2; 3], row: &PenRow) -> [Vec2; 3] {
    let turns = slopes.map(|slope| [row.along(slope), row.across(slope)]);
    let greatest = turns.iter().flatten().fold(0.0_f32, |m, c| m.max(c.abs()));
    let k = if greatest == 0.0 { 0 } else { exponent(greatest) };
    turns.map(|turn| turn.map(|c| flushed(c * power_of_two(-k), TURN_DUST)))
}

/// Whether the halves of a curve, or their halves, say that its pen reaches nowhere beyond a limit.
fn is_nowhere_beyond(curve: &Piece, limit: f32, reach: f32) -> bool {
    curve.halves().iter().all(|half| {
        half.is_within(limit, reach) || half.halves().iter().all(|quarter| quarter.is_within(limit, reach))
    })
}

/// A bound of how far the pen reaches along the pieces of a cubic curve, of which so much is known to be covered.
///
/// Pieces are halved until nothing of them is further, but for the tolerance, than what has been found to be covered.
fn bound_of_pieces(curve: &Piece, known: f32, tolerance: f32, reach: f32) -> f32 {
    let mut covered = known;
    let mut bound = -f32::MAX;
    let (mut at, mut size) = (0, FINEST);
    while at < FINEST {
        let piece = curve.piece(at, size);
        let mut of_piece = piece.hull() + reach;
        let mut is_done = of_piece <= covered + tolerance;
        if !is_done && size == 1 {
            of_piece = piece.hull() + piece.pen_reach(reach);
            is_done = true;
        }
        if !is_done {
            covered = covered.max(piece.values[0] + reach * piece.start_turn()[1].abs());
            covered = covered.max(piece.values[3] + reach * piece.end_turn()[1].abs());
            let limit = covered + tolerance;
            if piece.is_within(limit, reach) {
                of_piece = limit;
                is_done = true;
            }
        }
        if is_done {
            bound = bound.max(of_piece);
            at += size;
            // The largest piece that may start here.
            size = 1 << at.trailing_zeros();
        } else {
            size /= 2;
        }
    }
    bound
}

/// A piece of a curve along a way, and its directions as they are for the pen.
struct Piece {
    values: [f32; 4],
    turns: [Vec2; 3],
}

impl Piece {
    /// From `at` on, `size` long, of [`FINEST`].
    fn piece(&self, at: u32, size: u32) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "they are small")]
        let (t0, t1) = (at as f32 * (1.0 / 256.0), (at + size) as f32 * (1.0 / 256.0));
        Self { values: piece_of_cubic(self.values, t0, t1), turns: piece_of_quadratic(self.turns, t0, t1) }
    }

    fn halves(&self) -> [Self; 2] {
        let middle = |a: f32, b: f32| (a + b) * 0.5;
        let middle_of = |a: Vec2, b: Vec2| [middle(a[0], b[0]), middle(a[1], b[1])];
        let [a, b, c, d] = self.values;
        let (ab, bc, cd) = (middle(a, b), middle(b, c), middle(c, d));
        let (abc, bcd) = (middle(ab, bc), middle(bc, cd));
        let abcd = middle(abc, bcd);
        let [t0, t1, t2] = self.turns;
        let (t01, t12) = (middle_of(t0, t1), middle_of(t1, t2));
        let t012 = middle_of(t01, t12);
        [
            Self { values: [a, ab, abc, abcd], turns: [t0, t01, t012] },
            Self { values: [abcd, bcd, cd, d], turns: [t012, t12, t2] },
        ]
    }

    /// The greatest control value, below which it stays.
    fn hull(&self) -> f32 {
        let [a, b, c, d] = self.values;
        a.max(b).max(c.max(d))
    }

    /// How far the pen reaches at most along it: all of its reach where the piece turns around, else as far as at its turns.
    fn pen_reach(&self, reach: f32) -> f32 {
        let (mut least, mut greatest, mut across) = (f32::MAX, -f32::MAX, 0.0_f32);
        for turn in self.turns.into_iter().filter(|turn| *turn != [0.0; 2]) {
            least = least.min(turn[0]);
            greatest = greatest.max(turn[0]);
            across = across.max(unit(turn)[1].abs());
        }
        if least <= 0.0 && greatest >= 0.0 { reach } else { reach * across }
    }

    fn start_turn(&self) -> Vec2 {
        first_turn(self.turns)
    }

    fn end_turn(&self) -> Vec2 {
        let [a, b, c] = self.turns;
        first_turn([c, b, a])
    }

    /// Whether the pen never reaches over a limit along the piece, as far as it can be told.
    ///
    /// It reaches as far as its whole reach times the part of the turn t that is across, r |tₓ| / |t|. With |t| ≥ t · u for a direction
    /// u of length 1, that of the end that is further, that is within the room s where s (t · u) ≥ r |tₓ|, which is a curve of degree
    /// 5; it is where its control values are not negative. Those are sums of products of control values of s and t, with weights.
    fn is_within(&self, limit: f32, reach: f32) -> bool {
        let hull = self.hull();
        if hull > limit || hull + reach <= limit {
            return hull <= limit;
        }
        let room = self.values.map(|v| limit - v);
        let towards = if self.values[3] >= self.values[0] { self.end_turn() } else { self.start_turn() };
        let ahead = self.turns.map(|t| t[0] * towards[0] + t[1] * towards[1]);
        let across = self.turns.map(|t| reach * t[1].abs());
        let of = |i: usize, k: usize| room[i] * ahead[k] - across[k];
        of(0, 0) >= 0.0
            && 2.0 * of(0, 1) + 3.0 * of(1, 0) >= 0.0
            && of(0, 2) + 6.0 * of(1, 1) + 3.0 * of(2, 0) >= 0.0
            && 3.0 * of(1, 2) + 6.0 * of(2, 1) + of(3, 0) >= 0.0
            && 3.0 * of(2, 2) + 2.0 * of(3, 1) >= 0.0
            && of(3, 2) >= 0.0
    }
}

/// The direction of the first turn that is one.
fn first_turn([a, b, c]: [Vec2; 3]) -> Vec2 {
    if a != [0.0; 2] {
        unit(a)
    } else if b != [0.0; 2] {
        unit(b)
    } else {
        unit(c)
    }
}

/// Between two values. The weights are exact.
fn mix(a: f32, b: f32, t: f32) -> f32 {
    (1.0 - t) * a + t * b
}

/// The control values of a curve between two parameters: its blossom at all choices of them.
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
