//! What the programs have in common: messages, colours, panics, and exit codes.

use std::ffi::OsString;
use std::process::ExitCode;
use std::{env, io, panic, thread};

use anyhow::Result;
use clap::{Args, ColorChoice, Parser, ValueEnum};

use crate::output::cannot_write;
use crate::report::Report;

/// Which messages are printed, and how.
#[derive(Clone, Copy, Debug, Args)]
pub struct MessageArgs {
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

/// Runs a program: parses its command line, does the work, reports an error, and returns the exit
/// code.
///
/// The panics for which `is_caught` returns true are not printed. The library that catches them
/// reports them as errors.
pub fn run_program<C: Parser>(
    is_caught: fn() -> bool,
    messages: impl FnOnce(&C) -> &MessageArgs,
    run: impl FnOnce(&C, &mut Report) -> Result<()>,
) -> ExitCode {
    #[cfg(unix)]
    crate::environment::silence_drivers();
    requested_color(env::args_os().skip(1)).write_global();
    let cli = match C::try_parse() {
        Ok(cli) => cli,
        Err(message) => return print(&message),
    };
    silence_caught_panics(is_caught);
    let mut report = Report::new(messages(&cli).quiet);
    match run(&cli, &mut report) {
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

/// Silences the panics that `boxwood_svg` catches, and those that `is_caught` names. They become
/// errors with the same message.
fn silence_caught_panics(is_caught: fn() -> bool) {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().name() != Some(boxwood_svg::THREAD_NAME) && !is_caught() {
            hook(info);
        }
    }));
}

/// Prints the help, the version, or the error in the arguments, and returns the exit code.
fn print(message: &clap::Error) -> ExitCode {
    match message.print() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let mut report = Report::new(false);
            report.error(cannot_write("standard output", &error));
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
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_cause = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(is_cause))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colour_is_known_before_the_other_arguments() {
        let color = |arguments: &str| requested_color(arguments.split(' ').map(OsString::from));
        assert_eq!(color("query a.svg"), anstream::ColorChoice::Auto);
        assert_eq!(color("--help --color always"), anstream::ColorChoice::Always);
        assert_eq!(color("query --color=always --wrong --color never"), anstream::ColorChoice::Never);
        assert_eq!(color("view --color always -- --color never"), anstream::ColorChoice::Always);
        assert_eq!(color("--color"), anstream::ColorChoice::Auto);
    }
}
