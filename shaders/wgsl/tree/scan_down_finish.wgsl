// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage scan_down, 4 of 4: the product along the path from the root at every entry of the node
// stream.
//
// 1. Inside its partition, an entry gathers its ancestors by pointer jumping (Levien 2022, section
//    6.1).
// 2. The chain of parents leaves the partition at a begin in a slice. The product of the begins
//    outside is the entry product of the partition of that slice, followed by the product of the
//    slice up to that begin (section 9).

#import config
#import monoid
#import node

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> nodes: array<i32>;
@group(0) @binding(2) var<storage> values: array<Value>;
@group(0) @binding(3) var<storage> slice_products: array<Value>;
@group(0) @binding(4) var<storage> entry_products: array<Value>;
// From stage link of the same recording, so each link is -1 or an entry of the node stream.
@group(0) @binding(5) var<storage> links: array<NodeLink>;
@group(0) @binding(6) var<storage, read_write> down: array<Value>;

#import tree_values

var<workgroup> chain_links: array<i32, WORKGROUP_SIZE>;

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
    let first = i32(part * WORKGROUP_SIZE);
    let index = part * WORKGROUP_SIZE + local;
    let is_in_stream = index < config.n_nodes;
    var product = value_at(index);
    var link = -1;
    if is_in_stream {
        link = links[index].parent;
        down[index] = product;
    }
    chain_links[local] = link;
    // After round r, `product` has gathered up to 2^r entries of the chain of parents, the
    // outermost first, and `link` is the next one.
    for (var round = 0u; round < LG_WORKGROUP_SIZE; round++) {
        storageBarrier();
        workgroupBarrier();
        if link >= first {
            product = combine(down[link], product);
            link = chain_links[link - first];
        }
        storageBarrier();
        workgroupBarrier();
        if is_in_stream {
            down[index] = product;
        }
        chain_links[local] = link;
    }
    if is_in_stream && link >= 0 {
        let outside = combine(entry_products[u32(link) / WORKGROUP_SIZE], slice_products[link]);
        down[index] = combine(outside, product);
    }
}
