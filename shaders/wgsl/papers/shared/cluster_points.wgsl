// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: LAST_CENTER, NO_CENTER, packed_point, point_of

// Centers of boxes and means of clusters: points with 15 bits along each axis, each in a half of a
// word.

const LAST_CENTER = 32767u;

// The center of an empty box.
const NO_CENTER = 0xffffffffu;

fn packed_point(point: vec2<u32>) -> u32 {
    return point.x | (point.y << 16u);
}

fn point_of(packed: u32) -> vec2<i32> {
    return vec2<i32>(vec2(packed & 0xffffu, packed >> 16u));
}
