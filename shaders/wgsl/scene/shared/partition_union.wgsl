// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: n_tree_leaves, tree_box
// provides: union_of_partitions

// Unions over ranges of partitions, from a binary tree in heap order.

#import aabb

// The union over the partitions low..high.
fn union_of_partitions(low: u32, high: u32) -> vec4<f32> {
    var box = EMPTY;
    var l = low + n_tree_leaves();
    var h = high + n_tree_leaves();
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
