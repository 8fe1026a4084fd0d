// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage fused, clipped boxes alone: the clipped box of every leaf. Each invocation processes one
// quad. The clipped boxes of other elements keep what the dispatches before used them for.

#import aabb
#import config
#import grid
#import quad
#import quad_stack
#import quad_walk
#import store_boxes
#import summary

@group(0) @binding(1) var<storage> summaries: array<PartitionSummary>;
@group(0) @binding(2) var<storage> element_boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage> crossings: array<PartitionCrossings>;
// Until the walk, element d of the partition contains the clip box d levels below the top of the
// stack before it.
@group(0) @binding(4) var<storage, read_write> clipped_boxes: array<vec4<f32>>;

fn store_box(part: u32, quad: u32, i: u32, box: vec4<f32>) {
    if ((leaves_of(quads[quad]) >> i) & 1u) != 0u {
        clipped_boxes[part * PARTITION_LENGTH + QUAD_LENGTH * quad + i] = canonical(box);
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
    let walked = walk_quad(part, local);
    // The clip boxes in the clipped boxes have been read, and may be overwritten.
    storageBarrier();
    // If every element is an entry, there is nothing to store.
    if summaries[part].n_entries < PARTITION_LENGTH {
        store_boxes(part, local, walked.boxes);
    }
}
