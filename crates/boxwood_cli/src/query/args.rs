//! The arguments of `boxwood query`.

use std::ffi::OsStr;

use anyhow::{Result, bail};
use boxwood_query::{BoxKind, BoxesQuery, Include, ObjectPart, QueryError, Space, Unit, Wanted};
use boxwood_svg::Selector;
use clap::builder::{EnumValueParser, PossibleValue, TypedValueParser};
use clap::{Arg, ArgGroup, Args, Command, ValueEnum};

use super::format::Column;
use super::place::PlaceArgs;
use crate::device::BackendArgs;
use crate::input::{FilesArgs, LoadArgs};
use crate::json::RowFormat;
use crate::numbers::zoom;
use crate::watch::WatchArg;

const EXAMPLES: &str = "\
Examples:
  # Print every box of a drawing as a table
  boxwood query drawing.svg

  # Print what is left of one element inside its clips, as CSV
  boxwood query drawing.svg --id logo --kind clipped --format csv

  # Print what getBBox({fill: true, stroke: true}) returns for every element
  boxwood query drawing.svg --include fill,stroke --space local

  # Print two boxes of every element, without and with its stroke
  boxwood query drawing.svg --include fill --include fill,stroke

  # Print what is at a point, the top-most first, with the clips around it
  boxwood query drawing.svg --at 120,45.5

  # Print only what is painted there, and not what has only a box there
  boxwood query drawing.svg --at 120,45.5 --precise

  # Print the name and the size of every element in mm
  boxwood query drawing.svg --unit mm --columns name,width,height

  # Print id,x,y,width,height for every element with an id
  boxwood query drawing.svg --query-all

  # Add the boxes to the drawing, to look at them in a browser or an editor
  boxwood query drawing.svg --format svg > boxes.svg

  # Print the pixels that the root covers in a picture at 200 %
  boxwood query drawing.svg --id /svg --kind group --space device --zoom 2

  # List the elements of a drawing that are entirely clipped away
  boxwood query drawing.svg --kind clipped --format jsonl |
    jq -r 'select(.reason == \"clipped-away\") | .name'

  # Read a drawing from standard input
  curl -s https://example.org/a.svgz | boxwood query - --format json";

