// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage match, 2 of 2: the parent and the partner of every entry. Inside its partition an entry finds them by searching
// the tree of bicyclic sums (Levien 2022, Figure 2); outside, in the slice that holds that level of the stack.

#import bic
#import config
#import node
#import tree_search

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> nodes: array<i32>;
@group(0) @binding(2) var<storage> partition_bics: array<Bic>;
@group(0) @binding(3) var<storage> slices: array<u32>;
@group(0) @binding(4) var<storage, read_write> links: array<NodeLink>;

#import slice_search

// The begin `depth` levels below the top of the stack before `part`, -1 where the stack ends above that.
fn search_slices(part: u32, depth: u32) -> i32 {
    let place = place_before(part, depth);
    if place.source < 0 {
        return -1;
    }
    return i32(slices[u32(place.source) * WORKGROUP_SIZE + place.slot]);
}

fn resolve(part: u32, top: Top) -> i32 {
    if top.is_local {
        return i32(part * WORKGROUP_SIZE + top.local);
    }
    return search_slices(part, top.depth);
}

#import link_nodes

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
) {
    let part = workgroup.x;
    scan_partitions(part, local);
    link_entry(part, local);
}
