//! The `boxwood` command.

mod audit;
mod batches;
mod bench;
mod cells;
mod check;
mod completions;
mod device;
mod diff;
#[cfg(unix)]
mod environment;
mod explain;
mod info;
mod input;
mod jobs;
mod json;
mod man;
mod numbers;
mod output;
mod query;
mod render;
mod report;
mod view;
mod wanted;
mod watch;

use std::ffi::OsString;
use std::process::ExitCode;
use std::{env, io, panic, thread};

use clap::{ColorChoice, CommandFactory, Parser, Subcommand, ValueEnum};

use report::Report;

const EXAMPLES: &str = "\
Examples:
  # Print every box of a drawing
  boxwood query drawing.svg

  # Find out why an element is not visible
  boxwood explain drawing.svg --id logo

  # Print what differs between two drawings
  boxwood diff old.svg new.svg

  # Draw a picture and its boxes
  boxwood render drawing.svg -o drawing.png --overlay all

  # Show all drawings in a folder
  boxwood view drawings/

  # List the options of a command, with more examples
  boxwood help query

Exit codes:
  0  success
  1  a negative answer: an id was not found, waste was found, something differs
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
    /// Use colours: always, never, or auto (on terminals)
    ///
    /// Only messages and help have colours. The variables `NO_COLOR`, `CLICOLOR` and
    /// `CLICOLOR_FORCE` change the meaning of auto, which is the default.
    // `requested_color` reads it before the other arguments are parsed.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        display_order = 1001,
        hide_short_help = true,
        default_value_t,
        hide_default_value = true,
        hide_possible_values = true
    )]
    color: ColorChoice,
}

/// The subcommands. The documentation of each is that of its arguments.
#[derive(Debug, Subcommand)]
enum Command {
    Query(query::QueryArgs),
    Explain(explain::ExplainArgs),
    Audit(audit::AuditArgs),
    Batches(batches::BatchesArgs),
    Diff(diff::DiffArgs),
    Render(render::RenderArgs),
    View(view::ViewArgs),
    Check(check::CheckArgs),
    Bench(bench::BenchArgs),
    Info(info::InfoArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

fn main() -> ExitCode {
    #[cfg(unix)]
    environment::silence_drivers();
    requested_color(env::args_os().skip(1)).write_global();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(message) => return print(&message),
    };
    silence_caught_panics();
    let mut report = Report::new(cli.quiet);
    let result = match &cli.command {
        Command::Query(args) => query::query(args, &mut report),
        Command::Explain(args) => explain::explain(args, &mut report),
        Command::Audit(args) => audit::audit(args, &mut report),
        Command::Batches(args) => batches::batches(args, &mut report),
        Command::Diff(args) => diff::diff(args, &mut report),
        Command::Render(args) => render::render(args, &mut report),
        Command::View(args) => view::view(args, &mut report),
        Command::Check(args) => check::check(args, &mut report),
        Command::Bench(args) => bench::bench(args, &mut report),
        Command::Info(args) => info::info(args, &mut report),
        Command::Completions(args) => completions::completions(args, Cli::command()),
        Command::Man(args) => man::man(args, Cli::command()),
    };
    match result {
        Err(error) if is_broken_pipe(&error) => return after_broken_pipe(&report),
        Err(error) => report.error(error),
        Ok(()) => {}
    }
    report.exit_code().into()
}

/// The value of `--color`, for the help and for errors in the other arguments too.
fn requested_color(arguments: impl Iterator<Item = OsString>) -> anstream::ColorChoice {
    let mut arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
    let mut requested = None;
    while let Some(argument) = arguments.next().filter(|argument| argument != "--") {
        match argument.strip_prefix("--color") {
            Some("") => requested = arguments.next(),
            Some(value) => requested = value.strip_prefix('=').map(str::to_owned),
            None => {}
        }
    }
    match requested.and_then(|value| ColorChoice::from_str(&value, false).ok()) {
        Some(ColorChoice::Always) => anstream::ColorChoice::Always,
        Some(ColorChoice::Never) => anstream::ColorChoice::Never,
        Some(ColorChoice::Auto) | None => anstream::ColorChoice::Auto,
    }
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

/// The exit code if the reader of standard output has closed it. A negative answer may be one that
/// nobody has read, but a file that failed before has failed.
fn after_broken_pipe(report: &Report) -> ExitCode {
    if report.has_error() { report.exit_code().into() } else { ExitCode::SUCCESS }
}

/// Whether the reader of standard output has closed it, as `head` does. That is not an error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_cause = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(is_cause))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_colour_is_known_before_the_other_arguments() {
        let color = |arguments: &str| requested_color(arguments.split(' ').map(OsString::from));
        assert_eq!(color("query a.svg"), anstream::ColorChoice::Auto);
        assert_eq!(color("--help --color always"), anstream::ColorChoice::Always);
        assert_eq!(color("query --color=always --wrong --color never"), anstream::ColorChoice::Never);
        assert_eq!(color("view --color always -- --color never"), anstream::ColorChoice::Always);
        assert_eq!(color("--color"), anstream::ColorChoice::Auto);
    }

    /// The width of a terminal.
    const COLUMNS: usize = 80;

    /// The command and its subcommands, with the inherited options.
    fn commands() -> Vec<clap::Command> {
        let mut command = Cli::command().disable_help_subcommand(true);
        command.build();
        let subcommands: Vec<_> = command.get_subcommands().cloned().collect();
        [&[command], subcommands.as_slice()].concat()
    }

    /// `-h` must fit on a terminal without scrolling.
    #[test]
    fn the_short_help_of_every_command_fits_on_one_screen() {
        const LINES: usize = 24;
        for command in commands() {
            let help = command.clone().term_width(COLUMNS).render_help().to_string();
            assert!(help.lines().count() <= LINES, "{help}");
            assert!(help.lines().all(|line| line.chars().count() <= COLUMNS), "{help}");
        }
    }

    #[test]
    fn every_command_has_examples_and_they_are_valid() {
        for command in commands() {
            let name = command.get_name();
            let help = command.get_after_long_help().unwrap_or_default().to_string();
            let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
            let examples: Vec<_> = lines
                .map_while(|line| if line.is_empty() { Some("") } else { line.strip_prefix("  ") })
                .filter_map(|line| Some(&line[line.find("boxwood ").filter(|_| !line.starts_with('#'))?..]))
                .collect();
            assert!(!examples.is_empty(), "{name} has no examples: {help}");
            assert!(help.lines().all(|line| line.chars().count() <= COLUMNS), "{help}");
            for example in examples {
                let command = example.split(['|', '<', '>', ')']).next().unwrap_or_default();
                let arguments = command.replace('\'', "");
                let error = Cli::try_parse_from(arguments.split_whitespace()).err();
                // The output of `boxwood help` is an error to clap, but not for standard error.
                assert!(error.is_none_or(|error| !error.use_stderr()), "{example}");
                assert!(name == "boxwood" || arguments.starts_with(&format!("boxwood {name}")), "{example}");
            }
        }
    }
}
