// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: Piece, Tangents, bound_by_pieces, is_nowhere_beyond

// The extents of a stroke along pieces of a curve (docs/strokes.md, section 3.3), with the bits of
// boxwood_cpu::paths::twin.

#import aabb
#import arithmetic
#import thresholds

// The control vectors of the derivative of a curve, as components along and across the outward
// direction of a side. Only their proportions matter.
struct Tangents {
    t0: vec2<f32>,
    t1: vec2<f32>,
    t2: vec2<f32>,
}

// The direction of a vector of normal numbers. That of the x axis for 0.
fn unit(v: vec2<f32>) -> vec2<f32> {
    let greatest = max(abs(v.x), abs(v.y));
    if greatest == 0.0 {
        return vec2(1.0, 0.0);
    }
    let c = flushed2(v * power_of_two(-exponent_of(greatest)), TANGENT_EPSILON);
    return c * inverse_root(dotted(c, c));
}

// A piece of a cubic curve in the outward direction of a side.
struct Piece {
    values: vec4<f32>,
    tangents: Tangents,
}

// The piece of a curve that begins at the parameter `at` / N_PIECES.
fn piece_of(curve: Piece, at: u32, size: u32) -> Piece {
    let t = vec2(f32(at), f32(at + size)) * (1.0 / f32(N_PIECES));
    return Piece(piece_of_cubic(curve.values, t), piece_of_quadratic(curve.tangents, t));
}

// The largest control value, which bounds the piece.
fn hull_of(values: vec4<f32>) -> f32 {
    return max(max(values.x, values.y), max(values.z, values.w));
}

// An upper bound of the support of the brush along a piece that is short. The whole support if the
// piece may turn around, otherwise the largest at its tangents.
fn support_along(tangents: Tangents, support: f32) -> f32 {
    var rest = tangents;
    var least = LARGEST;
    var greatest = -LARGEST;
    var beside = 0.0;
    for (var i = 0u; i < 3u; i++) {
        let tangent = rest.t0;
        if any(tangent != vec2(0.0)) {
            least = min(least, tangent.x);
            greatest = max(greatest, tangent.x);
            beside = max(beside, abs(unit(tangent).y));
        }
        rest = Tangents(rest.t1, rest.t2, tangent);
    }
    return select(product(support, beside), support, least <= 0.0 && greatest >= 0.0);
}

// The direction of the first vector that is not 0.
fn first_unit(a: vec2<f32>, b: vec2<f32>, c: vec2<f32>) -> vec2<f32> {
    return unit(select(select(c, b, any(b != vec2(0.0))), a, any(a != vec2(0.0))));
}

// The halves of a curve. `far` is the one that contains the farther end.
struct Halves {
    near: Piece,
    far: Piece,
}

fn halves_of(curve: Piece) -> Halves {
    let once = (curve.values.xyz + curve.values.yzw) * 0.5;
    let twice = (once.xy + once.yz) * 0.5;
    let middle = (twice.x + twice.y) * 0.5;
    let t = curve.tangents;
    let t01 = (t.t0 + t.t1) * 0.5;
    let t12 = (t.t1 + t.t2) * 0.5;
    let t012 = (t01 + t12) * 0.5;
    let first = Piece(vec4(curve.values.x, once.x, twice.x, middle), Tangents(t.t0, t01, t012));
    let last = Piece(vec4(middle, twice.y, once.z, curve.values.w), Tangents(t012, t12, t.t2));
    if curve.values.x > curve.values.w {
        return Halves(first, last);
    }
    return Halves(last, first);
}

// Whether a piece starts at a cusp where the whole brush exceeds a limit.
fn is_cusp_beyond(piece: Piece, limit: f32, support: f32) -> bool {
    return all(piece.tangents.t0 == vec2(0.0)) && piece.values.x + support > limit;
}

// Whether the halves of a curve, or their halves, show that the stroke does not exceed a limit.
fn is_nowhere_beyond(curve: Piece, limit: f32, support: f32) -> bool {
    // A cusp where two quarters meet is in neither of them.
    for (var at = N_PIECES / 4u; at < N_PIECES; at += N_PIECES / 4u) {
        if is_cusp_beyond(piece_of(curve, at, 0u), limit, support) {
            return false;
        }
    }
    let halves = halves_of(curve);
    // Usually the near half is within the limit at once. So invocations that run together mostly
    // take the far half together.
    var half = halves.near;
    var n_done = 0u;
    var is_known = true;
    while is_known && n_done < 2u {
        if !is_within(half, limit, support) {
            let quarters = halves_of(half);
            is_known = is_within(quarters.near, limit, support) && is_within(quarters.far, limit, support);
        }
        half = halves.far;
        n_done += 1u;
    }
    return is_known;
}

