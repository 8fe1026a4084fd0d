// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage scan_down, 4 of 4: the product along the path from the root at every entry of the node
// stream.
//
// 1. Inside its partition, an entry gathers its ancestors by pointer jumping (Levien 2022, section
//    6.1).
// 2. The chain of parents leaves the partition at a begin in a slice. The product of the begins
//    outside is the enclosing product of the partition of that slice, followed by the product of
//    the slice up to that begin (section 9).

#import config
#import grid
#import monoid
#import entry
#import tree_values

@group(0) @binding(3) var<storage> slice_products: array<Value>;
@group(0) @binding(4) var<storage> enclosing_products: array<Value>;
// From stage link of the same recording, so each link is -1 or an entry of the node stream.
@group(0) @binding(5) var<storage> links: array<EntryLink>;
// The buffer `down`.
@group(0) @binding(6) var<storage, read_write> chain_products: array<Value>;

#import chain

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
    let first = part * WORKGROUP_SIZE;
    let index = first + local;
    let is_in_stream = index < config.n_entries;
    var own = Chain(value_at(index), -1);
    if is_in_stream {
        own.link = links[index].parent;
    }
    let chain = follow_chain(first, local, is_in_stream, own);
    if is_in_stream && chain.link >= 0 {
        let source = u32(chain.link) / WORKGROUP_SIZE;
        let outside = combine(enclosing_products[source], slice_products[chain.link]);
        chain_products[index] = combine(outside, chain.product);
    }
}
