//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use boxwood_svg::{Fonts, Options};
use boxwood_view::{Background, OverlayKinds, OverlaySource};
use clap::{Args, Parser, Subcommand};
use image::ImageFormat;

use crate::choices::{BackendArg, Format, KindArg, PartArg, SpaceArg};
use crate::input::Input;

const EXAMPLES: &str = "\
Examples:
  boxwood query drawing.svg                        every box, as a table
  boxwood query drawing.svg --id logo --kind clipped --format csv
  boxwood query drawing.svg --include fill,stroke --space local    what getBBox has, in each element's own space
  curl -s https://example.org/a.svgz | boxwood query - --format json
  boxwood render drawing.svg -o drawing.png --overlay clip,clipped --zoom 2
  boxwood view drawings/                           a window; keys 1 to 4 switch the kinds of box
  boxwood check drawings/                          the GPU against the CPU, bit for bit
  boxwood check --synthetic                        the same for every algorithm, on trees made to break them
  boxwood bench --synthetic --csv rates.csv        how fast each algorithm is here
  boxwood info                                     adapters, limits, versions

Kinds of ink box, in CSS px of the drawing at 100 % (--space scene), x to the right, y down, half-open:
  leaf      what an element inks itself, strokes counted, clips not
  clipped   the part of it inside all clips
  clip      what a clipped group or shape lets through, the clips around it counted
  group     the union of the clipped boxes inside a group

Exit codes: 0 done; 1 the answer is no (no such id, a difference found); 2 an error.";

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "boxwood",
    version,
    about = "The clipped boxes of SVG drawings, computed on the GPU",
    after_long_help = EXAMPLES,
    max_term_width = 110,
    disable_help_subcommand = true
)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Say errors only.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

/// What to do. Each is described by its arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Query(QueryArgs),
    Render(RenderArgs),
    View(ViewArgs),
    Check(CheckArgs),
    Bench(BenchArgs),
    Info(InfoArgs),
}

/// Print the boxes of drawings.
///
/// One row for each SVG element and kind of box, in document order. An element without an id is named by its path,
/// such as `/g[2]/path[1]`. An empty box reads `empty` in a table, nothing in CSV and null in JSON; the whole plane
/// reads `plane`.
///
/// A group without a clip or other effect has one row, `group`; where it has no id either, it has that only if `--id`
/// asks for its path. A clip or other effect on a shape with an id gives the shape its `clip` and `group`, and so does
/// one on a group without an id that holds only that shape. In JSON, `parent` is the name of the innermost listed
/// element around, null for the root.
#[derive(Debug, Args)]
pub(crate) struct QueryArgs {
    /// SVG or SVGZ files, folders of them, or - for standard input.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) inputs: Vec<Input>,
    /// Which kinds of box, separated by commas.
    #[arg(long, value_name = "KIND", value_delimiter = ',', default_value = "all")]
    pub(crate) kind: Vec<KindArg>,
    /// Only the element with this id or path; may be given more than once.
    ///
    /// An id that is on nothing drawn is a negative answer, exit code 1. What <use> draws is found by the id of the
    /// <use>, a part of a text by the id of the text.
    #[arg(long, value_name = "ID")]
    pub(crate) id: Vec<String>,
    /// Object boxes instead of ink boxes, and what counts for them, separated by commas.
    ///
    /// They are those of getBBox in SVG 2: geometry, whatever its opacity, mask or filter. A row an element, of kind `object`:
    /// also one that is hidden, transparent or without paint, if it has an id, and none for what has `display: none`, no size or an
    /// effect that is not valid. Of <image> and, in local space, of <use>, x and y are known only where it has an id.
    #[arg(long, value_name = "PART", value_enum, value_delimiter = ',', conflicts_with = "kind")]
    pub(crate) include: Vec<PartArg>,
    /// The space of the boxes. Ink boxes have no local space: it needs --include.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) space: SpaceArg,
    /// Pixels a CSS px in the device space (default 1).
    #[arg(long, value_name = "Z", allow_negative_numbers = true, value_parser = zoom)]
    pub(crate) zoom: Option<f64>,
    /// Do not clip to the viewport of the drawing, nor to those of drawings that are images in it.
    #[arg(long)]
    pub(crate) no_viewport_clip: bool,
    /// How to print them.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Decimals in a table (default 3) or in CSV (default: as many as tell the numbers apart).
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(..=9))]
    pub(crate) precision: Option<u8>,
    #[command(flatten)]
    pub(crate) backend: BackendArgs,
    #[command(flatten)]
    pub(crate) load: LoadArgs,
}

