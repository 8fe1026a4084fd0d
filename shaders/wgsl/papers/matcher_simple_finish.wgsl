// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Matcher simple, 2 of 2: the top of the stack before every entry. Inside its partition an entry finds it by searching the
// tree of bicyclic sums (Levien 2022, Figure 2); outside, in the slice that holds that level of the stack.

#import begin_bits
#import bic
#import config
#import tree_search

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> begin_bits: array<u32>;
@group(0) @binding(2) var<storage> partition_bics: array<Bic>;
@group(0) @binding(3) var<storage> slices: array<u32>;
@group(0) @binding(4) var<storage, read_write> matches: array<i32>;

#import slice_search

// The begin `depth` levels below the top of the stack before `part`, -1 where the stack ends above that.
fn search_slices(part: u32, depth: u32) -> i32 {
    let place = place_before(part, depth);
    if place.source < 0 {
        return -1;
    }
    return i32(slices[u32(place.source) * WORKGROUP_SIZE + place.slot]);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
) {
    let part = workgroup.x;
    scan_partitions(part, local);

    let index = part * WORKGROUP_SIZE + local;
    var is_begin = false;
    var bic = Bic(0u, 0u);
    if index < config.n_nodes {
        is_begin = is_begin_bit(begin_bits[index / 32u], index);
        bic = Bic(u32(!is_begin), u32(is_begin));
    }
    build_tree(local, bic);

    if index >= config.n_nodes {
        return;
    }
    let top = search_top(local, Bic(0u, 0u));
    if top.is_local {
        matches[index] = i32(part * WORKGROUP_SIZE + top.local);
    } else {
        matches[index] = search_slices(part, top.depth);
    }
}
