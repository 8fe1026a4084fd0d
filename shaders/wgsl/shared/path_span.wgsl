// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// A *span*: the tags of one path in a row of so many tags as the configuration says. Spans are numbered by the paths before them
// plus the rows before them, so that no sum is needed to count them: each begins after the end of a path, or of a row, and so has a
// higher number than the one before. Where both end together a number is left out.

// The longest row: of more, jobs (`path_bounds_fill`) are no words.
const MAX_LOG2_ROW_TAGS = 8u;

// Spans of a workgroup, each of which an invocation has.
const SPANS_PER_WORKGROUP = 128u;

struct Span {
    // The index of its first tag; NO_SPAN where the number is left out.
    tag: u32,
    // Words of path data, transforms and styles before it.
    data: u32,
    transforms: u32,
    styles: u32,
}

const NO_SPAN = 0xffffffffu;

fn packed_span(span: Span) -> vec4<u32> {
    return vec4(span.tag, span.data, span.transforms, span.styles);
}

fn unpacked_span(words: vec4<u32>) -> Span {
    return Span(words.x, words.y, words.z, words.w);
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

fn span_number(n_paths_before: u32, tag: u32) -> u32 {
    return n_paths_before + row_of(tag);
}

fn path_of_span(number: u32, span: Span) -> u32 {
    return number - row_of(span.tag);
}

// What the numbers of the spans of so many paths are below.
fn n_spans_of(n_paths: u32) -> u32 {
    let log2_words = config.log2_row_tags - 2u;
    return n_paths + ((config.n_tag_words + (1u << log2_words) - 1u) >> log2_words);
}
