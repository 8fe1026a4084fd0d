// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: begin_before, begins_at
// provides: build_entry_tree, top_before

// Matching with one entry per invocation. Levien 2022, section 7.2.
//
// The importing file declares `begin_before(part, depth)`, which returns the begin `depth` levels
// below the top of the stack before partition `part`, or -1.

#import bic
#import config
#import grid
#import heap
#import tree_search

// Builds the tree of bicyclic sums over the entries of a partition. Ends with a barrier.
fn build_entry_tree(part: u32, local: u32) {
    let index = part * WORKGROUP_SIZE + local;
    var sum = 0u;
    if index < config.n_entries {
        let is_begin = begins_at(index);
        sum = pack_bic(1u - is_begin, is_begin);
    }
    build_heap(local, sum);
}

// The top of the stack before entry `local` of the partition, once `n_ends` further ends have been
// applied: an index into the node stream, or -1.
fn top_before(part: u32, local: u32, n_ends: u32) -> i32 {
    let top = search_top(local, n_ends);
    if top.leaf_end == 0u {
        return begin_before(part, top.n_ends);
    }
    return i32(part * WORKGROUP_SIZE + top.leaf_end - 1u);
}
