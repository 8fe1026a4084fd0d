//! The sources whose boxes the user hid.

use std::collections::BTreeSet;

use crate::model::Model;

/// The sources that the user hid, with everything inside of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hidden(BTreeSet<u32>);

impl Hidden {
    /// Whether a source itself is hidden, and not only one around it.
    pub(crate) fn contains(&self, source: u32) -> bool {
        self.0.contains(&source)
    }

    /// Whether a source, or one around it, is hidden.
    pub(crate) fn covers(&self, source: u32, model: &Model) -> bool {
        !self.is_empty() && model.outward(source).any(|source| self.contains(source))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Hides a source, or shows it again.
    pub(crate) fn toggle(&mut self, source: u32) {
        if !self.0.remove(&source) {
            self.0.insert(source);
        }
    }

    /// Shows everything again.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The same sources in another version of the drawing, by their paths.
    pub(crate) fn in_model(&self, old: &Model, new: &Model) -> Self {
        let path = |source: &u32| old.source(*source).path.as_str();
        Self(self.0.iter().filter_map(|source| new.source_at_path(path(source))).collect())
    }
}
