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

use std::process::ExitCode;
use std::{io, panic, thread};

use clap::Parser;

use args::{Cli, Command};
use outcome::Outcome;
use report::Report;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(instead) => return print(&instead),
    };
    keep_caught_panics_quiet();
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

/// Panics in the threads that load and draw are caught and become errors, with what they say. All others are printed.
fn keep_caught_panics_quiet() {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().name() != Some(boxwood_svg::THREAD_NAME) {
            hook(info);
        }
    }));
}

/// Prints what there is to say instead of a run: help, the version, or what is wrong with the arguments.
fn print(instead: &clap::Error) -> ExitCode {
    match instead.print() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let mut report = Report::new(false);
            report.error(format_args!("cannot write: {error}: standard output"));
            report.outcome().into()
        }
        _ => u8::try_from(instead.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from),
    }
}

/// Whether the reader of standard output has left, which is its good right.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
