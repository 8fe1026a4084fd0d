// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: ClipInp, DrawMonoid, VelloConfig, box_of_path

// The contents of Vello's buffers. ConfigUniform, Clip, and DrawMonoid of vello_encoding have the
// same layouts.

#import rounded_box

struct VelloConfig {
    width_in_tiles: u32,
    height_in_tiles: u32,
    target_width: u32,
    target_height: u32,
    base_color: u32,
    n_drawobj: u32,
    n_path: u32,
    n_clip: u32,
    bin_data_start: u32,
    pathtag_base: u32,
    pathdata_base: u32,
    drawtag_base: u32,
    drawdata_base: u32,
    transform_base: u32,
    style_base: u32,
    lines_size: u32,
    binning_size: u32,
    tiles_size: u32,
    seg_counts_size: u32,
    segments_size: u32,
    blend_size: u32,
    ptcl_size: u32,
}

// An entry of the clip stream.
struct ClipInp {
    // The draw object.
    ix: u32,
    // The path of a begin, or the bitwise complement of the draw object of an end.
    path_ix: i32,
}

// The counts of everything before a draw object.
struct DrawMonoid {
    path_ix: u32,
    clip_ix: u32,
    scene_offset: u32,
    info_offset: u32,
}

// The box of a path, converted to f32 as Vello does. The box of a path without lines is inverted.
fn box_of_path(path: RoundedBox) -> vec4<f32> {
    return vec4<f32>(vec4(path.x0, path.y0, path.x1, path.y1));
}