/// Print the boxes of SVG drawings
///
/// Prints one row per SVG element and kind of box, in document order. An element without an id is
/// named by its path in the document, such as `/svg/g[2]/rect[1]`. What a <use> draws has the path
/// of the <use>, an arrow, and the path of the element that it draws. CSV and JSON also have the
/// path, line, column and class of each element. A box without bounds is `plane`.
///
/// Every element that can have a box has a row, and so has every other element with an id. Elements
/// that are not drawn, such as definitions, come last.
/// A row without a box says `none` in a table, is without numbers in CSV, and has null in JSON. It
/// gives the reason, such as `display-none`, `definition`, `no-size`, or `clipped-away`.
///
/// A group without a clip or another effect has only the row `group`. An effect on a shape adds the
/// row `group`, and a clip also adds `clip`. A part of a text, such as a <tspan>, is printed if it
/// has an id, or if --id or --select names it.
///
/// In JSON, `parent` is the name of the innermost enclosing element that has rows without --id and
/// --select, or null for the root.
#[derive(Clone, Debug, Args)]
#[command(
    group = ArgGroup::new("drawings").args(["inputs", "files_from"]).required(true).multiple(true),
    after_long_help = EXAMPLES,
    override_usage = "boxwood query [OPTIONS] <FILE>..."
)]
pub(crate) struct QueryArgs {
    #[command(flatten)]
    pub(super) files: FilesArgs,
    #[command(flatten)]
    pub(super) watch: WatchArg,
    /// Kinds of box to print, separated by commas
    #[arg(
        long,
        value_name = "KIND",
        value_delimiter = ',',
        default_value = "all",
        hide_default_value = true
    )]
    kind: Vec<KindArg>,
    /// Print only the element with this id or path
    ///
    /// May be repeated. If no element has the id, the exit code is 1. An element without a box has
    /// a row with the reason, and the exit code is 0. An id also names everything that a <use>
    /// draws of its element.
    #[arg(long, value_name = "ID")]
    id: Vec<String>,
    /// Print only what this CSS selector matches
    ///
    /// May be repeated. For example, 'rect.logo, g#a > path'. If no element matches, the exit code
    /// is 1. What a <use> draws is matched as in its own place in the document.
    ///
    /// Supports the selectors of Selectors 4 that can match in a drawing, such as :not(…), :is(…),
    /// :has(…), :nth-child(2n), and `a ~ b`. Others, such as :hover, are errors.
    #[arg(long, value_name = "SELECTOR")]
    select: Vec<Selector>,
    #[command(flatten)]
    pub(super) place: PlaceArgs,
    /// Print object boxes of these parts, not ink boxes
    ///
    /// Parts are separated by commas, and the option may be repeated.
    /// Object boxes are those of getBBox in SVG 2: they bound geometry, whatever its opacity, mask
    /// or filter. Each element has one row of the kind `object` per --include, so that one run can
    /// print `--include fill --include fill,stroke`.
    ///
    /// This cannot be combined with --kind, which selects ink boxes.
    #[arg(long, value_name = "PARTS", value_parser = PartsParser, conflicts_with = "kind")]
    include: Vec<Include>,
    /// Coordinate space of the boxes
    ///
    /// `local` needs --include.
    #[arg(long, value_enum, default_value_t)]
    space: SpaceArg,
    /// Pixels per CSS pixel in device space [default: 1]
    #[arg(long, value_name = "Z", allow_negative_numbers = true, value_parser = zoom, hide_short_help = true)]
    zoom: Option<f64>,
    /// Unit of the numbers
    ///
    /// The unit of --at and --within too. It is for the space of the scene.
    #[arg(long, value_enum, default_value_t, hide_short_help = true)]
    unit: UnitArg,
    /// Columns of a table or of CSV, separated by commas
    ///
    /// CSV has all of them by default, and `clips` only with --at and --within.
    #[arg(long, value_name = "COLUMN", value_enum, value_delimiter = ',', hide_short_help = true)]
    pub(super) columns: Vec<Column>,
    /// Do not clip to the viewport of the drawing, nor to the viewports of SVG images in it
    #[arg(long, hide_short_help = true)]
    pub(super) no_viewport_clip: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Rows(RowFormat::Table))]
    format: Format,
    /// Print `id,x,y,width,height` for each element with id
    ///
    /// These are the lines of `inkscape --query-all`. There is no header. An id may contain commas,
    /// but the last four fields are always the numbers. They are object boxes of fill, stroke,
    /// markers and clipped, unless --include names other parts. An element with an empty box has no
    /// line.
    ///
    /// This cannot be combined with --kind or --format.
    #[arg(long, conflicts_with_all = ["format", "kind"])]
    query_all: bool,
    /// Number of decimals in a table or with --query-all [default: 3], or in CSV [default: as many
    /// as identify the number]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(..=9),
        hide_short_help = true)]
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
        if self.precision.is_some()
            && matches!(self.format, Format::Rows(RowFormat::Json | RowFormat::Jsonl) | Format::Svg)
        {
            bail!("--precision is for tables, CSV and --query-all: JSON and SVG have the exact numbers");
        }
        if self.format == Format::Svg && self.space != SpaceArg::Scene {
            bail!("--format svg draws boxes in the space of the scene: leave --space out");
        }
        if self.query_all && self.include.len() > 1 {
            bail!("--query-all prints one box per element: use --include once");
        }
        let checked = self.boxes_query().check();
        // An error of --zoom comes last.
        if checked != Err(QueryError::ZoomOutsideDevice) {
            checked?;
        }
        if self.unit != UnitArg::Px && self.format == Format::Svg {
            bail!(QueryError::UnitOutsideScene);
        }
        let has_columns = matches!(self.format(), Format::Rows(RowFormat::Table | RowFormat::Csv));
        if !self.columns.is_empty() && !has_columns {
            bail!("--columns is for tables and CSV: JSON and SVG have everything");
        }
        if self.columns.contains(&Column::Clips) && self.place.place().is_none() {
            bail!("the column `clips` is for --at and --within: leave it out");
        }
        Ok(checked?)
    }

    /// The question about each drawing.
    pub(super) fn boxes_query(&self) -> BoxesQuery {
        let is_all = self.kind.contains(&KindArg::All);
        let include = match &*self.include {
            [] if self.query_all => vec![ObjectPart::set(ObjectPart::ALL.iter().copied())],
            sets => sets.to_vec(),
        };
        BoxesQuery {
            kinds: self.kind.iter().filter(|_| !is_all).filter_map(|kind| kind.box_kind()).collect(),
            include,
            space: self.space.into(),
            zoom: self.zoom,
            unit: self.unit.into(),
            wanted: Wanted { ids: self.id.clone(), selectors: self.select.clone() },
            place: self.place.place(),
            precise: self.place.is_precise(),
        }
    }

    /// The output format.
    pub(super) fn format(&self) -> Format {
        if self.query_all { Format::QueryAll } else { self.format }
    }
}

