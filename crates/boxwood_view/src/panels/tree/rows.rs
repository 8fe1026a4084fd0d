//! The rows of the tree: which sources are shown.

use std::collections::HashSet;
use std::ops::Range;

use crate::model::{Filter, Model};

/// A drawing with more sources starts with its deeper groups collapsed.
const MAX_EXPANDED: usize = 200;

/// The depth at which the groups of a large drawing are collapsed at first.
const COLLAPSED_DEPTH: u32 = 2;

/// The rows of the tree.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// The sources of the rows, in document order.
    pub(super) list: Vec<u32>,
    /// The number of sources that pass the filter.
    pub(super) n_matches: usize,
    /// Why the filter is not a selector.
    pub(super) error: Option<String>,
    /// The part of the rows that is in view, in logical pixels.
    pub(super) in_view: Range<f32>,
    /// Whether each source passes the filter. `None` without a filter.
    matches: Option<Vec<bool>>,
    collapsed: HashSet<u32>,
    /// What the rows were made for.
    key: Option<(u64, Filter)>,
    is_stale: bool,
}

impl Rows {
    /// Lists the rows again if the drawing, the filter, or a group has changed.
    pub(super) fn update(&mut self, model: &Model, version: u64, filter: &Filter) {
        let known = self.key.as_ref();
        let is_same_model = known.is_some_and(|(known, _)| *known == version);
        if !is_same_model {
            self.collapsed = initially_collapsed(model);
        }
        if !is_same_model || known.is_none_or(|(_, known)| known != filter) {
            self.key = Some((version, filter.clone()));
            let matches = if filter.is_empty() { Ok(None) } else { filter.matches(model).map(Some) };
            self.error = matches.as_ref().err().map(ToString::to_string);
            self.matches = matches.unwrap_or(None);
            self.is_stale = true;
        }
        if std::mem::take(&mut self.is_stale) {
            self.list_rows(model);
        }
    }

    pub(super) fn is_expanded(&self, source: u32) -> bool {
        self.matches.is_some() || !self.collapsed.contains(&source)
    }

    pub(super) fn is_match(&self, source: u32) -> bool {
        self.matches.as_ref().is_none_or(|matches| matches[source as usize])
    }

    /// Expands a group, or collapses it.
    pub(super) fn toggle(&mut self, source: u32) {
        if !self.collapsed.remove(&source) {
            self.collapsed.insert(source);
        }
        self.is_stale = true;
    }

    /// Expands the groups around a source. Returns the position of its row, unless the filter hides
    /// it.
    pub(super) fn reveal(&mut self, source: u32, model: &Model) -> Option<usize> {
        let n_collapsed = self.collapsed.len();
        for around in model.outward(source).skip(1) {
            self.collapsed.remove(&around);
        }
        if self.collapsed.len() != n_collapsed {
            self.list_rows(model);
        }
        self.list.binary_search(&source).ok()
    }

    fn list_rows(&mut self, model: &Model) {
        self.list.clear();
        let n_sources = u32::try_from(model.sources().len()).unwrap_or(u32::MAX);
        if let Some(matches) = &self.matches {
            self.n_matches = matches.iter().filter(|is_match| **is_match).count();
            // A source is shown if it or one inside of it passes.
            let mut is_shown = matches.clone();
            for index in (1..is_shown.len()).rev() {
                if let Some(parent) = model.sources()[index].parent.filter(|_| is_shown[index]) {
                    is_shown[parent as usize] = true;
                }
            }
            self.list.extend(
                (0..n_sources).zip(is_shown).filter(|(_, is_shown)| *is_shown).map(|(index, _)| index),
            );
            return;
        }
        self.n_matches = model.sources().len();
        let mut index = 0;
        while index < n_sources {
            self.list.push(index);
            index = if self.collapsed.contains(&index) { model.facts(index).end } else { index + 1 };
        }
    }
}

/// The groups that are collapsed when a drawing is shown first.
fn initially_collapsed(model: &Model) -> HashSet<u32> {
    if model.sources().len() <= MAX_EXPANDED {
        return HashSet::new();
    }
    let has_contents = |index: u32| model.facts(index).end > index + 1;
    let deep = (0..).zip(&model.facts).filter(|(_, facts)| facts.depth >= COLLAPSED_DEPTH);
    deep.map(|(index, _)| index).filter(|index| has_contents(*index)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::{index, model};

    const CONTENTS: &str = r##"<g id="a"><g id="b"><rect id="c" width="1" height="1"/></g></g><rect id="d" width="1" height="1"/>"##;

    fn names<'m>(rows: &Rows, model: &'m Model) -> Vec<&'m str> {
        rows.list.iter().map(|source| model.source(*source).name.as_str()).collect()
    }

    #[test]
    fn collapsed_groups_hide_what_is_inside_until_it_is_revealed() {
        let model = model(CONTENTS);
        let mut rows = Rows::default();
        let update = |rows: &mut Rows| rows.update(&model, 0, &Filter::default());
        update(&mut rows);
        assert_eq!(names(&rows, &model), ["/svg", "a", "b", "c", "d"]);
        rows.toggle(index(&model, "a"));
        rows.toggle(index(&model, "b"));
        update(&mut rows);
        assert_eq!(names(&rows, &model), ["/svg", "a", "d"]);
        assert_eq!(rows.reveal(index(&model, "c"), &model), Some(3));
        assert_eq!(names(&rows, &model), ["/svg", "a", "b", "c", "d"]);
    }

    #[test]
    fn a_filter_keeps_the_groups_around_matches() {
        let model = model(CONTENTS);
        let mut rows = Rows::default();
        let mut filter = Filter { text: "c".to_owned(), ..Filter::default() };
        rows.update(&model, 0, &filter);
        assert_eq!(
            (names(&rows, &model), rows.n_matches),
            (vec!["/svg", "a", "b", "c", "d"], 2),
            "rect has a c"
        );
        filter = Filter { text: "#c".to_owned(), is_selector: true, ..Filter::default() };
        rows.update(&model, 0, &filter);
        assert_eq!((names(&rows, &model), rows.n_matches), (vec!["/svg", "a", "b", "c"], 1));
        assert!(rows.is_match(index(&model, "c")) && !rows.is_match(index(&model, "b")));
        filter.text = "#".to_owned();
        rows.update(&model, 0, &filter);
        assert!(rows.error.is_some());
    }

    #[test]
    fn the_deep_groups_of_a_large_drawing_are_collapsed_at_first() {
        let many = r#"<g><g><rect width="1" height="1"/></g></g>"#.repeat(MAX_EXPANDED);
        let model = model(&many);
        let mut rows = Rows::default();
        rows.update(&model, 0, &Filter::default());
        assert_eq!(rows.list.len(), 1 + 2 * MAX_EXPANDED);
    }
}
