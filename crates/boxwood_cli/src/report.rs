//! Messages on standard error, and the exit code.

use std::fmt::{self, Display};
use std::io::Write;

use boxwood_svg::{Shown, Warning};
use clap::builder::styling::AnsiColor;

use crate::cells::{printable, printable_lines};

/// The exit code if the command gave an answer, and the answer is negative.
const NEGATIVE: u8 = 1;
/// The exit code if something failed.
const ERROR: u8 = 2;

/// The labels of messages, in the colours of clap and cargo.
const ERROR_LABEL: Label = Label("error", AnsiColor::Red);
const WARNING_LABEL: Label = Label("warning", AnsiColor::Yellow);
const NOTE_LABEL: Label = Label("note", AnsiColor::Cyan);

/// A word in front of a message, with its colour.
struct Label(&'static str, AnsiColor);

impl Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = self.1.on_default().bold();
        write!(f, "{style}{}:{style:#}", self.0)
    }
}

/// Prints messages and keeps the exit code of the worst one.
#[derive(Clone, Debug)]
pub struct Report {
    quiet: bool,
    exit_code: u8,
    /// Messages that are printed later, or `None` if they are printed at once.
    held: Option<Vec<String>>,
}

impl Report {
    /// Creates a report with exit code 0. If `quiet`, it does not print notes and warnings.
    pub(crate) fn new(quiet: bool) -> Self {
        Self { quiet, exit_code: 0, held: None }
    }

    /// An empty report that keeps its messages until they are [appended](Self::append).
    pub(crate) fn for_one_file(&self) -> Self {
        Self { quiet: self.quiet, exit_code: 0, held: Some(Vec::new()) }
    }

    /// Prints the messages of another report that were kept, and takes over its exit code.
    pub(crate) fn append(&mut self, other: Self) {
        self.exit_code = self.exit_code.max(other.exit_code);
        other.held.into_iter().flatten().for_each(|line| self.print(line));
    }

    /// Whether notes and warnings are not printed.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Whether an error was reported.
    pub(crate) fn has_error(&self) -> bool {
        self.exit_code == ERROR
    }

    /// The messages that are kept.
    #[cfg(test)]
    pub(crate) fn held(&self) -> &[String] {
        self.held.as_deref().unwrap_or_default()
    }

    /// The largest exit code of all messages.
    pub(crate) fn exit_code(&self) -> u8 {
        self.exit_code
    }

    /// Reports an error with all its sources. The command may continue with other inputs.
    pub fn error(&mut self, error: impl Display) {
        self.exit_code = ERROR;
        self.print(format_args!("{ERROR_LABEL} {}", printable_lines(&format!("{error:#}"))));
    }

    /// Returns the value, or reports the error.
    pub(crate) fn ok<T>(&mut self, result: anyhow::Result<T>) -> Option<T> {
        result.map_err(|error| self.error(error)).ok()
    }

    /// Reports a negative answer.
    pub fn negative(&mut self, answer: impl Display) {
        self.answered_no();
        self.print(answer);
    }

    /// Records a negative answer that is already on standard output.
    pub fn answered_no(&mut self) {
        self.exit_code = self.exit_code.max(NEGATIVE);
    }

    /// Prints a note, unless the report is quiet.
    pub fn note(&mut self, note: impl Display) {
        if !self.quiet {
            self.print(format_args!("{NOTE_LABEL} {}", printable_lines(&note.to_string())));
        }
    }

    /// Prints a warning, unless the report is quiet.
    pub(crate) fn warning(&mut self, warning: impl Display) {
        if !self.quiet {
            self.print(format_args!("{WARNING_LABEL} {}", printable_lines(&warning.to_string())));
        }
    }

    /// Prints the warnings about a drawing that affect what is shown, unless the report is quiet.
    pub(crate) fn warnings(&mut self, input: impl Display, warnings: &[Warning], shown: Shown) {
        for warning in warnings {
            let Some(message) = warning.message(shown) else { continue };
            let Warning { count, first, .. } = warning;
            let times = if *count == 1 { String::new() } else { format!("{count} times, ") };
            let [input, first] = [&input.to_string(), first].map(|text| printable(text));
            self.warning(format_args!("{input}: {message} ({times}first at {first})"));
        }
    }

    /// Prints a message, or keeps it. Standard error gets no colours that it does not show. If it
    /// is closed, there is nowhere to report that.
    fn print(&mut self, message: impl Display) {
        match &mut self.held {
            Some(held) => held.push(message.to_string()),
            None => _ = writeln!(anstream::stderr().lock(), "boxwood: {message}"),
        }
    }
}
