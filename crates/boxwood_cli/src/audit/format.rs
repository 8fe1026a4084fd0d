//! The output formats of findings.

use std::collections::BTreeMap;
use std::io::{self, Write};

use boxwood_query::{Finding, FindingKind, SCHEMA};
use kurbo::Size;
use serde::Serialize;

use crate::cells::{aligned, printable};
use crate::json::{self, FileError, Format, list, text};

/// Areas from this size are written with an exponent, in px².
const LARGE_AREA: f64 = 1e9;

/// The findings of one file.
pub(super) struct FileFindings {
    /// The path, as it was given.
    pub(super) file: String,
    /// The size of the drawing.
    pub(super) size: Size,
    /// The number of elements of its scene.
    pub(super) n_elements: usize,
    pub(super) findings: Vec<Finding>,
}

/// The sums of findings, by kind.
#[derive(Default)]
pub(super) struct Sums(BTreeMap<FindingKind, Sum>);

#[derive(Clone, Copy, Default)]
struct Sum {
    n_findings: usize,
    n_elements: usize,
    area: f64,
}

impl Sum {
    fn add(&mut self, n_findings: usize, n_elements: usize, area: f64) {
        self.n_findings += n_findings;
        self.n_elements += n_elements;
        self.area += area;
    }
}

impl Sums {
    pub(super) fn add(&mut self, finding: &Finding) {
        self.0.entry(finding.kind).or_default().add(1, finding.n_elements, finding.area);
    }

    /// The kinds with findings.
    fn found(&self) -> impl Iterator<Item = (FindingKind, Sum)> {
        self.0.iter().map(|(kind, sum)| (*kind, *sum))
    }
}

/// Prints the beginning of the output, before the first file.
pub(super) fn print_start(out: &mut impl Write, format: Format) -> io::Result<()> {
    if format == Format::Json {
        write!(out, "{{\n  \"schema\": {SCHEMA},\n  \"files\": [")?;
    }
    Ok(())
}

/// Prints the findings of a file.
pub(super) fn print_file(
    out: &mut impl Write,
    format: Format,
    file: &FileFindings,
    is_first: bool,
) -> io::Result<()> {
    let path = &file.file;
    match format {
        Format::Table => file.findings.iter().try_for_each(|finding| {
            let Finding { kind, name, element, line, column, reason, n_elements, area, .. } = finding;
            let (kind, reason) = (kind.word(), printable(reason));
            let cost = cost(*n_elements, *area);
            let (path, name) = (printable(path), printable(name));
            writeln!(out, "{path}:{line}:{column}: {kind}: <{element}> {name} {reason}{cost}")
        }),
        Format::Json => {
            let findings = list(&file.findings, 6)?;
            let (comma, path) = (if is_first { "" } else { "," }, text(path)?);
            let (width, height) = (text(&file.size.width)?, text(&file.size.height)?);
            write!(
                out,
                r#"{comma}
    {{
      "file": {path},
      "width": {width},
      "height": {height},
      "findings": {findings}
    }}"#
            )
        }
        Format::Jsonl => file.findings.iter().try_for_each(|finding| {
            writeln!(out, "{}", text(&JsonLine { schema: SCHEMA, file: path, finding })?)
        }),
    }
}

/// Prints a file that could not be loaded, if that is not part of the end.
pub(super) fn print_error(out: &mut impl Write, format: Format, error: &FileError) -> io::Result<()> {
    match format {
        Format::Jsonl => out.write_all(error.line()?.as_bytes()),
        Format::Table | Format::Json => Ok(()),
    }
}

/// Prints the end of the output: the sums, and the files that could not be loaded.
pub(super) fn print_end(
    out: &mut impl Write,
    format: Format,
    sums: &Sums,
    errors: &[FileError],
    n_files: usize,
) -> io::Result<()> {
    match format {
        // Nothing is known of files that could not be loaded.
        Format::Table if n_files == 0 => Ok(()),
        Format::Table if sums.found().next().is_none() => writeln!(out, "nothing found"),
        Format::Table => print_table(out, sums),
        Format::Json => {
            let sums = sums.found().map(|(kind, Sum { n_findings, n_elements, area })| {
                let (kind, findings) = (kind.word(), n_findings);
                JsonSum { kind, findings, elements: n_elements, area }
            });
            json::print_end(out, n_files == 0, errors, &format!(",\n  \"sums\": {}", list(sums, 2)?))
        }
        Format::Jsonl => Ok(()),
    }
}

fn print_table(out: &mut impl Write, sums: &Sums) -> io::Result<()> {
    let row = |kind: &str, sum: Sum| {
        [kind.to_owned(), sum.n_findings.to_string(), sum.n_elements.to_string(), rounded(sum.area)]
    };
    let mut total = Sum::default();
    sums.found().for_each(|(_, sum)| total.add(sum.n_findings, sum.n_elements, sum.area));
    let header = ["KIND", "FINDINGS", "ELEMENTS", "PX²"].map(String::from);
    let rows = sums.found().map(|(kind, sum)| row(kind.word(), sum));
    let rows: Vec<_> = [header].into_iter().chain(rows).chain([row("all", total)]).collect();
    writeln!(out)?;
    aligned(&rows, |column| (1..4).contains(&column)).iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// The cost of a finding in parentheses. Nothing for an element that paints nothing.
fn cost(n_elements: usize, area: f64) -> String {
    let elements = if n_elements == 1 { "1 element".into() } else { format!("{n_elements} elements") };
    if n_elements == 0 { String::new() } else { format!(" ({elements}, {} px²)", rounded(area)) }
}

fn rounded(area: f64) -> String {
    if area >= LARGE_AREA { format!("{area:.2e}") } else { format!("{area:.0}") }
}

#[derive(Serialize)]
struct JsonLine<'a> {
    schema: u32,
    file: &'a str,
    #[serde(flatten)]
    finding: &'a Finding,
}

#[derive(Serialize)]
struct JsonSum {
    kind: &'static str,
    findings: usize,
    elements: usize,
    area: f64,
}
