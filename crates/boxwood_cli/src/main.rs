//! The `boxwood` command.

mod args;
mod backend;
mod bench;
mod check;
mod choices;
mod difference;
mod format;
mod info;
mod input;
mod minimise;
mod outcome;
mod output;
mod query;
mod render;
mod report;
mod rows;
mod view;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use outcome::Outcome;
use report::Report;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut report = Report::new(cli.quiet);
    let done = match &cli.command {
        Command::Query(args) => query::query(args, &mut report),
        Command::Render(args) => render::render(args, &mut report),
        Command::View(args) => view::view(args, &mut report),
        Command::Check(args) => check::check(args, &mut report),
        Command::Bench(args) => bench::bench(args, &mut report),
        Command::Info(args) => info::info(args, &mut report),
    };
    match done {
        Ok(()) => {}
        Err(error) if is_broken_pipe(&error) => return Outcome::Success.into(),
        Err(error) => report.error(error),
    }
    report.outcome().into()
}

/// Whether the reader of standard output has left, which is its good right.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
