// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// How far a stroke goes one way between the ends of a curve.

#import path_arithmetic
#import path_curve
#import path_segment
#import path_ink
#import aabb
#import ordered
#import path_reach
#import path_stroke
#import path_offset
#import path_stroke_ink

// The curve as it is that way.
struct Inside {
    segment: Segment,
    pen: PenRow,
    // Where its ends are, and the control points between them.
    ends: vec2<f32>,
    inner: vec2<f32>,
}

fn inside_of(segment: Segment, ink: StrokeInk, way: u32) -> Inside {
    let row = transform_row_of(ink.base, way);
    return Inside(
        segment,
        pen_row_of(row, ink.width),
        placed_ends(row, segment).point,
        placed_inside(row, segment).point,
    );
}

fn offset_of_inside(inside: Inside) -> Offset {
    return offset_of(inside.segment, inside.ends, inside.inner, inside.pen);
}

// Joins how far it goes to its path.
fn join_inside(path: u32, way: u32, inside: Inside, offset: Offset) {
    let reach = reach_of_offset(offset, inside.pen);
    if reach != -LARGEST {
        join_way(path, way, with_error(inside.pen, reach, largest_of(inside.ends, inside.inner)));
    }
}
