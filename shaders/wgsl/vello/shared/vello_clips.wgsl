// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: EVERYWHERE, box_of_element, clip_inp, path_bboxes, tag_of, tags_of_quad, vello_config

// Vello's clip operations as the elements of a scene. The caller fills the buffers, so an index
// from them is used only if it is within its buffer.

#import entry
#import rounded_box
#import vello_streams

@group(0) @binding(0) var<uniform> vello_config: VelloConfig;
@group(0) @binding(1) var<storage> clip_inp: array<ClipInp>;
@group(0) @binding(2) var<storage> path_bboxes: array<RoundedBox>;

// A box around every pixel that a path can cover. A path that does not exist has this box.
const EVERYWHERE = vec4<f32>(-0x1p31f, -0x1p31f, 0x1p31f, 0x1p31f);

// The tag of an operation, or TAG_NOP if there is no such operation.
fn tag_of(index: u32) -> u32 {
    if index >= min(vello_config.n_clip, arrayLength(&clip_inp)) {
        return TAG_NOP;
    }
    return select(TAG_BEGIN, TAG_END, clip_inp[index].path_ix < 0);
}

// The tags of four operations before the workgroup's own.
fn tags_of_quad(quad: u32) -> vec4<u32> {
    let first = 4u * quad;
    let paths = vec4(
        clip_inp[first].path_ix,
        clip_inp[first + 1u].path_ix,
        clip_inp[first + 2u].path_ix,
        clip_inp[first + 3u].path_ix,
    );
    return select(vec4(TAG_BEGIN), vec4(TAG_END), paths < vec4(0));
}

// The box of a begin.
fn box_of_element(element: u32) -> vec4<f32> {
    let path = u32(clip_inp[element].path_ix);
    if path >= arrayLength(&path_bboxes) {
        return EVERYWHERE;
    }
    return box_of_path(path_bboxes[path]);
}
