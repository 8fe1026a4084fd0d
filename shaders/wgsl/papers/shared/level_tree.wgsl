// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: Top, build_level_tree, level_offset, level_tree, search_level_tree

// Matching inside a partition by searching a binary tree of packed bicyclic sums, stored level by
// level. Levien 2022, section 5. A leaf is the share of one invocation. The kernels of the room
// tree use the same search on a heap (tree_search.wgsl).

#import bic
#import grid

// The leaves first, the root last.
var<workgroup> level_tree: array<u32, 2u * WORKGROUP_SIZE>;

// The index of the first node of a level. Level 0 has the leaves.
fn level_offset(level: u32) -> u32 {
    return 2u * WORKGROUP_SIZE - ((2u * WORKGROUP_SIZE) >> level);
}

// Builds the tree, each invocation with its own leaf. Ends with a barrier.
fn build_level_tree(local: u32, bic: u32) {
    level_tree[local] = bic;
    for (var level = 1u; level <= LG_WORKGROUP_SIZE; level++) {
        workgroupBarrier();
        if local < (WORKGROUP_SIZE >> level) {
            let below = level_offset(level - 1u) + 2u * local;
            level_tree[level_offset(level) + local] = packed_then(level_tree[below], level_tree[below + 1u]);
        }
    }
    workgroupBarrier();
}

// A position of the top of the stack.
struct Top {
    // The leaf that contains the top, plus one, or 0 if the top lies before the partition.
    leaf_end: u32,
    // The number of ends that remain to be applied to the stack after that leaf, or to the stack
    // before the partition.
    n_ends: u32,
}

// The top of the stack before leaf `local`, once `n_ends` further ends have been applied.
//
// Levien 2022, Figure 2: i decreases to the least value such that the leaves i..local followed by
// the ends leave no begin open. The search climbs until a subtree leaves a begin open, and then
// descends into that subtree.
fn search_level_tree(local: u32, n_ends: u32) -> Top {
    var i = local;
    var sum = n_ends << 16u;
    var level = 0u;
    while level < LG_WORKGROUP_SIZE {
        if ((i >> level) & 1u) != 0u {
            let longer = packed_then(level_tree[level_offset(level) + (i >> level) - 1u], sum);
            if (longer & 0xffffu) != 0u {
                break;
            }
            sum = longer;
            i -= 1u << level;
        }
        level += 1u;
    }
    if i > 0u {
        while level > 0u {
            level -= 1u;
            let longer = packed_then(level_tree[level_offset(level) + (i >> level) - 1u], sum);
            if (longer & 0xffffu) == 0u {
                sum = longer;
                i -= 1u << level;
            }
        }
    }
    return Top(i, sum >> 16u);
}
