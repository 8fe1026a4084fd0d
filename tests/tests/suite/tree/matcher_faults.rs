//! Planted faults in the shaders of the context, each of which some input must reveal.

use boxwood::Context;
use boxwood::tree::Matcher;
use boxwood_shaders::Shader;
use boxwood_tests::{Fault, assert_all_caught, bounded_source, families, gpu};

use super::begins;
use super::matchers::{Input, W, difference, staircase};

/// Planted faults: a file, a text in it, and the text that replaces each occurrence. A fault
/// applies to each shader that is compiled from the file.
const FAULTS: &[Fault] = &[
    ("matcher_simple_reduce", "partition_bic.b - 1u - after.b", "after.b"),
    ("matcher_simple_finish", ".b - 1u - depth", ".b - 1u"),
    ("matcher_simple_finish", "(longer & 0xffffu) == 0u", "(longer & 0xffffu) <= 1u"),
    ("matcher_work_efficient_reduce", " && after.a == 0u", ""),
    ("matcher_work_efficient_reduce", "- 1u - after.b", "- 1u"),
    (
        "matcher_work_efficient_reduce",
        "own = bic_then(own, entry_bic(",
        "own = bic_then(Bic(0u, 0u), entry_bic(",
    ),
    ("matcher_work_efficient_reduce", "suffix_bic(local + 1u)", "suffix_bic(local)"),
    ("matcher_work_efficient_finish", "first + i < part", "first + i + 1u < part"),
    ("matcher_work_efficient_finish", "own.b - min(own.b, after.a)", "own.b"),
    ("matcher_work_efficient_finish", "pair = (pair << 16u) | n_open", "pair = n_open"),
    ("matcher_work_efficient_finish", "last = max(last, before)", "last = before"),
    ("matcher_work_efficient_finish", "link = links[local - 1u]", "link = i32(local) - 1"),
    ("matcher_work_efficient_finish", "partition_bics[part].a + 1u", "partition_bics[part].a"),
    ("matcher_work_efficient_finish", "first - suffix_bic(low).b", "0u"),
    ("matcher_work_efficient_finish", "n_above -= slot;", "n_above = 0u;"),
    ("matcher_work_efficient_finish", "slot -= n_above + 1u", "slot -= 1u"),
    ("matcher_work_efficient_finish", "segment = links[segment]", "segment -= 1"),
    ("matcher_work_efficient_finish", "slot = half_word(source) - 1u", "slot = 0u"),
    ("matcher_work_efficient_finish", "find_top(local, own.n_ends)", "find_top(local, 0u)"),
    ("matcher_work_efficient_finish", "i < top.n_ends", "i < 0u"),
    ("matcher_work_efficient_finish", "if rest != 0u", "if false"),
    ("matcher_work_efficient_finish", "below = links[sequence]", "below -= 1"),
    ("matcher_work_efficient_finish", "below -= 1;", ""),
    ("matcher_work_efficient_finish", "pair = (pair >> 16u) | (u32(top) << 16u)", "pair = u32(top) << 16u"),
    ("matcher_work_efficient_finish", "i32(half_word(j) << 16u) >> 16u", "i32(half_word(j))"),
    ("matcher_look_back_clear", "aggregates[part] = 0u", "aggregates[part] = 0xffffffffu"),
    ("matcher_look_back", "(sum >> 16u) << COUNT_BITS", "0u"),
    ("matcher_look_back", "Bic(look.n_ends, 0u)", "Bic(0u, 1u)"),
    ("matcher_look_back", "return open_from(index - 1u)", "return 0u"),
    ("matcher_look_back", "sum = packed_then(sum, right)", ""),
    ("matcher_look_back", "n_closed = min(n_own, sum >> 16u)", "n_closed = 0u"),
    ("matcher_look_back", "] = -1;", "] = 0;"),
    ("matcher_look_back", "cursor_mask = level_tree[WORKGROUP_SIZE + cursor]", "cursor_mask = 0u"),
    ("matcher_look_back", "cursor += 1u", "cursor += 2u"),
    ("matcher_hierarchical_reduce", "n_begins - (from_word & 0xffffu)", "0u"),
    ("matcher_hierarchical_reduce", "slot + n_open - n_closed", "slot + n_open"),
    ("matcher_hierarchical_reduce", "32u - n_begins - (n_begins - countOneBits(reversed))", "0u"),
    ("matcher_hierarchical_reduce", "reversed - bit + begin", "reversed - 1u"),
    ("matcher_hierarchical_reduce", "packed_then(suffix, group_sums", "packed_then(0u, group_sums"),
    (
        "matcher_hierarchical_reduce",
        "suffix_sum(local + 1u)",
        "group_sums[GROUP_RESULTS + local / GROUP_LENGTH + 1u]",
    ),
    ("matcher_hierarchical_reduce", "left < low", "left <= low"),
    ("matcher_hierarchical_reduce", "heap[node] >= low", "heap[node] > low"),
    ("matcher_hierarchical_reduce", "lowest_before = min(lowest_before, left)", ""),
    ("matcher_hierarchical_reduce", "u32(-low)", "0u"),
    ("matcher_hierarchical_reduce", "u32(low - heap[node])", "1u"),
    ("spine_finish_linked", "least_of(node) > bound", "least_of(node) <= bound"),
    ("spine_finish_linked", "start - i32(bic.a)", "start"),
    ("matcher_hierarchical_finish", "countOneBits(open) - linked_n_open(stack.y)", "0u"),
    (
        "matcher_hierarchical_finish",
        "source_of_level(part, level), level",
        "source_of_level(part, top_level), level",
    ),
    ("matcher_hierarchical_finish", "depth.lowest <= level", "depth.lowest < level"),
    ("matcher_hierarchical_finish", "least_of(node - 1u) <= bound", "least_of(node - 1u) < bound"),
    (
        "matcher_hierarchical_finish",
        "word.n_rows = min(word.n_rows, linked_n_inner(stack.y))",
        "word.n_rows = 0u",
    ),
    ("matcher_hierarchical_finish", "i32(word.link.y) - i32(n_ends)", "i32(word.link.y)"),
    ("matcher_hierarchical_finish", "first_row + word.n_rows > N_TOPS", "false"),
    ("matcher_hierarchical_finish", "link_before = links_then_bytes[local - 1u]", ""),
    ("matcher_hierarchical_finish", "mask ^= 1u << top", "mask = 0u"),
    ("matcher_hierarchical_finish", "mask ^= 1u << next", ""),
    ("matcher_hierarchical_finish", "mask = next.x", "mask = 0u"),
    ("matcher_hierarchical_finish", "word += 1u", "word += 2u"),
    ("matcher_hierarchical_finish", "state.row += 1u", ""),
    ("matcher_hierarchical_finish", "level < source.lowest || ", ""),
    ("matcher_hierarchical_finish", "top_level + 2 + found[", "top_level + 1 + found["),
    ("matcher_one_workgroup", "stretch.length * u32(cursor.at)", "32u * u32(cursor.at)"),
    ("matcher_one_workgroup", "cursor.at < stretch.lowest_before", "false"),
    ("matcher_one_workgroup", "cursor.at - stretch.lowest_before", "cursor.at"),
    ("matcher_one_workgroup", "Cursor(0u, cursor.at - 1)", "cursor"),
    ("matcher_one_workgroup", "return links[cursor.at]", "return Cursor(0u, cursor.at)"),
    ("matcher_one_workgroup", ">> (share.first % 32u)", ""),
    ("matcher_one_workgroup", "share.n_ends += 1;", ""),
    ("matcher_one_workgroup", "depth_before + i32(prefix_sum(", "i32(prefix_sum("),
    ("matcher_one_workgroup", "countOneBits(open) > n_kept", "false"),
    ("matcher_one_workgroup", "top = links[local - 1u]", ""),
    ("matcher_one_workgroup", "stack ^= top_of(stack)", "stack = 0u"),
    ("matcher_one_workgroup", "cursor = below(cursor)", ""),
    ("matcher_one_workgroup", "lowest = min(min(lowest", "lowest = min(min(0x7fffffff"),
    ("matcher_one_workgroup", "min(lowest_before, i32(prefix_sums[0]))", "lowest_before"),
    ("matcher_one_workgroup", "&& level < lowest_after", ""),
    ("matcher_one_workgroup", "slices[level - lowest_so_far] =", "slices[0] ="),
];

