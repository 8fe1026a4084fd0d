//! Packed streams of paths, as `vello_encoding` resolves a scene into, and what is computed of them.

use bytemuck::{Pod, Zeroable};

/// Where the streams begin in the words of a packed scene.
///
/// Layout: ten `u32`, those of `vello_encoding::Layout` in its order, so that `bytemuck::cast` makes one of the other. Bases count
/// words. The streams stand in the order of their bases, and each ends where the next begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct StreamLayout {
    /// How many draw objects there are; each has one path.
    pub n_draw_objects: u32,
    /// How many paths there are.
    pub n_paths: u32,
    /// How many begins and ends there are.
    pub n_clips: u32,
    /// Where a renderer's bins begin. Not read.
    pub bin_data_start: u32,
    /// The path tags, four a word, the first in the lowest byte.
    pub path_tag_base: u32,
    /// The coordinates of the paths.
    pub path_data_base: u32,
    /// The draw tags, one a draw object.
    pub draw_tag_base: u32,
    /// The parameters of the draw objects.
    pub draw_data_base: u32,
    /// The transforms, six words each.
    pub transform_base: u32,
    /// The styles, two words each, to the end of the scene.
    pub style_base: u32,
}

/// Why words and a layout are not a packed scene.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StreamsError {
    /// A stream begins after the next one, or beyond the end.
    #[error(
        "the {stream} begin at word {base}, beyond word {end} where they end: give the layout of these very words"
    )]
    Order {
        /// Which stream.
        stream: &'static str,
        /// Where it begins.
        base: u32,
        /// Where it ends.
        end: u64,
    },
    /// There are more paths than tags, of which each path takes one at least.
    #[error("{n_paths} paths are more than the {n_tags} path tags: give the layout of these very words")]
    Paths {
        /// How many paths there are.
        n_paths: u32,
        /// How many path tags there is room for.
        n_tags: u64,
    },
}

/// A packed scene: its words with their layout.
///
/// Each path has one path tag at least. Otherwise what the streams hold is not looked at: a path whose tags ask for coordinates, a
/// transform or a style that is not there has no ink there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathStreams<'a> {
    words: &'a [u32],
    layout: StreamLayout,
}

impl<'a> PathStreams<'a> {
    /// The scene of these words.
    ///
    /// # Errors
    ///
    /// Streams that are not one after the other within the words; more paths than path tags.
    pub fn new(words: &'a [u32], layout: StreamLayout) -> Result<Self, StreamsError> {
        layout.check(words.len() as u64)?;
        Ok(Self { words, layout })
    }

    /// All words.
    pub fn words(&self) -> &'a [u32] {
        self.words
    }

    /// Where the streams are in them.
    pub fn layout(&self) -> &StreamLayout {
        &self.layout
    }

    /// The path tags, four a word.
    pub fn path_tag_words(&self) -> &'a [u32] {
        self.between(self.layout.path_tag_base, self.layout.path_data_base)
    }

    /// The coordinates of the paths.
    pub fn path_data(&self) -> &'a [u32] {
        self.between(self.layout.path_data_base, self.layout.draw_tag_base)
    }

    /// The draw tags.
    pub fn draw_tags(&self) -> &'a [u32] {
        self.between(self.layout.draw_tag_base, self.layout.draw_data_base)
    }

    /// The words of the transforms.
    pub fn transforms(&self) -> &'a [u32] {
        self.between(self.layout.transform_base, self.layout.style_base)
    }

    /// The words of the styles.
    pub fn styles(&self) -> &'a [u32] {
        &self.words[self.layout.style_base as usize..]
    }

    fn between(&self, begin: u32, end: u32) -> &'a [u32] {
        &self.words[begin as usize..end as usize]
    }
}

