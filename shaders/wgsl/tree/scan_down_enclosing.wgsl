// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage scan_down, 2 of 4: the enclosing product of each partition, which is the product of the
// open begins below its slice. The paper has no such step: in two levels, one workgroup sees the
// top of every slice (Levien 2022, section 9).
//
// Those begins are, from the innermost outwards: the begin at the level below the slice with the
// rest of its own slice, then the same for the partition of that begin, and so on. This is a chain
// of partitions. Here it is followed as far as it stays in a group of 256 partitions.

#import config
#import grid
#import monoid
#import spine
#import stack_search

@group(0) @binding(1) var<storage> partition_depths: array<PartitionDepth>;
@group(0) @binding(2) var<storage> slices: array<u32>;
@group(0) @binding(3) var<storage> slice_products: array<Value>;
// The buffer `enclosing_products`.
@group(0) @binding(4) var<storage, read_write> chain_products: array<Value>;
// The partition at which the chain of each partition continues, or -1.
@group(0) @binding(5) var<storage, read_write> enclosing_links: array<i32>;

#import chain

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = workgroup_index(grid) * WORKGROUP_SIZE;
    let part = first + local;
    let is_in_stream = part < config.n_partitions;
    var own = Chain(identity(), -1);
    if is_in_stream {
        let level = partition_depths[part].lowest - 1;
        own.link = partition_of_level(part, level);
        if own.link >= 0 {
            // The slice of that partition covers `level`: no partition in between descends to it.
            let slot = u32(level - partition_depths[own.link].lowest);
            own.product = slice_products[slices[u32(own.link) * WORKGROUP_SIZE + slot]];
        }
    }
    let chain = follow_chain(first, local, is_in_stream, own);
    if is_in_stream {
        enclosing_links[part] = chain.link;
    }
}
