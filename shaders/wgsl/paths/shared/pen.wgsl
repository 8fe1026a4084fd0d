// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config
// provides: ERROR, INK_ANYWHERE, INK_NONE, INK_STROKES, PlacedPoint, RANGE, StrokeInk
// provides: inverse_root, kept_reaches, pen_across, pen_along, placed_point_of, reach_around
// provides: reciprocal, reciprocal2, stroke_ink_of

// What strokes are drawn with, and where that goes, exactly as the specification has it; boxwood_cpu has the reasons.

#import arithmetic
#import segment
#import tag

// Numbers of this magnitude or more, as bits, are out of range.
const RANGE = 0x4e800000u;

const ERROR = 0x1p-21f;
const INK_DUST = 0x1p-60f;
const PEN_DUST = 0x1p-120f;
const LEAST_SINE_OF_AXES = 0x1p-10f;
const LEAST_TERMS = 0x1p-40f;

// x to the power of -1/2 for a positive normal number.
fn inverse_root(x: f32) -> f32 {
    let first = bitcast<f32>(0x5f375a86u - (bitcast<u32>(x) >> 1u));
    let half = 0.5 * x;
    let second = first * (1.500879 - product(half, first * first));
    return second * (1.5000006 - product(half, second * second));
}

// 1 / x for numbers from 2^-60 to 2^90.
fn reciprocal(x: f32) -> f32 {
    return reciprocal2(vec2(x)).x;
}

fn reciprocal2(x: vec2<f32>) -> vec2<f32> {
    let first = bitcast<vec2<f32>>(vec2(0x7ef33000u) - bitcast<vec2<u32>>(x));
    let second = first * (2.0012505 - product2(x, first));
    return second * (2.0000007 - product2(x, second));
}

// What an ink draws: nothing, whatever it is; what could be anywhere; or strokes as it says.
const INK_NONE = 0u;
const INK_ANYWHERE = 1u;
const INK_STROKES = 2u;

// A transform with the pen of a line's width.
struct StrokeInk {
    kind: u32,
    // Of the style.
    flags: u32,
    // What x and y of the path's space become, from `origin` on, which becomes `translation`.
    x_axis: vec2<f32>,
    y_axis: vec2<f32>,
    origin: vec2<f32>,
    translation: vec2<f32>,
    // What half a line's width along x and along y of the path's space becomes, and how far it reaches, whatever its direction.
    pen_x: vec2<f32>,
    pen_y: vec2<f32>,
    reach: vec2<f32>,
    // The relative error; that of what is flat is 0. And the error of the translation and the pen.
    error: vec2<f32>,
    margin: vec2<f32>,
    half_width: f32,
}

// What is stroked with under this transform and style.
fn stroke_ink_of(transform: u32, style: u32) -> StrokeInk {
    var ink: StrokeInk;
    ink.kind = INK_NONE;
    if transform >= config.n_transforms || style >= config.n_styles {
        return ink;
    }
    let words = pair_of_words(config.style_base + 2u * style);
    ink.flags = words.x;
    let width = magnitude(words.y);
    let bits = read_transform(transform);
    let greatest = max(width, greatest_of_transform(bits));
    if (words.x & STYLE_STROKE) == 0u || greatest >= INFINITY {
        return ink;
    }
    ink.kind = select(INK_STROKES, INK_ANYWHERE, greatest >= RANGE);
    let matrix = bitcast<vec4<f32>>(bits.matrix);
    ink.x_axis = flushed2(matrix.xy, INK_DUST);
    ink.y_axis = flushed2(matrix.zw, INK_DUST);
    let translation = flushed2(bitcast<vec2<f32>>(bits.translation), INK_DUST);
    ink.origin = origin_of(ink.x_axis, ink.y_axis, translation);
    ink.translation = affine(ink.x_axis, ink.origin.xx, ink.y_axis, ink.origin.yy, translation).point;
    let half_width = 0.5 * bitcast<f32>(width);
    ink.half_width = select(half_width, 0.0, half_width < INK_DUST);
    ink.pen_x = product2(ink.x_axis, vec2(ink.half_width));
    ink.pen_y = product2(ink.y_axis, vec2(ink.half_width));
    let squared = product2(ink.pen_x, ink.pen_x) + product2(ink.pen_y, ink.pen_y);
    let reach = product2(squared, vec2(inverse_root(squared.x), inverse_root(squared.y)));
    ink.reach = select(reach, vec2(0.0), squared < vec2(PEN_DUST));
    ink.error = select(vec2(ERROR), vec2(0.0), ink.reach == vec2(0.0));
    ink.margin = product2(abs(ink.translation) + 4.0 * ink.reach, ink.error);
    return ink;
}

// The point of the path's space that is at the origin of device space, or near.
fn origin_of(x_axis: vec2<f32>, y_axis: vec2<f32>, translation: vec2<f32>) -> vec2<f32> {
    let of_determinant = product2(x_axis, y_axis.yx);
    let determinant = of_determinant.x - of_determinant.y;
    let terms = abs(of_determinant.x) + abs(of_determinant.y);
    if abs(determinant) < terms * LEAST_SINE_OF_AXES || terms < LEAST_TERMS {
        return vec2(0.0);
    }
    let inverse = reciprocal(abs(determinant));
    let scale = select(inverse, -inverse, determinant < 0.0);
    let of_x = product2(y_axis, translation.yx);
    let of_y = product2(x_axis, translation.yx);
    let origin = high(product2(vec2(of_x.x - of_x.y, of_y.y - of_y.x), vec2(scale)));
    return select(origin, vec2(0.0), vec2(any(abs(origin) >= vec2(bitcast<f32>(RANGE)))));
}

// Where a point is in device space, and the error of what is computed beside it.
struct PlacedPoint {
    value: vec2<f32>,
    margin: vec2<f32>,
}

fn placed_point_of(ink: StrokeInk, point: vec2<f32>) -> PlacedPoint {
    let p = point - ink.origin;
    let of_x = product2(ink.x_axis, p.xx);
    let of_y = product2(ink.y_axis, p.yy);
    return PlacedPoint(
        (of_x + of_y) + ink.translation,
        product2(abs(of_x) + abs(of_y), ink.error) + ink.margin,
    );
}

// What half a line's width along a direction becomes.
fn pen_along(ink: StrokeInk, direction: vec2<f32>) -> vec2<f32> {
    return product2(ink.pen_x, direction.xx) + product2(ink.pen_y, direction.yy);
}

// What half a line's width across a direction becomes.
fn pen_across(ink: StrokeInk, direction: vec2<f32>) -> vec2<f32> {
    return product2(ink.pen_y, direction.xx) - product2(ink.pen_x, direction.yy);
}

// What goes so far to both sides of a value, each way.
fn reach_around(value: vec2<f32>, by: vec2<f32>) -> vec4<f32> {
    return vec4(by - value, by + value);
}

// Reaches without subnormal numbers and -0.0, which are not for boxes; those of nothing stay.
fn kept_reaches(ink: StrokeInk, reaches: vec4<f32>) -> vec4<f32> {
    let least = select(vec2(LEAST), vec2(0.0), ink.error == vec2(0.0));
    return select(reaches, least.xyxy, abs(reaches) < vec4(LEAST));
}
