//! Words for people, on standard error.

use std::fmt::Display;
use std::io::Write;

use boxwood_svg::{Shown, Warning};

use crate::outcome::Outcome;

/// Where words go, and what they add up to.
#[derive(Debug)]
pub(crate) struct Report {
    quiet: bool,
    outcome: Outcome,
}

impl Report {
    /// A report of nothing yet. A quiet one says errors only.
    pub(crate) fn new(quiet: bool) -> Self {
        Self { quiet, outcome: Outcome::Success }
    }

    /// The worst that was reported.
    pub(crate) fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Something could not be done. An error of anyhow is printed with its sources.
    pub(crate) fn error(&mut self, what: impl Display) {
        self.outcome = self.outcome.max(Outcome::Error);
        say(format_args!("boxwood: error: {what:#}"));
    }

    /// Something could not be done with one input.
    pub(crate) fn error_in(&mut self, what: impl Display, input: impl Display) {
        self.error(format_args!("{what:#}: {input}"));
    }

    /// The answer is no.
    pub(crate) fn negative(&mut self, what: impl Display) {
        self.outcome = self.outcome.max(Outcome::Negative);
        say(format_args!("boxwood: {what}"));
    }

    /// The answer is no, and standard output already says so.
    pub(crate) fn answered_no(&mut self) {
        self.outcome = self.outcome.max(Outcome::Negative);
    }

    /// Something worth knowing.
    pub(crate) fn note(&self, what: impl Display) {
        if !self.quiet {
            say(format_args!("boxwood: {what}"));
        }
    }

    /// What is drawn or bounded other than SVG prescribes in one file, as far as it is shown.
    pub(crate) fn warnings(&self, path: impl Display, warnings: &[Warning], shown: Shown) {
        for warning in warnings {
            let Some(message) = warning.message(shown) else { continue };
            let Warning { count, first, .. } = warning;
            let times = if *count == 1 { String::new() } else { format!("{count} times, ") };
            self.note(format_args!("warning: {message} ({times}first at {first}): {path}"));
        }
    }
}

/// Prints one line. Nobody is left to tell if that fails.
fn say(line: impl Display) {
    _ = writeln!(std::io::stderr().lock(), "{line}");
}
