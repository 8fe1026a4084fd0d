// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: PARTITIONS_PER_GROUP, PathConfig, config

// The sizes and positions of the streams of a packed scene, in words. boxwood::paths::PathConfig
// has the same layout.
//
// The host has checked that every stream is within the buffer `scene`, and that the buffers of the
// stage have room for `n_paths` and `n_tag_words`. No other number is trusted: each count that a
// shader derives from tags, or reads from a buffer, is compared with these before it is an index.
struct PathConfig {
    n_paths: u32,
    n_tag_words: u32,
    n_partitions: u32,
    path_tag_base: u32,
    path_data_base: u32,
    n_path_data: u32,
    transform_base: u32,
    n_transforms: u32,
    style_base: u32,
    n_styles: u32,
    // Always 1 and -0, which compilers cannot know (`arithmetic`).
    one: f32,
    minus_zero: f32,
    // 0 if the host knows that there are no fills or no strokes, otherwise 1.
    has_fills: u32,
    has_strokes: u32,
    // The base-2 logarithm of the number of tags in a row (`span`), at most 8.
    log2_row_tags: u32,
}

@group(0) @binding(0) var<uniform> config: PathConfig;

// Partitions whose counts one workgroup adds up. A partition has WORKGROUP_SIZE words of four path
// tags.
const PARTITIONS_PER_GROUP = 16u;
