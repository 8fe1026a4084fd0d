// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Shrinks Vello's layers to their contents, part 2 of 2: writes the group box of a layer as the box
// of its path, from which Vello chooses the layer's bins and tiles. Layers that change the backdrop
// where they are empty keep their boxes.

#import grid
#import entry
#import rounded_box
#import draw_objects

@group(0) @binding(3) var<storage> entries: array<i32>;
@group(0) @binding(4) var<storage> group_boxes: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> path_bboxes: array<RoundedBox>;

// A coordinate that is outside of every picture and fits in an i32.
const FAR = 1073741824.0;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let index = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if index >= vello_config.n_clip {
        return;
    }
    let entry = entries[index];
    if !entry_is_begin(entry) {
        return;
    }
    let begin = draw_monoids[u32(entry) / 2u];
    if !is_neutral_where_empty(begin) {
        return;
    }
    let group_box = group_boxes[index];
    var box = vec4(0);
    if group_box.x < group_box.z {
        box = vec4<i32>(clamp(group_box, vec4(-FAR), vec4(FAR)));
    }
    path_bboxes[begin.path_ix].x0 = box.x;
    path_bboxes[begin.path_ix].y0 = box.y;
    path_bboxes[begin.path_ix].x1 = box.z;
    path_bboxes[begin.path_ix].y1 = box.w;
}
