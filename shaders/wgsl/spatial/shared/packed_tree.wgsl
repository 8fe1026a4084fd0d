// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: NO_SPAN, PackedTree, first_id, siblings_slot, tree

// The nodes of the tree of stage index. `boxwood::spatial::PackedTree` has the same layout.
//
// The root has the id 1, and the children of a node have the ids 4 id to 4 id + 3. The height of a
// node is the number of levels below it. A node of height h has the leaves of 4^h places in a row.
// The leaves have the height 0 and all the same depth. Siblings exist together: those without
// leaves are EMPTY, and nodes below an empty node may have any content.
//
// The ids of nodes other than leaves are their slots in the arrays of nodes. The slots of the
// leaves come after these.

struct PackedTree {
    // The height of the root, at least 1.
    height: u32,
    // The slot of the first leaf, a multiple of 4.
    first_leaf: u32,
    // The slot of the first of the last siblings.
    last_siblings: u32,
}

@group(0) @binding(10) var<uniform> tree: PackedTree;

// The smallest and the largest index of no boxes.
const NO_SPAN = vec2<u32>(0xffffffffu, 0u);

// The id of the first node of a height.
fn first_id(height: u32) -> u32 {
    return 1u << (2u * (tree.height - height));
}

// The slot of a node that is the first of its siblings. The result is always a valid slot, so that
// a walk over a tree that is not built yet stays within the buffers.
fn siblings_slot(id: u32) -> u32 {
    let leaf = first_id(0u);
    return min(select(id, id - leaf + tree.first_leaf, id >= leaf), tree.last_siblings);
}