/// A kind of ink box, or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum KindArg {
    /// What an element paints by itself, strokes and markers included, before clipping
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

impl KindArg {
    /// The kind of box. `None` for all of them.
    fn box_kind(self) -> Option<BoxKind> {
        match self {
            Self::Leaf => Some(BoxKind::Leaf),
            Self::Clipped => Some(BoxKind::Clipped),
            Self::Clip => Some(BoxKind::Clip),
            Self::Group => Some(BoxKind::Group),
            Self::All => None,
        }
    }
}

/// A part of an object box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PartArg {
    /// The interior of shapes, the rectangles of images, and the cells of glyphs
    Fill,
    /// Strokes, as if they had no dashes
    Stroke,
    /// Markers
    Markers,
    /// Clip to the boxes of the clip paths of the element and of its contents
    Clipped,
}

impl From<PartArg> for ObjectPart {
    fn from(part: PartArg) -> Self {
        match part {
            PartArg::Fill => Self::Fill,
            PartArg::Stroke => Self::Stroke,
            PartArg::Markers => Self::Markers,
            PartArg::Clipped => Self::Clipped,
        }
    }
}

/// Parses parts that are separated by commas.
#[derive(Clone)]
struct PartsParser;

impl TypedValueParser for PartsParser {
    type Value = Include;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Include, clap::Error> {
        let parser = EnumValueParser::<PartArg>::new();
        let value = value.to_string_lossy();
        let parts = value.split(',').map(|part| parser.parse_ref(command, arg, part.as_ref()));
        let parts: Vec<_> = parts.collect::<Result<_, _>>()?;
        Ok(ObjectPart::set(parts.into_iter().map(ObjectPart::from)))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values = EnumValueParser::<PartArg>::new().possible_values()?.collect::<Vec<_>>();
        Some(Box::new(values.into_iter()))
    }
}

/// A coordinate space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum SpaceArg {
    /// The user space of each element, without its own transform (for an <svg>, that of its
    /// contents)
    Local,
    /// CSS pixels of the drawing at 100 %
    #[default]
    Scene,
    /// Pixels at --zoom, rounded outward. A box with f32 edges that misses the border of a pixel by
    /// a rounding error contains the next pixel too
    Device,
}

impl From<SpaceArg> for Space {
    fn from(space: SpaceArg) -> Self {
        match space {
            SpaceArg::Local => Self::Local,
            SpaceArg::Scene => Self::Scene,
            SpaceArg::Device => Self::Device,
        }
    }
}

/// A unit of length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum UnitArg {
    /// CSS pixels of the drawing at 100 %
    #[default]
    Px,
    /// User units of the root, which its viewBox determines
    User,
    /// Millimetres at 96 px per inch
    Mm,
}

