//! The words of questions and answers: kinds of box, parts of object boxes, and spaces.

use boxwood_svg::Include;

/// A text is not one of the words for something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{word}` is not {what}: use {}", expected.join(", "))]
pub struct UnknownWord {
    /// The text.
    pub word: String,
    /// What the words are for, with an article.
    pub what: &'static str,
    /// All words.
    pub expected: Vec<&'static str>,
}

impl UnknownWord {
    /// The value with this word.
    pub(crate) fn find<T: Copy>(
        word: &str,
        what: &'static str,
        values: &[T],
        word_of: impl Fn(T) -> &'static str,
    ) -> Result<T, Self> {
        let found = values.iter().copied().find(|value| word_of(*value) == word);
        let expected = || values.iter().copied().map(word_of).collect();
        found.ok_or_else(|| Self { word: word.to_owned(), what, expected: expected() })
    }
}

/// Gives each variant of an enum a word, which [`FromStr`](std::str::FromStr) parses and
/// [`Serialize`](serde::Serialize) writes.
macro_rules! words {
    ($type:ident, $what:literal, $($variant:ident = $word:literal),+) => {
        impl $type {
            /// All values, in the order of outputs.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The word that is the same in every input and output.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::UnknownWord;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                $crate::UnknownWord::find(word, $what, Self::ALL, Self::word)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }
    };
}
pub(crate) use words;

/// A kind of box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxKind {
    /// The union of the leaf boxes of an element.
    Leaf,
    /// The union of the clipped boxes of an element.
    Clipped,
    /// The clip box inside all nodes of an element.
    Clip,
    /// The group box of the outermost node of an element. For a group without a node, the box that
    /// its node would have.
    Group,
    /// The object box of an element. The other kinds are ink boxes.
    Object,
}

words!(
    BoxKind,
    "a kind of box",
    Leaf = "leaf",
    Clipped = "clipped",
    Clip = "clip",
    Group = "group",
    Object = "object"
);

impl BoxKind {
    /// The kinds of ink box, in the order of the rows.
    pub const INK: [Self; 4] = [Self::Leaf, Self::Clipped, Self::Clip, Self::Group];
}

/// A part of an object box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectPart {
    /// The interior of shapes, the rectangles of images, and the cells of glyphs.
    Fill,
    /// Strokes, as if they had no dashes.
    Stroke,
    /// Markers.
    Markers,
    /// Not a part by itself: the other parts are clipped to the boxes of the clip paths of the
    /// element and of its contents.
    Clipped,
}

words!(
    ObjectPart,
    "a part of an object box",
    Fill = "fill",
    Stroke = "stroke",
    Markers = "markers",
    Clipped = "clipped"
);

impl ObjectPart {
    /// The parts that a set includes, in the order of SVG 2.
    pub fn of(include: Include) -> impl Iterator<Item = Self> {
        let is_included = move |part: &Self| match part {
            Self::Fill => include.fill,
            Self::Stroke => include.stroke,
            Self::Markers => include.markers,
            Self::Clipped => include.clipped,
        };
        Self::ALL.iter().copied().filter(is_included)
    }

    /// The set of these parts.
    pub fn set(parts: impl IntoIterator<Item = Self>) -> Include {
        let mut set = NO_PARTS;
        for part in parts {
            match part {
                Self::Fill => set.fill = true,
                Self::Stroke => set.stroke = true,
                Self::Markers => set.markers = true,
                Self::Clipped => set.clipped = true,
            }
        }
        set
    }
}

/// The set without parts, which ink boxes have.
pub(crate) const NO_PARTS: Include = Include { fill: false, stroke: false, markers: false, clipped: false };

/// A coordinate space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Space {
    /// The user space of each element, without its own transform. For an `svg` element, it is that
    /// of its contents. Only object boxes are in this space.
    Local,
    /// CSS pixels of the drawing at 100 %.
    #[default]
    Scene,
    /// Pixels at a zoom, rounded outward.
    Device,
}

words!(Space, "a coordinate space", Local = "local", Scene = "scene", Device = "device");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_parsed() {
        assert!(BoxKind::ALL.iter().all(|kind| kind.word().parse() == Ok(*kind)));
        let error = "screen".parse::<Space>().expect_err("there is no such space");
        assert_eq!(error.to_string(), "`screen` is not a coordinate space: use local, scene, device");
    }

    #[test]
    fn a_set_has_each_part_once_in_order() {
        use ObjectPart::{Clipped, Fill, Stroke};
        let set = ObjectPart::set([Clipped, Stroke, Fill, Stroke]);
        assert_eq!(ObjectPart::of(set).collect::<Vec<_>>(), [Fill, Stroke, Clipped]);
        assert_eq!(ObjectPart::set(ObjectPart::of(set)), set);
        assert_eq!(ObjectPart::of(NO_PARTS).next(), None);
    }
}
