// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: clipped_boxes
// provides: store_clipped_box

#import aabb
#import config
#import quad
#import quad_stack

// Stores the clipped box of element `i` of a quad: `box` if the element is a leaf, otherwise EMPTY.
// The last partition can extend beyond the scene.
fn store_clipped_box(part: u32, quad: u32, i: u32, box: vec4<f32>) {
    let element = part * PARTITION_LENGTH + QUAD_LENGTH * quad + i;
    if element < config.n_elements {
        clipped_boxes[element] = select(EMPTY, box, ((leaves_of(quads[quad]) >> i) & 1u) != 0u);
    }
}
