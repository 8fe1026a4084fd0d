// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// A walk over the segments of a span (`path_span`).

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
    // The first tag of the span. Its tags are taken four at a time from there on, so that those who walk spans alike do the same
    // at the same time.
    begin: u32,
    // What its last tags begin before, if the path does not end sooner: up to three that are of the next span too do no harm.
    end: u32,
    // What is left of four tags, how many tags are before these four, and the word in which the next begin.
    four: u32,
    n_before: u32,
    word: u32,
}

fn tag_word(index: u32) -> u32 {
    if index < config.n_tag_words {
        return scene[config.path_tag_base + index];
    }
    return 0u;
}

// Past the four tags, if there are more.
fn next_four(before: Walk) -> Walk {
    var walk = before;
    let first = walk.begin + walk.n_before;
    let shift = 8u * (first % 4u);
    let low = walk.word >> shift;
    walk.word = tag_word(first / 4u + 1u);
    // A shift by 32 is none.
    let four = low | ((walk.word << (31u - shift)) << 1u);
    // What is above the byte of the lowest end of a path is another's; without one nothing is.
    let ends = four & (TAG_PATH * 0x1010101u);
    walk.four = four & (((ends & (0u - ends)) << 4u) - 1u);
    return walk;
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

fn begin_walk(span: Span) -> Walk {
    var walk: Walk;
    walk.data = span.data;
    walk.transforms = span.transforms;
    walk.styles = span.styles;
    walk.is_ink_new = true;
    walk.begin = span.tag;
    walk.end = end_of_span(span.tag);
    walk.word = scene[config.path_tag_base + span.tag / 4u];
    return next_four(walk);
}

// Past tags that are no segments.
fn skip(before: Walk, tags: u32) -> Walk {
    var walk = before;
    if tags != 0u {
        let counts = unpacked(packed_counts_of_word(tags));
        walk.data += counts.z;
        walk.transforms += counts.x;
        walk.styles += counts.y;
        walk.is_ink_new |= (counts.x | counts.y) != 0u;
    }
    return walk;
}

// Whether the path ends in the four tags.
fn is_last(walk: Walk) -> bool {
    return (walk.four & (TAG_PATH * 0x1010101u)) != 0u;
}

fn has_more(walk: Walk) -> bool {
    let next = walk.begin + walk.n_before + 4u;
    return !is_last(walk) && next < walk.end && next / 4u < config.n_tag_words;
}

// A bit in each byte that is the tag of a segment.
fn segments_of(tags: u32) -> u32 {
    return (tags | (tags >> 1u)) & 0x1010101u;
}

fn next_segment(before: Walk) -> Walk {
    var walk = before;
    walk.data += data_of_tag(walk.tag);
    if (walk.tag & (TAG_TRANSFORM | TAG_STYLE)) != 0u {
        walk.transforms += (walk.tag >> 5u) & 1u;
        walk.styles += (walk.tag >> 6u) & 1u;
        walk.is_ink_new = true;
    }
    var segments = segments_of(walk.four);
    while segments == 0u && has_more(walk) {
        walk = skip(walk, walk.four);
        walk.n_before += 4u;
        walk = next_four(walk);
        segments = segments_of(walk.four);
    }
    walk.tag = 0u;
    if segments != 0u {
        let lowest = segments & (0u - segments);
        walk = skip(walk, walk.four & (lowest - 1u));
        let shift = countTrailingZeros(lowest);
        walk.tag = (walk.four >> shift) & 0xffu;
        walk.index = walk.n_before + shift / 8u;
        // The end of the path is kept in mind.
        walk.four &= ~((lowest << 8u) - 1u) | (TAG_PATH * 0x1010101u);
    }
    return walk;
}

fn first_segment(span: Span) -> Walk {
    return next_segment(begin_walk(span));
}
