// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Replaces Vello's clip stage for any number of operations, part 1 of 2: writes Vello's clip stream
// as a scene of begins and ends.

#import grid
#import entry
#import vello_clips

@group(0) @binding(3) var<storage, read_write> draw_tags: array<u32>;
@group(0) @binding(4) var<storage, read_write> element_boxes: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let index = workgroup_index(grid) * WORKGROUP_SIZE + local;
    let tag = tag_of(index);
    if tag == TAG_NOP || index >= arrayLength(&element_boxes) {
        return;
    }
    draw_tags[index] = tag;
    if tag == TAG_BEGIN {
        element_boxes[index] = box_of_element(index);
    }
}
