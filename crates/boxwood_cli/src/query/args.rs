//! The arguments of `boxwood query`.

use anyhow::{Result, bail};
use boxwood_svg::Include;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::rows::BoxKind;
use crate::device::BackendArgs;
use crate::input::{Input, LoadArgs};
use crate::numbers::zoom;

/// Print the boxes of SVG drawings
///
/// Prints one row per SVG element and kind of box, in document order. An element without an id is
/// named by its path, such as `/g[2]/path[1]`. An empty box is `empty` in a table, nothing in CSV,
/// and null in JSON. A box without bounds is `plane`.
///
/// A group without a clip or another effect has only the row `group`. If it has no id either, it is
/// printed only if --id names its path. An effect on a shape adds the row `group`, and a clip also
/// adds `clip`. These rows have the name of the shape if it has an id, and otherwise the path of a
/// group around it.
///
/// In JSON, `parent` is the name of the innermost enclosing element that has rows without --id, or
/// null for the root.
#[derive(Debug, Args)]
pub(crate) struct QueryArgs {
    /// SVG or SVGZ files, folders of them, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub(super) inputs: Vec<Input>,
    /// Kinds of box to print, separated by commas
    #[arg(long, value_name = "KIND", value_delimiter = ',', default_value = "all")]
    kind: Vec<KindArg>,
    /// Print only the element with this id or path (may be repeated)
    ///
    /// If nothing that is drawn has the id, the exit code is 1. The contents of a <use> have the id
    /// of the <use>, and the parts of a text have the id of the text.
    #[arg(long, value_name = "ID")]
    pub(super) id: Vec<String>,
    /// Print object boxes of these parts, separated by commas, instead of ink boxes
    ///
    /// Object boxes are those of getBBox in SVG 2: they bound geometry, whatever its opacity, mask
    /// or filter. Each element has one row, of the kind `object`. An element that is hidden,
    /// transparent or without paint has a row only if it has an id. An element has no row if it has
    /// `display: none`, no size, or an invalid effect.
    ///
    /// An <image> without an id has the box of its visible pixels, not that of its x, y, width and
    /// height. In local space, the x and y of a <use> without an id do not count.
    #[arg(long, value_name = "PART", value_enum, value_delimiter = ',', conflicts_with = "kind")]
    pub(super) include: Vec<PartArg>,
    /// Coordinate space of the boxes; `local` needs --include
    #[arg(long, value_enum, default_value_t)]
    pub(super) space: SpaceArg,
    /// Pixels per CSS pixel in device space [default: 1]
    #[arg(long, value_name = "Z", allow_negative_numbers = true, value_parser = zoom)]
    pub(super) zoom: Option<f64>,
    /// Do not clip to the viewport of the drawing, nor to the viewports of SVG images in it
    #[arg(long)]
    pub(super) no_viewport_clip: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
    /// Number of decimals in a table [default: 3] or in CSV [default: as many as identify the
    /// number]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(..=9))]
    pub(super) precision: Option<u8>,
    #[command(flatten)]
    pub(super) backend: BackendArgs,
    #[command(flatten)]
    pub(super) load: LoadArgs,
}

impl QueryArgs {
    /// Checks the combinations that clap cannot.
    ///
    /// # Errors
    ///
    /// An argument has no meaning together with another.
    pub(super) fn check(&self) -> Result<()> {
        if self.precision.is_some() && matches!(self.format, Format::Json | Format::Jsonl) {
            bail!("--precision is for tables and CSV: JSON has the exact numbers");
        }
        if self.space == SpaceArg::Local && self.include.is_empty() {
            bail!("--space local is for object boxes: add --include");
        }
        if self.space != SpaceArg::Device && self.zoom.is_some() {
            bail!("--zoom is for --space device");
        }
        Ok(())
    }

    /// The kinds of ink box to print, each once, in the order of the output.
    pub(super) fn kinds(&self) -> Vec<BoxKind> {
        let is_all = self.kind.contains(&KindArg::All);
        let is_wanted = |kind: &BoxKind| is_all || self.kind.iter().any(|arg| name(arg) == name(kind));
        BoxKind::INK.into_iter().filter(is_wanted).collect()
    }

    /// The parts of object boxes. `None` for ink boxes.
    pub(super) fn parts(&self) -> Option<Include> {
        let has = |part| self.include.contains(&part);
        (!self.include.is_empty()).then(|| Include {
            fill: has(PartArg::Fill),
            stroke: has(PartArg::Stroke),
            markers: has(PartArg::Markers),
            clipped: has(PartArg::Clipped),
        })
    }
}

/// A kind of ink box, or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum KindArg {
    /// What an element paints by itself, strokes included, before clipping
    Leaf,
    /// The part of the leaf box that is inside all clips around it
    Clipped,
    /// What a clip lets through, inside all clips around it
    Clip,
    /// The union of the clipped boxes in a group
    Group,
    /// All four kinds
    All,
}

/// A part of an object box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum PartArg {
    /// The interior of shapes, the rectangles of images, and the cells of glyphs
    Fill,
    /// Strokes, as if they had no dashes
    Stroke,
    /// Markers
    Markers,
    /// Clip to the boxes of the clip paths of the element and of its contents
    Clipped,
}

/// A coordinate space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum SpaceArg {
    /// The user space of each element, without its own transform (for an <svg>, that of its
    /// contents)
    Local,
    /// CSS pixels of the drawing at 100 %
    #[default]
    Scene,
    /// Pixels at --zoom, rounded outward
    Device,
}

/// An output format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Aligned columns: x, y, width, height
    #[default]
    Table,
    /// A header, then one line per row: x0, y0, x1, y1
    Csv,
    /// One document for all files
    Json,
    /// One JSON object per row
    Jsonl,
}

/// The name of a value on the command line.
pub(super) fn name(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value().expect("no value is hidden");
    value.get_name().to_owned()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        query: QueryArgs,
    }

    #[test]
    fn kinds_are_printed_once_and_in_order() {
        let kinds = |kind| Cli::parse_from(["query", "drawing.svg", "--kind", kind]).query.kinds();
        assert_eq!(kinds("group,leaf,group"), [BoxKind::Leaf, BoxKind::Group]);
        assert_eq!(kinds("clip,all"), BoxKind::INK);
    }
}
