// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config
// provides: BRUSH_NONE, BRUSH_ORDINARY, BRUSH_UNBOUNDED, Brush, PlacedPoint, along, across
// provides: brush_of, extents_around, is_beyond_range, normal_extents, place

// The brush of a stroke: the disc of half a line's width in the path's space, and its ellipse in
// device space (docs/strokes.md, section 2), with the bits of boxwood_cpu::paths::twin.

#import arithmetic
#import segment
#import tag
#import thresholds

// The style is not a stroke, or a number is not finite: nothing is drawn.
const BRUSH_NONE = 0u;
// A number is out of range: the stroke could be anywhere.
const BRUSH_UNBOUNDED = 1u;
const BRUSH_ORDINARY = 2u;

// A brush under a transform.
struct Brush {
    // One of the constants above. All other numbers are for BRUSH_ORDINARY.
    kind: u32,
    // The flags of the style.
    flags: u32,
    // The images of x and y of the path's space, relative to `origin`, whose image is
    // `translation`.
    x_axis: vec2<f32>,
    y_axis: vec2<f32>,
    origin: vec2<f32>,
    translation: vec2<f32>,
    // The images of half a line's width along x and along y of the path's space.
    half_x: vec2<f32>,
    half_y: vec2<f32>,
    // The support of the ellipse along each axis.
    support: vec2<f32>,
    // The relative error along each axis. 0 if the ellipse is flat there.
    error: vec2<f32>,
    // The error of the translation and the support.
    margin: vec2<f32>,
    half_width: f32,
}

// Whether a number of this magnitude, as bits, is out of the range of strokes.
fn is_beyond_range(greatest: u32) -> bool {
    return greatest >= bitcast<u32>(STROKE_RANGE);
}

// The brush of a transform and a style, which the streams may not have.
fn brush_of(transform: u32, style: u32) -> Brush {
    var brush: Brush;
    brush.kind = BRUSH_NONE;
    if transform >= config.n_transforms || style >= config.n_styles {
        return brush;
    }
    let words = pair_of_words(config.style_base + 2u * style);
    brush.flags = words.x;
    let width = magnitude(words.y);
    let bits = read_transform(transform);
    let greatest = max(width, greatest_of_transform(bits));
    if (words.x & STYLE_STROKE) == 0u || greatest >= INFINITY {
        return brush;
    }
    brush.kind = select(BRUSH_ORDINARY, BRUSH_UNBOUNDED, is_beyond_range(greatest));
    let matrix = bitcast<vec4<f32>>(bits.matrix);
    brush.x_axis = flushed2(matrix.xy, TRANSFORM_EPSILON);
    brush.y_axis = flushed2(matrix.zw, TRANSFORM_EPSILON);
    let translation = flushed2(bitcast<vec2<f32>>(bits.translation), TRANSFORM_EPSILON);
    brush.origin = origin_of(brush.x_axis, brush.y_axis, translation);
    brush.translation = affine(brush.x_axis, brush.origin.xx, brush.y_axis, brush.origin.yy, translation).point;
    let half_width = 0.5 * bitcast<f32>(width);
    brush.half_width = select(half_width, 0.0, half_width < TRANSFORM_EPSILON);
    brush.half_x = product2(brush.x_axis, vec2(brush.half_width));
    brush.half_y = product2(brush.y_axis, vec2(brush.half_width));
    let squared = product2(brush.half_x, brush.half_x) + product2(brush.half_y, brush.half_y);
    let support = product2(squared, vec2(inverse_root(squared.x), inverse_root(squared.y)));
    brush.support = select(support, vec2(0.0), squared < vec2(SUPPORT_EPSILON));
    brush.error = select(vec2(STROKE_ERROR), vec2(0.0), brush.support == vec2(0.0));
    brush.margin = product2(abs(brush.translation) + 4.0 * brush.support, brush.error);
    return brush;
}

// A point of the path's space near the one that is at the origin of device space. 0 if the
// transform is nearly singular or the point is out of range.
fn origin_of(x_axis: vec2<f32>, y_axis: vec2<f32>, translation: vec2<f32>) -> vec2<f32> {
    let of_determinant = product2(x_axis, y_axis.yx);
    let determinant = of_determinant.x - of_determinant.y;
    let terms = abs(of_determinant.x) + abs(of_determinant.y);
    if abs(determinant) < terms * MIN_AXES_SINE || terms < MIN_DETERMINANT_TERMS {
        return vec2(0.0);
    }
    let inverse = reciprocal(abs(determinant));
    let scale = select(inverse, -inverse, determinant < 0.0);
    let of_x = product2(y_axis, translation.yx);
    let of_y = product2(x_axis, translation.yx);
    let origin = high(product2(vec2(of_x.x - of_x.y, of_y.y - of_y.x), vec2(scale)));
    return select(origin, vec2(0.0), vec2(any(abs(origin) >= vec2(STROKE_RANGE))));
}

// A point in device space, and the error of the extents around it.
struct PlacedPoint {
    value: vec2<f32>,
    margin: vec2<f32>,
}

fn place(brush: Brush, point: vec2<f32>) -> PlacedPoint {
    let p = point - brush.origin;
    let of_x = product2(brush.x_axis, p.xx);
    let of_y = product2(brush.y_axis, p.yy);
    return PlacedPoint(
        (of_x + of_y) + brush.translation,
        product2(abs(of_x) + abs(of_y), brush.error) + brush.margin,
    );
}

// The image of half a line's width along a direction.
fn along(brush: Brush, direction: vec2<f32>) -> vec2<f32> {
    return product2(brush.half_x, direction.xx) + product2(brush.half_y, direction.yy);
}

// The image of half a line's width along the left normal (-y, x) of a direction.
fn across(brush: Brush, direction: vec2<f32>) -> vec2<f32> {
    return product2(brush.half_y, direction.xx) - product2(brush.half_x, direction.yy);
}

// The extents of a box around a point.
fn extents_around(value: vec2<f32>, half_size: vec2<f32>) -> vec4<f32> {
    return vec4(half_size - value, half_size + value);
}

// The extents without subnormal numbers and -0.0, which boxes do not contain.
fn normal_extents(brush: Brush, extents: vec4<f32>) -> vec4<f32> {
    let least = select(vec2(MIN_COORDINATE), vec2(0.0), brush.error == vec2(0.0));
    return select(extents, least.xyxy, abs(extents) < vec4(MIN_COORDINATE));
}
