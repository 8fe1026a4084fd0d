// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config, scene, spans
// provides: Walk, first_segment, next_segment, read_span, tag_word

// A walk over the segments of a span (`path_span`).

#import span
#import tag

// The span of a number; one whose tag is NO_SPAN if there is none.
fn read_span(number: u32) -> Span {
    var span = Span(NO_SPAN, 0u, 0u, 0u, 0u);
    if number < n_spans_of(config.n_paths) {
        // Where the tags end fewer paths, the last are of another scene, and all beyond the paths that end.
        span = unpacked_span(spans[number], number);
    }
    // The last path may end with the last tag.
    if span.tag / 4u >= config.n_tag_words {
        span.tag = NO_SPAN;
    }
    return span;
}

struct Walk {
    // The tag of a segment; 0 after the last.
    tag: u32,
    // How many tags of the span are before it.
    index: u32,
    // Words of path data, transforms and styles before it.
    data: u32,
    transforms: u32,
    styles: u32,
    // Whether it is the first after a transform or a style.
    is_ink_new: bool,
    // Whether the path ends, after the last.
    is_last: bool,
    // The first tag of the span. Its tags are taken four at a time from there on, so that those who walk spans alike do the same
    // at the same time.
    begin: u32,
    // What its last tags begin before, if the path does not end sooner: up to three that are of the next span too do no harm.
    end: u32,
    // What is left of four tags, and the word in which the next begin.
    four: u32,
    word: u32,
}

fn tag_word(index: u32) -> u32 {
    if index < config.n_tag_words {
        return scene[config.path_tag_base + index];
    }
    return 0u;
}

// What the last tag of a span is before that has a tag in a row: the end of the row, or, if no span goes on there, of what it may have
// of the next.
fn end_of_span(tag: u32) -> u32 {
    let next_row = row_of(tag) + 1u;
    let number = config.n_paths + next_row;
    var end = next_row << config.log2_row_tags;
    if number < n_spans_of(config.n_paths) && spans[number].x == NO_SPAN {
        end += overhang_tags();
    }
    return end;
}

// The segment after this one, or the first.
fn next_segment(before: Walk) -> Walk {
    var walk = before;
    loop {
        walk.data += data_of_tag(walk.tag);
        if (walk.tag & (TAG_TRANSFORM | TAG_STYLE)) != 0u {
            walk.transforms += (walk.tag >> 5u) & 1u;
            walk.styles += (walk.tag >> 6u) & 1u;
            walk.is_ink_new = true;
        }
        walk.is_last = (walk.tag & TAG_PATH) != 0u;
        walk.tag = 0u;
        if walk.is_last {
            break;
        }
        walk.index += 1u;
        if (walk.index & 3u) == 0u {
            let first = walk.begin + walk.index;
            // Beyond all tags are tags of nothing.
            if first >= walk.end {
                break;
            }
            let shift = 8u * (first % 4u);
            let low = walk.word >> shift;
            walk.word = tag_word(first / 4u + 1u);
            // A shift by 32 is none.
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
    walk.is_ink_new = true;
    walk.begin = span.tag;
    walk.end = end_of_span(span.tag);
    walk.word = scene[config.path_tag_base + span.tag / 4u];
    // The tag before the first is none.
    walk.index = 0xffffffffu;
    return next_segment(walk);
}
