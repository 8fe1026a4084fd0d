// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage fused in many levels, the stack before each partition: the begins, and the clip boxes that
// apply at each level, down to the floor of the partition. A begin is found by its depth.
//
// The clip boxes are stored in arrays that are not in use yet: in the group boxes of the
// partition's own entries, or with `chunked`, in the clipped boxes of its own elements. The stack
// has at most one level per end without a begin, so there is room.

#import aabb
#import config
#import entry
#import grid
#import quad
#import spine
#import stack_search
#import summary

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> summaries: array<PartitionSummary>;
@group(0) @binding(2) var<storage> slice_boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage> partition_depths: array<PartitionDepth>;
@group(0) @binding(4) var<storage> depth_tree: array<i32>;
@group(0) @binding(5) var<storage> entries: array<PartitionEntry>;
@group(0) @binding(6) var<storage, read_write> crossings: array<PartitionCrossings>;
#ifdef chunked
#import chunk
@group(0) @binding(7) var<storage, read_write> clipped_boxes: array<vec4<f32>>;
@group(0) @binding(8) var<uniform> chunk: Chunk;
#else
@group(0) @binding(7) var<storage, read_write> group_boxes: array<vec4<f32>>;
#endif

@compute @workgroup_size(FEW_INVOCATIONS)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
#ifdef chunked
    let first_partition = chunk.first_partition;
    let first_source = chunk.first_source;
#else
    let first_partition = 0u;
    let first_source = 0u;
    let first_node = summaries[part].first_node;
#endif
    let depths = partition_depths[first_partition + part];
    let height = u32(depths.start - depths.lowest);
    for (var depth = local; depth <= height; depth += FEW_INVOCATIONS) {
        let level = depths.start - 1 - i32(depth);
        let source = partition_of_level(first_partition + part, level);
#ifdef chunked
        // A level without a begin is written for every chunk of sources.
        if source >= 0 && !has_source(u32(source)) {
            continue;
        }
#endif
        var begin = -1;
        var clip_box = PLANE;
        if source >= 0 {
            let source_in_chunk = u32(source) - first_source;
            let slot = u32(level - partition_depths[source].lowest);
            begin = i32(summaries[source_in_chunk].slice[slot]);
            clip_box = meet(entries[source].clip_box, slice_boxes[source_in_chunk * PARTITION_LENGTH + slot]);
        }
        if depth == height {
            crossings[part].floor_box = clip_box;
            crossings[part].floor_begin = begin;
        } else {
            crossings[part].pairs[depth].x = begin;
#ifdef chunked
            clipped_boxes[part * PARTITION_LENGTH + depth] = clip_box;
#else
            group_boxes[first_node + depth] = clip_box;
#endif
        }
    }
}
