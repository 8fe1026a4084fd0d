//! The packed streams of paths that `vello_encoding` resolves a scene into, and rounded boxes.

use bytemuck::{Pod, Zeroable};

/// The positions of the streams in the words of a packed scene.
///
/// Layout: ten `u32` in the order of `vello_encoding::Layout`, so `bytemuck::cast` converts one to
/// the other. Bases are indices of words. The streams are in the order of their bases, and each
/// ends where the next one begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct StreamLayout {
    /// The number of draw objects. Each has one path.
    pub n_draw_objects: u32,
    /// The number of paths.
    pub n_paths: u32,
    /// The number of begins and ends.
    pub n_clips: u32,
    /// The beginning of a renderer's bins. Not used.
    pub bin_data_start: u32,
    /// The path tags, four per word, the first in the lowest byte.
    pub path_tag_base: u32,
    /// The path data: the coordinates of the paths.
    pub path_data_base: u32,
    /// The draw tags, one per draw object.
    pub draw_tag_base: u32,
    /// The parameters of the draw objects.
    pub draw_data_base: u32,
    /// The transforms, six words each.
    pub transform_base: u32,
    /// The styles, two words each, up to the end of the scene.
    pub style_base: u32,
}

/// The error for a layout that does not fit its words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StreamsError {
    /// A stream begins after the next one, or beyond the end of the scene.
    #[error(
        "the {stream} begin at word {base}, after their end at word {end}: use the layout of these words"
    )]
    Order {
        /// The name of the stream.
        stream: &'static str,
        /// The word at which it begins.
        base: u32,
        /// The word at which it ends.
        end: u64,
    },
    /// There are more paths than tags. Each path takes at least one tag.
    #[error("{n_paths} paths exceed the {n_tags} path tags: use the layout of these words")]
    Paths {
        /// The number of paths.
        n_paths: u32,
        /// The number of path tags.
        n_tags: u64,
    },
}

/// A packed scene: its words with their layout.
///
/// The contents of the streams are not checked. If the tags of a path ask for coordinates, a
/// transform, or a style that the streams do not contain, the path covers nothing there.
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
    /// [`StreamsError`] if the streams are not in order within the words, or there are more paths
    /// than path tags.
    pub fn new(words: &'a [u32], layout: StreamLayout) -> Result<Self, StreamsError> {
        layout.check(words.len() as u64)?;
        Ok(Self { words, layout })
    }

    /// All words.
    pub fn words(&self) -> &'a [u32] {
        self.words
    }

    /// The positions of the streams.
    pub fn layout(&self) -> &StreamLayout {
        &self.layout
    }

    /// The path tags, four per word.
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
    /// Checks that the streams are in order within `n_words` words, with at least one path tag per
    /// path. Results have one item per path, so this bounds their size too.
    ///
    /// # Errors
    ///
    /// [`StreamsError`] with the first stream that ends before it begins, or with the number of
    /// paths.
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

/// The box of a path in whole pixels, and the flags that a renderer stores with it: the layout of
/// `vello_encoding::PathBbox`.
///
/// The lower edges of a path that covers nothing are the largest `i32`, and its upper edges are the
/// smallest.
///
/// Layout: six words, the same as Vello's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct RoundedBox {
    /// The left edge, rounded down.
    pub x0: i32,
    /// The top edge, rounded down.
    pub y0: i32,
    /// The right edge, rounded up.
    pub x1: i32,
    /// The bottom edge, rounded up.
    pub y1: i32,
    /// 1 for an even-odd fill, otherwise 0.
    pub draw_flags: u32,
    /// The index of the path's transform, or `u32::MAX` before the first transform.
    pub trans_ix: u32,
}

impl RoundedBox {
    /// The box of a path that covers nothing and does not end.
    pub const EMPTY: Self =
        Self { x0: i32::MAX, y0: i32::MAX, x1: i32::MIN, y1: i32::MIN, draw_flags: 0, trans_ix: u32::MAX };
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use vello_encoding::Layout;

    use super::*;

    #[test]
    fn layouts_equal_those_of_vello() {
        macro_rules! same_offsets {
            ($ours:ident, $theirs:ty: $($field:ident),*) => {
                $(assert_eq!(offset_of!($ours, $field), offset_of!($theirs, $field), stringify!($field));)*
                assert_eq!(size_of::<$ours>(), size_of::<$theirs>());
            };
        }
        same_offsets!(StreamLayout, Layout: n_draw_objects, n_paths, n_clips, bin_data_start, path_tag_base,
            path_data_base, draw_tag_base, draw_data_base, transform_base, style_base);
        same_offsets!(RoundedBox, vello_encoding::PathBbox: x0, y0, x1, y1, draw_flags, trans_ix);
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
