// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: join_any

// How far strokes go that are out of the ordinary: segment by segment, each in full.

#import aabb
#import offset
#import pen
#import reach
#import segment
#import span
#import span_walk
#import stroke
#import stroke_follow
#import tag

// The reaches of a segment of any kind, with what follows it. Of what is between the ends of a curve only what is further than is
// known.
fn reaches_of_segment(walk: Walk, span: Span, ink: StrokeInk, known: vec4<f32>) -> vec4<f32> {
    let s = read_segment(walk.data, walk.tag);
    let is_line = (walk.tag & TAG_SEGMENT) == TAG_LINE;
    if s.greatest >= INFINITY || (is_marker(walk.tag) && is_line) {
        return vec4(-LARGEST);
    }
    if ink.kind == INK_ANYWHERE || s.greatest >= RANGE {
        return vec4(LARGEST);
    }
    if is_marker(walk.tag) {
        if s.n == 3u {
            return start_cap_reaches(s, ink);
        }
        return vec4(-LARGEST);
    }
    let start = placed_point_of(ink, s.p0);
    let end = placed_point_of(ink, s.p3);
    let leaving = start_direction(s);
    let arriving = end_direction(s);
    var reaches = vec4(-LARGEST);
    if !(leaving.is_nowhere && arriving.is_nowhere) {
        reaches = max(end_reaches(ink, start, leaving.unit), end_reaches(ink, end, arriving.unit));
        for (var way = 0u; s.n > 2u && way < N_WAYS; way++) {
            let offset = offset_of(s, ink, way);
            if offset.reach > known[way] {
                reaches.x = max(reaches.x, reach_of_offset(offset));
            }
            // The next way comes first, as registers have no index.
            reaches = reaches.yzwx;
        }
    }
    let tag = tag_at(span.tag + walk.index + 1u);
    return max(reaches, reaches_beyond(ink, end, arriving.unit, tag, walk.data + data_of_tag(walk.tag)));
}

// Joins the reaches of a span of any kind.
fn join_any(span: Span) {
    var reaches = vec4(-LARGEST);
    var walk = first_segment(span);
    while walk.tag != 0u {
        let ink = stroke_ink_of(walk.transforms - 1u, walk.styles - 1u);
        if ink.kind != INK_NONE {
            reaches = max(reaches, kept_reaches(ink, reaches_of_segment(walk, span, ink, reaches)));
        }
        walk = next_segment(walk);
    }
    #repeat way 4
        if reaches[$way] != -LARGEST {
            join_way(span.path, $way, reaches[$way]);
        }
    #endrepeat
}
