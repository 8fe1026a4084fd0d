// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config, union_tree
// provides: n_tree_leaves, tree_box

// The tree of unions over the partitions, in a buffer.

fn n_tree_leaves() -> u32 {
    return config.n_tree_leaves;
}

fn tree_box(index: u32) -> vec4<f32> {
    return union_tree[index];
}

