// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: begins_among, draw_tags, ends_among

// The draw tags of a quad.

#import node
#import quad

@group(0) @binding(1) var<storage> draw_tags: array<vec4<u32>>;

fn begins_among(tags: vec4<u32>) -> u32 {
    return set_of(tags == vec4(TAG_BEGIN));
}

fn ends_among(tags: vec4<u32>) -> u32 {
    return set_of(tags == vec4(TAG_END));
}
