// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: PARTITIONS_PER_GROUP, PathConfig, WORKGROUP_SIZE

// How large the streams of a packed scene are, and where. boxwood_layout::PathConfig has the same layout.
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
    // Always 1 and -0, which no compiler knows.
    one: f32,
    minus_zero: f32,
    // Whether there are fills or strokes, if that is known; 1 if not.
    has_fills: u32,
    has_strokes: u32,
    // The logarithm to base 2 of the number of tags in a row, within which a span (`path_span`) is.
    log2_row_tags: u32,
}

// Invocations a workgroup, and words of four path tags a partition.
const WORKGROUP_SIZE = 256u;

// Partitions that are summed up together.
const PARTITIONS_PER_GROUP = 16u;
