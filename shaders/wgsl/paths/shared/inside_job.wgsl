// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: join_inside

// How far a stroke goes one way between the ends of a curve, joined to its path.

#import aabb
#import offset
#import pen
#import reach

fn join_inside(path: u32, way: u32, ink: StrokeInk, offset: Offset) {
    let reach = reach_of_offset(offset);
    if reach != -LARGEST {
        join_way(path, way, kept_reaches(ink, vec4(reach))[way]);
    }
}
