// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage scan_up, 4 of 4: the product of the begins in every node, including its own, in order, at
// its begin and at its end.
//
// The contents of a node are a range of the node stream (Levien 2022, section 6.2).
//
// - Inside one partition, the range is read from a tree over the entries.
// - Across partitions, it is the rest of the begin's partition, whole partitions, and the front of
//   the end's partition.
//
// The product of a range grows from both ends, with one product for each, because the order of the
// factors matters.

#import config
#import grid
#import monoid
#import entry
#import tree_values

// From stage link of the same recording, so each partner is -1 or an entry of the node stream.
@group(0) @binding(3) var<storage> links: array<EntryLink>;
@group(0) @binding(4) var<storage> suffix_products: array<Value>;
@group(0) @binding(5) var<storage> product_tree: array<Value>;
// The inner nodes of a tree over the entries of each partition, in heap order.
@group(0) @binding(6) var<storage, read_write> entry_trees: array<Value>;
@group(0) @binding(7) var<storage, read_write> up: array<Value>;

// In place of a partition: the tree over the partitions.
const PARTITIONS = 0xffffffffu;

// A node of the tree over the entries of partition `tree`, or of the tree over the partitions.
fn node_of(tree: u32, node: u32) -> Value {
    if tree == PARTITIONS {
        return product_tree[node];
    }
    if node < WORKGROUP_SIZE {
        return entry_trees[tree * WORKGROUP_SIZE + node];
    }
    return value_at(tree * WORKGROUP_SIZE + node - WORKGROUP_SIZE);
}

// The product of the leaves low..high of a tree.
fn product_of(tree: u32, low: u32, high: u32) -> Value {
    let n_leaves = select(WORKGROUP_SIZE, config.n_tree_leaves, tree == PARTITIONS);
    var left = identity();
    var right = identity();
    var l = low + n_leaves;
    var h = high + n_leaves;
    // A node at an end of the range counts by itself if its parent is not inside: if it is a right
    // child at the low end, or a left child at the high end.
    while l < h {
        if (l & 1u) != 0u {
            left = combine(left, node_of(tree, l));
            l += 1u;
        }
        if (h & 1u) != 0u {
            h -= 1u;
            right = combine(node_of(tree, h), right);
        }
        l >>= 1u;
        h >>= 1u;
    }
    return combine(left, right);
}

// Builds the tree over the entries of the partition. Ends with a barrier.
fn build_entry_tree(part: u32, local: u32) {
    for (var width = WORKGROUP_SIZE / 2u; width > 0u; width >>= 1u) {
        storageBarrier();
        if local < width {
            let node = width + local;
            let product = combine(node_of(part, 2u * node), node_of(part, 2u * node + 1u));
            entry_trees[part * WORKGROUP_SIZE + node] = product;
        }
    }
    storageBarrier();
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
    build_entry_tree(part, local);
    let index = part * WORKGROUP_SIZE + local;
    if index >= config.n_entries {
        return;
    }
    let partner = links[index].partner;
    if entry_is_begin(entries[index]) {
        if partner < 0 {
            // A node without an end lasts to the end of the stream.
            let rest = product_of(PARTITIONS, part + 1u, config.n_partitions);
            up[index] = combine(suffix_products[index], rest);
        }
        return;
    }
    if partner < 0 {
        up[index] = identity();
        return;
    }
    let begin = u32(partner);
    let source = begin / WORKGROUP_SIZE;
    var product = identity();
    if source == part {
        product = product_of(part, begin % WORKGROUP_SIZE, local);
    } else {
        product = combine(suffix_products[begin], product_of(PARTITIONS, source + 1u, part));
        product = combine(product, product_of(part, 0u, local));
    }
    up[index] = product;
    up[begin] = product;
}
