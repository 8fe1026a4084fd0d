// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: add_deferred_span

// A *deferred span* is a span of strokes that is out of the ordinary (`path_stroke`). Its segments
// are computed one at a time, each completely.

#import aabb
#import brush
#import caps_and_joins
#import extent
#import offset_curve
#import segment
#import span
#import span_walk
#import stroke_next
#import tag

// The extents of a segment of any kind, with the cap or the join after it. The interior of a curve
// counts only on the sides where its bound exceeds the known extents.
fn extents_of_segment(walk: Walk, span: Span, brush: Brush, known: vec4<f32>) -> vec4<f32> {
    let s = read_segment(walk.data, walk.tag);
    let is_line = (walk.tag & TAG_SEGMENT) == TAG_LINE;
    if s.greatest >= INFINITY || (is_marker(walk.tag) && is_line) {
        return vec4(-LARGEST);
    }
    if brush.kind == BRUSH_UNBOUNDED || is_beyond_range(s.greatest) {
        return vec4(LARGEST);
    }
    if is_marker(walk.tag) {
        if s.n == 3u {
            return start_cap_extents(s, brush);
        }
        return vec4(-LARGEST);
    }
    let start = place(brush, s.p0);
    let end = place(brush, s.p3);
    let leaving = start_direction(s);
    let arriving = end_direction(s);
    var extents = vec4(-LARGEST);
    if !(leaving.is_point && arriving.is_point) {
        extents = max(end_extents(brush, start, leaving.unit), end_extents(brush, end, arriving.unit));
        for (var side = 0u; s.n > 2u && side < N_SIDES; side++) {
            let offset = offset_curve_of(s, brush, side);
            if offset.extent > known[side] {
                extents.x = max(extents.x, extent_of(offset));
            }
            // Rotates the next side to the front, since registers have no index.
            extents = extents.yzwx;
        }
    }
    let tag = tag_at(span.tag + walk.index + 1u);
    return max(extents, extents_beyond(brush, end, arriving.unit, tag, walk.data + data_of_tag(walk.tag)));
}

fn add_deferred_span(span: Span) {
    var extents = vec4(-LARGEST);
    var walk = first_segment(span);
    while walk.tag != 0u {
        let brush = brush_of(walk.transforms - 1u, walk.styles - 1u);
        if brush.kind != BRUSH_NONE {
            extents = max(extents, normal_extents(brush, extents_of_segment(walk, span, brush, extents)));
        }
        walk = next_segment(walk);
    }
    add_extents(span.path, extents);
}
