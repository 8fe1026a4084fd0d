// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Replaces Vello's clip stage, part 2 of 2: writes the clip box that applies after each begin and
// end, and copies the fields that the draw object of an end shares with that of its begin.

#import grid
#import node
#import sided
#import vello_streams

@group(0) @binding(0) var<uniform> vello_config: VelloConfig;
@group(0) @binding(1) var<storage> clip_inp: array<ClipInp>;
@group(0) @binding(2) var<storage> links: array<NodeLink>;
@group(0) @binding(3) var<storage> clip_boxes: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> draw_monoids: array<DrawMonoid>;
@group(0) @binding(5) var<storage, read_write> clip_bboxes: array<vec4<f32>>;

// Vello's box of the whole plane.
const ROOT = vec4<f32>(-1e9, -1e9, 1e9, 1e9);

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let index = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if index >= vello_config.n_clip {
        return;
    }
    let path = clip_inp[index].path_ix;
    if path >= 0 {
        clip_bboxes[index] = box_from_sided(clip_boxes[index]);
        return;
    }
    let link = links[index];
    var box = ROOT;
    if link.parent >= 0 {
        box = box_from_sided(clip_boxes[link.parent]);
    }
    clip_bboxes[index] = box;
    if link.partner >= 0 {
        let begin = clip_inp[link.partner];
        let from_begin = draw_monoids[begin.ix];
        let end = u32(~path);
        draw_monoids[end].path_ix = u32(begin.path_ix);
        draw_monoids[end].scene_offset = from_begin.scene_offset;
        draw_monoids[end].info_offset = from_begin.info_offset;
    }
}
