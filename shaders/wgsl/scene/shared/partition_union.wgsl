// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: union_of_partitions, union_tree

// Unions over ranges of partitions, from a binary tree in heap order. With `two_level`, only its
// leaves are stored, and the importing file declares `tree_box(index)`, the box of a node.

#import aabb
#import config

@group(0) @binding(11) var<storage> union_tree: array<vec4<f32>>;
#ifndef two_level

fn tree_box(index: u32) -> vec4<f32> {
    return union_tree[index];
}
#endif

// The union over the partitions low..high.
fn union_of_partitions(low: u32, high: u32) -> vec4<f32> {
    var box = EMPTY;
    var l = low + config.n_tree_leaves;
    var h = high + config.n_tree_leaves;
    // A node at an end of the range counts by itself if its parent is not inside: if it is a right
    // child at the low end, or a left child at the high end.
    while l < h {
        if (l & 1u) != 0u {
            box = join(box, tree_box(l));
            l += 1u;
        }
        if (h & 1u) != 0u {
            h -= 1u;
            box = join(box, tree_box(h));
        }
        l >>= 1u;
        h >>= 1u;
    }
    return box;
}
