// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// How far what a pen covers along a curve reaches, exactly as the specification has it; boxwood_cpu has the reasons.

#import path_stroke

const FINEST = 256u;
const TOLERANCE = 0.4375;
const RELATIVE_TOLERANCE = 0x1p-7f;
const CURVE_ERROR = 8.0;
const PARAMETER_ERROR = 0x1p-10f;
const DUST = 0x1p-60f;
const END_PART = 0.1875;
const REST = 0.8125;
const BEND = 0.6675;
const TURN_DUST = 0x1p-40f;

// The legs of the control polygon of a curve as a cubic one, in the path's space or along the axes.
struct Legs {
    a: vec2<f32>,
    b: vec2<f32>,
    c: vec2<f32>,
}

fn legs_of(s: Segment) -> Legs {
    if s.n == 4u {
        return Legs(s.p1 - s.p0, s.p2 - s.p1, s.p3 - s.p2);
    }
    return Legs((s.p1 - s.p0) * (2.0 / 3.0), (s.p3 - s.p0) * (1.0 / 3.0), (s.p3 - s.p1) * (2.0 / 3.0));
}

fn crossed(a: vec2<f32>, b: vec2<f32>) -> f32 {
    let products = product2(a, b.yx);
    return products.x - products.y;
}

fn ahead(leg: vec2<f32>, direction: vec2<f32>) -> f32 {
    let products = product2(leg, direction);
    return products.x + products.y;
}

fn end_part(a: f32, b: f32) -> f32 {
    return a + product(b - a, END_PART);
}

// Whether a curve, in its part at the start, where it leads in a direction, bends less than the edge of a line so wide.
fn is_gentle(legs: Legs, direction: vec2<f32>, half_width: f32) -> bool {
    let turn_a = crossed(legs.a, legs.b);
    let turn_b = 0.5 * crossed(legs.a, legs.c);
    let turn_c = crossed(legs.b, legs.c);
    let turn_ab = end_part(turn_a, turn_b);
    let turn = max(max(abs(turn_a), abs(turn_ab)), abs(end_part(turn_ab, end_part(turn_b, turn_c))));
    let slope_a = ahead(legs.a, direction);
    let slope_b = ahead(legs.b, direction);
    let slope_ab = end_part(slope_a, slope_b);
    let slope = min(min(slope_a, slope_ab), end_part(slope_ab, end_part(slope_b, ahead(legs.c, direction))));
    let cubed = product(product(slope, slope), slope);
    return cubed >= DUST && product(turn, product(half_width, BEND)) <= cubed;
}

// A curve along the axes: its ends, its legs, and the error of what is computed of it.
struct Curve {
    start: vec2<f32>,
    end: vec2<f32>,
    legs: Legs,
    error: vec2<f32>,
}

fn turned_leg(ink: StrokeInk, leg: vec2<f32>) -> vec2<f32> {
    return product2(ink.x_axis, leg.xx) + product2(ink.y_axis, leg.yy);
}

fn curve_of(ink: StrokeInk, legs: Legs, start: vec2<f32>, end: vec2<f32>) -> Curve {
    let turned = Legs(turned_leg(ink, legs.a), turned_leg(ink, legs.b), turned_leg(ink, legs.c));
    let size = abs(turned.a) + abs(turned.b) + abs(turned.c);
    return Curve(start, end, turned, product2(size * CURVE_ERROR, ink.error));
}

// Where a curve turns back each way, or a point of it, and whether it turns back there.
struct Crests {
    at: vec4<f32>,
    is_crest: vec4<bool>,
}

fn signed_reciprocal2(x: vec2<f32>) -> vec2<f32> {
    let inverse = reciprocal2(max(abs(x), vec2(DUST)));
    return select(inverse, -inverse, x < vec2(0.0));
}

fn curve_at(curve: Curve, b: vec2<f32>, a: vec2<f32>, t: vec2<f32>) -> vec2<f32> {
    let outer = product2(vec2(3.0), b) + product2(t, a);
    return curve.start + product2(t, product2(vec2(3.0), curve.legs.a) + product2(t, outer));
}

