// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Replaces Vello's clip stage for any number of operations, part 2 of 2: writes the same results as
// vello_clip_resolve, by the algorithm of fused_clip. Each invocation processes one quad. Every
// operation is an entry of the node stream. As in Vello, boxes may be inverted.

#import config
#import grid
#import quad
#import quad_stack
#import quad_walk
#import store_boxes
#import summary
#import vello_clip_results
#import vello_streams

@group(0) @binding(1) var<storage> clip_inp: array<ClipInp>;
@group(0) @binding(2) var<storage> summaries: array<PartitionSummary>;
@group(0) @binding(4) var<storage, read_write> clip_bboxes: array<vec4<f32>>;
@group(0) @binding(5) var<storage> element_boxes: array<vec4<f32>>;
@group(0) @binding(6) var<storage> crossings: array<PartitionCrossings>;
@group(0) @binding(7) var<storage> clipped_boxes: array<vec4<f32>>;

fn store_box(part: u32, quad: u32, i: u32, box: vec4<f32>) {
    if ((entries_of(quads[quad]) >> i) & 1u) != 0u {
        clip_bboxes[part * PARTITION_LENGTH + QUAD_LENGTH * quad + i] = box;
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
    let walked = walk_quad(part, local);
    let first = part * PARTITION_LENGTH + QUAD_LENGTH * local;
    var boxes = walked.boxes;
    #repeat i 4
    if ((ends_of(walked.quad) >> $i) & 1u) != 0u {
        if walked.parents[$i] < 0 {
            boxes[$i] = ROOT;
        }
        if walked.partners[$i] >= 0 {
            copy_from_begin(clip_inp[walked.partners[$i]], u32(~clip_inp[first + $i].path_ix));
        }
    }
    #endrepeat
    store_boxes(part, local, boxes);
}
