// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: fused_before: whole
// shader: fused_before_chunked: chunked
// shader: fused_before_clipped

// Stage fused in many levels, the stack before each partition: the begins, and the clip boxes that
// apply at each level, down to the floor of the partition. A begin is found by its depth.

#import aabb
#import chunk
#import config
#import enclosing
#import grid
#import quad
#import spine
#import stack_before
#import stack_search

@group(0) @binding(5) var<storage> partition_depths: array<PartitionDepth>;
@group(0) @binding(6) var<storage> enclosing: array<Enclosing>;

@compute @workgroup_size(FEW_INVOCATIONS)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
#ifdef whole
    let first_box = summaries[part].first_entry;
#else
    let first_box = part * PARTITION_LENGTH;
#endif
    let scene_part = chunk.first_partition + part;
    let depths = partition_depths[scene_part];
    let height = u32(depths.start - depths.lowest);
    for (var depth = local; depth <= height; depth += FEW_INVOCATIONS) {
        let level = depths.start - 1 - i32(depth);
        let source = partition_of_level(scene_part, level);
#ifdef chunked
        // A level without a begin is written for every chunk of sources.
        if source >= 0 && !has_source(u32(source)) {
            continue;
        }
#endif
        var begin = -1;
        var clip_box = PLANE;
        if source >= 0 {
            let source_in_chunk = u32(source) - chunk.first_source;
            let slot = u32(level - partition_depths[source].lowest);
            begin = i32(summaries[source_in_chunk].slice[slot]);
            clip_box = meet(enclosing[source].clip_box, slice_boxes[source_in_chunk * PARTITION_LENGTH + slot]);
        }
        store_level(part, depth, height, first_box, begin, clip_box);
    }
}
