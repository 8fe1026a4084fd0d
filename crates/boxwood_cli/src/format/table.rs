//! Aligned columns for people.

use std::io::{self, Write};

use boxwood_cpu::Aabb;

use super::{Answer, Naming, Printer};
use crate::rows::Row;

const COLUMNS: [&str; 7] = ["NAME", "ELEMENT", "KIND", "X", "Y", "WIDTH", "HEIGHT"];
/// The first column of numbers: those are aligned at the right.
const FIRST_NUMBER: usize = 3;
/// Decimals where none are asked for.
const PRECISION: usize = 3;
/// The most characters of a name: enough for most ids and paths, and for the numbers to stay on the line.
const MAX_NAME: usize = 48;
/// How many of them are the first, where a name is longer.
const NAME_HEAD: usize = 12;
/// From here on a number is written with an exponent.
const LARGE: f64 = 1e9;

pub(super) struct Table<W> {
    out: W,
    precision: usize,
    naming: Naming,
    is_first: bool,
}

impl<W: Write> Table<W> {
    pub(super) fn new(out: W, precision: Option<usize>, naming: Naming) -> Self {
        Self { out, precision: precision.unwrap_or(PRECISION), naming, is_first: true }
    }

    fn cells(&self, row: &Row<'_>) -> [String; COLUMNS.len()] {
        let [x, y, width, height] = match row.bounds {
            Aabb::PLANE => ["plane"; 4].map(String::from),
            Aabb::EMPTY => ["empty", "", "", ""].map(String::from),
            Aabb { x0, y0, x1, y1 } => {
                let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(f64::from);
                [x0, y0, x1 - x0, y1 - y0].map(|value| fixed(value, self.precision))
            }
        };
        [shortened(&printable(row.name)), row.element.into(), row.kind.name().into(), x, y, width, height]
    }

    fn line(&mut self, cells: &[String], widths: &[usize]) -> io::Result<()> {
        let mut line = String::new();
        for (column, (cell, &width)) in cells.iter().zip(widths).enumerate() {
            let gap = if column == 0 { "" } else { "  " };
            let cell =
                if column < FIRST_NUMBER { format!("{cell:<width$}") } else { format!("{cell:>width$}") };
            line.push_str(gap);
            line.push_str(&cell);
        }
        writeln!(self.out, "{}", line.trim_end())
    }
}

impl<W: Write> Printer for Table<W> {
    fn answer(&mut self, answer: &Answer<'_>) -> io::Result<()> {
        if !std::mem::take(&mut self.is_first) {
            writeln!(self.out)?;
        }
        let Answer { path, width, height, backend, adapter, .. } = answer;
        let adapter = adapter.map(|name| format!(", {name}")).unwrap_or_default();
        writeln!(
            self.out,
            "{}: {width} × {height} px, {} boxes in {} ({backend}{adapter})",
            printable(path),
            phrase(&self.naming),
            match self.naming.space {
                "local" => "the user space of each element",
                "device" => "pixels",
                _ => "px of the scene",
            }
        )?;
        if answer.rows.is_empty() {
            return writeln!(self.out, "no boxes");
        }
        let lines: Vec<_> = answer.rows.iter().map(|row| self.cells(row)).collect();
        let header = COLUMNS.map(String::from);
        let widths: Vec<_> = (0..COLUMNS.len())
            .map(|column| {
                let cells = lines.iter().chain([&header]).map(|line| line[column].chars().count());
                cells.max().unwrap_or(0)
            })
            .collect();
        self.line(&header, &widths)?;
        lines.iter().try_for_each(|line| self.line(line, &widths))
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The vocabulary, with what counts.
fn phrase(naming: &Naming) -> String {
    match naming.include.as_slice() {
        [] => naming.vocabulary().to_owned(),
        include => format!("{} ({})", naming.vocabulary(), include.join(", ")),
    }
}

/// A number with this many decimals, or with an exponent where it is huge. Never `-0`.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    if value.abs() >= LARGE {
        return format!("{value:.decimals$e}");
    }
    let text = format!("{value:.decimals$}");
    let is_zero = !text.contains(|c: char| c.is_ascii_digit() && c != '0');
    if is_zero { text.trim_start_matches('-').into() } else { text }
}

/// A name that fits into its column: of a long one its head and its tail, which tells more.
fn shortened(name: &str) -> String {
    let length = name.chars().count();
    if length <= MAX_NAME {
        return name.to_owned();
    }
    let tail = name.chars().skip(length - (MAX_NAME - NAME_HEAD - 1));
    name.chars().take(NAME_HEAD).chain(['…']).chain(tail).collect()
}

/// A name without characters that a terminal obeys.
fn printable(name: &str) -> String {
    name.chars()
        .flat_map(|c| {
            let (shown, escaped) =
                if c.is_control() { (None, Some(c.escape_default())) } else { (Some(c), None) };
            shown.into_iter().chain(escaped.into_iter().flatten())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::Format;
    use crate::format::tests::printed;

    #[test]
    fn columns_are_aligned() {
        insta::assert_snapshot!(printed(Format::Table, None), @r#"
        dir/a b.svg: 100.5 × 20 px, ink boxes in px of the scene (gpu, llvmpipe "x")
        NAME        ELEMENT  KIND                 X          Y         WIDTH    HEIGHT
        /path[1]    path     leaf             0.100     -2.000         0.233     2.000
        a,"b"       path     clipped          empty
        größe\u{7}  path     clip             plane      plane         plane     plane
        huge        path     group    -40000000.000  -3.403e38  56777216.000  3.403e38

        -: 100.5 × 20 px, ink boxes in px of the scene (cpu)
        no boxes
        "#);
    }

    #[test]
    fn long_names_are_cut_in_the_middle() {
        let path = format!("/g[1]{}/path[7]", "/g[2]".repeat(40));
        let cut = shortened(&path);
        assert_eq!(cut.chars().count(), MAX_NAME);
        assert!(cut.starts_with("/g[1]/g[2]/g…") && cut.ends_with("/g[2]/path[7]"), "{cut}");
        let just_fits = "ö".repeat(MAX_NAME);
        assert_eq!(shortened(&just_fits), just_fits);
    }

    #[test]
    fn no_number_is_minus_zero() {
        assert_eq!(fixed(-0.000_4, 3), "0.000");
        assert_eq!(fixed(-0.0, 0), "0");
        assert_eq!(fixed(-0.5, 1), "-0.5");
    }
}
