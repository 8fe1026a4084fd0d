//! The suite can fail: each stage is broken on purpose, and each time some scene tells.

use boxwood::{Matching, Pipelines};
use boxwood_shaders::Shader;
use boxwood_tests::{
    Boxes, Fault, assert_all_caught, elements, families, first_difference, gpu, gpu_boxes_after,
    gpu_boxes_with, matchings_for, nest_clipped_outermost, row_with_far_leaves,
};

const MUTATIONS: &[Fault] = &[
    ("compact_reduce", "| ends_among(tags)", ""),
    ("compact_scan", "n_before + sum - own", "sum - own"),
    ("compact_scan", "n_before += prefix_sums", "n_before = prefix_sums"),
    ("compact_scan", "counts.x + counts.y + counts.z)", "counts.x + counts.y)"),
    ("compact_scan", "length *= 4u", "length *= 5u"),
    ("compact_scatter", "+ sum - countOneBits(all)", "+ sum"),
    ("compact_scatter", "partition_nodes[part] + sum", "sum"),
    ("compact_scatter", "vec4(0u, 1u, 3u, 7u)", "vec4(0u, 1u, 3u, 3u)"),
    ("compact_scatter", "select(~element, element", "select(element, element"),
    ("bound_small_reduce", "sum_then(low, high)", "sum_then(high, low)"),
    ("bound_small_reduce", "n_closed == 0u", "n_closed == 1u"),
    ("bound_small_reduce", "length < n_slice", "length < 4u"),
    ("bound_small_reduce", "slice_box = meet(slice_box, low)", ""),
    ("bound_small_leaf", "n_closed_from(local + 1u)", "n_open_from(local + 1u)"),
    (
        "bound_small_leaf",
        "small_partitions[begin.stretch].slice[begin.slot]",
        "small_partitions[begin.stretch].slice[0]",
    ),
    ("bound_small_leaf", "slice_boxes[begin.slot]", "slice_boxes[0]"),
    ("bound_small_leaf", "level < 3u", "level < 2u"),
    ("bound_small_leaf", "parent = ancestors[found]", ""),
    ("bound_small_leaf", "select(-depth, 1 - depth, is_end)", "-depth"),
    ("bound_small_leaf", "vec2(level, level - 1)", "vec2(level, level)"),
    ("bound_small_leaf", "open_box = meet(open_box, low)", ""),
    ("bound_small_leaf", "half + below - 1u", "half + below"),
    ("bound_small_leaf", "reached < n_levels", "reached < n_levels / 2u"),
    ("bound_small_leaf", "canonical(meet(", "(meet("),
    ("bound_small_leaf", "canonical(clip_box)", "clip_box"),
    ("bound_small_leaf", "min(2u * length, last)", "last"),
    ("bound_small_leaf", "n_inside = WORKGROUP_SIZE - local", "n_inside = 1u"),
    ("bound_small_leaf", "group_boxes[partner] = group_box", ""),
    ("bound_small_leaf_direct", "kept |= open & (~open + 1u)", "kept = open & (~open + 1u)"),
    ("bound_small_leaf_direct", "kept |= open & (~open + 1u)", ""),
    ("bound_small_leaf_direct", "own.stretch / STRETCHES_PER_PARTITION", "own.stretch"),
    (
        "bound_small_leaf_direct",
        "begins |= begins_among(tags) << (4u * ",
        "begins |= begins_among(tags) << (3u * ",
    ),
    ("bound_small_leaf_direct", "reversed &= reversed - ((", "reversed &= reversed | (("),
    ("bound_small_leaf_direct", "- (countOneBits(begins) - countOneBits(open))", ""),
    ("bound_small_leaf_direct", "element_boxes[first + at.y]", "PLANE"),
    ("bound_small_leaf_direct", "open | (nodes << 16u)", "open"),
    ("bound_small_leaf_direct", "n_left_open - n_closed - 1", "n_left_open - 1"),
    ("bound_small_leaf_direct", "min(depth, depth + change)", "depth"),
    ("bound_small_leaf_direct", "slice[depth - lowest] = rank", "slice[depth - lowest] = 0u"),
    ("bound_small_leaf_direct", "depth + change - lowest", "depth - lowest"),
    ("bound_small_leaf_direct", "draw_tags[index / 4u][index % 4u]", "draw_tags[index / 4u][0]"),
    ("bound_small_stitch", "vec3(last)", "vec3(WORKGROUP_SIZE - 1u)"),
    ("bound_small_stitch", "bics[half + part + 1u].a", "bics[half + part + 1u].b"),
    ("bound_small_stitch", "first_node + small_partitions", "small_partitions"),
    ("bound_small_stitch", "total_boxes[half + source + 1u]", "EMPTY"),
    ("bound_small_stitch", "links[begin].partner = i32(place)", ""),
    ("bound_small_stitch", "select(~i32(index), i32(index)", "select(i32(index), i32(index)"),
    ("bound_small_stitch", "places[index] = place", ""),
    ("match_reduce", "ends_after = suffix_bics[local + 1u].a", "ends_after = suffix_bics[local + 1u].b"),
    ("match_reduce", "partition_bic.b - bic.b] =", "bic.b - 1u] ="),
    ("match_reduce", "bic = bic_then(bic, after)", "bic = bic_then(after, bic)"),
    ("match_reduce", "links[index] = NodeLink(-1, -1)", ""),
    ("match_leaf", "i -= 1u << level", "i -= 1u"),
    ("match_leaf", "if q.b == 0u", "if q.b <= 1u"),
    ("match_leaf", "level <= LG_WORKGROUP_SIZE; level++", "level < LG_WORKGROUP_SIZE - 1u; level++"),
    ("match_leaf", ".b - 1u - depth", ".b - 1u"),
    ("match_leaf", "suffix_bics[middle].b > depth", "suffix_bics[middle].b >= depth"),
    ("match_leaf", "search_top(local, Bic(1u, 0u))", "search_top(local, Bic(0u, 0u))"),
    ("match_leaf", "links[top].partner = i32(index)", ""),
    ("clip_reduce", "box = meet(below, box)", ""),
    ("clip_reduce", "stride < WORKGROUP_SIZE", "stride < WORKGROUP_SIZE / 2u"),
    ("clip_leaf", "entry_box = meet(below, entry_box)", ""),
    ("clip_leaf", "n_slice - n_closed - 1u", "n_slice - 1u"),
    ("clip_leaf", "round < LG_WORKGROUP_SIZE", "round < LG_WORKGROUP_SIZE - 2u"),
    ("clip_leaf", "box = meet(entry_boxes[source - 1u], box)", ""),
    ("clip_leaf", "= canonical(box)", "= box"),
    ("clip_leaf", "run_boxes[index] = ordered_from_f32(EMPTY)", ""),
    ("clip_elements", "box = canonical(box)", ""),
    ("clip_elements", "clip_boxes[place - 1u]", "clip_boxes[0]"),
    ("clip_elements", "joined_places[local - stride] == place", "true"),
    ("clip_elements", "atomicMin(&run_boxes[run + 1u], key.y)", ""),
    ("clip_elements", "bits ^ vec4(0x7fffffff)", "bits"),
    ("union_reduce", "box = join(box, after)", ""),
    ("union_reduce", "stride < WORKGROUP_SIZE", "stride < WORKGROUP_SIZE / 2u"),
    ("union_leaf", "range_union(PARTITIONS, source + 1u, part)", "EMPTY"),
    ("union_leaf", "range_union(PARTITIONS, part + 1u, n_partitions)", "EMPTY"),
    ("union_leaf", "range_union(ENTRIES, 0u, local)", "EMPTY"),
    ("union_leaf", "begin % WORKGROUP_SIZE, local)", "begin % WORKGROUP_SIZE + 1u, local)"),
    ("union_leaf", "group_boxes[begin] = box", ""),
    ("spine_reduce", "tree[level_offset(LG_WORKGROUP_SIZE)]", "tree[0]"),
    ("spine_top", "var depth = sum - run_sum", "var depth = sum"),
    ("spine_top", "lowest = depth - i32(bic.a)", "lowest = depth"),
    ("spine_top", "depth_tree[2u * node + 1u]", "DEEPEST"),
    ("spine_leaf", "group_starts[group] + sum", "sum"),
    ("spine_leaf", "lowest = start - i32(bic.a)", "lowest = start"),
    ("spine_leaf", "heap[2u * node + 1u]", "heap[2u * node]"),
    ("bound_reduce", "sum_then(suffix, after)", "sum_then(after, suffix)"),
    ("bound_reduce", "+ n_open - min(n_open, n_closed)", "+ n_open"),
    ("bound_reduce", "+ max(n_open, high.n_ends) - n_open", ""),
    ("bound_reduce", "reversed &= reversed - u32", "let ignored = u32"),
    ("bound_reduce", "box = meet(before, box)", ""),
    ("bound_reduce", "below = meet(below, staged_boxes[n_staged - 1u])", ""),
    ("bound_reduce", "nops |= beyond", ""),
    ("bound_reduce", "depth - i32(low.n_ends)", "depth"),
    ("bound_reduce", "atomicLoad(&highest) + 1u", "1u"),
    ("bound_before_two_level", ".b - 1u - depth", ".b - 1u"),
    ("bound_before_two_level", "box = meet(below, box)", ""),
    ("bound_before_two_level", "meet(open_boxes[source - 1u], clip_box)", "clip_box"),
    ("bound_before_two_level", "own.b - n_closed - 1u", "own.b - 1u"),
    ("bound_entry", "partition_depths[part].lowest - 1", "partition_depths[part].start - 1"),
    ("bound_entry", "box = meet(chain_boxes[ancestor], box)", ""),
    ("bound_entry_jump", "meet(next.clip_box, entry.clip_box)", "entry.clip_box"),
    ("bound_entry_jump", ", next.link", ", -1"),
    ("bound_before", "depth_tree[node - 1u] <= level", "depth_tree[node - 1u] < level"),
    ("bound_before", "depth_tree[node] > level", "false"),
    ("bound_before", "level - partition_depths[source].lowest", "0"),
    ("bound_before", "meet(entries[source].clip_box, ", "meet(PLANE, "),
    ("bound_before", "depth <= reach", "depth < reach"),
    ("bound_leaf", "level < 3u", "level < 2u"),
    ("bound_leaf", "(1u << (index % 4u)) - 1u", "(2u << (index % 4u)) - 1u"),
    ("bound_leaf", "countOneBits(link.open) > n_kept", "false"),
    ("bound_leaf", "chain_box = meet(pool_box(u32(chain_link)), chain_box)", ""),
    ("bound_leaf", "reached < summaries[part].n_levels", "reached < 4u"),
    ("bound_leaf", "after_box = meet(after_box, ", "let ignored = meet(after_box, "),
    ("bound_leaf", "outer_box = box_before(before, cursor.index)", ""),
    (
        "bound_leaf",
        "if cursor.open == 0u {\n                    cursor = link_of(top)",
        "if false {\n                    cursor = link_of(top)",
    ),
    ("bound_leaf", "below_top = meet(below_top, ", "let ignored = meet(below_top, "),
    ("bound_leaf", "if is_whole", "if true"),
    ("bound_leaf", "clip_box = boxes[1u]", ""),
    ("bound_leaf", "outer_begin = begin_at(before, cursor);\n            clip_box", "clip_box"),
    ("bound_leaf", "canonical(meet(", "(meet("),
    ("bound_leaf", "between = join(between, pool_box(u32(reached)))", ""),
    ("bound_leaf", "rest = join(pool_box(half + local + length), ", "let ignored = join(EMPTY, "),
    ("bound_leaf", "half + WORKGROUP_SIZE - 1u", "half + local + length"),
    ("bound_leaf", "since_link = join(row_box, ", "let ignored = join(row_box, "),
    ("bound_leaf", "half + u32(source) + length", "half + local"),
    ("bound_leaf", "if local >= length", "if false"),
    ("bound_leaf", "suffix = join(suffix, ", "let ignored = join(suffix, "),
    ("bound_leaf", "if begin.index != local", "if false"),
    ("bound_leaf", "if begin.index != local", "if true"),
    ("bound_leaf", "prefix = join(prefix, ", "let ignored = join(prefix, "),
    ("bound_tree_leaf", "heap[2u * node + 1u]", "EMPTY"),
    ("bound_tree_top", "union_tree[2u * node + 1u]", "EMPTY"),
    ("bound_stitch", "union_of_partitions(source + 1u, part)", "EMPTY"),
    ("bound_stitch", "union_of_partitions(part + 1u, ", "union_of_partitions(part + 2u, "),
    ("bound_stitch", "clamp(least - partition_depths[part].lowest, 0, i32(own.b))", "0"),
    ("bound_stitch", "(ancestor & 1u) == 0u", "false"),
    ("bound_stitch", "links[pair.x].partner = pair.y", ""),
    ("bound_stitch_two_level", "box = join(box, group_boxes[pair.y])", ""),
    ("bound_stitch_two_level", "own.b - min(own.b, bics[0].a)", "0u"),
    ("bound_stitch_two_level", "if local > part", "if local >= part"),
];

