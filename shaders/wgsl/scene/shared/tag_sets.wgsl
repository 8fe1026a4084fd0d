// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: begins_among, ends_among

// The begins and the ends among the draw tags of a quad, as sets.

#import entry
#import quad

fn begins_among(tags: vec4<u32>) -> u32 {
    return set_of(tags == vec4(TAG_BEGIN));
}

fn ends_among(tags: vec4<u32>) -> u32 {
    return set_of(tags == vec4(TAG_END));
}
