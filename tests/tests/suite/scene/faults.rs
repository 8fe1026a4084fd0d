//! Planted faults: each shader is broken on purpose, and each time some scene must reveal it.

use boxwood::testing::stages;
use boxwood::{Algorithm, Context};
use boxwood_shaders::Shader;
use boxwood_tests::{
    Fault, Shapes, algorithms_for, assert_all_caught, bounded_source, families, family, first_difference,
    gpu, gpu_boxes_after, gpu_boxes_with, nest_clipped_outermost, row_with_far_leaves, scene_of,
};

use super::clipped::STORED_IF_LEAF;

/// The same as [`STORED_IF_LEAF`], for small scenes.
const SMALL_STORED_IF_LEAF: &str = "if !is_entry && tag != TAG_NOP { clipped_boxes[index] = covered; }";

const FAULTS: &[Fault] = &[
    ("compact_reduce", "| ends_among(tags)", ""),
    ("compact_scan", "prefix_sum(local, own) - own", "prefix_sum(local, own)"),
    ("compact_scan", "n_before += up_to.z + counts.w", "n_before += up_to.z"),
    ("compact_scan", "counts.x + counts.y + counts.z)", "counts.x + counts.y)"),
    ("compact_scan", "length *= 4u", "length *= 5u"),
    ("compact_scatter", "sum - countOneBits(all)", "sum"),
    ("compact_scatter", "min(partition_entries[part], config.n_entries)", "0u"),
    (
        "compact_scatter",
        "slot < n_staged; slot += WORKGROUP_SIZE",
        "slot < n_staged; slot += 2u * WORKGROUP_SIZE",
    ),
    ("compact_scatter", "vec4(0u, 1u, 3u, 7u)", "vec4(0u, 1u, 3u, 3u)"),
    ("compact_scatter", "select(~element, element", "select(element, element"),
    ("small_reduce", "sum_then(low, high)", "sum_then(high, low)"),
    ("small_reduce", "n_closed == 0u", "n_closed == 1u"),
    ("small_reduce", "length < n_slice", "length < 4u"),
    ("small_reduce", "slice_box = meet(slice_box, low)", ""),
    ("small_resolve", "n_closed_from(stretch + 1u)", "n_open_from(stretch + 1u)"),
    (
        "small_resolve",
        "small_partitions[begin.stretch].slice[begin.slot]",
        "small_partitions[begin.stretch].slice[0]",
    ),
    ("small_resolve", "slice_boxes[begin.slot]", "slice_boxes[0]"),
    ("small_resolve", "level < 3u", "level < 2u"),
    ("small_resolve", "parent = ancestors[found]", ""),
    ("small_resolve", "select(-depth, 1 - depth, is_end)", "-depth"),
    ("small_resolve", "vec2(level, level - 1)", "vec2(level, level)"),
    ("small_resolve", "open_box = meet(open_box, low)", ""),
    ("small_resolve", "shared_box(outside.n_below - 1u)", "shared_box(outside.n_below)"),
    ("small_resolve", "reached < n_levels", "reached < n_levels / 2u"),
    ("small_resolve", "canonical(meet(", "(meet("),
    ("small_resolve", "canonical(clip_box)", "clip_box"),
    ("small_resolve", "min(2u * length, last)", "last"),
    ("small_resolve", "n_inside = WORKGROUP_SIZE - local", "n_inside = 1u"),
    ("small_resolve", "group_boxes[partner] = unions.inside", ""),
    ("small_resolve_single", "ranks[index] = min(place", "ranks[index] = min(0u"),
    ("small_resolve_single", "select(~i32(index), i32(index), kind == KIND_BEGIN)", "i32(index)"),
    ("small_resolve_single", "group_boxes[partner] = unions.inside", ""),
    ("small_resolve_single", "EntryLink(stack.parent, partner)", "EntryLink(partner, stack.parent)"),
    ("small_stitch", "vec3(last)", "vec3(WORKGROUP_SIZE - 1u)"),
    ("small_stitch", "bics[half + part + 1u].a", "bics[half + part + 1u].b"),
    ("small_stitch", "first_entry + small_partitions", "small_partitions"),
    ("small_stitch", "total_boxes[half + source + 1u]", "EMPTY"),
    ("small_stitch", "links[begin].partner = i32(place)", ""),
    ("small_stitch", "select(~i32(index), i32(index)", "select(i32(index), i32(index)"),
    ("small_stitch", "ranks[index] = place", ""),
    ("link_reduce", "after.a == 0u", "after.b == 0u"),
    ("link_reduce", "partition_bic.b - 1u - after.b", "after.b"),
    ("link_reduce", "bic = bic_then(bic, suffix_bic_in(half, local + (1u + 1u) * length))", ""),
    ("link_reduce", "links[index] = EntryLink(-1, -1)", ""),
    ("link_finish_simple", "i -= 1u << level", "i -= 1u"),
    ("link_finish_simple", "(longer & 0xffffu) == 0u", "(longer & 0xffffu) <= 1u"),
    ("link_finish_simple", "width > 0u; width >>= 2u", "width > 1u; width >>= 2u"),
    ("link_finish_simple", ".b - 1u - depth", ".b - 1u"),
    ("link_finish_simple", "suffix_bics[middle].b > depth", "suffix_bics[middle].b >= depth"),
    ("link_finish_simple", "top_before(part, local, 1u)", "top_before(part, local, 0u)"),
    ("link_finish_simple", "links[top].partner = i32(index)", ""),
    ("clip_reduce", "box = meet(scanned_boxes[local - (1u + 1u) * length], box)", ""),
    ("clip_reduce", "length < WORKGROUP_SIZE", "length < 64u"),
    ("clip_finish", "box = meet(scanned_boxes[local - (0u + 1u) * length], box)", ""),
    ("clip_finish", "n_slice - n_closed - 1u", "n_slice - 1u"),
    ("clip_finish", "round < LG_WORKGROUP_SIZE", "round < LG_WORKGROUP_SIZE - 2u"),
    ("clip_finish", "box = meet(scanned_boxes[source - 1u], box)", ""),
    ("clip_finish", "= canonical(box)", "= box"),
    ("clip_finish", "run_boxes[index] = ordered_from_f32(EMPTY)", ""),
    ("clip_elements", "box = canonical(box)", ""),
    ("clip_elements", "clip_boxes[rank - 1u]", "clip_boxes[0]"),
    ("clip_elements", "joined_ranks[local - stride] == rank", "true"),
    ("clip_elements", "atomicMin(&run_boxes[run + 1u], key.y)", ""),
    ("clip_elements", "bits ^ vec4(0x7fffffff)", "bits"),
    ("union_reduce", "box = join(box, after)", ""),
    ("union_reduce", "stride < WORKGROUP_SIZE", "stride < WORKGROUP_SIZE / 2u"),
    ("union_finish", "range_union(PARTITIONS, source + 1u, part)", "EMPTY"),
    ("union_finish", "range_union(PARTITIONS, part + 1u, n_partitions)", "EMPTY"),
    ("union_finish", "range_union(ENTRIES, 0u, local)", "EMPTY"),
    ("union_finish", "begin % WORKGROUP_SIZE, local)", "begin % WORKGROUP_SIZE + 1u, local)"),
    ("union_finish", "group_boxes[begin] = box", ""),
    ("spine_reduce", "heap[1]", "heap[2]"),
    ("spine_top", "u32(run_sum))) - run_sum", "u32(run_sum)))"),
    ("spine_top", "lowest = depth - i32(bic.a)", "lowest = depth"),
    ("spine_top", "depth_tree[2u * node + 1u]", "DEEPEST"),
    ("spine_finish", "group_starts[group] + i32(", "i32("),
    ("spine_finish", "lowest = start - i32(bic.a)", "lowest = start"),
    ("spine_finish", "heap[4u * node + 3u]", "heap[4u * node]"),
    ("fused_reduce", "sum_then(suffix, after)", "sum_then(after, suffix)"),
    ("fused_reduce", "+ n_open - min(n_open, n_closed)", "+ n_open"),
    ("fused_reduce", "+ max(n_open, high.n_ends) - n_open", ""),
    ("fused_reduce", "reversed &= reversed - u32", "let ignored = u32"),
    ("fused_reduce", "box = meet(before, box)", ""),
    ("fused_reduce", "below = meet(below, staged_boxes[n_staged - 1u])", ""),
    ("fused_reduce", "nops |= beyond;", ""),
    ("fused_reduce", "low_depth = -i32(low.n_ends)", "low_depth = 0i"),
    ("fused_reduce", "atomicLoad(&highest) + 1u", "1u"),
    ("fused_before_two_level", " - 1u - depth", " - 1u"),
    ("fused_before_two_level", "box = meet(scanned_boxes[local - (1u + 1u) * length], box)", ""),
    ("fused_before_two_level", "box = scanned_boxes[invocation - 1u]", ""),
    ("fused_before_two_level", "n_open[p] - n_open[p + 1u]", "n_open[p]"),
    ("fused_before_two_level", "p < source;", "false;"),
    ("fused_before_two_level", "bic.b - min(bic.b, after.a)", "bic.b"),
    ("fused_before_two_level", "after = bic_then(bic, after)", ""),
    ("fused_before_two_level", "sum = bic_then(sum, bic_before(part, p))", "sum = bic_before(part, p)"),
    ("fused_before_two_level", "if p < part", "if p <= part"),
    ("fused_before_two_level", "slice_boxes[u32(source) * PARTITION_LENGTH + slot]", "PLANE"),
    ("fused_enclosing", "partition_depths[part].lowest - 1", "partition_depths[part].start - 1"),
    ("fused_enclosing", "box = meet(chain_boxes[ancestor], box)", ""),
    ("fused_enclosing_jump", "meet(next.clip_box, own.clip_box)", "own.clip_box"),
    ("fused_enclosing_jump", ", next.link", ", -1"),
    ("fused_before", "least_of(node - 1u) <= bound", "least_of(node - 1u) < bound"),
    ("fused_before", "least_of(node) > bound", "false"),
    ("fused_before", "level - partition_depths[source].lowest", "0"),
    ("fused_before", "meet(enclosing[source].clip_box, ", "meet(PLANE, "),
    ("fused_before", "depth <= height", "depth < height"),
    ("fused_resolve", STORED_IF_LEAF.0, STORED_IF_LEAF.1),
    ("small_resolve", "clipped_boxes[index] = covered", SMALL_STORED_IF_LEAF),
    ("small_resolve_single", "clipped_boxes[index] = covered", SMALL_STORED_IF_LEAF),
    ("fused_resolve", "level < 3u", "level < 2u"),
    ("fused_resolve", "(1u << (index % 4u)) - 1u", "(2u << (index % 4u)) - 1u"),
    ("fused_resolve", "countOneBits(cursor.open) > n_kept", "false"),
    ("fused_resolve", "box = meet(pool_box(u32(next)), box)", ""),
    ("fused_resolve", "n_bases < summaries[before.part].n_levels", "n_bases < 4u"),
    ("fused_resolve", "after_box = meet(after_box, ", "let ignored = meet(after_box, "),
    ("fused_resolve", "        box = box_before(before, cursor.index)", ""),
    (
        "fused_resolve",
        "if cursor.open == 0u {\n            cursor = base_of(top)",
        "if false {\n            cursor = base_of(top)",
    ),
    ("fused_resolve", "below_top = after_box", ""),
    ("fused_resolve", "if is_whole", "if true"),
    ("fused_resolve", "clip_box = walked.boxes[1u]", ""),
    (
        "fused_resolve",
        "return Outside(cursor, begin_at(before, cursor), box)",
        "return Outside(cursor, outside.begin, box)",
    ),
    ("fused_resolve", "canonical(boxes[1u])", "boxes[1u]"),
    ("fused_resolve", "between = join(between, pool_box(u32(joined_from)))", ""),
    ("fused_resolve", "rest = join(pool_box(half + local + length), ", "let ignored = join(EMPTY, "),
    ("fused_resolve", "half + WORKGROUP_SIZE - 1u", "half + local + length"),
    ("fused_resolve", "since_base = join(range_box, ", "let ignored = join(range_box, "),
    ("fused_resolve", "half + u32(source) + length", "half + local"),
    ("fused_resolve", "if local >= length", "if false"),
    ("fused_resolve", "suffix = join(suffix, leaf_boxes", "let ignored = join(suffix, leaf_boxes"),
    ("fused_resolve", "boxes[2u] = join(suffix, rest)", ""),
    ("fused_resolve", "(rank + 1u) << (16u * (element & 1u))", "rank + 1u"),
    ("fused_resolve", "first_entry + rank_plus_1 - 1u", "first_entry + rank_plus_1"),
    ("fused_resolve", "unclosed &= ~(1u << 2u)", ""),
    ("fused_resolve", "vec4(partners[0], partners[1]", "vec4(partners[1], partners[1]"),
    ("fused_resolve", "leaf_depth(first + 2u)", "leaf_depth(first + 1u)"),
    ("fused_resolve", "four_leaves(first + 3u)", "four_leaves(first + 2u)"),
    ("fused_resolve", "pool[first + 3u]", "pool[first + 2u]"),
    ("fused_resolve", "local < 80u", "local < 79u"),
    ("fused_resolve", "slot ^ ((slot >> 3u) & 3u)", "slot & 511u & ~1u"),
    ("fused_resolve", "if begin.index != local", "if false"),
    ("fused_resolve", "if begin.index != local", "if true"),
    ("fused_resolve", "prefix = join(prefix, ", "let ignored = join(prefix, "),
    ("fused_tree", "heap[2u * node + 1u]", "EMPTY"),
    ("fused_tree_top", "union_tree[2u * node + 1u]", "EMPTY"),
    ("fused_stitch", "union_of_partitions(source + 1u, part)", "EMPTY"),
    ("fused_stitch", "union_of_partitions(part + 1u, ", "union_of_partitions(part + 2u, "),
    ("fused_stitch", "clamp(least - partition_depths[part].lowest, 0, i32(own.b))", "0"),
    ("fused_stitch", "(ancestor & 1u) == 0u", "false"),
    ("fused_stitch", "links[pair.x].partner = pair.y", ""),
    ("fused_stitch_two_level", "box = join(box, group_boxes[pair.y])", ""),
    ("fused_stitch_two_level", "own.b - min(own.b, bics[0].a)", "0u"),
    ("fused_stitch_two_level", "if p > part", "if p >= part"),
    ("fused_stitch_two_level", "after = bic_then(after, partition_bics[p])", "after = partition_bics[p]"),
    ("fused_stitch_two_level", "total_box = join(total_box, ", "let ignored = join(total_box, "),
    ("fused_stitch_two_level", "union_tree[2u * index]", "EMPTY"),
    ("fused_stitch_two_level", "union_tree[2u * index + 1u]", "EMPTY"),
    ("fused_stitch_two_level", "return union_tree[index]", "return EMPTY"),
    ("fused_stitch_two_level", "heap[2u * heap_node + 1u]", "EMPTY"),
    ("fused_stitch_two_level", ", bics[2u * local + 1u]", ", Bic(0u, 0u)"),
];

