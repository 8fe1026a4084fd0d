// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Matcher simple, 2 of 2: the top of the stack before every entry. Inside its partition an entry finds it by searching the
// tree of bicyclic sums (Levien 2022, Figure 2); outside, in the slice that holds that level of the stack.

#import config
#import bic
#import begin_bits
#import tree_search

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> begin_bits: array<u32>;
@group(0) @binding(2) var<storage> partition_bics: array<Bic>;
@group(0) @binding(3) var<storage> slices: array<u32>;
@group(0) @binding(4) var<storage, read_write> matches: array<i32>;

// Bic of the partitions from this one up to the workgroup's own.
var<workgroup> suffix_bics: array<Bic, WORKGROUP_SIZE>;
// The begin `depth` levels below the top of the stack before `partition`, -1 where the stack ends above that.
fn search_slices(part: u32, depth: u32) -> i32 {
    // The last partition from which on more than `depth` begins stay open. `b` only grows to the left.
    var low = 0u;
    var high = part;
    while low < high {
        let middle = (low + high) / 2u;
        if suffix_bics[middle].b > depth {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    if low == 0u {
        return -1;
    }
    let source = low - 1u;
    var after = Bic(0u, 0u);
    if low < part {
        after = suffix_bics[low];
    }
    let slot = partition_bics[source].b - 1u - after.a - (depth - after.b);
    return i32(slices[source * WORKGROUP_SIZE + slot]);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
) {
    let part = workgroup.x;
    var stretch = Bic(0u, 0u);
    if local < part {
        stretch = partition_bics[local];
    }
    suffix_bics[local] = stretch;
    for (var stride = 1u; stride < WORKGROUP_SIZE; stride <<= 1u) {
        workgroupBarrier();
        var after = Bic(0u, 0u);
        if local + stride < WORKGROUP_SIZE {
            after = suffix_bics[local + stride];
        }
        workgroupBarrier();
        stretch = bic_then(stretch, after);
        suffix_bics[local] = stretch;
    }

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