/// Draw a drawing, with its boxes if wanted, into a PNG.
///
/// A picture has at most 64 Mi pixels, and at most 8192 a side on the CPU; on a GPU the side is that of its largest texture, 8192 or
/// more, which `boxwood info` prints.
#[derive(Debug, Args)]
pub(crate) struct RenderArgs {
    /// An SVG or SVGZ file, or - for standard input.
    #[arg(value_name = "FILE")]
    pub(crate) input: Input,
    /// The PNG file to write, or - for standard output.
    #[arg(short, long, value_name = "OUT.png", value_parser = png)]
    pub(crate) output: PathBuf,
    /// The kinds of box to draw over it, separated by commas: leaf, clipped, clip, group, or all, or none.
    #[arg(long, value_name = "KINDS", default_value = "none", hide_default_value = true)]
    pub(crate) overlay: OverlayKinds,
    /// Whose boxes these are: frame, those that the renderer on the GPU has drawn this picture with, in whole pixels, or scene, the
    /// drawing's own (default: frame on a GPU, scene on the CPU).
    #[arg(long, value_name = "SOURCE", requires = "overlay")]
    pub(crate) boxes: Option<OverlaySource>,
    /// The width of the picture in pixels, the height in proportion.
    #[arg(long, value_name = "W", conflicts_with = "zoom", allow_negative_numbers = true, value_parser = width)]
    pub(crate) width: Option<u32>,
    /// Pixels a CSS px (default 1).
    #[arg(long, value_name = "Z", allow_negative_numbers = true, value_parser = zoom)]
    pub(crate) zoom: Option<f64>,
    /// What lies behind: checker, white, black, transparent, or a colour as #rrggbb or #rrggbbaa.
    #[arg(long, value_name = "COLOUR", default_value = "checker")]
    pub(crate) background: Background,
    /// Leave out the legend of the boxes. A picture that is too small for it has none.
    #[arg(long)]
    pub(crate) no_legend: bool,
    #[command(flatten)]
    pub(crate) backend: BackendArgs,
    #[command(flatten)]
    pub(crate) load: LoadArgs,
}

/// Show drawings and their boxes in a window.
///
/// Drag to pan, scroll to zoom, 1 to 4 switch the kinds of box and 0 all of them off, F fits the drawing, Ctrl+0
/// shows it at 100 %, the arrows go to the next file, Esc or Q closes. A file that changes is loaded again.
#[derive(Debug, Args)]
pub(crate) struct ViewArgs {
    /// SVG or SVGZ files, folders of them, or - for standard input.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) inputs: Vec<Input>,
    /// The kinds of box shown at first, separated by commas: leaf, clipped, clip, group, or all, or none.
    #[arg(long, value_name = "KINDS", default_value = "clipped,clip,group")]
    pub(crate) overlay: OverlayKinds,
    /// Whose boxes these are: frame, those that the renderer has drawn this picture with, in whole pixels, or scene, the drawing's own.
    #[arg(long, value_name = "SOURCE", default_value = "frame")]
    pub(crate) boxes: OverlaySource,
    /// What lies behind: checker, white, black, or a colour as #rrggbb.
    #[arg(long, value_name = "COLOUR", default_value = "checker")]
    pub(crate) background: Background,
    #[command(flatten)]
    pub(crate) adapter: AdapterArg,
    #[command(flatten)]
    pub(crate) load: LoadArgs,
}

/// Compare the GPU with the CPU, every stage bit for bit.
///
/// Prints `ok` or `DIFFERENT` for each file, and for a difference where it is and the smallest part of the scene that
/// shows it, as brackets: ( begins a clip or a group, ) ends it, . is a leaf.
///
/// With --synthetic it is every algorithm, on trees that are made to break such algorithms: one line for each algorithm and
/// family of inputs, with the first value that differs.
#[derive(Debug, Args)]
#[command(override_usage = "boxwood check [OPTIONS] <FILE>...\n       boxwood check [OPTIONS] --synthetic")]
pub(crate) struct CheckArgs {
    /// SVG or SVGZ files, folders of them, or - for standard input.
    #[arg(value_name = "FILE", required_unless_present = "synthetic", conflicts_with = "synthetic")]
    pub(crate) inputs: Vec<Input>,
    /// Check every algorithm on trees that are made for it, of every size around a power of 2.
    #[arg(long)]
    pub(crate) synthetic: bool,
    #[command(flatten)]
    pub(crate) adapter: AdapterArg,
    #[command(flatten)]
    pub(crate) load: LoadArgs,
    #[command(flatten, next_help_heading = "Options with --synthetic")]
    pub(crate) options: boxwood_bench::CheckOptions,
}

