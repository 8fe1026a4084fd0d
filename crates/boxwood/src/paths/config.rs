//! The uniform of the stage, and how path tags are divided.

use boxwood_cpu::paths::StreamLayout;
use bytemuck::{Pod, Zeroable};

use crate::core::WORKGROUP_SIZE;

/// How many partitions of the path tags are summed up together.
pub const PARTITIONS_PER_GROUP: u32 = 16;

/// How large the streams are. The uniform of stage *path bounds*.
///
/// Layout: fifteen words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct PathConfig {
    /// How many paths there are.
    pub n_paths: u32,
    /// How many words of four path tags there are.
    pub n_tag_words: u32,
    /// How many partitions of 256 such words there are.
    pub n_partitions: u32,
    /// The word at which the path tags begin.
    pub path_tag_base: u32,
    /// The word at which the coordinates begin.
    pub path_data_base: u32,
    /// How many words of coordinates there are.
    pub n_path_data: u32,
    /// The word at which the transforms begin.
    pub transform_base: u32,
    /// How many transforms there are.
    pub n_transforms: u32,
    /// The word at which the styles begin.
    pub style_base: u32,
    /// How many styles there are.
    pub n_styles: u32,
    /// Always 1, which no compiler knows: a sum of which one side is multiplied with it is computed as it is written.
    pub one: f32,
    /// Always -0, which no compiler knows: a product to which it is added is computed as it is written.
    pub minus_zero: f32,
    /// 1 if there may be fills, 0 if there are none, but strokes.
    pub has_fills: u32,
    /// 1 if there may be strokes, 0 if there are none.
    pub has_strokes: u32,
    /// The logarithm to base 2 of the number of path tags in a row, of which an invocation takes those of one path:
    /// [`MIN_ROW_TAGS`] to [`MAX_ROW_TAGS`].
    pub log2_row_tags: u32,
}

impl PathConfig {
    /// The configuration of a scene of `n_words` words with this layout, which has been checked.
    pub fn new(layout: &StreamLayout, n_words: u32) -> Self {
        let n_tag_words = layout.path_data_base - layout.path_tag_base;
        Self {
            n_paths: layout.n_paths,
            n_tag_words,
            n_partitions: n_tag_words.div_ceil(WORKGROUP_SIZE),
            path_tag_base: layout.path_tag_base,
            path_data_base: layout.path_data_base,
            n_path_data: layout.draw_tag_base - layout.path_data_base,
            transform_base: layout.transform_base,
            n_transforms: (layout.style_base - layout.transform_base) / 6,
            style_base: layout.style_base,
            n_styles: (n_words - layout.style_base) / 2,
            one: 1.0,
            minus_zero: -0.0,
            has_fills: 1,
            has_strokes: 1,
            log2_row_tags: log2_row_tags(n_tag_words),
        }
    }
}

/// The least number of path tags in a row.
pub const MIN_ROW_TAGS: u32 = 1 << 4;

/// The largest number of path tags in a row.
pub const MAX_ROW_TAGS: u32 = 1 << 8;

/// As long as rows may be where there are enough of them to keep a large GPU busy.
fn log2_row_tags(n_tag_words: u32) -> u32 {
    const ENOUGH: u32 = 1 << 15;
    (n_tag_words / (ENOUGH / 4)).clamp(MIN_ROW_TAGS, MAX_ROW_TAGS).ilog2()
}