/// Whether an algorithm runs this shader.
fn runs(algorithm: Algorithm, shader: &str) -> bool {
    stages(algorithm, 1, 1).dispatches().any(|dispatch| dispatch.shader.name == shader)
}

#[test]
fn every_shader_has_a_fault_in_the_list() {
    for algorithm in Algorithm::ALL {
        for dispatch in stages(*algorithm, 1, 1).dispatches() {
            let name = dispatch.shader.name;
            assert!(FAULTS.iter().any(|m| m.0 == name), "{name} is never broken");
        }
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "Tint refuses barriers in loops with a limit")]
fn every_fault_is_caught() {
    let mut scenes = Vec::new();
    for family in families() {
        scenes.push(scene_of(&family.generate(5 * 256 + 7, 1), Shapes::Large, 1));
        scenes.push(scene_of(&family.generate(3 * 256, 2), Shapes::Odd, 2));
        scenes.push(scene_of(&family.generate(3 * 1024 + 5, 3), Shapes::Large, 3));
    }
    scenes.extend(
        [200, 70_000].map(|n| scene_of(&family("random with leaves").generate(n, 1), Shapes::Large, 1)),
    );
    scenes.extend([100, 700].map(nest_clipped_outermost));
    // Several groups of partitions. The last of these scenes is too large for two levels.
    scenes.extend([75_000, 100_000].map(|n| {
        let half_closed = "(.".repeat(2 * n) + &").".repeat(n);
        scene_of(&half_closed, Shapes::Large, 1)
    }));
    scenes.push(scene_of(&family("random walk").generate(900_000, 1), Shapes::Large, 1));
    scenes.push(nest_clipped_outermost(1_100_000));
    scenes.push(scene_of(&family("sawtooth, period 3 P - 1").generate(200_000, 1), Shapes::Large, 1));
    scenes.push(row_with_far_leaves());
    let reused = ["(..", "(....................."].map(|stream| scene_of(stream, Shapes::Large, 1));
    let expected: Vec<_> = scenes.iter().map(boxwood_cpu::specification::boxes).collect();
    let is_caught = |context: &Context, shader: Option<&str>| {
        scenes.iter().zip(&expected).any(|(scene, expected)| {
            algorithms_for(scene).filter(|m| shader.is_none_or(|s| runs(*m, s))).any(|algorithm| {
                first_difference(expected, &gpu_boxes_with(context, algorithm, scene)).is_some()
            })
        }) || Algorithm::ALL.iter().copied().filter(|m| shader.is_none_or(|s| runs(*m, s))).any(|algorithm| {
            // The buffers still contain results of a longer scene.
            let [longer, shorter] = [&reused[1], &reused[0]];
            let expected = boxwood_cpu::specification::boxes(shorter);
            first_difference(&expected, &gpu_boxes_after(context, algorithm, longer, shorter)).is_some()
        })
    };
    assert!(!is_caught(boxwood_tests::context(), None), "the shaders pass without a fault");

    // A fault can lead other shaders to wrong indices, so these have wgpu's runtime checks.
    let checked = Context::new(&gpu().device).with_changes(bounded_source);
    let compile = |source: &dyn Fn(&Shader) -> String| checked.with_changes(source);
    assert_all_caught(FAULTS, compile, |broken, shader| is_caught(broken, Some(shader)));
}