/// Measure the algorithms on this machine.
///
/// One line a measurement: what, of how many, by which algorithm, on which family of inputs, the median time, the rate, and
/// that rate as a part of what the bandwidth of a copy allows (8 bytes an entry to match, 36.25 a node for all its boxes; for
/// the boxes of paths, their streams copied once and the boxes written).
/// Times are the device's timestamps around one compute pass, n/a where it has none; every answer is compared with the
/// specification after it is timed, and a wrong one is a negative answer, exit code 1.
#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Measure trees that are made for it.
    #[arg(long, required_unless_present = "from")]
    pub(crate) synthetic: bool,
    /// Measure nothing; take the measurements in this CSV file for --plot or --thresholds.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["synthetic", "csv", "what", "min", "max", "family", "runs", "adapter", "quick"]
    )]
    pub(crate) from: Option<PathBuf>,
    /// Write the measurements as CSV into this file.
    #[arg(long, value_name = "FILE", value_parser = file)]
    pub(crate) csv: Option<PathBuf>,
    /// Draw the rates over the sizes, as SVG files in this folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) plot: Option<PathBuf>,
    /// Put the sizes from which each algorithm is the fastest on this kind of adapter into this table.
    ///
    /// In a checkout it is crates/boxwood/src/thresholds.csv, which the library is built with. Rows of other kinds of
    /// adapter, and those of tasks that were not measured, stay as they are. Not with --quick, which does not measure how fast.
    #[arg(long, value_name = "FILE", conflicts_with = "quick")]
    pub(crate) thresholds: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) options: boxwood_bench::Options,
}

/// Print adapters, limits and versions, for reports of bugs.
#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) adapter: AdapterArg,
}

/// A positive number.
fn zoom(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(zoom) if zoom.is_finite() && zoom > 0.0 => Ok(zoom),
        _ => Err("it must be a positive number".into()),
    }
}

/// A positive whole number.
fn width(text: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(width) if width > 0 => Ok(width),
        _ => Err("it must be a positive whole number of pixels".into()),
    }
}

/// A positive time.
fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero()).ok_or_else(|| "it must be a positive number of seconds".into())
}

/// A file, which standard output is not.
fn file(text: &str) -> Result<PathBuf, String> {
    if text == "-" {
        return Err("it must be a file; the table goes to standard output".into());
    }
    Ok(text.into())
}

/// A file that is not named as one of pictures of another format.
fn png(text: &str) -> Result<PathBuf, String> {
    match ImageFormat::from_path(text) {
        Ok(format) if format != ImageFormat::Png => Err("the picture is a PNG: name it .png".into()),
        _ => Ok(text.into()),
    }
}

/// Where boxes are computed.
#[derive(Debug, Args)]
pub(crate) struct BackendArgs {
    /// Where to compute.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) backend: BackendArg,
    #[command(flatten)]
    pub(crate) adapter: AdapterArg,
}

/// Which adapter to use.
#[derive(Debug, Args)]
pub(crate) struct AdapterArg {
    /// Use the adapter whose name holds this, case ignored; `boxwood info` lists them.
    #[arg(long, value_name = "NAME")]
    pub(crate) adapter: Option<String>,
}

/// How drawings are loaded.
#[derive(Debug, Args)]
pub(crate) struct LoadArgs {
    /// Draw texts with the bundled font and those of --font-dir alone, the same on every machine.
    #[arg(long)]
    pub(crate) no_system_fonts: bool,
    /// Load the fonts of this folder too; may be given more than once.
    #[arg(long, value_name = "DIR")]
    pub(crate) font_dir: Vec<PathBuf>,
    /// How long loading a drawing may take.
    #[arg(long, value_name = "SECONDS", default_value = "60", allow_negative_numbers = true, value_parser = seconds)]
    pub(crate) time_limit: Duration,
}

impl LoadArgs {
    /// How to load drawings as these say.
    ///
    /// # Errors
    ///
    /// A folder of fonts that cannot be listed: once, and not for each drawing.
    pub(crate) fn options(&self) -> Result<Options, boxwood_svg::Error> {
        let fonts = if self.no_system_fonts { Fonts::Bundled } else { Fonts::System };
        let (font_dirs, time_limit) = (self.font_dir.clone(), Some(self.time_limit));
        let options = Options { fonts, font_dirs, time_limit, ..Options::default() };
        options.check()?;
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn drawings_are_loaded_as_the_library_does_unless_it_is_asked_otherwise() {
        let options = |more: &[&str]| {
            let cli = Cli::try_parse_from([&["boxwood", "query", "a.svg"], more].concat());
            let Command::Query(args) = cli.expect("it is well-formed").command else {
                panic!("it is a query")
            };
            args.load.options().expect("there is nothing to miss")
        };
        assert_eq!(options(&[]), Options::default());
        let time_limit = Some(Duration::from_millis(90_500));
        let expected = Options { fonts: Fonts::Bundled, time_limit, ..Options::default() };
        assert_eq!(options(&["--no-system-fonts", "--time-limit", "90.5"]), expected);
    }
}
