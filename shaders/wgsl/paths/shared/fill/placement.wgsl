// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config, scene
// provides: Placement, exponent_for, exponent_for_point, placed_end, placed_two, placement_of
// provides: read_placement, side_of_placement

// The placement of the control points of fills in device space, with the bits of
// boxwood_cpu::paths::twin (docs/strokes.md, section 6).

#import arithmetic
#import segment
#import tag
#import thresholds

// A transform. Numbers that count as 0 are 0.
struct Placement {
    matrix: vec4<f32>,
    translation: vec2<f32>,
    // The largest magnitude of its numbers, or NOT_FINITE if nothing is filled with it.
    greatest: u32,
    // Coordinates of this magnitude or more can have boxes out of range.
    range: u32,
}

// The placement with a transform, whose index is below `n_transforms`.
fn read_placement(transform: u32) -> Placement {
    let bits = read_transform(transform);
    return Placement(
        normal_matrix(bits.matrix),
        flushed2(bitcast<vec2<f32>>(bits.translation), MATRIX_EPSILON),
        greatest_of_transform(bits),
        range_of(bits),
    );
}

// The placement of fills with a transform and a style.
fn placement_of(transform: u32, style: u32) -> Placement {
    var placement: Placement;
    placement.greatest = NOT_FINITE;
    if transform < config.n_transforms && style < config.n_styles {
        placement = read_placement(transform);
        let is_stroke = (scene[config.style_base + 2u * style] & STYLE_STROKE) != 0u;
        placement.greatest = select(placement.greatest, NOT_FINITE, is_stroke);
    }
    return placement;
}

// The matrix with its subnormal numbers as 0.
fn normal_matrix(matrix: vec4<u32>) -> vec4<f32> {
    return bitcast<vec4<f32>>(select(matrix, vec4(0u), (matrix & vec4(INFINITY)) == vec4(0u)));
}

fn range_of(transform: Transform) -> u32 {
    if exponent_of_bits(greatest_of_point(transform.translation)) > MAX_MATRIX_EXPONENT {
        return 0u;
    }
    let of_matrix = greatest_of_matrix(transform);
    let least = MAX_MATRIX_EXPONENT + 1 - exponent_of_bits(of_matrix);
    // Subnormal numbers count as 0.
    if of_matrix < 0x00800000u || least > MAX_EXPONENT {
        return INFINITY;
    }
    return u32(least + 127) << 23u;
}

// The exponent by which coordinates of up to this magnitude are scaled down.
fn exponent_for(greatest: u32) -> i32 {
    return clamp(exponent_of_bits(greatest), MIN_EXPONENT, MAX_EXPONENT);
}

fn exponent_for_point(point: vec2<f32>) -> i32 {
    return exponent_for(greatest_of_point(bitcast<vec2<u32>>(point)));
}

fn scaled_down(exponent: i32, x: vec2<f32>) -> vec2<f32> {
    return flushed2(x * power_of_two(-exponent), COORDINATE_EPSILON);
}

fn scaled_up(axis: vec2<f32>, scale: vec2<f32>) -> vec2<f32> {
    return flushed2(axis * scale, MATRIX_EPSILON);
}

// The place of an end of a segment, which is the same for both segments that share it.
fn placed_end(placement: Placement, point: vec2<f32>) -> Placed {
    let k = exponent_for_point(point);
    let p = scaled_down(k, point);
    let scale = vec2(power_of_two(k));
    let x_axis = scaled_up(placement.matrix.xy, scale);
    let y_axis = scaled_up(placement.matrix.zw, scale);
    return affine(x_axis, p.xx, y_axis, p.yy, placement.translation);
}

// A placement in one outward direction: the images of x and y, and the translation.
struct PlacementSide {
    axes: vec2<f32>,
    translation: f32,
}

// Sums and products round symmetrically around 0, so a side is the opposite one with the signs
// flipped.
fn side_of_placement(placement: Placement, side: u32) -> PlacementSide {
    let is_y = (side & 1u) != 0u;
    let sign = select(0x80000000u, 0u, (side & 2u) != 0u);
    let axes = bitcast<vec2<u32>>(select(placement.matrix.xz, placement.matrix.yw, is_y)) ^ vec2(sign);
    let translation = bitcast<u32>(select(placement.translation.x, placement.translation.y, is_y)) ^ sign;
    return PlacementSide(bitcast<vec2<f32>>(axes), bitcast<f32>(translation));
}

// The places of two points, each scaled down by its own exponent.
fn placed_two(side: PlacementSide, a: vec2<f32>, b: vec2<f32>, k: vec2<i32>) -> Placed {
    let scales = vec2(power_of_two(k.x), power_of_two(k.y));
    let p = scaled_down(k.x, a);
    let q = scaled_down(k.y, b);
    let x_axis = scaled_up(side.axes.xx, scales);
    let y_axis = scaled_up(side.axes.yy, scales);
    return affine(x_axis, vec2(p.x, q.x), y_axis, vec2(p.y, q.y), vec2(side.translation));
}
