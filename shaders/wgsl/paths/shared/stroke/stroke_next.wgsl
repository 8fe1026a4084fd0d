// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: extents_beyond, is_marker, start_cap_extents, tag_at

// The successor of a segment of a stroke: another segment, a marker, or nothing.
//
// A *marker* is the last segment of a subpath, and not drawn. For a closed subpath it is a line
// with the direction in which the subpath starts. For an open one it is a quadratic curve from the
// end of the subpath, by its start, to the first point after that.

#import aabb
#import brush
#import caps_and_joins
#import segment
#import span_walk
#import tag

fn is_marker(tag: u32) -> bool {
    return (tag & TAG_SUBPATH_END) != 0u;
}

fn tag_at(index: u32) -> u32 {
    return (tag_word(index / 4u) >> (8u * (index % 4u))) & 0xffu;
}

// The extents of the cap or the join after a segment. The next tag and its path data decide which.
fn extents_beyond(brush: Brush, end: PlacedPoint, arriving: vec2<f32>, tag: u32, data: u32) -> vec4<f32> {
    let cap = cap_extents(brush, end, arriving, end_cap_of(brush.flags));
    if (tag & TAG_SEGMENT) == 0u {
        return cap;
    }
    let next = read_segment(data, tag);
    if is_beyond_range(next.greatest) {
        return vec4(-LARGEST);
    }
    if is_marker(tag) && (tag & TAG_SEGMENT) != TAG_LINE {
        return cap;
    }
    return join_extents(brush, end, arriving, start_direction(next).unit);
}

// The extents of the cap at the start of an open subpath, given its marker.
fn start_cap_extents(marker: Segment, brush: Brush) -> vec4<f32> {
    let vector = marker.p3 - marker.p1;
    let direction = first_direction(vector, vector, vector);
    let start = place(brush, marker.p1);
    let cap = cap_extents(brush, start, -direction.unit, start_cap_of(brush.flags));
    if direction.is_point {
        return cap;
    }
    return max(end_extents(brush, start, direction.unit), cap);
}
