// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: box_of_element, element_boxes, tag_of, tags_of_quad

// The elements of a scene, as small_stack reads them.

#import config
#import entry
#import tag_quad

@group(0) @binding(2) var<storage> element_boxes: array<vec4<f32>>;

// The tag of an element, or TAG_NOP if there is no such element.
fn tag_of(index: u32) -> u32 {
    if index >= config.n_elements {
        return TAG_NOP;
    }
    return draw_tags[index / 4u][index % 4u];
}

fn tags_of_quad(quad: u32) -> vec4<u32> {
    return draw_tags[quad];
}

fn box_of_element(element: u32) -> vec4<f32> {
    return element_boxes[element];
}
