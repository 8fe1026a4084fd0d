// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Replaces Vello's clip stage, part 1 of 2: writes Vello's clip stream as a scene of begins and
// ends.

#import grid
#import node
#import rounded_box
#import sided
#import vello_streams

@group(0) @binding(0) var<uniform> vello_config: VelloConfig;
@group(0) @binding(1) var<storage> clip_inp: array<ClipInp>;
@group(0) @binding(2) var<storage> path_bboxes: array<RoundedBox>;
@group(0) @binding(3) var<storage, read_write> draw_tags: array<u32>;
@group(0) @binding(4) var<storage, read_write> element_boxes: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let index = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if index >= vello_config.n_clip {
        return;
    }
    let path = clip_inp[index].path_ix;
    if path < 0 {
        draw_tags[index] = TAG_END;
        return;
    }
    draw_tags[index] = TAG_BEGIN;
    element_boxes[index] = sided_from_box(box_of_path(path_bboxes[path]));
}