fn has_shader(matcher: Matcher, name: &str) -> bool {
    boxwood::testing::matcher_stages(matcher, 1).dispatches().any(|dispatch| dispatch.shader.name == name)
}

#[test]
fn every_matcher_shader_has_a_planted_fault() {
    for shader in boxwood_shaders::all().into_iter().filter(|shader| shader.name.starts_with("matcher_")) {
        assert!(FAULTS.iter().any(|m| m.0 == shader.name), "{} has no fault", shader.name);
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn every_planted_fault_is_caught() {
    // In the longer inputs, the work-efficient matcher with the longest partitions has several
    // segments of partitions.
    let lengths = [7 * W + 1, 3 * 32 * W, 5 * 64 * W];
    let inputs: Vec<Input> = lengths
        .iter()
        .flat_map(|&n| families().into_iter().map(move |f| begins(&f.generate(n, 1))))
        .chain(lengths.map(staircase))
        .map(Input::new)
        .collect();
    // A fault can make other shaders access memory out of bounds, so all run with wgpu's checks.
    let checked = Context::new(&gpu().device).with_changes(bounded_source);
    let compile = |source: &dyn Fn(&Shader) -> String| checked.with_changes(source);
    assert_all_caught(FAULTS, compile, |broken, name| {
        Matcher::ALL.iter().copied().filter(|&matcher| has_shader(matcher, name)).all(|matcher| {
            let mut inputs = inputs.iter().filter(|input| input.begins.len() as u64 <= matcher.max_entries());
            inputs.any(|input| difference(broken, matcher, input).is_some())
        })
    });
}
