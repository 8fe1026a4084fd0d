// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: HeapItem, Top, join_items, search_top

// Matching inside a partition by searching a binary tree of bicyclic sums. Levien 2022, section 5.
// A leaf is the share of one invocation: one entry, a sequence of entries, or a word of entries.

#import bic
#import grid
#import heap

// A node of the tree has the packed bicyclic sum of the leaves below it.
alias HeapItem = u32;

fn join_items(left: u32, right: u32) -> u32 {
    return packed_then(left, right);
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
fn search_top(local: u32, n_ends: u32) -> Top {
    var i = local;
    var sum = pack_bic(n_ends, 0u);
    var level = 0u;
    while level < LG_WORKGROUP_SIZE {
        if ((i >> level) & 1u) != 0u {
            let longer = packed_then(heap[((WORKGROUP_SIZE + i) >> level) - 1u], sum);
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
            let longer = packed_then(heap[((WORKGROUP_SIZE + i) >> level) - 1u], sum);
            if (longer & 0xffffu) == 0u {
                sum = longer;
                i -= 1u << level;
            }
        }
    }
    return Top(i, sum >> 16u);
}
