//! `boxwood render`: pictures in files.

use std::io::{self, Cursor, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, anyhow, bail};
use boxwood_query::{Ink, Length, NotFound};
use boxwood_render::{Background, Legend, OverlayKinds, OverlaySource, PictureSize};
use boxwood_render::{CpuRenderer, Painter, RenderError, RenderOptions, render_on_cpu};
use boxwood_svg::{Drawing, Drawn, Only, Options, Shown};
use clap::{ArgGroup, Args, ValueEnum};
use image::{ImageFormat, RgbaImage};
use kurbo::Rect;

use crate::device::{Backend, BackendArgs, Device, reason};
use crate::input::{FilesArgs, Input, LoadArgs};
use crate::numbers::{width, zoom};
use crate::output::OutputFile;
use crate::outputs::{Conversion, Written, only_drawing, outputs_in};
use crate::report::Report;
use crate::watch::WatchArg;
use crate::watch_files::is_svg_name;

const EXAMPLES: &str = "\
Examples:
  # Draw a picture with clip boxes and clipped boxes
  boxwood render drawing.svg -o drawing.png --overlay clip,clipped

  # Draw the drawing alone, 800 pixels wide, on a white background
  boxwood render drawing.svg -o drawing.png --width 800 --background white

  # Draw every box at 400 %, without a legend
  boxwood render drawing.svg -o drawing.png --overlay all --zoom 4 --legend none

  # Draw the part of a drawing where an element is, 256 pixels wide
  boxwood render drawing.svg -o logo.png --crop logo --width 256

  # Draw two elements and 2 px around them
  boxwood render drawing.svg -o both.png --crop a --crop b --padding 2

  # Draw an element alone, on a transparent background
  boxwood render drawing.svg -o logo.png --only logo --background none

  # Draw every drawing in a folder, with all cores
  boxwood render icons/ --output-dir pictures/

  # Read from standard input and write to standard output
  boxwood render - -o - --background '#fff8' < drawing.svg > drawing.png";

/// Draw SVG drawings and their boxes into PNG files
///
/// An existing file is replaced only when the new one is complete.
///
/// A picture has at most 64 Mi (67108864) pixels. On the CPU, each side has at most 8192 pixels. On
/// a GPU, `boxwood info` prints the limit, which is at least 8192.
#[derive(Clone, Debug, Args)]
#[command(
    after_long_help = EXAMPLES,
    group = ArgGroup::new("drawings").args(["inputs", "files_from"]).required(true).multiple(true),
    group = ArgGroup::new("pictures").args(["output", "output_dir"]).required(true),
    override_usage = "boxwood render [OPTIONS] <FILE> -o <OUT.png>\n       \
                      boxwood render [OPTIONS] <FILE>... --output-dir <DIR>"
)]
pub(crate) struct RenderArgs {
    #[command(flatten)]
    files: FilesArgs,
    #[command(flatten)]
    watch: WatchArg,
    /// The PNG file to write, or - for standard output
    #[arg(short, long, value_name = "OUT.png")]
    output: Option<PathBuf>,
    /// Write the picture of each drawing into this folder
    ///
    /// `icons/a.svg` becomes `DIR/a.png`. The pictures of a folder are in the same subfolders as
    /// the drawings. Nothing is written if two drawings would have the same picture, or if a
    /// picture would replace a drawing.
    #[arg(long, value_name = "DIR")]
    output_dir: Option<PathBuf>,
    /// Kinds of box to draw over the picture, separated by commas: leaf, clipped, clip, group; or
    /// all, or none
    #[arg(long, value_name = "KINDS", default_value = "none", hide_default_value = true)]
    overlay: OverlayKinds,
    /// Source of these boxes: `frame` or `scene`
    ///
    /// The boxes of `frame` are those that the renderer on the GPU has computed to draw this
    /// picture, in whole pixels. The boxes of `scene` are those that `query` prints. The default is
    /// `frame` on a GPU and `scene` on the CPU.
    #[arg(long, value_name = "SOURCE", requires = "overlay", hide_short_help = true)]
    boxes: Option<OverlaySource>,
    /// Draw only the box of the element with this id or path (may be repeated)
    ///
    /// Several elements have the box around all of them. It is the box of what the element paints
    /// inside of its clips, as `query --kind clipped,group` prints it. With --zoom, its edges are
    /// rounded outward to whole pixels. An id also names everything that a <use> draws of its
    /// element. It is an error if there is no such element, or if it has no box.
    #[arg(long, value_name = "ID")]
    crop: Vec<String>,
    /// Also draw this much around the box of --crop [default: 0]
    ///
    /// A number with the unit px (CSS pixels at 100 %, the default), user (user units of the
    /// root), or mm. Nothing is drawn beyond the canvas except for the background.
    #[arg(
        long,
        value_name = "LENGTH",
        requires = "crop",
        allow_negative_numbers = true,
        hide_short_help = true
    )]
    padding: Option<Length>,
    /// Draw only this element (may be repeated)
    ///
    /// The name is an id, a path such as /svg/g[1], or else a CSS selector. The element is drawn
    /// where it is, with everything in it and with the effects around it, such as opacity and clip
    /// paths. With --crop, the picture ends at its box.
    #[arg(long, value_name = "ID|SELECTOR")]
    only: Vec<String>,
    /// Do not clip the elements of --only by the clip paths, masks, and inner viewports around
    /// them; the canvas still does
    #[arg(long, requires = "only", hide_short_help = true)]
    no_clips: bool,
    /// Width of the picture in pixels; the height is in proportion
    #[arg(long, value_name = "W", conflicts_with = "zoom", allow_negative_numbers = true, value_parser = width)]
    width: Option<u32>,
    /// Pixels of the picture per CSS pixel [default: 1]
    #[arg(long, value_name = "Z", allow_negative_numbers = true, value_parser = zoom)]
    zoom: Option<f64>,
    /// What is behind the drawing: checker, none, or a CSS colour such as white, #rgb, #rrggbbaa,
    /// or rgb(0 0 0 / 50%)
    #[arg(long, value_name = "COLOUR", default_value = "checker", value_parser = background)]
    background: Background,
    /// Place of the legend of the boxes
    #[arg(long, value_name = "PLACE", value_enum, default_value_t, hide_short_help = true)]
    legend: LegendArg,
    #[command(flatten)]
    backend: BackendArgs,
    #[command(flatten)]
    load: LoadArgs,
}

