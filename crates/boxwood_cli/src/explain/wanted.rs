//! The elements that `--id` and `--select` name, and whether any file has them.

use boxwood_svg::{Drawing, Selector, Unlisted};

use crate::report::Report;

/// The elements that are named, and whether each is found.
#[derive(Clone)]
pub(super) struct Found {
    ids: Vec<(String, bool)>,
    selectors: Vec<(Selector, bool)>,
}

impl Found {
    /// Nothing is found yet.
    pub(super) fn new(ids: &[String], selectors: &[Selector]) -> Self {
        Self {
            ids: ids.iter().map(|id| (id.clone(), false)).collect(),
            selectors: selectors.iter().map(|selector| (selector.clone(), false)).collect(),
        }
    }

    /// The elements of a drawing that are named: sources by their indices, and those that are not
    /// drawn.
    pub(super) fn search(&mut self, drawing: &Drawing) -> (Vec<u32>, Vec<Unlisted>) {
        let unlisted = drawing.unlisted();
        let mut is_named = vec![false; drawing.sources.len() + unlisted.len()];
        for (id, is_found) in &mut self.ids {
            drawing.named(id).into_iter().for_each(|index| is_named[index as usize] = true);
            *is_found |= !drawing.named(id).is_empty();
            let of_unlisted = is_named[drawing.sources.len()..].iter_mut().zip(&unlisted);
            for (is_named, _) in of_unlisted.filter(|(_, e)| e.id == *id || e.path == *id) {
                (*is_named, *is_found) = (true, true);
            }
        }
        for (selector, is_found) in &mut self.selectors {
            for (is_named, is_selected) in is_named.iter_mut().zip(drawing.select(selector)) {
                *is_named |= is_selected;
                *is_found |= is_selected;
            }
        }
        let (of_sources, of_unlisted) = is_named.split_at(drawing.sources.len());
        let sources = (0..).zip(of_sources).filter_map(|(index, is_named)| is_named.then_some(index));
        let unlisted = unlisted.into_iter().zip(of_unlisted);
        let unlisted = unlisted.filter_map(|(element, is_named)| is_named.then_some(element));
        (sources.collect(), unlisted.collect())
    }

    /// Adds what was found in another file.
    pub(super) fn append(&mut self, other: &Self) {
        self.ids.iter_mut().zip(&other.ids).for_each(|(all, (_, is_found))| all.1 |= is_found);
        self.selectors.iter_mut().zip(&other.selectors).for_each(|(all, (_, is_found))| all.1 |= is_found);
    }

    /// Reports the ids and selectors that no element has.
    pub(super) fn report_missing(&self, report: &mut Report) {
        for (id, _) in self.ids.iter().filter(|(_, is_found)| !is_found) {
            report.negative(format_args!("no element has the id or path `{id}`"));
        }
        for (selector, _) in self.selectors.iter().filter(|(_, is_found)| !is_found) {
            report.negative(format_args!("no element matches the selector `{selector}`"));
        }
    }
}
