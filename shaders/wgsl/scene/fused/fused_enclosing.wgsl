// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: fused_enclosing
// shader: fused_enclosing_chunked: chunked

// Stage fused in many levels: the nodes that enclose each partition below its slice.
//
// These are the begin at the level below the slice, the begins below that one in the slice of its
// partition, and the nodes that enclose that partition in turn. This is a chain from partition to
// partition. Pointer jumping follows it as far as it stays in a group of 256 partitions. With
// `chunked`, fused_enclosing_sources_chunked has found the first link.

#import aabb
#import config
#import enclosing
#import grid
#import quad
#import spine

#ifndef chunked
@group(0) @binding(1) var<storage> partition_depths: array<PartitionDepth>;
@group(0) @binding(2) var<storage> slice_boxes: array<vec4<f32>>;
#endif
@group(0) @binding(3) var<storage, read_write> enclosing: array<Enclosing>;
#ifndef chunked

#import stack_search
#endif

var<workgroup> chain_boxes: array<vec4<f32>, WORKGROUP_SIZE>;
var<workgroup> chain_links: array<i32, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = i32(workgroup_index(grid) * WORKGROUP_SIZE);
    let part = workgroup_index(grid) * WORKGROUP_SIZE + local;
    var box = PLANE;
    var link = -1;
    if part < config.n_partitions {
#ifdef chunked
        box = enclosing[part].clip_box;
        link = enclosing[part].link;
#else
        let level = partition_depths[part].lowest - 1;
        link = partition_of_level(part, level);
        if link >= 0 {
            let slot = u32(level - partition_depths[link].lowest);
            box = slice_boxes[u32(link) * PARTITION_LENGTH + slot];
        }
#endif
    }
    chain_boxes[local] = box;
    chain_links[local] = link;
    for (var round = 0u; round < LG_WORKGROUP_SIZE; round++) {
        workgroupBarrier();
        if link >= first {
            let ancestor = link - first;
            box = meet(chain_boxes[ancestor], box);
            link = chain_links[ancestor];
        }
        workgroupBarrier();
        chain_boxes[local] = box;
        chain_links[local] = link;
    }
    if part < config.n_partitions {
        enclosing[part] = Enclosing(box, link);
    }
}
