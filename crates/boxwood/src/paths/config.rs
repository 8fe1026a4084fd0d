//! The uniform of the stage, and how path tags are divided.

use boxwood_cpu::paths::StreamLayout;
use bytemuck::{Pod, Zeroable};

use crate::core::limits::WORKGROUP_SIZE;

/// The number of partitions of the path tags whose counts one workgroup adds up.
pub const PARTITIONS_PER_GROUP: u32 = 16;

/// The range of the number of path tags in a row, a power of two. An invocation handles the tags of
/// one path in a row.
pub const MIN_ROW_TAGS: u32 = 1 << 4;

/// See [`MIN_ROW_TAGS`].
pub const MAX_ROW_TAGS: u32 = 1 << 8;

/// The sizes and positions of the streams of a packed scene, in words: the uniform of the stage.
///
/// Layout: fifteen words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct PathConfig {
    /// The number of paths.
    pub n_paths: u32,
    /// The number of words of four path tags.
    pub n_tag_words: u32,
    /// The number of partitions of 256 such words.
    pub n_partitions: u32,
    /// The word at which the path tags begin.
    pub path_tag_base: u32,
    /// The word at which the path data begins.
    pub path_data_base: u32,
    /// The number of words of path data.
    pub n_path_data: u32,
    /// The word at which the transforms begin.
    pub transform_base: u32,
    /// The number of transforms.
    pub n_transforms: u32,
    /// The word at which the styles begin.
    pub style_base: u32,
    /// The number of styles.
    pub n_styles: u32,
    /// Always 1, which shader compilers cannot know: a sum with one side multiplied by it is
    /// computed as written.
    pub one: f32,
    /// Always -0, which shader compilers cannot know: a product with it added is computed as
    /// written.
    pub minus_zero: f32,
    /// 0 if there are no fills, 1 if there may be.
    pub has_fills: u32,
    /// 0 if there are no strokes, 1 if there may be.
    pub has_strokes: u32,
    /// The base-2 logarithm of the number of path tags in a row.
    pub log2_row_tags: u32,
}

impl PathConfig {
    /// The configuration of a scene of `n_words` words with a layout that has been checked.
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

    /// The number of groups of partitions.
    pub(super) fn n_groups(&self) -> u32 {
        self.n_partitions.div_ceil(PARTITIONS_PER_GROUP)
    }

    /// The number of slots for spans.
    pub(super) fn n_spans(&self) -> u64 {
        n_spans(self.n_paths.into(), self.n_tag_words.into(), 1 << self.log2_row_tags)
    }
}

/// The number of slots for spans in rows of `row_tags` tags: one per path, and one per row.
pub(super) fn n_spans(n_paths: u64, n_tag_words: u64, row_tags: u32) -> u64 {
    n_paths + n_tag_words.div_ceil(u64::from(row_tags) / 4)
}

/// Rows as long as possible with enough of them to occupy a large GPU.
fn log2_row_tags(n_tag_words: u32) -> u32 {
    const ENOUGH_ROWS: u32 = 1 << 15;
    (n_tag_words / (ENOUGH_ROWS / 4)).clamp(MIN_ROW_TAGS, MAX_ROW_TAGS).ilog2()
}
