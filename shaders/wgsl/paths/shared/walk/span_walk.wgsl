// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: Walk, first_segment, next_segment, path_keys, read_span, scene, scene_pairs, spans
// provides: tag_word

// A walk over the segments of a span (`span`), and the first bindings of all shaders with such
// walks.

#import path_config
#import span
#import tag

@group(0) @binding(1) var<storage> scene: array<u32>;
@group(0) @binding(2) var<storage> spans: array<vec4<u32>>;
// Four words per path.
@group(0) @binding(3) var<storage, read_write> path_keys: array<atomic<i32>>;
// The scene, two words at a time.
@group(0) @binding(4) var<storage> scene_pairs: array<vec2<u32>>;

// The span of a number. Its tag is NO_SPAN if there is none.
//
// The buffer may contain spans of another scene: beyond the last path that ends in this scene, and
// anywhere if the caller has changed the layout between recording and submission. So the number,
// the path (`unpacked_span`), and the tag are compared with the configuration. Data, transforms,
// and styles are compared where they are read.
fn read_span(number: u32) -> Span {
    var span = Span(NO_SPAN, 0u, 0u, 0u, 0u);
    if number < n_spans_of(config.n_paths) {
        span = unpacked_span(spans[number], number);
    }
    // The last path may end with the last tag.
    if span.tag / 4u >= config.n_tag_words {
        span.tag = NO_SPAN;
    }
    return span;
}

struct Walk {
    // The tag of the segment, or 0 after the last one.
    tag: u32,
    // The number of tags of the span before it.
    index: u32,
    // The numbers of words of path data, of transforms, and of styles before it.
    data: u32,
    transforms: u32,
    styles: u32,
    // Whether it is the first segment after a transform or a style.
    is_state_new: bool,
    // After the last segment: whether the path ends in this span.
    is_last: bool,
    // The first tag of the span. The walk takes four tags at a time from here, so that walks over
    // similar spans stay in step.
    begin: u32,
    // The last group of four begins before this tag. It may contain up to three tags of the next
    // span, which is harmless: extents are joined by a maximum.
    end: u32,
    // The remaining tags of the group, and the word of the scene that the next group begins in.
    four: u32,
    word: u32,
}

fn tag_word(index: u32) -> u32 {
    if index < config.n_tag_words {
        return scene[config.path_tag_base + index];
    }
    return 0u;
}

// The exclusive end of the span that contains a tag: the end of its row, plus the overhang if no
// span continues there.
fn end_of_span(tag: u32) -> u32 {
    let next_row = row_of(tag) + 1u;
    let number = config.n_paths + next_row;
    var end = next_row << config.log2_row_tags;
    if number < n_spans_of(config.n_paths) && spans[number].x == NO_SPAN {
        end += overhang_tags();
    }
    return end;
}

// Moves to the next segment, or to the first one.
fn next_segment(before: Walk) -> Walk {
    var walk = before;
    loop {
        walk.data += data_of_tag(walk.tag);
        if (walk.tag & (TAG_TRANSFORM | TAG_STYLE)) != 0u {
            walk.transforms += (walk.tag >> 5u) & 1u;
            walk.styles += (walk.tag >> 6u) & 1u;
            walk.is_state_new = true;
        }
        walk.is_last = (walk.tag & TAG_PATH) != 0u;
        walk.tag = 0u;
        if walk.is_last {
            break;
        }
        walk.index += 1u;
        if (walk.index & 3u) == 0u {
            let first = walk.begin + walk.index;
            if first >= walk.end {
                break;
            }
            let shift = 8u * (first % 4u);
            let low = walk.word >> shift;
            walk.word = tag_word(first / 4u + 1u);
            // WGSL takes shifts modulo 32, so this shifts by `32 - shift` in two steps.
            walk.four = low | ((walk.word << (31u - shift)) << 1u);
        }
        walk.tag = walk.four & 0xffu;
        walk.four >>= 8u;
        if (walk.tag & TAG_SEGMENT) != 0u {
            break;
        }
    }
    return walk;
}

fn first_segment(span: Span) -> Walk {
    var walk: Walk;
    walk.data = span.data;
    walk.transforms = span.transforms;
    walk.styles = span.styles;
    walk.is_state_new = true;
    walk.begin = span.tag;
    walk.end = end_of_span(span.tag);
    walk.word = scene[config.path_tag_base + span.tag / 4u];
    // `next_segment` adds 1.
    walk.index = 0xffffffffu;
    return next_segment(walk);
}
