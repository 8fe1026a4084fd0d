//! What can be chosen on the command line.

use clap::ValueEnum;
use serde::Serialize;

/// A back end, as it is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum BackendArg {
    /// The best adapter; the CPU where there is none.
    #[default]
    Auto,
    /// An adapter, or an error.
    Gpu,
    /// The CPU.
    Cpu,
}

/// A form of output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Columns for people: x, y, width, height.
    #[default]
    Table,
    /// A header, then one row a line: x0, y0, x1, y1.
    Csv,
    /// One document with the scene of every file.
    Json,
    /// One JSON object a row.
    Jsonl,
}

/// What counts for an object box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PartArg {
    /// The interior of shapes, the rectangles of images, the cells of glyphs.
    Fill,
    /// Strokes, as if without dashes.
    Stroke,
    /// Markers.
    Markers,
    /// Cut by the boxes of the clip paths of the element and of what is in it.
    Clipped,
}

/// A space of boxes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SpaceArg {
    /// The user space of each element, without its own transform; of an svg, that of its contents.
    Local,
    /// The drawing at 100 %.
    #[default]
    Scene,
    /// Pixels at --zoom, rounded outward.
    Device,
}

/// A kind of box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum BoxKind {
    /// Leaf boxes.
    Leaf,
    /// Clipped leaf boxes.
    Clipped,
    /// Clip boxes.
    Clip,
    /// Group boxes.
    Group,
    /// Object boxes, which are no ink boxes.
    Object,
}

impl BoxKind {
    /// Every kind of ink box, in the order in which rows come.
    pub(crate) const ALL: [Self; 4] = [Self::Leaf, Self::Clipped, Self::Clip, Self::Group];

    /// The word for it in every output.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Leaf => "leaf",
            Self::Clipped => "clipped",
            Self::Clip => "clip",
            Self::Group => "group",
            Self::Object => "object",
        }
    }

    /// The kinds that are asked for, each once.
    pub(crate) fn of(args: &[KindArg]) -> Vec<Self> {
        let asked = |kind: &Self| args.iter().any(|arg| arg.holds(*kind));
        Self::ALL.into_iter().filter(asked).collect()
    }
}

/// A kind of box, or all of them, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KindArg {
    /// What an element inks itself.
    Leaf,
    /// The part of that inside all clips.
    Clipped,
    /// What a clipped group or shape lets through.
    Clip,
    /// The union of the clipped boxes inside a group.
    Group,
    /// Every kind.
    All,
}

impl KindArg {
    fn holds(self, kind: BoxKind) -> bool {
        match self {
            Self::Leaf => kind == BoxKind::Leaf,
            Self::Clipped => kind == BoxKind::Clipped,
            Self::Clip => kind == BoxKind::Clip,
            Self::Group => kind == BoxKind::Group,
            Self::All => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_come_once_and_in_order() {
        let kinds = BoxKind::of(&[KindArg::Group, KindArg::Leaf, KindArg::Group]);
        assert_eq!(kinds, [BoxKind::Leaf, BoxKind::Group]);
        assert_eq!(BoxKind::of(&[KindArg::Clip, KindArg::All]), BoxKind::ALL);
    }
}
