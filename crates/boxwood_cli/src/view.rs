//! `boxwood view`: a window.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use boxwood_view::{
    Background, EditorCommand, OverlayKinds, OverlaySource, ViewInput, WindowOptions, keys_as_text, run,
};
use clap::Args;

use crate::device::AdapterArg;
use crate::input::{Input, LoadArgs, read_stdin};
use crate::query::BoxExporter;
use crate::report::Report;

const EXAMPLES: &str = "
Examples:
  # Show a drawing with its clipped boxes, clip boxes and group boxes
  boxwood view drawing.svg

  # Browse a folder, without boxes at first
  boxwood view drawings/ --overlay none

  # Show the boxes that `boxwood query` prints, on a grey background
  boxwood view drawing.svg --boxes scene --background '#ccc'";

/// The keys of the window, and examples.
fn after_help() -> String {
    format!("{}{EXAMPLES}", keys_as_text())
}

/// Show SVG drawings and their boxes in a window
///
/// Point at an element to see its box, and click it to see all facts about it. Drag to pan and
/// scroll to zoom. A file is loaded again when it changes.
#[derive(Debug, Args)]
#[command(after_long_help = after_help())]
pub(crate) struct ViewArgs {
    /// SVG or SVGZ files, folders of them, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    inputs: Vec<Input>,
    /// Kinds of box to show first, separated by commas: leaf, clipped, clip, group; or all, or none
    #[arg(long, value_name = "KINDS", default_value = "clipped,clip,group")]
    overlay: OverlayKinds,
    /// Source of these boxes: `frame` or `scene`
    ///
    /// The boxes of `frame` are those that the renderer has computed to draw this picture, in whole
    /// pixels. The boxes of `scene` are those that `query` prints.
    #[arg(long, value_name = "SOURCE", default_value = "frame")]
    boxes: OverlaySource,
    /// What is behind the drawing: checker, or a CSS colour such as white, #rgb, #rrggbbaa, or
    /// rgb(0 0 0 / 50%)
    #[arg(long, value_name = "COLOUR", default_value = "checker")]
    background: Background,
    /// The command that opens a file in an editor, such as 'code -g {file}:{line}:{column}'
    ///
    /// The key F4 opens the file at the selected element. Words are separated by spaces; a word
    /// with spaces is in double quotes.
    #[arg(long, value_name = "COMMAND")]
    editor: Option<EditorCommand>,
    /// Read the shaders of the window from a folder such as shaders/wgsl, and again when they
    /// change
    #[arg(long, value_name = "FOLDER", hide_short_help = true)]
    shaders: Option<PathBuf>,
    /// Let RenderDoc capture the picture with this number, starting at 1
    ///
    /// The program must be started by RenderDoc, and built with debug assertions.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), hide_short_help = true)]
    capture_frame: Option<u32>,
    /// Lose the graphics device after the window has been presented N times, as a driver that
    /// crashes does
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), hide_short_help = true)]
    lose_device: Option<u32>,
    #[command(flatten)]
    adapter: AdapterArg,
    #[command(flatten)]
    load: LoadArgs,
}

/// Shows the files in a window until it is closed.
pub(crate) fn view(args: &ViewArgs, report: &mut Report) -> Result<()> {
    let load = args.load.options()?;
    let mut inputs = Vec::new();
    for input in &args.inputs {
        match input {
            // The window shows why a file cannot be loaded, but a missing file is probably a
            // mistake.
            Input::Path(path) if !path.exists() => {
                report.error(format_args!("there is no file {}", path.display()));
            }
            Input::Path(path) => {
                // The window lists folders itself, and again when they change.
                let files = input.files();
                for file in &files {
                    if let Input::NoFiles { message, .. } = file {
                        report.error(message);
                    }
                }
                if files.iter().any(|file| matches!(file, Input::Path(_))) {
                    inputs.push(ViewInput::Path(path.clone()));
                }
            }
            Input::NoFiles { message, .. } => report.error(message),
            Input::Stdin => {
                inputs.push(ViewInput::Bytes { name: "stdin".to_owned(), bytes: read_stdin()?.into() });
            }
        }
    }
    if inputs.is_empty() {
        return Ok(());
    }
    let options = WindowOptions {
        adapter: args.adapter.name.clone(),
        overlay: args.overlay,
        boxes: args.boxes,
        background: args.background,
        editor: args.editor.clone(),
        shaders: args.shaders.clone(),
        capture_frame: args.capture_frame,
        lose_device: args.lose_device,
        load,
        exporter: Some(Arc::new(BoxExporter)),
    };
    Ok(run(inputs, options)?)
}
