// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage fused for small scenes: the summary of each partition of 256 elements.

#import aabb
#import config
#import grid
#import entry
#import small_partition

@group(0) @binding(1) var<storage> draw_tags: array<u32>;
@group(0) @binding(2) var<storage> element_boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> small_summaries: array<SmallSummary>;
@group(0) @binding(4) var<storage, read_write> small_partitions: array<SmallPartition>;

#import small_summary

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let index = part * WORKGROUP_SIZE + local;
    var tag = TAG_NOP;
    var box = PLANE;
    if index < config.n_elements {
        tag = draw_tags[index];
        box = element_boxes[index];
    }
    summarise_small(part, local, tag, box);
}
