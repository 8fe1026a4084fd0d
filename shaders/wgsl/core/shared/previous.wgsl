// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: least_of
// provides: previous_at_most

// A search for the previous smaller or equal value. The importing file declares `least_of(node)`,
// which returns the minimum of the leaves below a node of a tree in heap order.

// The last leaf before `leaf` with a value of at most `bound`, or -1.
fn previous_at_most(n_leaves: u32, leaf: u32, bound: i32) -> i32 {
    var node = n_leaves + leaf;
    loop {
        if node == 1u {
            return -1;
        }
        // A node with an odd index is a right child, whose sibling is before it.
        if (node & 1u) != 0u {
            if least_of(node - 1u) <= bound {
                break;
            }
        }
        node >>= 1u;
    }
    node -= 1u;
    while node < n_leaves {
        node = 2u * node + 1u;
        if least_of(node) > bound {
            node -= 1u;
        }
    }
    return i32(node - n_leaves);
}
