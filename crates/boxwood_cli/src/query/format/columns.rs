//! The columns of CSV, which `--columns` selects for a table too.

use std::borrow::Cow;

use boxwood_query::{BoxRow, Naming, Numbers};
use clap::ValueEnum;

use super::{FileBoxes, clips_text, parts_name};
use crate::query::args::name;

/// A column. Its name on the command line is that in CSV.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(in crate::query) enum Column {
    File,
    Name,
    HasId,
    Element,
    Path,
    Line,
    /// The position in the line.
    #[value(name = "column", help = None)]
    Character,
    Class,
    Kind,
    Order,
    X,
    Y,
    Width,
    Height,
    X0,
    Y0,
    X1,
    Y1,
    Vocabulary,
    Include,
    Space,
    Unit,
    Reason,
    Clips,
}

impl Column {
    /// The columns of CSV: all, with the clips only if rows have them.
    pub(super) fn of_csv(has_clips: bool) -> Vec<Self> {
        let is_there = |column: &Self| has_clips || *column != Self::Clips;
        Self::value_variants().iter().copied().filter(is_there).collect()
    }

    /// The name of the column.
    pub(super) fn title(self) -> String {
        name(&self)
    }

    /// Whether the column has the numbers of boxes, or of places.
    pub(super) fn is_number(self) -> bool {
        use Column::{Character, Height, Line, Order, Width, X, X0, X1, Y, Y0, Y1};
        matches!(self, Line | Character | Order | X | Y | Width | Height | X0 | Y0 | X1 | Y1)
    }
}

/// The cells of rows.
pub(super) struct Cells<'a> {
    pub(super) file: &'a FileBoxes<'a>,
    pub(super) naming: &'a Naming,
    /// Formats a number of a box.
    pub(super) number: &'a dyn Fn(f32) -> String,
}

impl<'a> Cells<'a> {
    /// The cells of each row.
    pub(super) fn rows(&self, columns: &[Column]) -> impl Iterator<Item = Vec<Cow<'a, str>>> {
        self.file.answer.rows.iter().map(move |row| {
            let numbers = Numbers::of(row.bounds, self.number, "plane".to_owned(), String::new());
            columns.iter().map(|column| self.cell(*column, row, &numbers)).collect()
        })
    }

    fn cell(&self, column: Column, row: &'a BoxRow<'a>, numbers: &Numbers<String>) -> Cow<'a, str> {
        let position = &row.position;
        match column {
            Column::File => (&*self.file.path).into(),
            Column::Name => (&*row.name).into(),
            Column::HasId => row.has_id.to_string().into(),
            Column::Element => (&*row.element).into(),
            Column::Path => (&*position.path).into(),
            Column::Line => position.line.to_string().into(),
            Column::Character => position.column.to_string().into(),
            Column::Class => (&*position.class).into(),
            Column::Kind => row.kind.map_or("", |kind| kind.word()).into(),
            Column::Order => row.order.to_string().into(),
            Column::X => numbers.x.clone().into(),
            Column::Y => numbers.y.clone().into(),
            Column::Width => numbers.width.clone().into(),
            Column::Height => numbers.height.clone().into(),
            Column::X0 => numbers.x0.clone().into(),
            Column::Y0 => numbers.y0.clone().into(),
            Column::X1 => numbers.x1.clone().into(),
            Column::Y1 => numbers.y1.clone().into(),
            Column::Vocabulary => self.naming.vocabulary.into(),
            Column::Include => parts_name(row.include).into(),
            Column::Space => self.naming.space.word().into(),
            Column::Unit => self.naming.unit.word().into(),
            Column::Reason => row.reason.as_ref().map_or("", |reason| reason.word()).into(),
            Column::Clips => clips_text(row).unwrap_or_default().into(),
        }
    }
}
