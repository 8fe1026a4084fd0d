//! What is ignored in CSS and could change what is painted.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::dom::Document;

use crate::warnings::Warnings;

/// The largest number of things that are reported one by one. Further ones are reported together.
const MAX_THINGS: usize = 50;

/// The things in CSS that are ignored: each with its first position, as an offset in the text of
/// the document, and its number.
#[derive(Default)]
pub(crate) struct Ignored(RefCell<Things>);

#[derive(Default)]
struct Things {
    list: Vec<(String, usize, usize)>,
    by_name: HashMap<String, usize>,
    is_everywhere: bool,
}

impl Ignored {
    /// Counts a thing, such as a property, at a position in the document.
    pub(crate) fn add(&self, what: impl Into<String>, at: usize) {
        let Things { list, by_name, .. } = &mut *self.0.borrow_mut();
        let mut what = what.into();
        if list.len() >= MAX_THINGS && !by_name.contains_key(&what) {
            "other CSS".clone_into(&mut what);
        }
        match by_name.get(&what) {
            Some(index) => list[*index].2 += 1,
            None => {
                by_name.insert(what.clone(), list.len());
                list.push((what, at, 1));
            }
        }
    }

    /// Counts a thing that may apply to any element.
    pub(crate) fn add_everywhere(&self, what: impl Into<String>, at: usize) {
        self.add(what, at);
        self.0.borrow_mut().is_everywhere = true;
    }

    /// Whether something may apply to any element.
    pub(crate) fn is_everywhere(&self) -> bool {
        self.0.borrow().is_everywhere
    }

    /// Warns about all things.
    pub(crate) fn warn(&self, document: &Document, warnings: &Warnings) {
        for (what, at, count) in &self.0.borrow().list {
            let [line, column] = document.position(*at);
            warnings.add_css(format!("{line}:{column} ({what})"), *count);
        }
    }
}