impl StreamLayout {
    /// Whether the streams are one after the other within so many words, with a path tag for each path: what is computed has an entry
    /// a path, so the words bound that as well.
    ///
    /// # Errors
    ///
    /// The first stream that ends before it begins; more paths than path tags.
    pub fn check(&self, n_words: u64) -> Result<(), StreamsError> {
        let streams = [
            ("path tags", self.path_tag_base, u64::from(self.path_data_base)),
            ("path data", self.path_data_base, self.draw_tag_base.into()),
            ("draw tags", self.draw_tag_base, self.draw_data_base.into()),
            ("draw data", self.draw_data_base, self.transform_base.into()),
            ("transforms", self.transform_base, self.style_base.into()),
            ("styles", self.style_base, n_words),
        ];
        for (stream, base, end) in streams {
            if u64::from(base) > end {
                return Err(StreamsError::Order { stream, base, end });
            }
        }
        let n_tags = 4 * u64::from(self.path_data_base - self.path_tag_base);
        if u64::from(self.n_paths) > n_tags {
            return Err(StreamsError::Paths { n_paths: self.n_paths, n_tags });
        }
        Ok(())
    }
}

/// The box of a path in whole pixels, with what a renderer keeps beside it: `vello_encoding::PathBbox`.
///
/// A path without ink has the largest `i32` as its low edges and the smallest as its high ones.
///
/// Layout: six words, the same as Vello's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct PathBbox {
    /// The left edge, rounded down.
    pub x0: i32,
    /// The top edge, rounded down.
    pub y0: i32,
    /// The right edge, rounded up.
    pub x1: i32,
    /// The bottom edge, rounded up.
    pub y1: i32,
    /// 1 for an even-odd fill, else 0.
    pub draw_flags: u32,
    /// The index of the path's transform, `u32::MAX` before the first.
    pub trans_ix: u32,
}

impl PathBbox {
    /// The box without ink of a path that nothing is known of.
    pub const EMPTY: Self =
        Self { x0: i32::MAX, y0: i32::MAX, x1: i32::MIN, y1: i32::MIN, draw_flags: 0, trans_ix: u32::MAX };
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use vello_encoding::Layout;

    use super::*;

    #[test]
    fn the_layouts_are_those_of_vello() {
        macro_rules! same_offsets {
            ($ours:ident, $theirs:ty: $($field:ident),*) => {
                $(assert_eq!(offset_of!($ours, $field), offset_of!($theirs, $field), stringify!($field));)*
                assert_eq!(size_of::<$ours>(), size_of::<$theirs>());
            };
        }
        same_offsets!(StreamLayout, Layout: n_draw_objects, n_paths, n_clips, bin_data_start, path_tag_base,
            path_data_base, draw_tag_base, draw_data_base, transform_base, style_base);
        same_offsets!(PathBbox, vello_encoding::PathBbox: x0, y0, x1, y1, draw_flags, trans_ix);
    }

    #[test]
    fn streams_out_of_order_are_refused() {
        let layout = StreamLayout { path_data_base: 2, draw_tag_base: 1, ..StreamLayout::default() };
        let error = PathStreams::new(&[0; 4], layout).expect_err("the path data ends before it begins");
        assert_eq!(error, StreamsError::Order { stream: "path data", base: 2, end: 1 });
        let layout = StreamLayout { style_base: 5, ..StreamLayout::default() };
        let error = PathStreams::new(&[0; 4], layout).expect_err("there are four words");
        assert_eq!(error, StreamsError::Order { stream: "styles", base: 5, end: 4 });
    }

    #[test]
    fn more_paths_than_tags_are_refused() {
        let layout = |n_paths| StreamLayout {
            n_paths,
            path_tag_base: 1,
            path_data_base: 3,
            draw_tag_base: 3,
            draw_data_base: 3,
            transform_base: 3,
            style_base: 3,
            ..StreamLayout::default()
        };
        assert!(PathStreams::new(&[0; 3], layout(8)).is_ok(), "two words are eight tags");
        for n_paths in [9, u32::MAX] {
            let error = PathStreams::new(&[0; 3], layout(n_paths)).expect_err("there are eight tags");
            assert_eq!(error, StreamsError::Paths { n_paths, n_tags: 8 });
        }
    }
}
