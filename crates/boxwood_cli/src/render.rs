//! `boxwood render`: a picture in a file.

use std::fs;
use std::io::{self, Cursor, IsTerminal, Write};

use anyhow::{Context, Result, anyhow, bail};
use boxwood_svg::{Drawing, Drawn, Shown};
use boxwood_view::{OverlaySource, PictureSize, RenderError, RenderOptions, render_software};
use image::{ImageFormat, RgbaImage};

use crate::args::RenderArgs;
use crate::backend::{Backend, reason};
use crate::input::Loader;
use crate::output::Stdout;
use crate::report::Report;

/// Draws one file into a PNG.
pub(crate) fn render(args: &RenderArgs, report: &mut Report) -> Result<()> {
    let to_stdout = args.output.as_os_str() == "-";
    if to_stdout && io::stdout().is_terminal() {
        bail!("standard output is a terminal, and a PNG is not text: redirect it, or name a file with -o");
    }
    let mut backend = Backend::new(&args.backend)?;
    let drawing = Loader::new(args.load.options()?).load(&args.input)?;
    let options = RenderOptions {
        size: match (args.width, args.zoom) {
            (Some(width), _) => PictureSize::Width(width),
            (None, zoom) => PictureSize::Zoom(zoom.unwrap_or(1.0)),
        },
        background: args.background,
        overlay: args.overlay,
        boxes: args.boxes.unwrap_or(OverlaySource::Frame),
        legend: !args.no_legend && !args.overlay.is_empty(),
    };
    let (picture, drawn) = match backend.device(report)? {
        Some(device) => match boxwood_view::render(&device.gpu, &drawing, &options) {
            Err(error @ (RenderError::Limits(_) | RenderError::TooComplex)) if !backend.is_strict() => {
                let reason = match &error {
                    RenderError::Limits(error) => reason(error),
                    other => other.to_string(),
                };
                report.note(format_args!("drawing on the CPU: {reason}: {}", args.input));
                (on_the_cpu(&drawing, args, options), Drawn::Tree)
            }
            picture => (picture, Drawn::Encoding),
        },
        None => (on_the_cpu(&drawing, args, options), Drawn::Tree),
    };
    let shown = Shown { boxes: !args.overlay.is_empty(), picture: Some(drawn) };
    report.warnings(&args.input, &drawing.warnings, shown);
    let picture = picture.with_context(|| format!("cannot draw {}", args.input))?;
    let mut png = Cursor::new(Vec::new());
    picture.write_to(&mut png, ImageFormat::Png)?;
    if to_stdout {
        let mut out = Stdout::lock();
        out.write_all(png.get_ref())?;
        Ok(out.flush()?)
    } else {
        fs::write(&args.output, png.get_ref())
            .map_err(|error| anyhow!("cannot write the picture: {error}: {}", args.output.display()))
    }
}

/// Where no frame is drawn by a renderer, the boxes are the scene's, unless those of the frame are asked for.
fn on_the_cpu(
    drawing: &Drawing,
    args: &RenderArgs,
    options: RenderOptions,
) -> Result<RgbaImage, RenderError> {
    let options = RenderOptions { boxes: args.boxes.unwrap_or(OverlaySource::Scene), ..options };
    render_software(drawing, &boxwood_cpu::boxes(&drawing.elements), &options)
}
