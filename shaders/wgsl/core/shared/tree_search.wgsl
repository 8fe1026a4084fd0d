// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: Top, build_tree, level_offset, search_top, tree

// Matching inside a partition by a search of the tree of its bicyclic sums. Levien 2022, section 5.

#import bic
#import config

// A binary tree over the entries of the partition, level after level, the leaves first.
var<workgroup> tree: array<Bic, 2u * WORKGROUP_SIZE>;

fn level_offset(level: u32) -> u32 {
    return 2u * WORKGROUP_SIZE - ((2u * WORKGROUP_SIZE) >> level);
}

// Builds the tree, each invocation with its entry's own sum. Ends with a barrier.
fn build_tree(local: u32, bic: Bic) {
    tree[local] = bic;
    for (var level = 1u; level <= LG_WORKGROUP_SIZE; level++) {
        workgroupBarrier();
        if local < (WORKGROUP_SIZE >> level) {
            let below = level_offset(level - 1u) + 2u * local;
            tree[level_offset(level) + local] = bic_then(tree[below], tree[below + 1u]);
        }
    }
    workgroupBarrier();
}

// Where the top of the stack stands: at entry `local` of the partition, whose own begins are closed
// down to `depth` levels; or `depth` levels below the top of the stack before the partition.
struct Top {
    is_local: bool,
    local: u32,
    depth: u32,
}

// The top of the stack before entry `local` of the partition once `bic` has been applied after it.
// Levien 2022, Figure 2: i shrinks to the least value such that Bic(i..local) then `bic` leaves no
// begin.
fn search_top(local: u32, bic: Bic) -> Top {
    var i = local;
    var p = bic;
    var level = 0u;
    while level < LG_WORKGROUP_SIZE {
        if ((i >> level) & 1u) != 0u {
            let q = bic_then(tree[level_offset(level) + (i >> level) - 1u], p);
            if q.b != 0u {
                break;
            }
            p = q;
            i -= 1u << level;
        }
        level += 1u;
    }
    if i == 0u {
        return Top(false, 0u, p.a);
    }
    while level > 0u {
        level -= 1u;
        let q = bic_then(tree[level_offset(level) + (i >> level) - 1u], p);
        if q.b == 0u {
            p = q;
            i -= 1u << level;
        }
    }
    if i == 0u {
        return Top(false, 0u, p.a);
    }
    return Top(true, i - 1u, p.a);
}
