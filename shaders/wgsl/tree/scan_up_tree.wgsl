// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage scan_up, 2 of 4: the tree of products over the partitions, below each group of 256.
//
// Values can be too large for workgroup memory, so the tree is built in storage. Each workgroup
// reads only the nodes of its own group.

#import config
#import grid
#import monoid

@group(0) @binding(1) var<storage> suffix_products: array<Value>;
// In heap order: the root at 1, the children of node i at 2i and 2i + 1, the partitions
// starting at `config.n_tree_leaves`.
@group(0) @binding(2) var<storage, read_write> product_tree: array<Value>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let group = workgroup_index(grid);
    let part = group * WORKGROUP_SIZE + local;
    var product = identity();
    if part < config.n_partitions {
        product = suffix_products[part * WORKGROUP_SIZE];
    }
    product_tree[config.n_tree_leaves + part] = product;
    // The root of the group is node `root` of the whole tree. Below it, a level of the group with
    // `width` nodes starts at node `root * width`.
    let root = config.n_tree_leaves / WORKGROUP_SIZE + group;
    for (var width = WORKGROUP_SIZE / 2u; width > 0u; width >>= 1u) {
        storageBarrier();
        if local < width {
            let node = root * width + local;
            product_tree[node] = combine(product_tree[2u * node], product_tree[2u * node + 1u]);
        }
    }
}
