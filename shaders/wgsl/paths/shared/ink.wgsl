// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config, scene
// provides: Ink, is_stroke, placed_end, placed_ends, placed_inside, read_ink, transform_row_of

// A transform, and where it puts the control points of a segment, exactly as the specification has it; and whether it is stroked.

#import arithmetic
#import segment
#import tag

struct Ink {
    // The matrix and the translation, without what counts as 0.
    matrix: vec4<f32>,
    translation: vec2<f32>,
    // The largest bits of the magnitude of one of its numbers.
    greatest: u32,
    // The bits of the magnitudes of coordinates from which on boxes are out of range, or there are none.
    range: u32,
}

fn read_ink(transform: u32) -> Ink {
    let bits = read_transform(transform);
    return Ink(
        normal_matrix(bits.matrix),
        flushed2(bitcast<vec2<f32>>(bits.translation), MATRIX_DUST),
        greatest_of_transform(bits),
        range_of(bits),
    );
}

// Where a point of numbers up to 2 to the power of k is.
fn placed_point(ink: Ink, point: vec2<f32>, k: i32) -> Placed {
    let axes = scaled_matrix(ink.matrix, k);
    let p = scaled_by(k, point);
    return affine(axes.xy, p.xx, axes.zw, p.yy, ink.translation);
}

// Where an end of a segment is.
fn placed_end(ink: Ink, point: vec2<f32>) -> Placed {
    return placed_point(ink, point, exponent_of_point(point));
}

// The transform as it goes one way: what x and y become, and the translation.
struct TransformRow {
    axes: vec2<f32>,
    translation: f32,
}

// Sums and products round alike on both sides of 0: a way is the other with the signs turned.
fn transform_row_of(ink: Ink, way: u32) -> TransformRow {
    let is_y = (way & 1u) != 0u;
    let sign = select(0x80000000u, 0u, (way & 2u) != 0u);
    let axes = bitcast<vec2<u32>>(select(ink.matrix.xz, ink.matrix.yw, is_y)) ^ vec2(sign);
    let translation = bitcast<u32>(select(ink.translation.x, ink.translation.y, is_y)) ^ sign;
    return TransformRow(bitcast<vec2<f32>>(axes), bitcast<f32>(translation));
}

// Where two points of numbers up to 2 to the power of k are along it.
fn placed_two(row: TransformRow, a: vec2<f32>, b: vec2<f32>, k: vec2<i32>) -> Placed {
    let scales = vec2(power_of_two(k.x), power_of_two(k.y));
    let p = scaled_by(k.x, a);
    let q = scaled_by(k.y, b);
    return affine(
        flushed2(row.axes.xx * scales, MATRIX_DUST),
        vec2(p.x, q.x),
        flushed2(row.axes.yy * scales, MATRIX_DUST),
        vec2(p.y, q.y),
        vec2(row.translation),
    );
}

fn exponent_of_point(point: vec2<f32>) -> i32 {
    return exponent_for(greatest_of_point(bitcast<vec2<u32>>(point)));
}

// Where the ends of a segment are along it, each placed by itself.
fn placed_ends(row: TransformRow, segment: Segment) -> Placed {
    let k = vec2(exponent_of_point(segment.p0), exponent_of_point(segment.p3));
    return placed_two(row, segment.p0, segment.p3, k);
}

// Where the control points between them are.
fn placed_inside(row: TransformRow, segment: Segment) -> Placed {
    return placed_two(row, segment.p1, segment.p2, vec2(exponent_for(segment.greatest)));
}

fn is_stroke(style: u32) -> bool {
    return style < config.n_styles && (scene[config.style_base + 2u * style] & STYLE_STROKE) != 0u;
}
