//! A table with aligned columns.

use std::io::{self, Write};

use boxwood_cpu::Aabb;
use boxwood_query::{BoxKind, BoxRow, Naming, Numbers, Space, Unit};
use kurbo::Size;

use super::columns::{Cells, Column};
use super::{FileBoxes, clips_text, parts_name};
use crate::cells::{aligned, fixed, printable, rounded, shortened};

/// The third column has the kinds of ink boxes, or the parts of object boxes.
/// The last one is there only if a row has a reason, or for the clips around elements.
const COLUMNS: [&str; 8] = ["NAME", "ELEMENT", "KIND", "X", "Y", "WIDTH", "HEIGHT", "REASON"];
const LAST: usize = 7;
/// The default number of decimals.
const PRECISION: usize = 3;
/// The maximum width of a name, where a CJK character counts twice. The numbers then fit on a line
/// of 110 columns.
const MAX_NAME: usize = 48;

pub(super) fn print(
    out: &mut impl Write,
    file: &FileBoxes<'_>,
    precision: Option<usize>,
    naming: &Naming,
    columns: &[Column],
) -> io::Result<()> {
    print_title(out, file, naming)?;
    let Some(first) = file.answer.rows.first() else {
        return writeln!(out, "no boxes");
    };
    if !columns.is_empty() {
        return print_columns(out, file, precision, naming, columns);
    }
    let rows = file.answer.rows.iter().map(|row| {
        let mut cells = cells(row, precision.unwrap_or(PRECISION));
        // A row at a place has a box, and so no reason.
        clips_text(row).into_iter().for_each(|clips| cells[LAST] = printable(&clips));
        cells
    });
    let mut header = COLUMNS.map(String::from);
    if first.kind == Some(BoxKind::Object) {
        header[2] = "PARTS".to_owned();
    }
    if first.clips.is_some() {
        header[LAST] = "INSIDE OF".to_owned();
    } else if file.answer.rows.iter().all(|row| row.reason.is_none()) {
        header[LAST].clear();
    }
    let lines: Vec<_> = [header].into_iter().chain(rows).collect();
    for line in aligned(&lines, |column| (3..LAST).contains(&column)) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Prints the columns that `--columns` names.
fn print_columns(
    out: &mut impl Write,
    file: &FileBoxes<'_>,
    precision: Option<usize>,
    naming: &Naming,
    columns: &[Column],
) -> io::Result<()> {
    let number = |value: f32| fixed(value.into(), precision.unwrap_or(PRECISION));
    let cells = Cells { file, naming, number: &number };
    let rows = cells.rows(columns).map(|row| row.iter().map(|cell| printable(cell)).collect());
    let header = columns.iter().map(|column| column.title().to_uppercase()).collect();
    let lines: Vec<Vec<String>> = [header].into_iter().chain(rows).collect();
    let lines = aligned(&lines, |column| columns[column].is_number());
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// Prints the file, its size, the names of the boxes, and the back end.
fn print_title(out: &mut impl Write, file: &FileBoxes<'_>, naming: &Naming) -> io::Result<()> {
    let (path, Size { width, height }) = (printable(&file.path), file.answer.drawing.size);
    let [width, height] = [width, height].map(rounded);
    let space = match (naming.space, naming.unit) {
        (Space::Local, _) => "the user space of each element",
        (Space::Scene, Unit::Px) => "px of the scene",
        (Space::Scene, Unit::User) => "user units of the root",
        (Space::Scene, Unit::Mm) => "mm",
        (Space::Device, _) => "pixels",
    };
    let backend = file.adapter.map_or_else(|| "cpu".to_owned(), |adapter| format!("gpu, {adapter}"));
    writeln!(out, "{path}: {width} × {height} px, {} boxes in {space} ({backend})", naming.vocabulary)
}

fn cells(row: &BoxRow<'_>, precision: usize) -> [String; COLUMNS.len()] {
    let [x, y, width, height] = match row.bounds {
        Aabb::PLANE => ["plane"; 4].map(String::from),
        Aabb::EMPTY => ["none", "", "", ""].map(String::from),
        bounds => {
            let Numbers { x, y, width, height, .. } = Numbers::from(bounds);
            [x, y, width, height].map(|value| fixed(value.into(), precision))
        }
    };
    let kind = match row.kind {
        Some(BoxKind::Object) => parts_name(row.include),
        kind => kind.map_or_else(String::new, |kind| kind.word().to_owned()),
    };
    let reason = row.reason.as_ref().map_or_else(String::new, |reason| reason.word().to_owned());
    [shortened(&printable(&row.name), MAX_NAME), row.element.to_string(), kind, x, y, width, height, reason]
}

#[cfg(test)]
mod tests {
    use super::super::tests::printed;
    use crate::json::RowFormat;
    use crate::query::args::Format;

    #[test]
    fn columns_are_aligned() {
        insta::assert_snapshot!(printed(Format::Rows(RowFormat::Table), None), @r#"
        dir/a b.svg: 100.5 × 20 px, ink boxes in px of the scene (gpu, llvmpipe "x")
        NAME        ELEMENT  KIND                 X          Y         WIDTH    HEIGHT  REASON
        /path[1]    path     leaf             0.100     -2.000         0.233     2.000
        a,"b"       path     clipped           none                                     clipped-away
        größe\u{7}  path     clip             plane      plane         plane     plane
        huge        path     group    -40000000.000  -3.403e38  56777216.000  3.403e38

        -: 100.5 × 20 px, ink boxes in px of the scene (cpu)
        no boxes
        "#);
    }
}
