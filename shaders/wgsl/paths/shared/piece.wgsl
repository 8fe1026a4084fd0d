// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: Piece, TURN_DUST, Turns, bound_of_pieces, is_nowhere_beyond

// How far a pen reaches along the pieces of a curve, exactly as the specification has it; boxwood_cpu has the reasons.

#import aabb
#import arithmetic
#import pen
#import stroke

const FINEST = 256u;
const TURN_DUST = 0x1p-40f;

// The directions of a quadratic curve's control points, or of what the pen does along these.
struct Turns {
    t0: vec2<f32>,
    t1: vec2<f32>,
    t2: vec2<f32>,
}

// The direction of a vector of normal numbers; that of the x axis for none.
fn unit(v: vec2<f32>) -> vec2<f32> {
    let greatest = max(abs(v.x), abs(v.y));
    if greatest == 0.0 {
        return vec2(1.0, 0.0);
    }
    let c = flushed2(v * power_of_two(-exponent_of(greatest)), TURN_DUST);
    return c * inverse_root(squared_length(c));
}

// A piece of a curve along a way, and its directions as they are for the pen.
struct Piece {
    values: vec4<f32>,
    turns: Turns,
}

fn piece_of(curve: Piece, at: u32, size: u32) -> Piece {
    let t0 = f32(at) * 0x1p-8f;
    let t1 = f32(at + size) * 0x1p-8f;
    return Piece(piece_of_cubic(curve.values, t0, t1), piece_of_quadratic(curve.turns, t0, t1));
}

fn hull_of(values: vec4<f32>) -> f32 {
    return max(max(values.x, values.y), max(values.z, values.w));
}

// How far the pen reaches at most along a piece: all of its reach where that turns around, else as far as at its turns.
fn pen_reach_of(turns: Turns, reach: f32) -> f32 {
    var rest = turns;
    var least = LARGEST;
    var greatest = -LARGEST;
    var across = 0.0;
    for (var i = 0u; i < 3u; i++) {
        let turn = rest.t0;
        if any(turn != vec2(0.0)) {
            least = min(least, turn.x);
            greatest = max(greatest, turn.x);
            across = max(across, abs(unit(turn).y));
        }
        rest = Turns(rest.t1, rest.t2, turn);
    }
    return select(product(reach, across), reach, least <= 0.0 && greatest >= 0.0);
}

// The direction of the first turn that is one.
fn first_turn(a: vec2<f32>, b: vec2<f32>, c: vec2<f32>) -> vec2<f32> {
    return unit(select(select(c, b, any(b != vec2(0.0))), a, any(a != vec2(0.0))));
}

fn start_turn(turns: Turns) -> vec2<f32> {
    return first_turn(turns.t0, turns.t1, turns.t2);
}

fn end_turn(turns: Turns) -> vec2<f32> {
    return first_turn(turns.t2, turns.t1, turns.t0);
}

// The halves of a curve: that with the end that is further, and the other.
struct Halves {
    near: Piece,
    far: Piece,
}

fn halves_of(curve: Piece) -> Halves {
    let once = (curve.values.xyz + curve.values.yzw) * 0.5;
    let twice = (once.xy + once.yz) * 0.5;
    let middle = (twice.x + twice.y) * 0.5;
    let t = curve.turns;
    let t01 = (t.t0 + t.t1) * 0.5;
    let t12 = (t.t1 + t.t2) * 0.5;
    let t012 = (t01 + t12) * 0.5;
    let first = Piece(vec4(curve.values.x, once.x, twice.x, middle), Turns(t.t0, t01, t012));
    let last = Piece(vec4(middle, twice.y, once.z, curve.values.w), Turns(t012, t12, t.t2));
    if curve.values.x > curve.values.w {
        return Halves(first, last);
    }
    return Halves(last, first);
}

// Whether a piece starts at a cusp from which the whole pen reaches beyond a limit.
fn is_cusp_beyond(piece: Piece, limit: f32, reach: f32) -> bool {
    return all(piece.turns.t0 == vec2(0.0)) && piece.values.x + reach > limit;
}

// Whether the halves of a curve, or their halves, say that its pen reaches nowhere beyond a limit.
fn is_nowhere_beyond(curve: Piece, limit: f32, reach: f32) -> bool {
    // A cusp where they meet is in none of them.
    for (var at = FINEST / 4u; at < FINEST; at += FINEST / 4u) {
        if is_cusp_beyond(piece_of(curve, at, 0u), limit, reach) {
            return false;
        }
    }
    let halves = halves_of(curve);
    // Of most curves the far half is known at once: those side by side do the same.
    var half = halves.near;
    var n_done = 0u;
    var is_known = true;
    while is_known && n_done < 2u {
        if !is_within(half, limit, reach) {
            let quarters = halves_of(half);
            is_known = is_within(quarters.near, limit, reach) && is_within(quarters.far, limit, reach);
        }
        half = halves.far;
        n_done += 1u;
    }
    return is_known;
}