/// A place of the legend.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum LegendArg {
    /// Do not draw a legend
    None,
    /// Over the drawing, at the bottom left; a picture that is too small has no legend
    Inside,
    /// Below the drawing, in a strip that --width and --zoom do not count
    #[default]
    Below,
}

impl From<LegendArg> for Legend {
    fn from(legend: LegendArg) -> Self {
        match legend {
            LegendArg::None => Self::None,
            LegendArg::Inside => Self::Inside,
            LegendArg::Below => Self::Below,
        }
    }
}

/// Draws every file into a PNG, and again after each change if that is requested.
pub(crate) fn render(args: &RenderArgs, report: &mut Report) -> Result<()> {
    let inputs = args.files.inputs()?;
    let worker = Arc::new(Worker::new(args)?);
    args.watch.run(&inputs, report, |report| draw_all(args.pictures(&inputs, report)?, &worker, report))
}

impl RenderArgs {
    /// The drawings and the places of their pictures.
    fn pictures(&self, inputs: &[Input], report: &mut Report) -> Result<Vec<Conversion>> {
        match (&self.output, &self.output_dir) {
            (Some(path), _) => Ok(vec![one_picture(inputs, path)?]),
            (None, Some(folder)) => outputs_in(folder, inputs, picture_name, report),
            (None, None) => Ok(vec![]),
        }
    }

    /// The part of a drawing that `--crop` and `--padding` name. `None` for the whole drawing.
    fn crop_box(&self, drawing: &Drawing) -> Result<Option<Rect>> {
        if self.crop.is_empty() {
            return Ok(None);
        }
        let (ink, mut boxes) = (Ink::new(drawing), Vec::new());
        for id in &self.crop {
            let is_named = drawing.named(id);
            if !is_named.contains(&true) {
                bail!(NotFound::Id { id: id.clone() });
            }
            let bounds = ink.of(|order| is_named[order]);
            boxes.push(bounds.map_err(|reason| anyhow!("`{id}` has no box: it {reason}"))?);
        }
        let [dx, dy] = self.padding.unwrap_or_default().in_scene(drawing.user_from_scene());
        Ok(boxes.into_iter().reduce(|all, ink| all.union(ink)).map(|all| all.inflate(dx, dy)))
    }
}

/// The picture of the only drawing, at the path that `-o` names.
///
/// # Errors
///
/// There are several drawings, or the picture cannot be written.
fn one_picture(inputs: &[Input], path: &Path) -> Result<Conversion> {
    let input = only_drawing(inputs, "use --output-dir")?.clone();
    let output = if path != Path::new("-") {
        Some(OutputFile::new(path, "png", inputs)?)
    } else if io::stdout().is_terminal() {
        bail!("standard output is a terminal, and a PNG is not text: redirect it, or name a file with -o");
    } else {
        None
    };
    Ok(Conversion { input, output })
}

/// Parses a background. `none` is transparent.
pub(crate) fn background(text: &str) -> Result<Background, <Background as FromStr>::Err> {
    if text == "none" { Ok(Background::TRANSPARENT) } else { text.parse() }
}

/// The name of a picture by that of its drawing.
fn picture_name(drawing: &Path) -> PathBuf {
    if is_svg_name(drawing) {
        return drawing.with_extension("png");
    }
    let mut name = drawing.as_os_str().to_owned();
    name.push(".png");
    name.into()
}

