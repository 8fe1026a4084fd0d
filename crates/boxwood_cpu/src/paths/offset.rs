//! How far what a pen covers along a curve reaches.
//!
//! Both edges of the stroke of a curve are offset curves. Where one is furthest along an axis, it ends; or the curve turns back along
//! that axis, and the pen reaches as far as it can; or the curve turns around in less than half the line's width, and the edge has a
//! cusp. The first two are known at once. That the last is not so near an end is shown by how little the curve bends there
//! ([`is_gentle`]), else by [`Piece::is_within`], or it is bounded piece by piece.

use super::arithmetic::{Vec2, exponent, flushed, inverse_root, power_of_two, reciprocal, unit};
use super::pen::{AxisInk, NO_REACH, Placed, Reaches};
use super::segment::{Segment, power_of_two_below_1};

/// How the pieces of a curve are numbered.
const FINEST: u32 = 256;

/// How much looser than the exact outline a bound may be: in pixels, or as a part of the way from end to end.
const TOLERANCE: f32 = 0.4375;
const RELATIVE_TOLERANCE: f32 = 1.0 / 128.0;

/// The error of what is computed of a curve, in parts of that of what is as large as its legs together.
const CURVE_ERROR: f32 = 8.0;

/// What a parameter may be off, and more. What is no further from an end is at the end: it is no further out than that but for 3 of its
/// squares, 2⁻³⁰, of the legs.
const PARAMETER_ERROR: f32 = 1.0 / 65536.0;

/// A discriminant or a divisor up to this is nothing.
const DUST: f32 = power_of_two_below_1(60);

/// The part of a curve that is looked at by itself, at each end, and the rest.
const END_PART: f32 = 0.125;
const REST: f32 = 1.0 - END_PART;

/// Two thirds, and more than all errors.
const BEND: f32 = 0.6675;

/// What is nothing beside 1.
const TURN_DUST: f32 = power_of_two_below_1(40);

/// The legs of the control polygon of a curve as a cubic one, in the path's space: a third of the control points of its derivative.
pub(super) fn legs(segment: &Segment) -> [Vec2; 3] {
    let [p0, p1, p2, p3] = segment.points;
    let between = |from: Vec2, to: Vec2, part: f32| [(to[0] - from[0]) * part, (to[1] - from[1]) * part];
    if segment.n == 4 {
        return [between(p0, p1, 1.0), between(p1, p2, 1.0), between(p2, p3, 1.0)];
    }
    [between(p0, p1, 2.0 / 3.0), between(p0, p2, 1.0 / 3.0), between(p1, p2, 2.0 / 3.0)]
}

/// Whether a curve, in its part at the start, where it leads in a direction, bends less than the edge of a line so wide.
///
/// The bend is |B' × B''| / |B'|³. The product is a quadratic curve, of 18 times these control values, and |B'| is at least its part
/// along the direction. Both edges go on there as the curve does: where the curve goes on along an axis, so do they.
pub(super) fn is_gentle(legs: [Vec2; 3], direction: Vec2, half_width: f32) -> bool {
    let cross = |a: Vec2, b: Vec2| a[0] * b[1] - a[1] * b[0];
    let ahead = |leg: Vec2| leg[0] * direction[0] + leg[1] * direction[1];
    let [a, b, c] = legs;
    let turns = part_of([cross(a, b), 0.5 * cross(a, c), cross(b, c)]);
    let slopes = part_of([ahead(a), ahead(b), ahead(c)]);
    let turn = turns[0].abs().max(turns[1].abs()).max(turns[2].abs());
    let slope = slopes[0].min(slopes[1]).min(slopes[2]);
    let cubed = slope * slope * slope;
    cubed >= DUST && turn * (half_width * BEND) <= cubed
}

/// The part at the start of a quadratic curve.
fn part_of([a, b, c]: [f32; 3]) -> [f32; 3] {
    let mix = |a: f32, b: f32| a + (b - a) * END_PART;
    let (ab, bc) = (mix(a, b), mix(b, c));
    [a, ab, mix(ab, bc)]
}

/// A curve along an axis.
pub(super) struct Curve {
    start: f32,
    end: f32,
    /// What its legs become.
    legs: [f32; 3],
    /// The error of what is computed of it.
    pub(super) error: f32,
}

/// A curve one way along an axis.
struct Way {
    start: f32,
    end: f32,
    legs: [f32; 3],
    /// Where it turns back, or a point of it, and whether it turns back there.
    crest: f32,
    is_crest: bool,
}

impl Curve {
    /// That of these legs between ends that are placed.
    pub(super) fn new(legs: [Vec2; 3], ends: [Placed; 2], axis: &AxisInk) -> Self {
        let legs = legs.map(|leg| axis.turn(leg));
        let size = legs[0].abs() + legs[1].abs() + legs[2].abs();
        Self { start: ends[0].value, end: ends[1].value, legs, error: axis.error_of(size * CURVE_ERROR) }
    }

    /// How far what the pen covers along it goes between its ends, which have these directions, if not only as far as there.
    ///
    /// `path_legs` are those in the path's space, `margin` the error of what is near it, and `is_gentle` whether it is at its ends.
    pub(super) fn reaches(
        &self,
        path_legs: [Vec2; 3],
        directions: [Vec2; 2],
        is_gentle: [bool; 2],
        margin: f32,
        axis: &AxisInk,
    ) -> Reaches {
        let [down, up] = self.ways();
        let extents = directions.map(|direction| axis.across(direction).abs());
        let turns = path_legs.map(|leg| [axis.along(leg), axis.across(leg)]);
        let turned = turns.map(|[along, across]| [-along, across]);
        Reaches {
            down: down.reach(extents, turned, is_gentle, margin, axis.reach),
            up: up.reach(extents, turns, is_gentle, margin, axis.reach),
        }
    }

