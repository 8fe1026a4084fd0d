// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: HeapItem, join_items
// provides: build_heap, heap

// A binary tree over the invocations of a workgroup. The importing file declares the type
// `HeapItem` and the associative function `join_items`.

#import grid

// In heap order: the root at 1, the children of node i at 2i and 2i + 1, the leaves starting
// at WORKGROUP_SIZE.
var<workgroup> heap: array<HeapItem, 2u * WORKGROUP_SIZE>;

// Builds the tree, each invocation with its own leaf. Ends with a barrier. A round builds two
// levels, so 256 leaves need four rounds.
fn build_heap(local: u32, leaf: HeapItem) {
    heap[WORKGROUP_SIZE + local] = leaf;
    for (var width = WORKGROUP_SIZE / 4u; width > 0u; width >>= 2u) {
        workgroupBarrier();
        if local < width {
            let node = width + local;
            let left = join_items(heap[4u * node], heap[4u * node + 1u]);
            let right = join_items(heap[4u * node + 2u], heap[4u * node + 3u]);
            heap[2u * node] = left;
            heap[2u * node + 1u] = right;
            heap[node] = join_items(left, right);
        }
    }
    workgroupBarrier();
}
