// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: build_packed_tree, level_offset, packed_tree, search_words

// Matching among the words of a partition, as shared/tree_search.wgsl does among entries, on packed bicyclic sums.

#import config
#import packed_bic

// A binary tree over the words of the partition, level after level, the leaves first.
var<workgroup> packed_tree: array<u32, 2u * WORKGROUP_SIZE>;

fn level_offset(level: u32) -> u32 {
    return 2u * WORKGROUP_SIZE - ((2u * WORKGROUP_SIZE) >> level);
}

// Builds the tree, each invocation with its word's own sum. Ends with a barrier.
fn build_packed_tree(local: u32, bic: u32) {
    packed_tree[local] = bic;
    for (var level = 1u; level <= LG_WORKGROUP_SIZE; level++) {
        workgroupBarrier();
        if local < (WORKGROUP_SIZE >> level) {
            let below = level_offset(level - 1u) + 2u * local;
            packed_tree[level_offset(level) + local] = packed_then(packed_tree[below], packed_tree[below + 1u]);
        }
    }
    workgroupBarrier();
}

// Where the stack before word `local` goes on once `n_ends` ends have been applied to it: the word that has the top, plus one, or
// 0 where it lies before the partition; and how many ends are left to be applied there.
struct Place {
    word_end: u32,
    n_ends: u32,
}

// Levien 2022, Figure 2: i shrinks to the least value such that the words i..local and then the ends leave no begin.
fn search_words(local: u32, n_ends: u32) -> Place {
    var i = local;
    var p = n_ends << 16u;
    var level = 0u;
    while level < LG_WORKGROUP_SIZE {
        if ((i >> level) & 1u) != 0u {
            let q = packed_then(packed_tree[level_offset(level) + (i >> level) - 1u], p);
            if (q & 0xffffu) != 0u {
                break;
            }
            p = q;
            i -= 1u << level;
        }
        level += 1u;
    }
    if i > 0u {
        while level > 0u {
            level -= 1u;
            let q = packed_then(packed_tree[level_offset(level) + (i >> level) - 1u], p);
            if (q & 0xffffu) == 0u {
                p = q;
                i -= 1u << level;
            }
        }
    }
    return Place(i, p >> 16u);
}
