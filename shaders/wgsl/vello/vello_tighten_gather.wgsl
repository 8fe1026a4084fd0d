// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Shrinks Vello's layers to their contents, part 1 of 2: writes the draw objects as a scene, two
// elements each. The second element is the object itself. The first is a leaf with the object's box
// if the object is a layer that changes the backdrop where it is empty, because the layers around
// it have to contain all of it. Otherwise the first is no element.

#import grid
#import entry
#import rounded_box
#import vello_streams
#import draw_objects

@group(0) @binding(3) var<storage> path_bboxes: array<RoundedBox>;
@group(0) @binding(4) var<storage, read_write> draw_tags: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read_write> element_boxes: array<vec4<f32>>;

// Every tag except those of begins and ends, and TAG_NOP, is a leaf.
const TAG_LEAF = 0x44u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let index = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if index >= vello_config.n_drawobj {
        return;
    }
    let tag = scene[vello_config.drawtag_base + index];
    var tags = vec2(TAG_NOP, tag);
    if tag != TAG_NOP && tag != TAG_END {
        let monoid = draw_monoids[index];
        let box = box_of_path(path_bboxes[monoid.path_ix]);
        element_boxes[2u * index + 1u] = box;
        if tag == TAG_BEGIN && !is_neutral_where_empty(monoid) {
            tags.x = TAG_LEAF;
            element_boxes[2u * index] = box;
        }
    }
    draw_tags[index] = tags;
}
