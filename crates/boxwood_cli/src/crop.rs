//! `boxwood crop`: drawings without the empty space around what they paint.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use boxwood_query::{Length, Margin, Wanted};
use boxwood_svg::{Options, Selector, Shown, may_change};
use clap::{ArgGroup, Args};
use flate2::Compression;
use flate2::read::GzEncoder;

use crate::input::{FilesArgs, Input, LoadArgs, expand};
use crate::output::OutputFile;
use crate::outputs::{Conversion, Written, extension, only_drawing, outputs_in};
use crate::report::Report;

const EXAMPLES: &str = "\
Examples:
  # Crop a drawing to what it paints
  boxwood crop drawing.svg -o cropped.svg

  # Make every icon in a folder square, with 1 px around it
  boxwood crop icons/ --square --padding 1 --in-place

  # Crop to one element
  boxwood crop drawing.svg --id logo -o logo.svg

  # Crop a standard input to a standard output
  boxwood crop - -o - < drawing.svg > cropped.svg";

/// Crop SVG drawings to what they paint
///
/// Sets the viewBox of the root, and its width and height in their units, so that the canvas is the
/// box of everything that is painted: the union of the clipped boxes. Only the start tag of the
/// root is edited. Every other byte of the file stays.
///
/// The edges are rounded outward, to fewer than 1/10000 of the larger side. A canvas that is right
/// up to 2/10000 of that is left alone, so that a second crop changes nothing.
///
/// A width and a height in percent stay: the drawing fills the same place. It is an error if
/// something in the drawing would change, such as an element whose width is in percent of the
/// canvas or a colour that `@media` sets for its size, or if a margin would show what the canvas
/// cuts off.
#[derive(Clone, Debug, Args)]
#[command(
    group = ArgGroup::new("drawings").args(["inputs", "files_from"]).required(true).multiple(true),
    group = ArgGroup::new("outputs").args(["output", "in_place"]).required(true),
    after_long_help = EXAMPLES,
    override_usage = "boxwood crop [OPTIONS] <FILE>... -o <OUT>\n       \
                      boxwood crop [OPTIONS] <FILE>... --in-place"
)]
pub(crate) struct CropArgs {
    #[command(flatten)]
    files: FilesArgs,
    /// The SVG or SVGZ file to write, - for standard output, or a folder
    ///
    /// It is a folder if it exists as one, if its name ends with /, or if there are several
    /// drawings. A drawing keeps its name there. The drawings of a folder are in the same
    /// subfolders.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Replace the drawings
    ///
    /// A file is replaced only when the new one is complete, and keeps its permissions. A file that
    /// does not change is not written.
    #[arg(long)]
    in_place: bool,
    /// Crop to the element with this id or path (may be repeated)
    ///
    /// It is an error if a drawing does not have the element.
    #[arg(long, value_name = "ID")]
    id: Vec<String>,
    /// Crop to what this CSS selector matches (may be repeated)
    ///
    /// For example, 'rect.logo, g#a > path'. Other elements inside of the new canvas stay visible.
    /// It is an error if a drawing has no such element.
    #[arg(long, value_name = "SELECTOR")]
    select: Vec<Selector>,
    /// Leave this much space on each side [default: 0]
    ///
    /// A number with the unit px (CSS pixels at 100 %, the default), user (user units of the
    /// root), or mm.
    #[arg(long, value_name = "LENGTH", allow_negative_numbers = true)]
    padding: Option<Length>,
    /// Make the canvas square, with the contents in the middle
    #[arg(long)]
    square: bool,
    #[command(flatten)]
    load: LoadArgs,
}

/// Crops every file.
pub(crate) fn crop(args: &CropArgs, report: &mut Report) -> Result<()> {
    let inputs = args.files.inputs()?;
    let worker = Worker {
        options: args.load.options()?,
        wanted: Wanted { ids: args.id.clone(), selectors: args.select.clone() },
        margin: Margin { padding: args.padding.unwrap_or_default(), is_square: args.square },
        is_in_place: args.in_place,
    };
    let conversions = args.conversions(&inputs, report)?;
    let work = {
        let worker = Arc::new(worker);
        move |conversion: Conversion, report: &mut Report| {
            let cropped = worker.write(&conversion, report);
            let cropped = cropped.with_context(|| format!("cannot crop {}", conversion.input));
            report.ok(cropped)
        }
    };
    let summary = args
        .files
        .jobs
        .run(conversions, report, work, |written, _| written.map_or(Ok(0), |written| written.print()))?;
    summary.report(report);
    Ok(())
}

