// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage match, 2 of 2, for node streams of any length: the parent and the partner of every entry. Inside its partition an
// entry finds them in the tree of bicyclic sums; the levels of the stack that the partition reaches below its start, which are
// as many as its unmatched ends and one more, are fetched once from the slices of earlier partitions.

#import bic
#import config
#import node
#import spine
#import tree_search

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> nodes: array<i32>;
@group(0) @binding(2) var<storage> partition_bics: array<Bic>;
@group(0) @binding(3) var<storage> partition_depths: array<PartitionDepth>;
@group(0) @binding(4) var<storage> depth_tree: array<i32>;
@group(0) @binding(5) var<storage> slices: array<u32>;
@group(0) @binding(6) var<storage, read_write> links: array<NodeLink>;

#import stack_search

// The begins open before the partition, innermost first, as deep as the partition reaches; -1 below the bottom.
var<workgroup> stack: array<i32, WORKGROUP_SIZE + 1u>;

fn resolve(part: u32, top: Top) -> i32 {
    if top.is_local {
        return i32(part * WORKGROUP_SIZE + top.local);
    }
    return stack[top.depth];
}

#import link_nodes

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
    let reach = partition_bics[part].a;
    let top_level = partition_depths[part].start - 1;
    for (var depth = local; depth <= reach; depth += WORKGROUP_SIZE) {
        let level = top_level - i32(depth);
        let source = partition_of_level(part, level);
        var begin = -1;
        if source >= 0 {
            let slot = u32(level - partition_depths[source].lowest);
            begin = i32(slices[u32(source) * WORKGROUP_SIZE + slot]);
        }
        stack[depth] = begin;
    }
    link_entry(part, local);
}
