// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage tree_scan_up, 4 of 4: the product of every node's begins, itself first, at its begin and at its end. All that lies in a
// node is a range of the node stream (Levien 2022, section 6.2): inside one partition it is read off a tree over the entries;
// across partitions it is the rest of the begin's partition, whole partitions, and the front of the end's. Ranges are put together
// from both ends, each with a product of its own, since the order of the factors counts.

#import config
#import monoid
#import node

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> nodes: array<i32>;
@group(0) @binding(2) var<storage> values: array<Value>;
@group(0) @binding(3) var<storage> links: array<NodeLink>;
@group(0) @binding(4) var<storage> suffix_products: array<Value>;
@group(0) @binding(5) var<storage> product_tree: array<Value>;
// Over the entries of each partition, the inner nodes of a tree in heap order, the root at 1.
@group(0) @binding(6) var<storage, read_write> entry_trees: array<Value>;
@group(0) @binding(7) var<storage, read_write> up: array<Value>;

#import tree_values

// A node of the tree over the entries of a partition; the leaves are from WORKGROUP_SIZE on.
fn node_of_entries(part: u32, node: u32) -> Value {
    if node < WORKGROUP_SIZE {
        return entry_trees[part * WORKGROUP_SIZE + node];
    }
    return value_at(part * WORKGROUP_SIZE + node - WORKGROUP_SIZE);
}

// The product of the entries low..high of a partition.
fn product_of_entries(part: u32, low: u32, high: u32) -> Value {
    var left = identity();
    var right = identity();
    var l = low + WORKGROUP_SIZE;
    var h = high + WORKGROUP_SIZE;
    while l < h {
        if (l & 1u) != 0u {
            left = combine(left, node_of_entries(part, l));
            l += 1u;
        }
        if (h & 1u) != 0u {
            h -= 1u;
            right = combine(node_of_entries(part, h), right);
        }
        l >>= 1u;
        h >>= 1u;
    }
    return combine(left, right);
}

// The product of the partitions low..high.
fn product_of_partitions(low: u32, high: u32) -> Value {
    var left = identity();
    var right = identity();
    var l = low + config.n_tree_leaves;
    var h = high + config.n_tree_leaves;
    while l < h {
        if (l & 1u) != 0u {
            left = combine(left, product_tree[l]);
            l += 1u;
        }
        if (h & 1u) != 0u {
            h -= 1u;
            right = combine(product_tree[h], right);
        }
        l >>= 1u;
        h >>= 1u;
    }
    return combine(left, right);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let part = workgroup.y * workgroups.x + workgroup.x;
    if part >= config.n_partitions {
        return;
    }
    for (var width = WORKGROUP_SIZE / 2u; width > 0u; width >>= 1u) {
        storageBarrier();
        if local < width {
            let node = width + local;
            let product = combine(node_of_entries(part, 2u * node), node_of_entries(part, 2u * node + 1u));
            entry_trees[part * WORKGROUP_SIZE + node] = product;
        }
    }
    storageBarrier();

    let index = part * WORKGROUP_SIZE + local;
    if index >= config.n_nodes {
        return;
    }
    let partner = links[index].partner;
    if node_is_begin(nodes[index]) {
        if partner < 0 {
            // The node lasts to the end of the stream.
            let rest = product_of_partitions(part + 1u, config.n_partitions);
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
        product = product_of_entries(part, begin % WORKGROUP_SIZE, local);
    } else {
        product = combine(suffix_products[begin], product_of_partitions(source + 1u, part));
        product = combine(product, product_of_entries(part, 0u, local));
    }
    up[index] = product;
    up[begin] = product;
}