// A bound of how far the pen reaches along the pieces of a cubic curve, of which so much is known to be covered.
fn bound_of_pieces(curve: Piece, known: f32, tolerance: f32, reach: f32) -> f32 {
    var covered = known;
    var bound = -LARGEST;
    var at = 0u;
    var size = FINEST;
    while at < FINEST {
        let piece = piece_of(curve, at, size);
        // A cusp where pieces meet is in neither of them.
        if at > 0u && is_cusp_beyond(piece, bound, reach) {
            bound = piece.values.x + reach;
            covered = max(covered, bound);
        }
        var of_piece = hull_of(piece.values) + reach;
        var is_done = of_piece <= covered + tolerance;
        if !is_done && size == 1u {
            of_piece = hull_of(piece.values) + pen_reach_of(piece.turns, reach);
            is_done = true;
        }
        if !is_done {
            covered = max(covered, piece.values.x + product(reach, abs(start_turn(piece.turns).y)));
            covered = max(covered, piece.values.w + product(reach, abs(end_turn(piece.turns).y)));
            let limit = covered + tolerance;
            if is_within(piece, limit, reach) {
                of_piece = limit;
                is_done = true;
            }
        }
        if is_done {
            bound = max(bound, of_piece);
            at += size;
            // The largest piece that may start here.
            size = 1u << countTrailingZeros(at);
        } else {
            size >>= 1u;
        }
    }
    return bound;
}

// Whether the pen never reaches over a limit along the piece, as far as it can be told.
fn is_within(piece: Piece, limit: f32, reach: f32) -> bool {
    let hull = hull_of(piece.values);
    if hull > limit || hull + reach <= limit {
        return hull <= limit;
    }
    let turns = piece.turns;
    let room = vec4(limit) - piece.values;
    let is_end_further = piece.values.w >= piece.values.x;
    let towards = first_turn(
        select(turns.t0, turns.t2, is_end_further),
        turns.t1,
        select(turns.t2, turns.t0, is_end_further),
    );
    let first = product2(turns.t0, towards);
    let middle = product2(turns.t1, towards);
    let last = product2(turns.t2, towards);
    let of_0 = product4(room, vec4(first.x + first.y)) - vec4(product(reach, abs(turns.t0.y)));
    let of_1 = product4(room, vec4(middle.x + middle.y)) - vec4(product(reach, abs(turns.t1.y)));
    let of_2 = product4(room, vec4(last.x + last.y)) - vec4(product(reach, abs(turns.t2.y)));
    return of_0.x >= 0.0
        && 2.0 * of_1.x + product(3.0, of_0.y) >= 0.0
        && of_2.x + product(6.0, of_1.y) + product(3.0, of_0.z) >= 0.0
        && product(3.0, of_2.y) + product(6.0, of_1.z) + of_0.w >= 0.0
        && product(3.0, of_2.z) + 2.0 * of_1.w >= 0.0
        && of_2.w >= 0.0;
}

// Between two values, or pairs of them. The weights are exact.
fn mix_of(a: f32, b: f32, t: f32) -> f32 {
    return product(1.0 - t, a) + product(t, b);
}

fn mix_of_two(a: vec2<f32>, b: vec2<f32>, t: f32) -> vec2<f32> {
    return product2(vec2(1.0 - t), a) + product2(vec2(t), b);
}

fn piece_of_cubic(p: vec4<f32>, t0: f32, t1: f32) -> vec4<f32> {
    let from_outer = mix_of_two(p.xy, p.yz, t0);
    let from_last = mix_of(p.z, p.w, t0);
    let to_outer = mix_of_two(p.xy, p.yz, t1);
    let to_last = mix_of(p.z, p.w, t1);
    let from_twice = mix_of_two(from_outer, vec2(from_outer.y, from_last), t0);
    let to_twice = mix_of_two(to_outer, vec2(to_outer.y, to_last), t1);
    return vec4(
        mix_of(from_twice.x, from_twice.y, t0),
        mix_of(from_twice.x, from_twice.y, t1),
        mix_of(to_twice.x, to_twice.y, t0),
        mix_of(to_twice.x, to_twice.y, t1),
    );
}

fn piece_of_quadratic(p: Turns, t0: f32, t1: f32) -> Turns {
    let from0 = mix_of_two(p.t0, p.t1, t0);
    let from1 = mix_of_two(p.t1, p.t2, t0);
    let to0 = mix_of_two(p.t0, p.t1, t1);
    let to1 = mix_of_two(p.t1, p.t2, t1);
    return Turns(mix_of_two(from0, from1, t0), mix_of_two(from0, from1, t1), mix_of_two(to0, to1, t1));
}
