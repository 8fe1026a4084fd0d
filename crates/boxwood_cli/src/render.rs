//! `boxwood render`: a picture in a file.

use std::io::{self, Cursor, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use boxwood_svg::{Drawing, Drawn, Shown};
use boxwood_view::{Background, Legend, OverlayKinds, OverlaySource, PictureSize};
use boxwood_view::{RenderError, RenderOptions, render_software};
use clap::{Args, ValueEnum};
use image::{ImageFormat, RgbaImage};

use crate::device::{Backend, BackendArgs, reason};
use crate::input::{Input, LoadArgs};
use crate::numbers::{width, zoom};
use crate::output::{OutputFile, Stdout};
use crate::report::Report;

const EXAMPLES: &str = "\
Examples:
  # Draw a picture with clip boxes and clipped boxes
  boxwood render drawing.svg -o drawing.png --overlay clip,clipped

  # Draw the drawing alone, 800 pixels wide, on a white background
  boxwood render drawing.svg -o drawing.png --width 800 --background white

  # Draw every box at 400 %, without a legend
  boxwood render drawing.svg -o drawing.png --overlay all --zoom 4 --legend none

  # Read from standard input and write to standard output
  boxwood render - -o - --background '#fff8' < drawing.svg > drawing.png";

/// Draw an SVG drawing and its boxes into a PNG file
///
/// The existing file is replaced only when the new one is complete.
///
/// A picture has at most 64 Mi (67108864) pixels. On the CPU, each side has at most 8192 pixels. On
/// a GPU, `boxwood info` prints the limit, which is at least 8192.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct RenderArgs {
    /// An SVG or SVGZ file, or - for standard input
    #[arg(value_name = "FILE")]
    input: Input,
    /// The PNG file to write, or - for standard output
    #[arg(short, long, value_name = "OUT.png")]
    output: PathBuf,
    /// Kinds of box to draw over the picture, separated by commas: leaf, clipped, clip, group; or
    /// all, or none
    #[arg(long, value_name = "KINDS", default_value = "none", hide_default_value = true)]
    overlay: OverlayKinds,
    /// Source of these boxes: `frame` or `scene`
    ///
    /// The boxes of `frame` are those that the renderer on the GPU has computed to draw this
    /// picture, in whole pixels. The boxes of `scene` are those that `query` prints. The default is
    /// `frame` on a GPU and `scene` on the CPU.
    #[arg(long, value_name = "SOURCE", requires = "overlay")]
    boxes: Option<OverlaySource>,
    /// Width of the picture in pixels; the height is in proportion
    #[arg(long, value_name = "W", conflicts_with = "zoom", allow_negative_numbers = true, value_parser = width)]
    width: Option<u32>,
    /// Pixels of the picture per CSS pixel [default: 1]
    #[arg(long, value_name = "Z", allow_negative_numbers = true, value_parser = zoom)]
    zoom: Option<f64>,
    /// What is behind the drawing: checker, or a CSS colour such as white, #rgb, #rrggbbaa, or
    /// rgb(0 0 0 / 50%)
    #[arg(long, value_name = "COLOUR", default_value = "checker")]
    background: Background,
    /// Place of the legend of the boxes
    #[arg(long, value_name = "PLACE", value_enum, default_value_t)]
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

/// Draws a file into a PNG.
pub(crate) fn render(args: &RenderArgs, report: &mut Report) -> Result<()> {
    let file = match args.output.as_path() {
        path if path == Path::new("-") => {
            if io::stdout().is_terminal() {
                bail!(
                    "standard output is a terminal, and a PNG is not text: redirect it, or name a file with -o"
                );
            }
            None
        }
        path => Some(OutputFile::new(path, "png", std::slice::from_ref(&args.input))?),
    };
    let drawing = args.input.load(&args.load.options()?)?;
    if let Some(file) = &file {
        file.check_is_none_of(&drawing.image_files)?;
    }
    let backend = Backend::new(&args.backend)?;
    let (picture, drawn) = draw(args, &drawing, &backend, report);
    let shown = Shown { boxes: !args.overlay.is_empty(), picture: Some(drawn) };
    report.warnings(&args.input, &drawing.warnings, shown);
    let picture = picture.with_context(|| format!("cannot draw {}", args.input))?;
    let mut png = Cursor::new(Vec::new());
    picture.write_to(&mut png, ImageFormat::Png)?;
    match file {
        Some(file) => file.write(png.get_ref())?,
        None => {
            let mut out = Stdout::lock();
            out.write_all(png.get_ref())?;
            out.flush()?;
        }
    }
    Ok(())
}

/// Draws a drawing on the GPU, or on the CPU if there is no GPU or the drawing is too large for it.
fn draw(
    args: &RenderArgs,
    drawing: &Drawing,
    backend: &Backend,
    report: &mut Report,
) -> (Result<RgbaImage, RenderError>, Drawn) {
    let options = |default| RenderOptions {
        size: match (args.width, args.zoom) {
            (Some(width), _) => PictureSize::Width(width),
            (None, zoom) => PictureSize::Zoom(zoom.unwrap_or(1.0)),
        },
        background: args.background,
        overlay: args.overlay,
        boxes: args.boxes.unwrap_or(default),
        legend: args.legend.into(),
    };
    if let Some(device) = backend.device(report) {
        let picture = boxwood_view::render(&device.gpu, drawing, &options(OverlaySource::Frame));
        let reason = match &picture {
            Err(RenderError::Limits(error)) if !backend.requires_gpu() => reason(error),
            Err(error @ RenderError::TooComplex(_)) if !backend.requires_gpu() => error.to_string(),
            _ => return (picture, Drawn::Encoding),
        };
        report.note(format_args!("{}: drawing on the CPU: {reason}", args.input));
    }
    let boxes = boxwood_cpu::boxes(&drawing.elements);
    (render_software(drawing, &boxes, &options(OverlaySource::Scene)), Drawn::Tree)
}
