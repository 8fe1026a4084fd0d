// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage bound in windows: the stack before each partition, as in bound_before, as far as the partitions that have its begins are
// bound. The clip boxes wait in the partition's own share of the clipped boxes, which has room for one an element.

#import aabb
#import chunk
#import config
#import entry
#import quad
#import spine
#import summary

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<uniform> chunk: Chunk;
@group(0) @binding(2) var<storage> summaries: array<PartitionSummary>;
@group(0) @binding(3) var<storage> slice_boxes: array<vec4<f32>>;
@group(0) @binding(4) var<storage> partition_depths: array<PartitionDepth>;
@group(0) @binding(5) var<storage> depth_tree: array<i32>;
@group(0) @binding(6) var<storage> entries: array<PartitionEntry>;
@group(0) @binding(7) var<storage, read_write> crossings: array<PartitionCrossings>;
@group(0) @binding(8) var<storage, read_write> clipped_boxes: array<vec4<f32>>;

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
    let depths = partition_depths[chunk.first_partition + part];
    let reach = u32(depths.start - depths.lowest);
    for (var depth = local; depth <= reach; depth += FEW_INVOCATIONS) {
        let level = depths.start - 1 - i32(depth);
        let source = partition_of_level(chunk.first_partition + part, level);
        // What no partition has is written in every chunk.
        if source < 0 || has_source(u32(source)) {
            var begin = -1;
            var clip_box = PLANE;
            if source >= 0 {
                let source_in_chunk = u32(source) - chunk.first_source;
                let slot = u32(level - partition_depths[source].lowest);
                begin = i32(summaries[source_in_chunk].slice[slot]);
                clip_box = meet(entries[source].clip_box, slice_boxes[source_in_chunk * PARTITION_LENGTH + slot]);
            }
            if depth == reach {
                crossings[part].floor_box = clip_box;
                crossings[part].floor_begin = begin;
            } else {
                crossings[part].pairs[depth].x = begin;
                clipped_boxes[part * PARTITION_LENGTH + depth] = clip_box;
            }
        }
    }
}