impl From<UnitArg> for Unit {
    fn from(unit: UnitArg) -> Self {
        match unit {
            UnitArg::Px => Self::Px,
            UnitArg::User => Self::User,
            UnitArg::Mm => Self::Mm,
        }
    }
}

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Rows(RowFormat),
    /// The drawing with the boxes.
    Svg,
    /// The lines of `--query-all`.
    QueryAll,
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        use RowFormat::{Csv, Json, Jsonl, Table};
        &[Self::Rows(Table), Self::Rows(Csv), Self::Rows(Json), Self::Rows(Jsonl), Self::Svg]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        const SVG: &str = "The drawing, with the boxes as a last group `boxwood-overlay`; for one file";
        match self {
            Self::Rows(format) => format.to_possible_value(),
            Self::Svg => Some(PossibleValue::new("svg").help(SVG)),
            Self::QueryAll => None,
        }
    }
}

/// The name of a value on the command line.
pub(super) fn name(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value().expect("no value is hidden");
    value.get_name().to_owned()
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        query: QueryArgs,
    }

    #[test]
    fn the_help_names_the_options_that_cannot_be_combined() {
        let mut command = Cli::command();
        command.build();
        let flag = |arg: &Arg| arg.get_long().map(|long| format!("--{long}"));
        let help = |arg: &Arg| arg.get_long_help().map(ToString::to_string).unwrap_or_default();
        let mut n_pairs = 0;
        for arg in command.get_arguments() {
            for other in command.get_arg_conflicts_with(arg) {
                let (Some(own), Some(its)) = (flag(arg), flag(other)) else { continue };
                let is_named = help(arg).contains(&its) || help(other).contains(&own);
                assert!(is_named, "neither the help of {own} nor that of {its} says that they conflict");
                n_pairs += 1;
            }
        }
        assert!(n_pairs >= 10, "{n_pairs}");
    }

    #[test]
    fn no_kind_of_the_question_stands_for_all() {
        let kinds =
            |kind| Cli::parse_from(["query", "drawing.svg", "--kind", kind]).query.boxes_query().kinds;
        assert_eq!(kinds("group,leaf,group"), [BoxKind::Group, BoxKind::Leaf, BoxKind::Group]);
        assert_eq!(kinds("clip,all"), []);
    }

    #[test]
    fn every_include_is_a_set_of_parts() {
        use ObjectPart::{Clipped, Fill, Markers, Stroke};
        let sets = |more: &[&str]| {
            let include =
                Cli::parse_from([&["query", "drawing.svg"], more].concat()).query.boxes_query().include;
            include.into_iter().map(|set| ObjectPart::of(set).collect::<Vec<_>>()).collect::<Vec<_>>()
        };
        assert!(sets(&[]).is_empty());
        let two_sets = ["--include", "stroke,fill,stroke", "--include", "fill"];
        assert_eq!(sets(&two_sets), [vec![Fill, Stroke], vec![Fill]]);
        assert_eq!(sets(&["--query-all"]), [[Fill, Stroke, Markers, Clipped]]);
        assert_eq!(sets(&["--query-all", "--include", "fill"]), [[Fill]]);
    }

    #[test]
    fn arguments_have_the_words_of_answers() {
        let has_word = |arg: &str, word: &str| assert_eq!(arg, word);
        KindArg::value_variants().iter().filter(|kind| **kind != KindArg::All).for_each(|kind| {
            has_word(&name(kind), kind.box_kind().expect("it is one kind").word());
        });
        PartArg::value_variants()
            .iter()
            .for_each(|part| has_word(&name(part), ObjectPart::from(*part).word()));
        SpaceArg::value_variants()
            .iter()
            .for_each(|space| has_word(&name(space), Space::from(*space).word()));
        UnitArg::value_variants().iter().for_each(|unit| has_word(&name(unit), Unit::from(*unit).word()));
    }
}
