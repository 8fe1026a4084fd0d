// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: least_of, partition_of_level

// Finding a level of the stack by depth.

#import config
#import previous

// The tree of minimum depths over the partitions.
@group(0) @binding(10) var<storage> depth_tree: array<i32>;

fn least_of(node: u32) -> i32 {
    return depth_tree[node];
}

// The last partition before `part` whose minimum depth is at most `level`, or -1. That partition
// holds the begin that is open at `level` when `part` begins, because no partition in between
// descends to that level.
fn partition_of_level(part: u32, level: i32) -> i32 {
    return previous_at_most(config.n_tree_leaves, part, level);
}
