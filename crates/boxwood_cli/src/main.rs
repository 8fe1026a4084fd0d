//! The `boxwood` command.

mod bench;
mod check;
mod device;
#[cfg(unix)]
mod environment;
mod info;
mod input;
mod jobs;
mod numbers;
mod output;
mod query;
mod render;
mod report;
mod view;

use std::process::ExitCode;
use std::{io, panic, thread};

use clap::{Parser, Subcommand};

use report::Report;

const EXAMPLES: &str = "\
Examples:
  boxwood query drawing.svg                       print every box as a table
  boxwood query drawing.svg --id logo --kind clipped --format csv
  boxwood query drawing.svg --include fill,stroke --space local   print what getBBox returns
  boxwood query drawing.svg --query-all           print id,x,y,width,height, as Inkscape does
  curl -s https://example.org/a.svgz | boxwood query - --format json
  boxwood render drawing.svg -o drawing.png --overlay clip,clipped --zoom 2
  boxwood view drawings/                          open a window; keys 1 to 4 toggle the kinds of box
  boxwood check drawings/                         compare the GPU with the CPU, bit for bit
  boxwood check --synthetic                       compare every algorithm on generated trees
  boxwood bench --synthetic --csv rates.csv       measure the speed of every algorithm
  boxwood info                                    print versions, adapters and limits

The kinds and spaces of boxes are explained in `boxwood query --help`.

Exit codes:
  0  success
  1  a negative answer: an id was not found, or results differ
  2  an error";

/// Compute, draw and check the bounding boxes of SVG drawings, on the GPU
#[derive(Debug, Parser)]
#[command(name = "boxwood", version, after_long_help = EXAMPLES, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Do not print warnings and notes
    #[arg(short, long, global = true, display_order = 1000)]
    quiet: bool,
}

/// The subcommands. The documentation of each is that of its arguments.
#[derive(Debug, Subcommand)]
enum Command {
    Query(query::QueryArgs),
    Render(render::RenderArgs),
    View(view::ViewArgs),
    Check(check::CheckArgs),
    Bench(bench::BenchArgs),
    Info(info::InfoArgs),
}

fn main() -> ExitCode {
    #[cfg(unix)]
    environment::silence_drivers();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(message) => return print(&message),
    };
    silence_caught_panics();
    let mut report = Report::new(cli.quiet);
    let result = match &cli.command {
        Command::Query(args) => query::query(args, &mut report),
        Command::Render(args) => render::render(args, &mut report),
        Command::View(args) => view::view(args, &mut report),
        Command::Check(args) => check::check(args, &mut report),
        Command::Bench(args) => bench::bench(args, &mut report),
        Command::Info(args) => info::info(args, &mut report),
    };
    match result {
        Err(error) if is_broken_pipe(&error) => return ExitCode::SUCCESS,
        Err(error) => report.error(error),
        Ok(()) => {}
    }
    report.exit_code().into()
}

/// Silences the panics that `boxwood_svg` and `boxwood_view` catch. They become errors with
/// the same message.
fn silence_caught_panics() {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().name() != Some(boxwood_svg::THREAD_NAME) && !boxwood_view::is_catching_panics() {
            hook(info);
        }
    }));
}

/// Prints the help, the version, or the error in the arguments, and returns the exit code.
fn print(message: &clap::Error) -> ExitCode {
    match message.print() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let mut report = Report::new(false);
            report.error(output::cannot_write("standard output", &error));
            report.exit_code().into()
        }
        _ => u8::try_from(message.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from),
    }
}

/// Whether the reader of standard output has closed it, as `head` does. That is not an error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_cause = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(is_cause))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
