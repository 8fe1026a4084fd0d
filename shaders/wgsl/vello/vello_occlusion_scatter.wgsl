// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Hides occluded draw objects of a frame, part 2 of 2: those that are not visible get an empty box,
// so that Vello gives them no bins and no tiles.

#import grid
#import entry
#import rounded_box
#import draw_objects

@group(0) @binding(3) var<storage> visible: array<u32>;
@group(0) @binding(4) var<storage, read_write> path_bboxes: array<RoundedBox>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let index = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if index >= vello_config.n_drawobj {
        return;
    }
    let is_visible = ((visible[index / 32u] >> (index % 32u)) & 1u) == 1u;
    let tag = scene[vello_config.drawtag_base + index];
    if is_visible || tag == TAG_NOP || tag == TAG_BEGIN || tag == TAG_END {
        return;
    }
    let path = draw_monoids[index].path_ix;
    path_bboxes[path].x0 = 0;
    path_bboxes[path].y0 = 0;
    path_bboxes[path].x1 = 0;
    path_bboxes[path].y1 = 0;
}