impl CropArgs {
    /// The drawings and the places of the cropped ones.
    fn conversions(&self, inputs: &[Input], report: &mut Report) -> Result<Vec<Conversion>> {
        let Some(path) = &self.output else { return in_place(inputs, report) };
        // A name that ends with a slash is that of a folder that does not exist yet.
        let is_folder = |path: &Path| path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/');
        let has_several = inputs.len() > 1 || matches!(inputs, [Input::Path(input)] if is_folder(input));
        if path != Path::new("-") && (is_folder(path) || has_several) {
            return outputs_in(path, inputs, Path::to_owned, report);
        }
        let input = only_drawing(inputs, "name a folder with -o")?.clone();
        let to_file = || {
            let is_compressed = extension(path).eq_ignore_ascii_case(SVGZ);
            OutputFile::new(path, if is_compressed { SVGZ } else { "svg" }, inputs)
        };
        let output = (path != Path::new("-")).then(to_file).transpose()?;
        Ok(vec![Conversion { input, output }])
    }
}

/// The changes of a drawing, as [`may_change`] names them, that can move what it paints.
const MOVING: [&str; 3] = ["scripts", "animations", "CSS animations"];

/// The extension of compressed drawings.
const SVGZ: &str = "svgz";

/// The drawings, each in its own place. Reports those that cannot be written, and leaves them out.
fn in_place(inputs: &[Input], report: &mut Report) -> Result<Vec<Conversion>> {
    let mut conversions = Vec::new();
    for input in expand(inputs) {
        let output = match &input {
            // The drawings are not listed as inputs here, because each one may be replaced.
            Input::Path(path) => OutputFile::new(path, extension(path), &[]),
            Input::NoFiles { message, .. } => Err(anyhow!("{message}")),
            Input::Stdin => bail!("--in-place is for files: write standard input to a file with -o"),
        };
        if let Some(output) = report.ok(output) {
            conversions.push(Conversion { input, output: Some(output) });
        }
    }
    Ok(conversions)
}

/// Everything that a thread needs to crop a file.
struct Worker {
    options: Options,
    /// The elements that a drawing is cropped to.
    wanted: Wanted,
    margin: Margin,
    is_in_place: bool,
}

impl Worker {
    /// Crops a drawing, and writes it unless it goes to standard output.
    fn write(&self, Conversion { input, output }: &Conversion, report: &mut Report) -> Result<Written> {
        let (text, is_compressed) = input.read()?;
        let options = Options { resources_dir: input.folder(), ..self.options.clone() };
        let drawing = boxwood_svg::load(&text, &options)?;
        report.warnings(input, &drawing.warnings, Shown::BOXES);
        let n_elements = drawing.elements.len();
        let cropped = boxwood_query::crop(&text, &drawing, &options, self.margin, &self.wanted)?;
        let moving: Vec<_> = may_change(&drawing).into_iter().filter(|what| MOVING.contains(what)).collect();
        if !moving.is_empty() && cropped.is_some() {
            let moving = moving.join(", ");
            report.warning(format_args!(
                "{input}: has {moving}: the canvas is right for the drawing as it is loaded"
            ));
        }
        let Some(file) = output else {
            return Ok(Written { n_elements, for_stdout: cropped.unwrap_or(text) });
        };
        file.check_is_none_of(&drawing.image_files)?;
        // In place, an unchanged file is not touched. Elsewhere, it has to exist.
        if !self.is_in_place || cropped.is_some() {
            // In place, a file stays as compressed as it is, whatever its name says.
            let is_svgz = extension(file.path()).eq_ignore_ascii_case(SVGZ);
            let is_compressed = if self.is_in_place { is_compressed } else { is_svgz };
            let text = cropped.unwrap_or(text);
            file.write(&if is_compressed { compressed(&text)? } else { text })?;
        }
        Ok(Written { n_elements, for_stdout: Vec::new() })
    }
}

/// A text as SVGZ.
fn compressed(text: &[u8]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    GzEncoder::new(text, Compression::best()).read_to_end(&mut bytes)?;
    Ok(bytes)
}
