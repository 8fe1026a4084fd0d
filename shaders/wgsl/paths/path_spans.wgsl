// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: path_spans
// shader: path_spans_rounded: rounded

// Stage paths, dispatch 3 of 8: writes the beginning of each span (`span`). With `rounded`, also
// writes the even-odd flag and the transform of each path.
//
// One workgroup per partition, one invocation per four words of tags. Only `prefix_sum` uses
// workgroup memory, for prefix sums. It has 4 barriers.

#import grid
#import path_config
#import path_keys
#import span
#import tag

@group(0) @binding(1) var<storage> scene: array<u32>;
// The counts before each partition in its group, and before each group.
@group(0) @binding(2) var<storage> partition_counts: array<vec4<u32>>;
@group(0) @binding(3) var<storage> group_counts: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read_write> spans: array<vec4<u32>>;
#ifdef rounded
// For each path, whether its fill rule is even-odd, and the index of its transform.
@group(0) @binding(5) var<storage, read_write> path_draws: array<vec2<u32>>;
#endif

// Invocations per workgroup, and the type of their counts.
const N_SUMMED = WORKGROUP_SIZE / 4u;
alias Summed = PackedCounts;
#import prefix_sum

// Writes the span of the path that begins at a tag with these counts before it. Tags may end more
// paths than the layout has.
fn begin_path(tag: u32, at: Counts) {
    if at.w < config.n_paths {
        spans[at.w] = packed_span(Span(tag, at.w, at.z, at.x, at.y), at.w);
    }
}

// Whether a path that continues at the first tag of a row ends within the overhang.
fn ends_soon(tag: u32) -> bool {
    let begin = tag / 4u;
    let end = min(begin + overhang_tags() / 4u, config.n_tag_words);
    var i = begin;
    while i < end && (scene[config.path_tag_base + i] & (TAG_PATH * 0x1010101u)) == 0u {
        i += 1u;
    }
    return i < end;
}

// Writes the span that continues a path at the first tag of a row with these counts before it.
fn begin_row(tag: u32, at: Counts) {
    let number = config.n_paths + row_of(tag);
    // For these spans, `packed_span` stores the path, which is NO_SPAN if nothing continues here.
    var span = Span(tag, NO_SPAN, 0u, 0u, 0u);
    let continues = tag != 0u && (scene[config.path_tag_base + tag / 4u - 1u] & (TAG_PATH << 24u)) == 0u;
    if continues && at.w < config.n_paths && !ends_soon(tag) {
        span = Span(tag, at.w, at.z, at.x, at.y);
        // Several spans will join the keys of this path.
        path_keys[at.w] = EMPTY_KEYS;
    }
    spans[number] = packed_span(span, number);
}

// Handles the tag that ends a path, with these counts before it.
fn end_path(tag_index: u32, tag: u32, at: Counts) {
    let next = at + counts_of_tag(tag);
    begin_path(tag_index + 1u, next);
#ifdef rounded
    if at.w < config.n_paths {
        let style = at.y - 1u;
        var flags = 0u;
        if style < config.n_styles {
            flags = scene[config.style_base + 2u * style];
        }
        path_draws[at.w] = vec2((flags & STYLE_EVEN_ODD) >> 30u, at.x - 1u);
    }
#endif
}

// Four words of tags. Those beyond the last one are 0.
fn read_words(first: u32) -> vec4<u32> {
    if first + 4u <= config.n_tag_words {
        let at = config.path_tag_base + first;
        return vec4(scene[at], scene[at + 1u], scene[at + 2u], scene[at + 3u]);
    }
    var words = vec4(0u);
    for (var k = 0u; first + k < config.n_tag_words; k++) {
        words[k] = scene[config.path_tag_base + first + k];
    }
    return words;
}

// Which of the four tags of a word end a path, one bit each.
fn ends_of_word(word: u32) -> u32 {
    // The product moves the bits 0, 8, 16, and 24 next to each other in its highest byte.
    return ((((word >> 4u) & 0x1010101u) * 0x01020408u) >> 24u) & 15u;
}

@compute @workgroup_size(N_SUMMED)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
    let first = part * WORKGROUP_SIZE + 4u * local;
    let words = read_words(first);
    let before_part = group_counts[part / PARTITIONS_PER_GROUP] + partition_counts[part];
    // The counts of the words before each word of this invocation.
    let before_1 = packed_counts_of_word(words.x);
    let before_2 = before_1 + packed_counts_of_word(words.y);
    let before_3 = before_2 + packed_counts_of_word(words.z);
    let own_counts = before_3 + packed_counts_of_word(words.w);
    let at = prefix_sum(local, own_counts) - own_counts;
    if place_in_row(4u * first) == 0u && first < config.n_tag_words {
        let before = before_part + unpacked(at);
        if first == 0u {
            begin_path(0u, before);
        }
        begin_row(4u * first, before);
    }
    var ends = ends_of_word(words.x) | (ends_of_word(words.y) << 4u) | (ends_of_word(words.z) << 8u)
        | (ends_of_word(words.w) << 12u);
    while ends != 0u {
        let k = countTrailingZeros(ends);
        ends &= ends - 1u;
        // Selected without an index, so that the words stay in registers.
        let is_odd = (k & 4u) != 0u;
        let is_upper = k >= 8u;
        let word = select(select(words.x, words.y, is_odd), select(words.z, words.w, is_odd), is_upper);
        let before_word = select(
            select(PackedCounts(0u), before_1, is_odd),
            select(before_2, before_3, is_odd),
            is_upper,
        );
        let shift = 8u * (k % 4u);
        let before = before_word + packed_counts_of_word(word & ((1u << shift) - 1u));
        end_path(4u * first + k, (word >> shift) & 0xffu, before_part + unpacked(at + before));
    }
}
