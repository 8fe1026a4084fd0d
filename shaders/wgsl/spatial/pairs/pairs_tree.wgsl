// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: pairs_tree_count
// shader: pairs_tree_list: list

// Stage pairs by a tree: an invocation walks over the tree for the box of one leaf, and finds the
// later boxes that overlap it. The leaves of a workgroup are neighbours, so that their walks have
// most nodes in common.

#import grid
#import n_items
#import pairs_config
#import packed_tree
#import walk

// Few invocations per workgroup, because it takes as long as the longest of its walks.
const LEAVES_PER_WORKGROUP = 64u;

#ifdef list
// The pairs before those of each leaf, and their total.
@group(0) @binding(2) var<storage> pair_sums: array<u32>;
@group(0) @binding(3) var<storage, read_write> pairs: array<vec2<u32>>;
#else
@group(0) @binding(2) var<storage, read_write> n_pairs: array<u32>;
#endif

var<private> own_box: vec4<f32>;
var<private> own_item: u32;
// The number of pairs, or the place of the next one.
var<private> answer: u32;

fn wants(box: vec4<f32>, span: vec2<u32>) -> bool {
    return span.x <= span.y && span.y > own_item && all(max(box.xy, own_box.xy) < min(box.zw, own_box.zw));
}

fn visit(box: vec4<f32>, span: vec2<u32>) -> bool {
#ifdef list
    pairs[answer] = vec2(own_item, span.y);
    answer += 1u;
    // Places beyond the capacity could overflow.
    return answer >= config.output_capacity;
#else
    answer += 1u;
    return false;
#endif
}

@compute @workgroup_size(LEAVES_PER_WORKGROUP)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let leaf = workgroup_index(grid) * LEAVES_PER_WORKGROUP + local;
    if leaf >= n_items() {
        return;
    }
    let slot = tree.first_leaf + leaf;
    let spans = node_spans[slot / 2u];
    let span = select(spans.xy, spans.zw, slot % 2u == 1u);
    own_box = node_boxes[slot];
    own_item = span.y;
#ifdef list
    answer = pair_sums[leaf];
    if answer >= config.output_capacity {
        return;
    }
#else
    answer = 0u;
#endif
    // The leaf of an empty box has no index.
    if span.x <= span.y {
        walk();
    }
#ifndef list
    n_pairs[leaf] = answer;
#endif
}
