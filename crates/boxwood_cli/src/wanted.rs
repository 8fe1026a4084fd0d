//! The elements that `--id` and `--select` name, and whether any file has them.

use std::fmt;

use anyhow::{Result, bail};
use boxwood_svg::{Drawing, Selector};

use crate::report::Report;

/// The elements that `--id` and `--select` name. Both also name everything that a `use` draws of an
/// element.
#[derive(Clone)]
pub(crate) struct WantedElements(Vec<Wanted>);

#[derive(Clone)]
struct Wanted {
    by: By,
    /// Whether this names an element of any drawing.
    is_found: bool,
}

/// How elements are named.
#[derive(Clone)]
pub(crate) enum By {
    Id(String),
    Selector(Selector),
}

/// Says what no element has, and what may have been meant.
impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => {
                write!(f, "has the id or path `{id}`")?;
                match id.strip_prefix('#') {
                    Some(id) => {
                        write!(f, ": an id is written without #, as `{id}`, unless it is in a selector")
                    }
                    None if id.contains(',') => {
                        write!(f, ": an option has one id, so repeat it for each one")
                    }
                    None => Ok(()),
                }
            }
            Self::Selector(selector) => write!(f, "matches the selector `{selector}`"),
        }
    }
}

impl WantedElements {
    /// Nothing is found yet for these ids and selectors.
    pub(crate) fn new(ids: &[String], selectors: &[Selector]) -> Self {
        let ids = ids.iter().cloned().map(By::Id);
        let all = ids.chain(selectors.iter().cloned().map(By::Selector));
        Self(all.map(|by| Wanted { by, is_found: false }).collect())
    }

    /// Whether nothing is named.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// For each source of a drawing, and then for each of its unlisted elements, whether it is
    /// named. Empty if nothing is.
    pub(crate) fn search(&mut self, drawing: &Drawing) -> Vec<bool> {
        let mut is_wanted = Vec::new();
        for wanted in &mut self.0 {
            let named = match &wanted.by {
                By::Id(id) => drawing.named(id),
                By::Selector(selector) => drawing.select(selector),
            };
            wanted.is_found |= named.contains(&true);
            is_wanted.resize(named.len(), false);
            is_wanted.iter_mut().zip(named).for_each(|(is_wanted, is_named)| *is_wanted |= is_named);
        }
        is_wanted
    }

    /// Adds what was found in another file.
    pub(crate) fn append(&mut self, other: &Self) {
        for (wanted, other) in self.0.iter_mut().zip(&other.0) {
            wanted.is_found |= other.is_found;
        }
    }

    /// Checks that some element was found for each id and selector.
    ///
    /// # Errors
    ///
    /// No element has one of them.
    pub(crate) fn check_found(&self) -> Result<()> {
        match self.0.iter().find(|wanted| !wanted.is_found) {
            Some(Wanted { by, .. }) => bail!("no element {by}"),
            None => Ok(()),
        }
    }

    /// Reports the ids and selectors of no element.
    pub(crate) fn report_missing(&self, report: &mut Report) {
        for Wanted { by, .. } in self.0.iter().filter(|wanted| !wanted.is_found) {
            report.negative(format_args!("no element {by}"));
        }
    }
}