/// Whether an algorithm runs this shader.
fn runs(matching: Matching, shader: &str) -> bool {
    matching.stages().iter().any(|stage| stage.dispatches().any(|d| d.shader.name == shader))
}

#[test]
fn every_stage_has_a_fault_in_the_list() {
    for dispatch in Matching::ALL.iter().flat_map(|m| m.stages()).flat_map(|stage| stage.dispatches()) {
        let name = dispatch.shader.name;
        assert!(MUTATIONS.iter().any(|m| m.0 == name), "{name} is never broken");
    }
}

#[test]
fn every_fault_is_caught() {
    let mut scenes = Vec::new();
    for family in families() {
        scenes.push(elements(&family.generate(5 * 256 + 7, 1), Boxes::Large, 1));
        scenes.push(elements(&family.generate(3 * 256, 2), Boxes::Odd, 2));
        scenes.push(elements(&family.generate(3 * 1024 + 5, 3), Boxes::Large, 3));
    }
    scenes.push(elements(&families()[3].generate(70_000, 1), Boxes::Large, 1));
    scenes.extend([100, 700].map(nest_clipped_outermost));
    // Several groups of partitions, for what only the algorithm without a limit has.
    scenes.push(nest_clipped_outermost(1_100_000));
    scenes.push(elements(&families()[0].generate(1_200_000, 1), Boxes::Large, 1));
    scenes.push(elements(&families()[15].generate(200_000, 1), Boxes::Large, 1));
    scenes.push(row_with_far_leaves());
    let reused = ["(..", "(....................."].map(|stream| elements(stream, Boxes::Large, 1));
    let expected: Vec<_> = scenes.iter().map(boxwood_cpu::boxes).collect();
    let is_caught = |pipelines: &Pipelines, shader: Option<&str>| {
        scenes.iter().zip(&expected).any(|(scene, expected)| {
            matchings_for(scene).filter(|m| shader.is_none_or(|s| runs(*m, s))).any(|matching| {
                first_difference(expected, &gpu_boxes_with(pipelines, matching, scene)).is_some()
            })
        }) || Matching::ALL.into_iter().filter(|m| shader.is_none_or(|s| runs(*m, s))).any(|matching| {
            // What an earlier scene has left beyond the end of this one.
            let [longer, shorter] = [&reused[1], &reused[0]];
            let expected = boxwood_cpu::boxes(shorter);
            first_difference(&expected, &gpu_boxes_after(pipelines, matching, longer, shorter)).is_some()
        })
    };
    assert!(!is_caught(boxwood_tests::pipelines(), None), "the shaders as they are pass");

    // A fault can send other shaders astray: wgpu checks what all of them do.
    let checked = Pipelines::with_sources(&gpu().device, |shader| shader.source.to_owned());
    let compile = |source: &dyn Fn(&Shader) -> String| checked.with_changes(source);
    assert_all_caught(MUTATIONS, compile, |broken, shader| is_caught(broken, Some(shader)));
}
