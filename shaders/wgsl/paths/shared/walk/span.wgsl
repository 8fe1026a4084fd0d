// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config
// provides: NO_SPAN, SPANS_PER_WORKGROUP, Span, n_spans_of, overhang_tags, packed_span
// provides: place_in_row, row_of, unpacked_span

// A *span* is the tags of one path within a row of tags: the share of one invocation. Rows have a
// fixed number of tags (`PathConfig`). A path that ends in the first quarter of the next row is not
// split there, so most short paths are one span. That part is the overhang of the span.
//
// Spans are numbered, so that each has a fixed slot in the buffer:
// - `0..n_paths`: the span in which the path of this number begins;
// - starting at `n_paths`: the span that continues a path at the start of a row, by row.
// Adjacent invocations then do the same work as long as their paths are alike.

// A longer row would not fit the bit fields of jobs. The host checks this.
const MAX_LOG2_ROW_TAGS = 8u;

// Spans per workgroup, one per invocation.
const SPANS_PER_WORKGROUP = 128u;

struct Span {
    // The index of its first tag, or NO_SPAN if there is no such span.
    tag: u32,
    path: u32,
    // The numbers of words of path data, of transforms, and of styles before it.
    data: u32,
    transforms: u32,
    styles: u32,
}

const NO_SPAN = 0xffffffffu;

// The number gives either the path or the tag. The first word is the other one.
fn packed_span(span: Span, number: u32) -> vec4<u32> {
    return vec4(select(span.path, span.tag, number < config.n_paths), span.data, span.transforms, span.styles);
}

fn unpacked_span(words: vec4<u32>, number: u32) -> Span {
    var span = Span(words.x, number, words.y, words.z, words.w);
    if number >= config.n_paths {
        span.path = words.x;
        span.tag = (number - config.n_paths) << config.log2_row_tags;
        // Also refuses NO_SPAN, and the remains of another scene in the slot.
        if span.path >= config.n_paths {
            span.tag = NO_SPAN;
        }
    }
    return span;
}

fn row_tags() -> u32 {
    return 1u << config.log2_row_tags;
}

fn row_of(tag: u32) -> u32 {
    return tag >> config.log2_row_tags;
}

// The number of tags before this one in its row.
fn place_in_row(tag: u32) -> u32 {
    return tag & (row_tags() - 1u);
}

// The maximum number of tags of the next row in a span.
fn overhang_tags() -> u32 {
    return row_tags() / 4u;
}

// The number of slots for spans.
fn n_spans_of(n_paths: u32) -> u32 {
    let log2_words = config.log2_row_tags - 2u;
    return n_paths + ((config.n_tag_words + (1u << log2_words) - 1u) >> log2_words);
}
