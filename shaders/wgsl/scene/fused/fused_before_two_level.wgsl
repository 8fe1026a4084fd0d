// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage fused in two levels, the stack before each partition: the begins, and the clip boxes that
// apply at each level, down to the floor of the partition. A workgroup sees all partitions, one per
// invocation. Levien 2022, sections 7.2 and 9.
//
// The clip boxes are stored in the group boxes of the partition's own entries, which are not in use
// yet.

#import aabb
#import bic
#import config
#import grid
#import quad
#import suffix_bics
#import summary

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> summaries: array<PartitionSummary>;
@group(0) @binding(2) var<storage> partition_bics: array<Bic>;
@group(0) @binding(3) var<storage> slice_boxes: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> crossings: array<PartitionCrossings>;
@group(0) @binding(5) var<storage, read_write> group_boxes: array<vec4<f32>>;

#import slice_search

// For each earlier partition, the intersection of the begins in it and before it that are open
// before the workgroup's own partition.
var<workgroup> open_boxes: array<vec4<f32>, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    var own = Bic(0u, 0u);
    if local < part {
        own = partition_bics[local];
    }
    scan_partitions(part, local);
    workgroupBarrier();
    var n_closed = 0u;
    if local + 1u < WORKGROUP_SIZE {
        n_closed = suffix_bics[local + 1u].a;
    }
    var box = PLANE;
    if own.b > n_closed {
        box = slice_boxes[local * PARTITION_LENGTH + own.b - n_closed - 1u];
    }
    open_boxes[local] = box;
    for (var stride = 1u; stride < config.n_partitions; stride <<= 1u) {
        workgroupBarrier();
        var below = PLANE;
        if local >= stride {
            below = open_boxes[local - stride];
        }
        workgroupBarrier();
        box = meet(below, box);
        open_boxes[local] = box;
    }
    workgroupBarrier();
    let first_node = summaries[part].first_node;
    let height = partition_bics[part].a;
    for (var depth = local; depth <= height; depth += WORKGROUP_SIZE) {
        let place = place_before(part, depth);
        var begin = -1;
        var clip_box = PLANE;
        if place.source >= 0 {
            let source = u32(place.source);
            begin = i32(summaries[source].slice[place.slot]);
            clip_box = slice_boxes[source * PARTITION_LENGTH + place.slot];
            if source > 0u {
                clip_box = meet(open_boxes[source - 1u], clip_box);
            }
        }
        if depth == height {
            crossings[part].floor_box = clip_box;
            crossings[part].floor_begin = begin;
        } else {
            crossings[part].pairs[depth].x = begin;
            group_boxes[first_node + depth] = clip_box;
        }
    }
}