// An upper bound of the extent of the stroke along the pieces of a curve. It exceeds the extent by
// at most the tolerance, except where a piece of 1 / N_PIECES turns around. `known` is a lower
// bound.
fn bound_by_pieces(curve: Piece, known: f32, tolerance: f32, support: f32) -> f32 {
    var covered = known;
    var bound = -LARGEST;
    var at = 0u;
    var size = N_PIECES;
    while at < N_PIECES {
        let piece = piece_of(curve, at, size);
        // A cusp where two pieces meet is in neither of them.
        if at > 0u && is_cusp_beyond(piece, bound, support) {
            bound = piece.values.x + support;
            covered = max(covered, bound);
        }
        var of_piece = hull_of(piece.values) + support;
        var is_done = of_piece <= covered + tolerance;
        if !is_done && size == 1u {
            of_piece = hull_of(piece.values) + support_along(piece.tangents, support);
            is_done = true;
        }
        if !is_done {
            let t = piece.tangents;
            let start = first_unit(t.t0, t.t1, t.t2);
            let end = first_unit(t.t2, t.t1, t.t0);
            covered = max(covered, piece.values.x + product(support, abs(start.y)));
            covered = max(covered, piece.values.w + product(support, abs(end.y)));
            let limit = covered + tolerance;
            if is_within(piece, limit, support) {
                of_piece = limit;
                is_done = true;
            }
        }
        if is_done {
            bound = max(bound, of_piece);
            at += size;
            // The largest aligned piece that begins here.
            size = 1u << countTrailingZeros(at);
        } else {
            size >>= 1u;
        }
    }
    return bound;
}

// Whether the control values of a curve of degree 5 show that the stroke along a piece does not
// exceed a limit.
fn is_within(piece: Piece, limit: f32, support: f32) -> bool {
    let hull = hull_of(piece.values);
    if hull > limit || hull + support <= limit {
        return hull <= limit;
    }
    let t = piece.tangents;
    let room = vec4(limit) - piece.values;
    // The direction at the farther end.
    let is_end_farther = piece.values.w >= piece.values.x;
    let towards = first_unit(select(t.t0, t.t2, is_end_farther), t.t1, select(t.t2, t.t0, is_end_farther));
    let of_0 = product4(room, vec4(dotted(t.t0, towards))) - vec4(product(support, abs(t.t0.y)));
    let of_1 = product4(room, vec4(dotted(t.t1, towards))) - vec4(product(support, abs(t.t1.y)));
    let of_2 = product4(room, vec4(dotted(t.t2, towards))) - vec4(product(support, abs(t.t2.y)));
    return of_0.x >= 0.0
        && 2.0 * of_1.x + product(3.0, of_0.y) >= 0.0
        && of_2.x + product(6.0, of_1.y) + product(3.0, of_0.z) >= 0.0
        && product(3.0, of_2.y) + product(6.0, of_1.z) + of_0.w >= 0.0
        && product(3.0, of_2.z) + 2.0 * of_1.w >= 0.0
        && of_2.w >= 0.0;
}

// Linear interpolation. The parameters are multiples of 1 / N_PIECES, so the weights are exact.
fn mix_of(a: vec2<f32>, b: vec2<f32>, t: vec2<f32>) -> vec2<f32> {
    return product2(1.0 - t, a) + product2(t, b);
}

// The control values between two parameters: the blossom at every choice of them. The vectors have
// a component per parameter.
fn piece_of_cubic(p: vec4<f32>, t: vec2<f32>) -> vec4<f32> {
    let first = mix_of(p.xx, p.yy, t);
    let inner = mix_of(p.yy, p.zz, t);
    let last = mix_of(p.zz, p.ww, t);
    let low = mix_of(first, inner, t);
    let high = mix_of(inner, last, t);
    return vec4(mix_of(low.xx, high.xx, t), mix_of(low.yy, high.yy, t));
}

fn piece_of_quadratic(p: Tangents, t: vec2<f32>) -> Tangents {
    let from_first = mix_of(p.t0, p.t1, t.xx);
    let from_last = mix_of(p.t1, p.t2, t.xx);
    let to_first = mix_of(p.t0, p.t1, t.yy);
    let to_last = mix_of(p.t1, p.t2, t.yy);
    return Tangents(
        mix_of(from_first, from_last, t.xx),
        mix_of(from_first, from_last, t.yy),
        mix_of(to_first, to_last, t.yy),
    );
}