// At the roots of d0 + 2 b t + a t².
fn crests_of_curve(curve: Curve) -> Crests {
    let legs = curve.legs;
    let b = legs.b - legs.a;
    let a = (legs.c - legs.b) - b;
    let discriminant = product2(legs.b, legs.b) - product2(legs.a, legs.c);
    let is_real = discriminant > vec2(DUST);
    let squared = max(discriminant, vec2(DUST));
    let root = select(vec2(0.0), product2(squared, vec2(inverse_root(squared.x), inverse_root(squared.y))), is_real);
    let is_falling = b < vec2(0.0);
    let q = select(b + root, b - root, is_falling);
    let first = saturate(product2(-q, signed_reciprocal2(a)));
    let second = saturate(product2(-legs.a, signed_reciprocal2(q)));
    let bottom = select(second, first, is_falling);
    let top = select(first, second, is_falling);
    let is_bottom = is_real & (abs(bottom - 0.5) < vec2(0.5 - PARAMETER_ERROR));
    let is_top = is_real & (abs(top - 0.5) < vec2(0.5 - PARAMETER_ERROR));
    return Crests(
        vec4(-curve_at(curve, b, a, bottom), curve_at(curve, b, a, top)),
        vec4(is_bottom, is_top),
    );
}

// How far a curve itself goes each way.
fn reaches_of_curve(curve: Curve, crests: Crests) -> vec4<f32> {
    return max(crests.at, max(vec4(-curve.start, curve.start), vec4(-curve.end, curve.end)));
}

// How far the hull of some points goes each way.
fn hull_reaches(a: vec2<f32>, b: vec2<f32>, c: vec2<f32>, d: vec2<f32>) -> vec4<f32> {
    return vec4(-min(min(a, b), min(c, d)), max(max(a, b), max(c, d)));
}

// What a curve itself stays below each way, but for where it turns back and but for gentle parts at its ends.
fn ceilings_of(curve: Curve, crests: Crests, is_gentle_start: bool, is_gentle_end: bool) -> vec4<f32> {
    let legs = curve.legs;
    let start = curve.start;
    let end = curve.end;
    var ceilings = reaches_of_curve(curve, crests);
    // The control points of the rest, once, of three times, between those of the curve.
    let first_of_start = start + product2(vec2(END_PART), legs.a);
    let middle_of_start = (first_of_start + legs.a) + product2(vec2(END_PART), legs.b - legs.a);
    let last_of_start = end - product2(vec2(REST), legs.c);
    let beyond_start = hull_reaches(first_of_start, middle_of_start, last_of_start, end);
    let first_of_end = start + product2(vec2(REST), legs.a);
    let middle_of_end = (first_of_end + legs.a) + product2(vec2(REST), legs.b - legs.a);
    let last_of_end = end - product2(vec2(END_PART), legs.c);
    let before_end = hull_reaches(first_of_end, middle_of_end, last_of_end, start);
    ceilings = select(ceilings, min(ceilings, beyond_start), is_gentle_start);
    ceilings = select(ceilings, min(ceilings, before_end), is_gentle_end);
    return ceilings;
}

// How far what the pen covers along a curve goes one way between its ends; -LARGEST where that is no further than there.
struct Offset {
    reach: f32,
    // Whether the pieces of the curve tell more; and of them, how far they are known to go, but for the error, and how much looser
    // they may be. `crest` is how far it goes where it turns back.
    has_pieces: bool,
    crest: f32,
    curve: Piece,
    known: f32,
    tolerance: f32,
    margin: f32,
    pen_reach: f32,
}

// Something along the axes as it is one way, up or, with the sign turned, down.
fn along_way(v: vec2<f32>, way: u32) -> f32 {
    let value = select(v.x, v.y, (way & 1u) != 0u);
    return select(-value, value, (way & 2u) != 0u);
}

