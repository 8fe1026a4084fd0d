// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: is_marker, reaches_beyond, start_cap_reaches, tag_at

// What follows a segment of a stroke: another, the end of its subpath, or the marker of one.

#import aabb
#import pen
#import segment
#import span_walk
#import stroke
#import tag

fn is_marker(tag: u32) -> bool {
    return (tag & TAG_SUBPATH_END) != 0u;
}

fn tag_at(index: u32) -> u32 {
    return (tag_word(index / 4u) >> (8u * (index % 4u))) & 0xffu;
}

// What follows a segment that ends at a point, in a direction: the tag there and its path data say what.
fn reaches_beyond(ink: StrokeInk, end: PlacedPoint, arriving: vec2<f32>, tag: u32, data: u32) -> vec4<f32> {
    let cap = cap_reaches(ink, end, arriving, end_cap_of(ink.flags));
    if (tag & TAG_SEGMENT) == 0u {
        return cap;
    }
    let next = read_segment(data, tag);
    if next.greatest >= RANGE {
        return vec4(-LARGEST);
    }
    if is_marker(tag) && (tag & TAG_SEGMENT) != TAG_LINE {
        return cap;
    }
    return join_reaches(ink, end, arriving, start_direction(next).unit);
}

// A marker of an open subpath is a curve from where that ends, by where it starts, to where it starts towards.
fn start_cap_reaches(marker: Segment, ink: StrokeInk) -> vec4<f32> {
    let vector = marker.p3 - marker.p1;
    let direction = first_direction(vector, vector, vector);
    let start = placed_point_of(ink, marker.p1);
    let cap = cap_reaches(ink, start, -direction.unit, start_cap_of(ink.flags));
    if direction.is_nowhere {
        return cap;
    }
    return max(end_reaches(ink, start, direction.unit), cap);
}
