// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config, depth_tree
// provides: partition_of_level

// Finding a level of the stack by depth.

// The last partition before `part` whose minimum depth is at most `level`, or -1: a search for the
// previous smaller or equal value. That partition holds the begin that is open at `level` when
// `part` begins, because no partition in between descends to that level.
fn partition_of_level(part: u32, level: i32) -> i32 {
    var node = config.n_tree_leaves + part;
    loop {
        if node == 1u {
            return -1;
        }
        if (node & 1u) != 0u {
            if depth_tree[node - 1u] <= level {
                break;
            }
        }
        node >>= 1u;
    }
    node -= 1u;
    while node < config.n_tree_leaves {
        node = 2u * node + 1u;
        if depth_tree[node] > level {
            node -= 1u;
        }
    }
    return i32(node - config.n_tree_leaves);
}
