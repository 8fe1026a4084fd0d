//! The ids that `--id` names, and what was found for each.

use std::collections::HashSet;

use boxwood_svg::{Drawing, SourceKind};

use super::rows::Row;
use crate::input::Input;
use crate::report::Report;

/// The ids that `--id` names.
#[derive(Clone)]
pub(super) struct WantedIds(Vec<WantedId>);

#[derive(Clone)]
struct WantedId {
    id: String,
    /// The best of all files.
    found: Found,
    /// A file in which the element with this id is not drawn, and the reason. Empty if there is
    /// none.
    not_drawn: String,
}

/// What was found for an id, the best last.
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

impl WantedIds {
    /// Nothing is found yet for these ids.
    pub(super) fn new(ids: &[String]) -> Self {
        let wanted =
            |id: &String| WantedId { id: id.clone(), found: Found::Nothing, not_drawn: String::new() };
        Self(ids.iter().map(wanted).collect())
    }

    /// Whether a row is wanted. If no id is named, the listed rows are.
    pub(super) fn wants(&self, row: &Row<'_>) -> bool {
        if self.0.is_empty() { row.is_listed } else { self.0.iter().any(|wanted| wanted.id == row.name) }
    }

    /// Searches the elements of a drawing for the ids. `of_ink` is whether ink boxes are requested.
    pub(super) fn search(&mut self, drawing: &Drawing, input: &Input, of_ink: bool) {
        let painted: HashSet<u32> = drawing.table.iter().map(|info| info.source).collect();
        for (index, source) in (0..).zip(&drawing.sources) {
            let has_paint = source.kind == SourceKind::Group || painted.contains(&index);
            self.find(&source.name, if of_ink && !has_paint { Found::NoPaint } else { Found::NoBox });
        }
        for wanted in self.0.iter_mut().filter(|wanted| wanted.not_drawn.is_empty()) {
            if let Some(unlisted) = drawing.unlisted_ids.iter().find(|unlisted| unlisted.id == wanted.id) {
                wanted.not_drawn = format!(": {input}: {unlisted}");
            }
        }
    }

    /// Notes that these names were answered by rows.
    pub(super) fn answer<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        names.for_each(|name| self.find(name, Found::Answer));
    }

    fn find(&mut self, name: &str, found: Found) {
        for wanted in self.0.iter_mut().filter(|wanted| wanted.id == name) {
            wanted.found = wanted.found.max(found);
        }
    }

    /// Adds what was found for the same ids in another file.
    pub(super) fn append(&mut self, other: Self) {
        for (wanted, other) in self.0.iter_mut().zip(other.0) {
            wanted.found = wanted.found.max(other.found);
            if wanted.not_drawn.is_empty() {
                wanted.not_drawn = other.not_drawn;
            }
        }
    }

    /// Reports the ids without an answer.
    pub(super) fn report_missing(&self, report: &mut Report) {
        for WantedId { id, found, not_drawn } in &self.0 {
            let no_box = format!("the element `{id}` has no box of the requested kinds");
            report.negative(match found {
                Found::Nothing => format!("no drawn element has the id or path `{id}`{not_drawn}"),
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
