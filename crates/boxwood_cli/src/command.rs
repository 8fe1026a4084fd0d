//! The `boxwood` command.

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};

use crate::program::{MessageArgs, run_program};
use crate::report::Report;
use crate::{audit, batches, check, completions, crop, diff, explain, info, man, query, render, view};

const EXAMPLES: &str = "\
Examples:
  # Print every box of a drawing
  boxwood query drawing.svg

  # Find out why an element is not visible
  boxwood explain drawing.svg --id logo

  # Print what differs between two drawings
  boxwood diff old.svg new.svg

  # Crop a drawing to what it paints
  boxwood crop drawing.svg -o cropped.svg

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
    #[command(flatten)]
    messages: MessageArgs,
}

/// The subcommands. The documentation of each is that of its arguments.
#[derive(Debug, Subcommand)]
enum Command {
    Query(query::QueryArgs),
    Explain(explain::ExplainArgs),
    Audit(audit::AuditArgs),
    Batches(batches::BatchesArgs),
    Diff(diff::DiffArgs),
    Crop(crop::CropArgs),
    Render(render::RenderArgs),
    View(view::ViewArgs),
    Check(check::CheckArgs),
    Info(info::InfoArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// The program `boxwood`: does what the command line asks for, and returns the exit code.
pub fn boxwood() -> ExitCode {
    run_program(|| false, |cli: &Cli| &cli.messages, run)
}

fn run(cli: &Cli, report: &mut Report) -> Result<()> {
    match &cli.command {
        Command::Query(args) => query::query(args, report),
        Command::Explain(args) => explain::explain(args, report),
        Command::Audit(args) => audit::audit(args, report),
        Command::Batches(args) => batches::batches(args, report),
        Command::Diff(args) => diff::diff(args, report),
        Command::Crop(args) => crop::crop(args, report),
        Command::Render(args) => render::render(args, report),
        Command::View(_) => view::view(),
        Command::Check(args) => check::check(args, report),
        Command::Info(args) => info::info(args, report),
        Command::Completions(args) => completions::completions(args, Cli::command()),
        Command::Man(args) => man::man(args, Cli::command()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
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