/// Draws every picture.
fn draw_all(pictures: Vec<Conversion>, worker: &Arc<Worker>, report: &mut Report) -> Result<()> {
    let work = {
        let worker = Arc::clone(worker);
        move |picture: Conversion, report: &mut Report| {
            let written = worker.write(&picture, report);
            report.ok(written)
        }
    };
    let summary = worker
        .args
        .files
        .jobs
        .run(pictures, report, work, |written, _| written.map_or(Ok(0), |written| written.print()))?;
    summary.report(report);
    Ok(())
}

/// Everything that a thread needs to draw a file.
struct Worker {
    args: RenderArgs,
    load: Options,
    backend: Backend,
    /// The painter on the GPU, which is made for the first drawing. It draws one at a time.
    painter: Mutex<Option<Painter>>,
}

impl Worker {
    fn new(args: &RenderArgs) -> Result<Self> {
        let (mut load, backend) = (args.load.options()?, Backend::for_pictures(&args.backend)?);
        if !args.only.is_empty() {
            load.only = Some(Only { names: args.only.clone(), clips: !args.no_clips });
        }
        Ok(Self { args: args.clone(), load, backend, painter: Mutex::default() })
    }

    /// Draws a picture, and writes it unless it goes to standard output.
    fn write(&self, Conversion { input, output }: &Conversion, report: &mut Report) -> Result<Written> {
        let drawing = input.load(&self.load)?;
        if let Some(file) = output {
            file.check_is_none_of(&drawing.image_files)?;
        }
        let crop = self.args.crop_box(&drawing);
        let crop = crop.with_context(|| format!("cannot crop {input}"))?;
        let (picture, drawn) = self.draw(&drawing, crop, input, report);
        let shown = Shown { boxes: !self.args.overlay.is_empty(), picture: Some(drawn) };
        report.warnings(input, &drawing.warnings, shown);
        let picture = picture.map_err(|error| match error {
            RenderError::Size { .. } => anyhow!("{error}: choose another --width or --zoom"),
            error => error.into(),
        });
        let picture = picture.with_context(|| format!("cannot draw {input}"))?;
        let mut png = Cursor::new(Vec::new());
        picture.write_to(&mut png, ImageFormat::Png)?;
        let mut png = png.into_inner();
        if let Some(file) = output {
            file.write(&png)?;
            png.clear();
        }
        Ok(Written { n_elements: drawing.elements.len(), for_stdout: png })
    }

    /// Draws a drawing or a part of it on the GPU, or on the CPU if there is no GPU or the drawing
    /// is too large for it.
    fn draw(
        &self,
        drawing: &Drawing,
        crop: Option<Rect>,
        input: &Input,
        report: &mut Report,
    ) -> (Result<RgbaImage, RenderError>, Drawn) {
        let args = &self.args;
        let options = |default| RenderOptions {
            crop,
            size: match (args.width, args.zoom) {
                (Some(width), _) => PictureSize::Width(width),
                (None, zoom) => PictureSize::Zoom(zoom.unwrap_or(1.0)),
            },
            background: args.background,
            overlay: args.overlay,
            boxes: args.boxes.unwrap_or(default),
            legend: args.legend.into(),
        };
        if let Some(device) = self.backend.device(report) {
            let picture = self.paint(device, drawing, &options(OverlaySource::Frame));
            let reason = match &picture {
                Err(RenderError::Limits(error)) if !self.backend.requires_gpu() => reason(error),
                Err(error @ RenderError::TooComplex(_)) if !self.backend.requires_gpu() => error.to_string(),
                _ => return (picture, Drawn::Encoding),
            };
            report.note(format_args!("{input}: drawing on the CPU: {reason}"));
        }
        let renderer = self.backend.cpu_renderer();
        let drawn = match renderer {
            CpuRenderer::Resvg => Drawn::Tree,
            CpuRenderer::VelloCpu => Drawn::Encoding,
        };
        (render_on_cpu(drawing, renderer, &options(OverlaySource::Scene)), drawn)
    }

    /// Draws a drawing on the GPU, when other threads have drawn theirs.
    fn paint(
        &self,
        device: &Device,
        drawing: &Drawing,
        options: &RenderOptions,
    ) -> Result<RgbaImage, RenderError> {
        let mut painter = self.painter.lock().unwrap_or_else(PoisonError::into_inner);
        let painter = match &mut *painter {
            Some(painter) => painter,
            none => none.insert(Painter::new(&device.gpu)?),
        };
        painter.set_drawing(drawing)?;
        painter.render(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_the_name_of_its_drawing() {
        for (drawing, picture) in
            [("a.svg", "a.png"), ("deep/er/a.b.SVGZ", "deep/er/a.b.png"), ("logo.v2", "logo.v2.png")]
        {
            assert_eq!(picture_name(Path::new(drawing)), Path::new(picture));
        }
    }
}
