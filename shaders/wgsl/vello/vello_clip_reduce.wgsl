// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Before vello_clip_resolve: the summary of each partition of 256 clip operations.

#import aabb
#import grid
#import entry
#import small_partition
#import vello_clips

@group(0) @binding(5) var<storage, read_write> small_summaries: array<SmallSummary>;
@group(0) @binding(6) var<storage, read_write> small_partitions: array<SmallPartition>;

#import small_summary

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let index = part * WORKGROUP_SIZE + local;
    let tag = tag_of(index);
    var box = PLANE;
    if tag == TAG_BEGIN {
        box = box_of_element(index);
    }
    summarise_small(part, local, tag, box);
}
