// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Writes the draw objects of a frame as a scene, one element each, with the boxes in pixels that
// Vello draws with.

#import grid
#import entry
#import rounded_box
#import vello_streams
#import draw_objects

@group(0) @binding(3) var<storage> path_bboxes: array<RoundedBox>;
@group(0) @binding(4) var<storage, read_write> draw_tags: array<u32>;
@group(0) @binding(5) var<storage, read_write> element_boxes: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let index = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if index >= vello_config.n_drawobj {
        return;
    }
    let tag = scene[vello_config.drawtag_base + index];
    draw_tags[index] = tag;
    if tag != TAG_NOP && tag != TAG_END {
        element_boxes[index] = box_of_path(path_bboxes[draw_monoids[index].path_ix]);
    }
}
