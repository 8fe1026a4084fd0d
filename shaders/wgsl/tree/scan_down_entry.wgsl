// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage scan_down, 2 of 4: the entry product of each partition, which is the product of the open
// begins below its slice. The paper has no such step: in two levels, one workgroup sees the top of
// every slice (Levien 2022, section 9).
//
// Those begins are, from the innermost outwards: the begin at the level below the slice with the
// rest of its own slice, then the same for the partition of that begin, and so on. This is a chain
// of partitions. Pointer jumping follows it as far as it stays in a group of 256 partitions. Each
// link is followed once, because the monoid need not be idempotent.

#import config
#import monoid
#import spine

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> partition_depths: array<PartitionDepth>;
@group(0) @binding(2) var<storage> depth_tree: array<i32>;
@group(0) @binding(3) var<storage> slices: array<u32>;
@group(0) @binding(4) var<storage> slice_products: array<Value>;
@group(0) @binding(5) var<storage, read_write> entry_products: array<Value>;
// The partition at which the chain of each partition continues, or -1.
@group(0) @binding(6) var<storage, read_write> entry_links: array<i32>;

#import stack_search

var<workgroup> chain_links: array<i32, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
) {
    let first = i32(workgroup.x * WORKGROUP_SIZE);
    let part = workgroup.x * WORKGROUP_SIZE + local;
    let is_in_stream = part < config.n_partitions;
    var product = identity();
    var link = -1;
    if is_in_stream {
        let level = partition_depths[part].lowest - 1;
        link = partition_of_level(part, level);
        if link >= 0 {
            // The slice of `link` covers `level`: no partition in between descends to it.
            let slot = u32(level - partition_depths[link].lowest);
            product = slice_products[slices[u32(link) * WORKGROUP_SIZE + slot]];
        }
        entry_products[part] = product;
    }
    chain_links[local] = link;
    // After round r, `product` has gathered up to 2^r links, and `link` is the next one.
    for (var round = 0u; round < LG_WORKGROUP_SIZE; round++) {
        storageBarrier();
        workgroupBarrier();
        if link >= first {
            product = combine(entry_products[link], product);
            link = chain_links[link - first];
        }
        storageBarrier();
        workgroupBarrier();
        if is_in_stream {
            entry_products[part] = product;
        }
        chain_links[local] = link;
    }
    if is_in_stream {
        entry_links[part] = link;
    }
}
