// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Hides occluded draw objects of a frame, part 1 of 2: writes the box in which each of them paints,
// as Vello bins it: the box of its path within the clips around it. The boxes of objects that paint
// nothing, such as clips, do not matter.

#import grid
#import rounded_box
#import vello_streams
#import draw_objects

@group(0) @binding(3) var<storage> path_bboxes: array<RoundedBox>;
@group(0) @binding(4) var<storage> clip_bboxes: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> boxes: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let index = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if index >= vello_config.n_drawobj {
        return;
    }
    let monoid = draw_monoids[index];
    var box = box_of_path(path_bboxes[monoid.path_ix]);
    if monoid.clip_ix > 0u {
        let clip = clip_bboxes[min(monoid.clip_ix, vello_config.n_clip) - 1u];
        box = vec4(max(box.xy, clip.xy), min(box.zw, clip.zw));
    }
    boxes[index] = box;
}
