// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage scan_up, 3 of 4: the upper levels of the tree of products, down to the groups of 256
// partitions. One workgroup.

#import config
#import grid
#import monoid

@group(0) @binding(1) var<storage, read_write> product_tree: array<Value>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32) {
    let n_groups = partitions_of(config.n_partitions);
    // The groups, padded to a power of two with identities, are the leaves of the upper levels.
    let n_leaves = config.n_tree_leaves / WORKGROUP_SIZE;
    for (var group = n_groups + local; group < n_leaves; group += WORKGROUP_SIZE) {
        product_tree[n_leaves + group] = identity();
    }
    for (var width = n_leaves / 2u; width > 0u; width >>= 1u) {
        storageBarrier();
        for (var node = width + local; node < 2u * width; node += WORKGROUP_SIZE) {
            product_tree[node] = combine(product_tree[2u * node], product_tree[2u * node + 1u]);
        }
    }
}
