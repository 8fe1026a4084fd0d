//! The formats of several commands: text for people, and JSON.

use std::io::{self, Write};

use boxwood_query::SCHEMA;
use clap::ValueEnum;
use serde::Serialize;

use crate::input::Input;
use crate::report::Report;

/// An output format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people
    #[default]
    Table,
    /// One document for all files
    Json,
    /// One JSON object per line
    Jsonl,
}

/// An output format of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowFormat {
    /// Text for people, with aligned columns
    #[default]
    Table,
    /// A header, then one line per row
    Csv,
    /// One document
    Json,
    /// One JSON object per row
    Jsonl,
}

impl From<RowFormat> for Format {
    fn from(format: RowFormat) -> Self {
        match format {
            RowFormat::Table | RowFormat::Csv => Self::Table,
            RowFormat::Json => Self::Json,
            RowFormat::Jsonl => Self::Jsonl,
        }
    }
}

/// A file that could not be processed, and why.
#[derive(Serialize)]
pub(crate) struct FileError {
    /// The path, as it was given.
    file: String,
    message: String,
}

/// A file that could not be processed, as one of the lines of JSON.
#[derive(Serialize)]
struct ErrorLine<'a> {
    schema: u32,
    kind: &'static str,
    #[serde(flatten)]
    error: &'a FileError,
}

impl FileError {
    /// Reports an error, and keeps its message.
    pub(crate) fn report(input: &Input, error: anyhow::Error, report: &mut Report) -> Self {
        let message = format!("{error:#}");
        report.error(error);
        Self { file: input.to_string(), message }
    }

    /// The error as a line of JSON.
    pub(crate) fn line(&self) -> io::Result<String> {
        Ok(text(&ErrorLine { schema: SCHEMA, kind: "error", error: self })? + "\n")
    }
}

/// Prints the texts of files, one after the other. In JSON, they are the list `files` of a
/// document, whose list `errors` has the files that could not be processed.
pub(crate) struct Printer<W> {
    out: W,
    format: Format,
    n_printed: usize,
    errors: Vec<FileError>,
}

impl<W: Write> Printer<W> {
    /// Prints the beginning of a document.
    pub(crate) fn new(mut out: W, format: Format) -> io::Result<Self> {
        if format == Format::Json {
            write!(out, "{{\n  \"schema\": {SCHEMA},\n  \"files\": [")?;
        }
        Ok(Self { out, format, n_printed: 0, errors: Vec::new() })
    }

    /// Prints the text of a file, if it has one, or the error.
    pub(crate) fn print(&mut self, text: Result<Vec<u8>, FileError>) -> io::Result<()> {
        match text {
            Ok(text) if text.is_empty() => {}
            Ok(text) => {
                let separator = match self.format {
                    Format::Json if self.n_printed > 0 => ",",
                    Format::Table if self.n_printed > 0 => "\n",
                    _ => "",
                };
                self.n_printed += 1;
                self.out.write_all(separator.as_bytes())?;
                self.out.write_all(&text)?;
            }
            Err(error) if self.format == Format::Jsonl => {
                self.out.write_all(error.line()?.as_bytes())?;
            }
            Err(error) => self.errors.push(error),
        }
        Ok(())
    }

    /// Prints the end of a document.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if self.format == Format::Json {
            print_end(&mut self.out, self.n_printed == 0, &self.errors, "")?;
        }
        self.out.flush()
    }
}

/// Prints the end of a document: the end of the list of files, the errors, and more members.
pub(crate) fn print_end(
    out: &mut impl Write,
    is_empty: bool,
    errors: &[FileError],
    more: &str,
) -> io::Result<()> {
    let end = if is_empty { "" } else { "\n  " };
    writeln!(out, "{end}],\n  \"errors\": {}{more}\n}}", list(errors, 2)?)
}

/// A value as JSON in one line.
pub(crate) fn text(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(value)?)
}

/// A list with one line per item. The line of its end has this indentation.
pub(crate) fn list(
    items: impl IntoIterator<Item = impl Serialize>,
    indentation: usize,
) -> io::Result<String> {
    let indentation = " ".repeat(indentation);
    let line = |item| Ok(format!("\n{indentation}  {}", text(&item)?));
    let lines: Vec<_> = items.into_iter().map(line).collect::<io::Result<_>>()?;
    Ok(if lines.is_empty() { "[]".to_owned() } else { format!("[{}\n{indentation}]", lines.join(",")) })
}