fn offset_of(s: Segment, ink: StrokeInk, way: u32) -> Offset {
    var offset: Offset;
    offset.reach = -LARGEST;
    offset.crest = -LARGEST;
    let start_direction = start_direction(s);
    let end_direction = end_direction(s);
    if start_direction.is_nowhere && end_direction.is_nowhere {
        return offset;
    }
    let is_y = (way & 1u) != 0u;
    let legs = legs_of(s);
    let start = placed_point_of(ink, s.p0);
    let end = placed_point_of(ink, s.p3);
    let curve = curve_of(ink, legs, start.value, end.value);
    let margins = max(start.margin + curve.error, end.margin + curve.error);
    offset.margin = select(margins.x, margins.y, is_y);
    offset.pen_reach = select(ink.reach.x, ink.reach.y, is_y);
    let with_pen = offset.pen_reach + offset.margin;
    let crests = crests_of_curve(curve);
    let ceilings = ceilings_of(
        curve,
        crests,
        is_gentle(legs, start_direction.unit, ink.half_width),
        is_gentle(Legs(legs.c, legs.b, legs.a), end_direction.unit, ink.half_width),
    );
    let ceiling = ceilings[way];
    let first = along_way(curve.start, way);
    let last = along_way(curve.end, way);
    let start_extent = abs(along_way(pen_across(ink, start_direction.unit), way));
    let end_extent = abs(along_way(pen_across(ink, end_direction.unit), way));
    offset.known = max(first + start_extent, last + end_extent);
    if crests.is_crest[way] {
        offset.crest = crests.at[way] + with_pen;
        offset.known = max(offset.known, crests.at[way] + offset.pen_reach);
    }
    offset.reach = offset.crest;
    if ceiling + offset.pen_reach <= offset.known {
        return offset;
    }
    offset.curve = Piece(
        vec4(first, first + along_way(curve.legs.a, way), last - along_way(curve.legs.c, way), last),
        turns_of(legs, ink, way),
    );
    if is_nowhere_beyond(offset.curve, offset.known + 0.5 * offset.margin, offset.pen_reach) {
        return offset;
    }
    offset.reach = max(offset.crest, ceiling + with_pen);
    offset.tolerance = max(TOLERANCE, abs(last - first) * RELATIVE_TOLERANCE);
    offset.has_pieces = ceiling + offset.pen_reach > offset.known + offset.tolerance;
    return offset;
}

// The same with what its pieces tell.
fn reach_of_offset(offset: Offset) -> f32 {
    if offset.has_pieces {
        let of_pieces = bound_of_pieces(offset.curve, offset.known, offset.tolerance, offset.pen_reach);
        return max(offset.crest, min(offset.reach, of_pieces + offset.margin));
    }
    return offset.reach;
}

// The directions of a quadratic curve's control points, or of what the pen does along these.
struct Turns {
    t0: vec2<f32>,
    t1: vec2<f32>,
    t2: vec2<f32>,
}

fn turn_of(ink: StrokeInk, leg: vec2<f32>, way: u32) -> vec2<f32> {
    let across = pen_across(ink, leg);
    return vec2(along_way(pen_along(ink, leg), way), select(across.x, across.y, (way & 1u) != 0u));
}

// How far the pen reaches along and across the legs of a curve; only the proportions count.
fn turns_of(legs: Legs, ink: StrokeInk, way: u32) -> Turns {
    let turns = Turns(turn_of(ink, legs.a, way), turn_of(ink, legs.b, way), turn_of(ink, legs.c, way));
    let sizes = max(abs(turns.t0), max(abs(turns.t1), abs(turns.t2)));
    let greatest = max(sizes.x, sizes.y);
    var scale = 1.0;
    if greatest >= DUST {
        scale = power_of_two(-exponent_of(greatest));
    }
    return Turns(
        flushed2(turns.t0 * scale, TURN_DUST),
        flushed2(turns.t1 * scale, TURN_DUST),
        flushed2(turns.t2 * scale, TURN_DUST),
    );
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

// Whether the halves of a curve, or their halves, say that its pen reaches nowhere beyond a limit.
fn is_nowhere_beyond(curve: Piece, limit: f32, reach: f32) -> bool {
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
