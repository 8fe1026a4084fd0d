// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config
// provides: NO_SPAN, SPANS_PER_WORKGROUP, Span, n_spans_of, overhang_tags, packed_span
// provides: place_in_row, row_of, unpacked_span

// A *span*: the tags of one path in a row of so many tags as the configuration says, and those in the first quarter of the next row if
// the path ends there, so that short paths are not split. First come those with which the paths begin, by the number of their path, so
// that those who walk them side by side do the same where paths are alike; then those which go on in a row, by the number of the row.

// The longest row: of more, jobs (`path_bounds_fill`) are no words.
const MAX_LOG2_ROW_TAGS = 8u;

// Spans of a workgroup, each of which an invocation has.
const SPANS_PER_WORKGROUP = 128u;

struct Span {
    // The index of its first tag; NO_SPAN where there is none.
    tag: u32,
    path: u32,
    // Words of path data, transforms and styles before it.
    data: u32,
    transforms: u32,
    styles: u32,
}

const NO_SPAN = 0xffffffffu;

// The number tells either the path or the tag.
fn packed_span(span: Span, number: u32) -> vec4<u32> {
    return vec4(select(span.path, span.tag, number < config.n_paths), span.data, span.transforms, span.styles);
}

fn unpacked_span(words: vec4<u32>, number: u32) -> Span {
    var span = Span(words.x, number, words.y, words.z, words.w);
    if number >= config.n_paths && words.x != NO_SPAN {
        span.tag = (number - config.n_paths) << config.log2_row_tags;
        span.path = words.x;
    }
    return span;
}

fn row_tags() -> u32 {
    return 1u << config.log2_row_tags;
}

fn row_of(tag: u32) -> u32 {
    return tag >> config.log2_row_tags;
}

// How many tags are before one in its row.
fn place_in_row(tag: u32) -> u32 {
    return tag & (row_tags() - 1u);
}

// How many tags of the next row a span may have.
fn overhang_tags() -> u32 {
    return row_tags() / 4u;
}

// What the numbers of the spans of so many paths are below. The first row goes on with no path.
fn n_spans_of(n_paths: u32) -> u32 {
    let log2_words = config.log2_row_tags - 2u;
    return n_paths + ((config.n_tag_words + (1u << log2_words) - 1u) >> log2_words);
}
