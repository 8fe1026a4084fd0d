//! The ids and selectors of `--id` and `--select` that no file has.

use boxwood_query::{NotFound, Wanted};

use crate::report::Report;

/// The ids and selectors that no file has so far.
#[derive(Debug)]
pub(crate) struct Missing(Vec<NotFound>);

impl Missing {
    /// Everything is missing before the first file.
    pub(crate) fn new(wanted: &Wanted) -> Self {
        Self(wanted.all_missing())
    }

    /// Keeps those that are missing in another file too.
    pub(crate) fn retain(&mut self, in_file: &[NotFound]) {
        self.0.retain(|missing| in_file.contains(missing));
    }

    /// Reports the ids and selectors of no element.
    pub(crate) fn report(&self, report: &mut Report) {
        self.0.iter().for_each(|missing| report.negative(missing));
    }
}