    /// The curve down and up its axis.
    ///
    /// It turns back at the roots of d₀ + 2 b t + a t², where the second has the smaller error.
    fn ways(&self) -> [Way; 2] {
        let [d0, d1, d2] = self.legs;
        let b = d1 - d0;
        let a = (d2 - d1) - b;
        let discriminant = d1 * d1 - d0 * d2;
        let is_real = discriminant > DUST;
        let root = if is_real { discriminant * inverse_root(discriminant) } else { 0.0 };
        let is_falling = b < 0.0;
        let q = if is_falling { b - root } else { b + root };
        let first = (-q * signed_reciprocal(a)).clamp(0.0, 1.0);
        let second = (-d0 * signed_reciprocal(q)).clamp(0.0, 1.0);
        let (bottom, top) = if is_falling { (first, second) } else { (second, first) };
        let value = |t: f32| value_of(self.start, self.legs, t);
        let is_inside = |t: f32| is_real && (t - 0.5).abs() < 0.5 - PARAMETER_ERROR;
        let down = self.legs.map(|leg| -leg);
        [
            Way {
                start: -self.start,
                end: -self.end,
                legs: down,
                crest: -value(bottom),
                is_crest: is_inside(bottom),
            },
            Way {
                start: self.start,
                end: self.end,
                legs: self.legs,
                crest: value(top),
                is_crest: is_inside(top),
            },
        ]
    }
}

/// A curve at a parameter.
fn value_of(start: f32, [d0, d1, d2]: [f32; 3], t: f32) -> f32 {
    let b = d1 - d0;
    let a = (d2 - d1) - b;
    start + t * (3.0 * d0 + t * (3.0 * b + t * a))
}

fn signed_reciprocal(x: f32) -> f32 {
    let inverse = reciprocal(x.abs().max(DUST));
    // Whatever the sign of 0.
    if x < 0.0 { -inverse } else { inverse }
}

impl Way {
    /// How far it goes between its ends, where the pen has these extents.
    fn reach(
        &self,
        extents: [f32; 2],
        turns: [Vec2; 3],
        is_gentle: [bool; 2],
        margin: f32,
        reach: f32,
    ) -> f32 {
        let with_pen = reach + margin;
        let of_crest = if self.is_crest { self.crest + with_pen } else { NO_REACH };
        let ceiling = self.ceiling(is_gentle);
        let mut known = (self.start + extents[0]).max(self.end + extents[1]);
        if self.is_crest {
            known = known.max(self.crest + reach);
        }
        if ceiling + reach <= known {
            return of_crest;
        }
        let [d0, _, d2] = self.legs;
        let curve =
            Piece { values: [self.start, self.start + d0, self.end - d2, self.end], turns: scaled(turns) };
        if is_nowhere_beyond(&curve, known + 0.5 * margin, reach) {
            return of_crest;
        }
        let tolerance = TOLERANCE.max((self.end - self.start).abs() * RELATIVE_TOLERANCE);
        let mut between = ceiling + with_pen;
        if ceiling + reach > known + tolerance {
            between = between.min(bound_of_pieces(&curve, known, tolerance, reach) + margin);
        }
        of_crest.max(between)
    }

    /// What the curve itself stays below, but for where it turns back and but for gentle parts at its ends: there the pen reaches no
    /// further than where these begin and end. A curve that does not turn back goes no further than the ends of its part.
    fn ceiling(&self, is_gentle: [bool; 2]) -> f32 {
        let first = if is_gentle[0] { self.at(END_PART) } else { self.start };
        let last = if is_gentle[1] { self.at(REST) } else { self.end };
        first.max(last)
    }

    fn at(&self, t: f32) -> f32 {
        value_of(self.start, self.legs, t)
    }
}

/// The directions of legs as they are for the pen, of which only the proportions count: how far it reaches along and across them.
fn scaled(turns: [Vec2; 3]) -> [Vec2; 3] {
    let greatest = turns.iter().flatten().fold(0.0_f32, |m, c| m.max(c.abs()));
    let k = if greatest < DUST { 0 } else { exponent(greatest) };
    turns.map(|turn| turn.map(|c| flushed(c * power_of_two(-k), TURN_DUST)))
}

/// Whether the halves of a curve, or their halves, say that its pen reaches nowhere beyond a limit.
///
/// A cusp where they meet is in none of them.
fn is_nowhere_beyond(curve: &Piece, limit: f32, reach: f32) -> bool {
    let has_cusp_beyond = [1, 2, 3].into_iter().any(|k| {
        let point = curve.piece(k * FINEST / 4, 0);
        point.turns[0] == [0.0; 2] && point.values[0] + reach > limit
    });
    !has_cusp_beyond
        && curve.halves().iter().all(|half| {
            half.is_within(limit, reach)
                || half.halves().iter().all(|quarter| quarter.is_within(limit, reach))
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
        // A cusp where pieces meet is in neither of them.
        let of_cusp = piece.values[0] + reach;
        if at > 0 && piece.turns[0] == [0.0; 2] && of_cusp > bound {
            bound = of_cusp;
            covered = covered.max(of_cusp);
        }
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
