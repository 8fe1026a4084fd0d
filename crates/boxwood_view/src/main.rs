//! The program `boxwood-view`: the window of `boxwood view`.

use std::process::ExitCode;

use anyhow::Result;
use boxwood_cli::{Input, MessageArgs, Report, VIEW_EXAMPLES, ViewArgs, read_stdin, run_program};
use boxwood_view::{ViewInput, WindowOptions, is_catching_panics, keys_as_text, run};
use clap::Parser;

/// Show SVG drawings and their boxes in a window
///
/// Point at an element to see its box, and click it to see all facts about it. Drag to pan and
/// scroll to zoom. A file is loaded again when it changes. The key ? lists all keys.
#[derive(Debug, Parser)]
#[command(name = "boxwood-view", version, after_long_help = after_help(), max_term_width = 110)]
struct Cli {
    #[command(flatten)]
    view: ViewArgs,
    #[command(flatten)]
    messages: MessageArgs,
}

/// The keys of the window, and examples.
fn after_help() -> String {
    format!("{}\n{VIEW_EXAMPLES}", keys_as_text())
}

fn main() -> ExitCode {
    run_program(is_catching_panics, |cli: &Cli| &cli.messages, |cli, report| view(&cli.view, report))
}

/// Shows the files in a window until it is closed.
fn view(args: &ViewArgs, report: &mut Report) -> Result<()> {
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
    };
    Ok(run(inputs, options)?)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_help_has_the_options_the_keys_and_examples() {
        Cli::command().debug_assert();
        let help = Cli::command().render_long_help().to_string();
        for part in
            ["Show SVG drawings", "--overlay", "--adapter", "--quiet", "Ctrl+K", "boxwood view drawing"]
        {
            assert!(help.contains(part), "no {part} in {help}");
        }
    }
}
