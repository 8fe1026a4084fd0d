// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: ROOT, copy_from_begin, draw_monoids

// The results of Vello's clip stage in the draw objects, and its box of the whole plane.

#import vello_streams

// Each is a `DrawMonoid`. A vector is loaded and stored at once.
@group(0) @binding(3) var<storage, read_write> draw_monoids: array<vec4<u32>>;

// Vello's box of the whole plane.
const ROOT = vec4<f32>(-1e9, -1e9, 1e9, 1e9);

// Copies the fields that the draw object of an end shares with that of its begin, if both exist.
fn copy_from_begin(begin: ClipInp, end: u32) {
    if max(begin.ix, end) >= arrayLength(&draw_monoids) {
        return;
    }
    // path_ix, clip_ix, scene_offset, info_offset
    let offsets = draw_monoids[begin.ix].zw;
    draw_monoids[end] = vec4(u32(begin.path_ix), draw_monoids[end].y, offsets);
}
