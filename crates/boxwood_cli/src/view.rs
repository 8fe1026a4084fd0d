//! `boxwood view`: starts the program with the window.

use std::env::{self, consts::EXE_EXTENSION};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use boxwood_render::{Background, OverlayKinds, OverlaySource};
use clap::Args;

use crate::device::AdapterArg;
use crate::editor::EditorCommand;
use crate::input::{Input, LoadArgs};

/// The name of the program with the window.
const PROGRAM: &str = "boxwood-view";

/// The examples of `boxwood view`, for the end of its help.
pub const VIEW_EXAMPLES: &str = "\
Examples:
  # Show a drawing with its clipped boxes, clip boxes and group boxes
  boxwood view drawing.svg

  # Browse a folder, without boxes at first
  boxwood view drawings/ --overlay none

  # Show the boxes that `boxwood query` prints, on a grey background
  boxwood view drawing.svg --boxes scene --background '#ccc'";

/// Show SVG drawings and their boxes in a window
///
/// Point at an element to see its box, and click it to see all facts about it. Drag to pan and
/// scroll to zoom. A file is loaded again when it changes. The key ? lists all keys.
#[derive(Debug, Args)]
#[command(after_long_help = VIEW_EXAMPLES)]
pub struct ViewArgs {
    /// SVG or SVGZ files, folders of them, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub inputs: Vec<Input>,
    /// Kinds of box to show first, separated by commas: leaf, clipped, clip, group; or all, or none
    #[arg(long, value_name = "KINDS", default_value = "clipped,clip,group")]
    pub overlay: OverlayKinds,
    /// Source of these boxes: `frame` or `scene`
    ///
    /// The boxes of `frame` are those that the renderer has computed to draw this picture, in whole
    /// pixels. The boxes of `scene` are those that `query` prints.
    #[arg(long, value_name = "SOURCE", default_value = "frame")]
    pub boxes: OverlaySource,
    /// What is behind the drawing: checker, or a CSS colour such as white, #rgb, #rrggbbaa, or
    /// rgb(0 0 0 / 50%)
    #[arg(long, value_name = "COLOUR", default_value = "checker")]
    pub background: Background,
    /// The command that opens a file in an editor, such as 'code -g {file}:{line}:{column}'
    ///
    /// The key F4 opens the file at the selected element. Words are separated by spaces; a word
    /// with spaces is in double quotes.
    #[arg(long, value_name = "COMMAND")]
    pub editor: Option<EditorCommand>,
    /// Read the shaders of the window from a folder such as shaders/wgsl, and again when they
    /// change
    #[arg(long, value_name = "FOLDER", hide_short_help = true)]
    pub shaders: Option<PathBuf>,
    /// Let RenderDoc capture the picture with this number, starting at 1
    ///
    /// The program must be started by RenderDoc, and built with debug assertions.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), hide_short_help = true)]
    pub capture_frame: Option<u32>,
    /// Lose the graphics device after the window has been presented N times, as a driver that
    /// crashes does
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), hide_short_help = true)]
    pub lose_device: Option<u32>,
    /// The adapter of the window.
    #[command(flatten)]
    pub adapter: AdapterArg,
    /// How drawings are loaded.
    #[command(flatten)]
    pub load: LoadArgs,
}

/// Starts the program with the window, which gets the same arguments. Its exit code becomes that of
/// this program.
///
/// # Errors
///
/// There is no such program, or it cannot be started.
pub(crate) fn view() -> Result<()> {
    let Some(program) = find_program() else {
        bail!(
            "`boxwood view` needs the program {PROGRAM}, which is neither next to this program nor in PATH: install \
             it with `cargo install --path crates/boxwood_view --locked`, or run it with `cargo run -p boxwood_view -- \
             FILE`"
        );
    };
    let mut command = Command::new(&program);
    command.args(arguments_of_view(env::args_os().skip(1)));
    replace_process(command).with_context(|| format!("cannot start {}", program.display()))
}

/// The program with the window: the one next to this program, or else the first one in `PATH`.
fn find_program() -> Option<PathBuf> {
    let own = env::current_exe().ok().and_then(|own| own.canonicalize().ok());
    let beside = own.and_then(|own| own.parent().map(PathBuf::from));
    let in_path = env::var_os("PATH").map(|path| env::split_paths(&path).collect::<Vec<_>>());
    let program = |folder: PathBuf| folder.join(PROGRAM).with_extension(EXE_EXTENSION);
    beside.into_iter().chain(in_path.into_iter().flatten()).map(program).find(|program| program.is_file())
}

/// The arguments of the command line except the name of the subcommand. No value of an option
/// before it is this word, so the first one is the name.
fn arguments_of_view(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<_> = arguments.collect();
    if let Some(name) = arguments.iter().position(|argument| argument == "view") {
        arguments.remove(name);
    }
    arguments
}

/// Runs another program in the place of this one. It only returns if that fails.
#[cfg(unix)]
fn replace_process(mut command: Command) -> Result<()> {
    use std::os::unix::process::CommandExt as _;
    Err(command.exec().into())
}

/// Runs another program, and ends this one with its exit code.
#[cfg(not(unix))]
fn replace_process(mut command: Command) -> Result<()> {
    let status = command.status()?;
    // A program that was ended from outside may have no code.
    std::process::exit(status.code().unwrap_or(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_gets_every_argument_except_the_name_of_the_command() {
        for (given, expected) in [
            ("view a.svg", "a.svg"),
            ("-q --color never view --overlay none view", "-q --color never --overlay none view"),
        ] {
            let arguments = arguments_of_view(given.split(' ').map(OsString::from));
            assert_eq!(arguments, expected.split(' ').map(OsString::from).collect::<Vec<_>>());
        }
    }
}
