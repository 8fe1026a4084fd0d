// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage tree_scan_up, 2 of 4: the tree of products over the partitions, below each group of 256. In storage, as the values may be
// large; a workgroup has the nodes of its own group.

#import config
#import monoid

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> suffix_products: array<Value>;
@group(0) @binding(2) var<storage, read_write> product_tree: array<Value>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
) {
    let group = workgroup.x;
    let part = group * WORKGROUP_SIZE + local;
    var product = identity();
    if part < config.n_partitions {
        product = suffix_products[part * WORKGROUP_SIZE];
    }
    product_tree[config.n_tree_leaves + part] = product;
    // A node's children have twice its index; the group's root is node `root` of the whole tree.
    let root = config.n_tree_leaves / WORKGROUP_SIZE + group;
    for (var width = WORKGROUP_SIZE / 2u; width > 0u; width >>= 1u) {
        storageBarrier();
        if local < width {
            let node = root * width + local;
            product_tree[node] = combine(product_tree[2u * node], product_tree[2u * node + 1u]);
        }
    }
}
