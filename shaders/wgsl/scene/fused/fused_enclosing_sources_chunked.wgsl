// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: fused_enclosing_sources_chunked: chunked

// Stage fused in chunks: the first link of the chain of each partition, as in fused_enclosing, if
// the partition that it leads to is in the chunk of sources.

#import aabb
#import chunk
#import config
#import enclosing
#import grid
#import quad
#import spine
#import stack_search

@group(0) @binding(1) var<storage> partition_depths: array<PartitionDepth>;
@group(0) @binding(2) var<storage> slice_boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> enclosing: array<Enclosing>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if part >= config.n_partitions {
        return;
    }
    let level = partition_depths[part].lowest - 1;
    let link = partition_of_level(part, level);
    if link < 0 {
        enclosing[part] = Enclosing(PLANE, -1);
    } else if has_source(u32(link)) {
        let slot = u32(level - partition_depths[link].lowest);
        let box = slice_boxes[(u32(link) - chunk.first_source) * PARTITION_LENGTH + slot];
        enclosing[part] = Enclosing(box, link);
    }
}
