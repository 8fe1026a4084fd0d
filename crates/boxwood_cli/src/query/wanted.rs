//! The elements that `--id` and `--select` name, and whether they were found.

use std::fmt;

use boxwood_svg::{Drawing, Selector, Unlisted};

use super::rows::Row;
use crate::report::Report;

/// The elements that `--id` and `--select` name.
#[derive(Clone)]
pub(super) struct WantedElements(Vec<Wanted>);

#[derive(Clone)]
struct Wanted {
    by: By,
    /// For each source of the drawing at hand, and then for each other element, whether this names
    /// it.
    named: Vec<bool>,
    /// Whether this names an element of any drawing.
    is_found: bool,
}

/// How elements are named.
#[derive(Clone)]
enum By {
    Id(String),
    Selector(Selector),
}

impl By {
    /// For each source of a drawing, and then for each other element, whether this names it.
    fn named(&self, drawing: &Drawing, unlisted: &[Unlisted]) -> Vec<bool> {
        match self {
            Self::Id(id) => {
                let sources = drawing.sources.iter().map(|source| (source.name.as_str(), &source.path));
                let others = unlisted.iter().map(|unlisted| (unlisted.name(), &unlisted.path));
                sources.chain(others).map(|(name, path)| name == id || path == id).collect()
            }
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

impl WantedElements {
    /// Nothing is found yet for these ids and selectors.
    pub(super) fn new(ids: &[String], selectors: &[Selector]) -> Self {
        let ids = ids.iter().cloned().map(By::Id);
        let all = ids.chain(selectors.iter().cloned().map(By::Selector));
        Self(all.map(|by| Wanted { by, named: Vec::new(), is_found: false }).collect())
    }

    /// Searches the elements of a drawing.
    pub(super) fn search(&mut self, drawing: &Drawing, unlisted: &[Unlisted]) {
        for wanted in &mut self.0 {
            wanted.named = wanted.by.named(drawing, unlisted);
            wanted.is_found |= wanted.named.contains(&true);
        }
    }

    /// Whether a row of the drawing at hand is wanted. If nothing is named, the listed rows are.
    pub(super) fn wants(&self, row: &Row<'_>) -> bool {
        if self.0.is_empty() { row.is_listed } else { self.0.iter().any(|wanted| wanted.named[row.order]) }
    }

    /// Adds what was found in another file.
    pub(super) fn append(&mut self, other: &Self) {
        for (wanted, other) in self.0.iter_mut().zip(&other.0) {
            wanted.is_found |= other.is_found;
        }
    }

    /// Reports the ids and selectors of no element.
    pub(super) fn report_missing(&self, report: &mut Report) {
        for Wanted { by, .. } in self.0.iter().filter(|wanted| !wanted.is_found) {
            report.negative(format_args!("no element {by}"));
        }
    }
}
