//! The elements that `--id` and `--select` name, and what was found for each.

use std::collections::HashSet;
use std::fmt;

use boxwood_svg::{Drawing, Selector, SourceKind};

use super::rows::Row;
use crate::input::Input;
use crate::report::Report;

/// The elements that `--id` and `--select` name.
#[derive(Clone)]
pub(super) struct WantedElements(Vec<Wanted>);

#[derive(Clone)]
struct Wanted {
    by: By,
    /// For each source of the drawing at hand, whether this names it.
    named: Vec<bool>,
    /// The best of all files.
    found: Found,
    /// A file in which the element with this id is not drawn, and the reason. Empty if there is
    /// none.
    not_drawn: String,
}

/// How elements are named.
#[derive(Clone)]
enum By {
    Id(String),
    Selector(Selector),
}

impl By {
    /// For each source of a drawing, whether this names it.
    fn named(&self, drawing: &Drawing) -> Vec<bool> {
        match self {
            Self::Id(id) => drawing.sources.iter().map(|source| source.name == *id).collect(),
            Self::Selector(selector) => drawing.select(selector),
        }
    }
}

/// Says what no element has.
impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => write!(f, "has the id or path `{id}`"),
            Self::Selector(selector) => write!(f, "matches the selector `{selector}`"),
        }
    }
}

/// What was found, the best last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Found {
    /// No element that is drawn.
    Nothing,
    /// An element without a box of the requested kinds.
    NoBox,
    /// An element that paints nothing, and so has no ink box.
    NoPaint,
    /// Rows.
    Answer,
}

impl WantedElements {
    /// Nothing is found yet for these ids and selectors.
    pub(super) fn new(ids: &[String], selectors: &[Selector]) -> Self {
        let ids = ids.iter().cloned().map(By::Id);
        let all = ids.chain(selectors.iter().cloned().map(By::Selector));
        let wanted = |by| Wanted { by, named: Vec::new(), found: Found::Nothing, not_drawn: String::new() };
        Self(all.map(wanted).collect())
    }

    /// Whether a row of the drawing at hand is wanted. If nothing is named, the listed rows are.
    pub(super) fn wants(&self, row: &Row<'_>) -> bool {
        if self.0.is_empty() { row.is_listed } else { self.0.iter().any(|wanted| wanted.named[row.order]) }
    }

    /// Searches the elements of a drawing. `of_ink` is whether ink boxes are requested.
    pub(super) fn search(&mut self, drawing: &Drawing, input: &Input, of_ink: bool) {
        let painted: HashSet<u32> = drawing.table.iter().map(|info| info.source).collect();
        for wanted in &mut self.0 {
            wanted.named = wanted.by.named(drawing);
            for (index, source) in (0..).zip(&drawing.sources).filter(|(i, _)| wanted.named[*i as usize]) {
                let has_paint = source.kind == SourceKind::Group || painted.contains(&index);
                let found = if of_ink && !has_paint { Found::NoPaint } else { Found::NoBox };
                wanted.found = wanted.found.max(found);
            }
            let By::Id(id) = &wanted.by else { continue };
            let unlisted = drawing.unlisted().into_iter().find(|unlisted| unlisted.id == *id);
            if let Some(unlisted) = unlisted.filter(|_| wanted.not_drawn.is_empty()) {
                wanted.not_drawn = format!(": {input}: it {}", unlisted.reason);
            }
        }
    }

    /// Notes that these rows of the drawing at hand are printed.
    pub(super) fn answer(&mut self, rows: &[Row<'_>]) {
        for wanted in &mut self.0 {
            if rows.iter().any(|row| wanted.named[row.order]) {
                wanted.found = Found::Answer;
            }
        }
    }

    /// Adds what was found in another file.
    pub(super) fn append(&mut self, other: Self) {
        for (wanted, other) in self.0.iter_mut().zip(other.0) {
            wanted.found = wanted.found.max(other.found);
            if wanted.not_drawn.is_empty() {
                wanted.not_drawn = other.not_drawn;
            }
        }
    }

    /// Reports the ids and selectors without an answer.
    pub(super) fn report_missing(&self, report: &mut Report) {
        for Wanted { by, found, not_drawn, .. } in &self.0 {
            let no_box = match by {
                By::Id(id) => format!("the element `{id}` has no box of the requested kinds"),
                By::Selector(_) => format!("no element that {by} has a box of the requested kinds"),
            };
            report.negative(match found {
                Found::Nothing => format!("no drawn element {by}{not_drawn}"),
                Found::NoBox => no_box,
                Found::NoPaint => {
                    format!(
                        "{no_box}: it is hidden, transparent or without paint (--include prints object boxes)"
                    )
                }
                Found::Answer => continue,
            });
        }
    }
}
