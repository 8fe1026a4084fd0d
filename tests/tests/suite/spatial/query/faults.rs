//! Faults in the shaders of stage *query* are noticed.

use boxwood::Context;
use boxwood::spatial::Order;
use boxwood_tests::{Fault, assert_all_caught, bounded_source, gpu};

use super::{
    Input, difference_at_odd_distances, difference_in_shares, family, first_difference, queries_for,
    questions,
};

/// Planted faults: a shader, a text in it, and the text that replaces each occurrence.
pub(in super::super) const FAULTS: &[Fault] = &[
    // The walk.
    ("query_top_overlapping", "slot / 2u + 1u", "slot / 2u"),
    ("query_count_overlapping", "id - leaf + tree.first_leaf", "id - leaf"),
    ("query_count_overlapping", "height <= LOW_HEIGHTS", "height <= 2u"),
    ("query_count_overlapping", "4u * height - 4u", "4u * height"),
    ("query_count_overlapping", "& ~3u;", "& ~7u;"),
    ("query_count_overlapping", "firstTrailingBit(word) & 3u", "firstTrailingBit(word) & 1u"),
    ("query_count_overlapping", "2u * (next_height - height)", "next_height - height"),
    ("query_count_overlapping", "select(high, low, is_low)", "low"),
    ("query_count_overlapping", "next_height - 1u;", "next_height;"),
    ("query_list_overlapping", "word ^ (1u << (shift + sibling))", "word & ~(15u << shift)"),
    ("query_list_overlapping", "(wanted >> 3u)", "(wanted >> 2u)"),
    ("query_top_overlapping", "firstLeadingBit((word >> shift) & 15u)", "firstTrailingBit(word) & 1u"),
    ("query_top_overlapping", "4u * (child + next_sibling)", "4u * child"),
    ("query_top_overlapping", "wanted &= ~(1u << next_sibling)", "wanted = 0u"),
    // The answers.
    ("query_top_at", "asked.xy < box.zw", "asked.xy <= box.zw"),
    ("query_top_at", "box.xy <= asked.xy", "box.xy < asked.xy"),
    ("query_top_at", "span.y >= answer &&", "span.y > answer &&"),
    ("query_top_at", "span.y + 1u", "span.x"),
    ("query_top_at", "max(answer, span.y + 1u)", "span.y + 1u"),
    ("query_top_at", "answer = 0u;", "answer = 1u;"),
    ("query_top_within", "all(box.zw <= asked.zw)", "all(box.zw < asked.zw)"),
    ("query_top_within", "!meets(box, asked)", "false"),
    ("query_top_overlapping", "< min(box.zw, asked.zw)", "<= min(box.zw, asked.zw)"),
    ("query_top_overlapping", "max(box.xy, asked.xy)", "box.xy"),
    ("query_any_at", "local / 32u], answer", "0u], answer"),
    ("query_any_at", "<< (local % 32u)", "<< 0u"),
    ("query_any_overlapping", "return true;", "return false;"),
    ("query_any_overlapping", "32u * word < n", "32u * word + 32u < n"),
    ("query_any_within", "asked.xy <= box.xy", "asked.xy < box.xy"),
    ("query_count_at", "n_found[query] = answer", "n_found[query] = answer + 1u"),
    ("query_count_within", "meets(box, asked)", "may_meet(box, asked)"),
    ("query_list_at", "sums[query]", "sums[0u]"),
    ("query_list_within", "found[answer] = span.y", "found[answer] = answer"),
    ("query_nearest", "squared == nearest && span.y >= answer", "false"),
    ("query_nearest", "span.y >= answer", "span.y < answer"),
    (
        "query_nearest",
        "max(plain_box.xy - plain_point, plain_point - plain_box.zw)",
        "plain_box.xy - plain_point",
    ),
    ("query_nearest", "squares.x + squares.y", "max(squares.x, squares.y)"),
    ("query_nearest", "plain >= FARTHEST)", "true)"),
    ("query_nearest", "bitcast<u32>(distance) <= INFINITY_BITS", "true"),
    ("query_nearest", "0u, answer == 0u)", "0u, false)"),
    ("query_nearest", "min(distance, vec2(FARTHEST))", "distance"),
    ("query_nearest", "distance < vec2(NEAREST)", "distance < vec2(0.0)"),
    ("query_nearest", "vec2(config.minus_zero)", "vec2(1.0)"),
    ("query_nearest", "if wants(box, span) {", "if true {"),
    // Without a tree.
    ("query_stream_top_at", "own = item + 1u", "own = item"),
    ("query_stream_top_at", "first < boxes_of_share.y;", "first + 256u < boxes_of_share.y;"),
    ("query_stream_top_overlapping", "atomicMax(&answer, own)", "atomicMin(&answer, own)"),
    ("query_stream_top_within", "&& meets(loaded[0u], asked)", ""),
    ("query_stream_count_at", "item < boxes_of_share.y && ", ""),
    ("query_stream_any_at", "own = 1u", "own = 0u"),
    ("query_stream_any_overlapping", "own = 1u", "own = 2u"),
    ("query_stream_any_within", "config.box_count_word]", "config.box_count_word + 1u]"),
    ("query_stream_count_at", "share_answers[index] = 0u", "share_answers[index] = 1u"),
    ("query_stream_count_overlapping", "own += 1u", "own = 1u"),
    ("query_stream_count_within", "(n + config.n_shares - 1u) / config.n_shares", "n / config.n_shares"),
    ("query_stream_count_within", "share_of(index % config.n_shares)", "share_of(0u)"),
    ("query_stream_list_at", "query <= n &&", "query < n &&"),
    ("query_stream_list_at", "sums[query * config.n_shares]", "sums[query]"),
    ("query_stream_list_overlapping", "next_place + end - 1u", "next_place + end"),
    ("query_stream_list_within", "next_place += prefix_sums[WORKGROUP_SIZE - 1u];", ""),
    ("query_stream_nearest", "squared <= nearest", "squared < nearest"),
    ("query_stream_nearest", "nearest == atomicLoad(&least)", "true"),
    ("query_stream_nearest", "atomicMin(&least, nearest)", "atomicMax(&least, nearest)"),
    ("query_stream_nearest", " && !is_empty(loaded[0u])", ""),
    ("query_stream_nearest", "squared_limit(asked.z)", "squared_limit(0.5 * asked.z)"),
    (
        "query_join_top",
        "own = max(own, share_answers[first_share + share])",
        "own = share_answers[first_share + share]",
    ),
    ("query_join_top", "share += INVOCATIONS_PER_QUERY", "share += 2u * INVOCATIONS_PER_QUERY"),
    ("query_join_top", "local / INVOCATIONS_PER_QUERY;", "local % QUERIES;"),
    ("query_join_any", "<< local", "<< 0u"),
    ("query_join_any", "first_query / QUERIES", "0u"),
    ("query_join_nearest", "answer.y <= own_least", "answer.y < own_least"),
    ("query_join_nearest", "answer.x > 0u && ", ""),
    ("query_join_nearest", "own_least == atomicLoad(&least[own_query])", "true"),
    ("query_join_nearest", "0u, item == 0xffffffffu)", "0u, false)"),
];

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn planted_faults_are_caught() {
    let unbroken = Context::new(&gpu().device).with_changes(bounded_source);
    let families = ["small boxes", "nested panels", "few centers", "touching tiles"].map(family);
    let sizes = [(1, 33), (17, 65), (700, 100)];
    assert_eq!(first_difference(&unbroken, &families, &sizes), None);
    // A tree of more than 7 heights.
    let boxes = family("drawing").generate(20_000, 2);
    let queries = queries_for(&boxes, 20);
    assert_all_caught(
        FAULTS,
        |source| unbroken.with_changes(source),
        |broken, _| {
            let high = || {
                let input = Input::new(broken, &boxes, Order::Hilbert);
                questions(500).find_map(|question| input.difference(broken, &queries, question))
            };
            first_difference(broken, &families, &sizes)
                .or_else(|| difference_at_odd_distances(broken))
                .or_else(|| difference_in_shares(broken))
                .or_else(high)
                .is_some()
        },
    );
}
