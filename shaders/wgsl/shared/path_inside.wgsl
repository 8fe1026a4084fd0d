// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// How far a stroke goes one way between the ends of a curve, joined to its path.

#import path_arithmetic
#import path_segment
#import aabb
#import ordered
#import path_reach
#import path_offset

fn join_inside(path: u32, way: u32, ink: StrokeInk, offset: Offset) {
    let reach = reach_of_offset(offset);
    if reach != -LARGEST {
        join_way(path, way, kept_reaches(ink, vec4(reach))[way]);
    }
}
