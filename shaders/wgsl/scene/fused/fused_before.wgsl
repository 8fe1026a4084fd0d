// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage bound in many levels: the stack before each partition, as deep as the partition reaches, by depth: begins and the clip boxes
// that hold there.

#import aabb
#import config
#import entry
#import quad
#import spine
#import summary

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> summaries: array<PartitionSummary>;
@group(0) @binding(2) var<storage> slice_boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage> partition_depths: array<PartitionDepth>;
@group(0) @binding(4) var<storage> depth_tree: array<i32>;
@group(0) @binding(5) var<storage> entries: array<PartitionEntry>;
@group(0) @binding(6) var<storage, read_write> crossings: array<PartitionCrossings>;
@group(0) @binding(7) var<storage, read_write> group_boxes: array<vec4<f32>>;

#import stack_search

@compute @workgroup_size(FEW_INVOCATIONS)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let part = workgroup.y * workgroups.x + workgroup.x;
    if part >= config.n_partitions {
        return;
    }
    let first_node = summaries[part].first_node;
    let reach = summaries[part].bic.a;
    let top_level = partition_depths[part].start - 1;
    for (var depth = local; depth <= reach; depth += FEW_INVOCATIONS) {
        let level = top_level - i32(depth);
        let source = partition_of_level(part, level);
        var begin = -1;
        var clip_box = PLANE;
        if source >= 0 {
            let slot = u32(level - partition_depths[source].lowest);
            begin = i32(summaries[source].slice[slot]);
            clip_box = meet(entries[source].clip_box, slice_boxes[u32(source) * PARTITION_LENGTH + slot]);
        }
        if depth == reach {
            crossings[part].floor_box = clip_box;
            crossings[part].floor_begin = begin;
        } else {
            crossings[part].pairs[depth].x = begin;
            group_boxes[first_node + depth] = clip_box;
        }
    }
}
