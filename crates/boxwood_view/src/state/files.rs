//! The files that the user can go to.

use std::path::Path;

/// The number of files that a page of the list counts as.
const PAGE: usize = 10;

/// A file in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileName {
    /// The name for the list and the title.
    pub(crate) name: String,
    /// The folder of the file, inside of the folder that has all files of the list. Empty for a
    /// file that is directly in that folder.
    pub(crate) folder: String,
    /// The whole path, which no two files share.
    pub(crate) path: String,
}

impl FileName {
    /// The name with its folder, which the list shows.
    pub(crate) fn in_list(&self) -> String {
        Path::new(&self.folder).join(&self.name).display().to_string()
    }
}

/// A place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    Previous,
    Next,
    PageBack,
    PageAhead,
    First,
    Last,
}

/// The files, of which there is at least one, and the current one.
#[derive(Clone, Debug)]
pub(crate) struct FileList {
    names: Vec<FileName>,
    current: usize,
}

impl FileList {
    /// A list whose current file is at this index.
    pub(crate) fn new(names: Vec<FileName>, current: usize) -> Self {
        assert!(current < names.len(), "there is a current file");
        Self { names, current }
    }

    pub(crate) fn names(&self) -> &[FileName] {
        &self.names
    }

    /// The index of the current file.
    pub(crate) fn current(&self) -> usize {
        self.current
    }

    pub(crate) fn current_name(&self) -> &str {
        &self.names[self.current].name
    }

    /// Goes to a file. Returns whether it is another one.
    pub(crate) fn go_to(&mut self, index: usize) -> bool {
        let is_other = index != self.current && index < self.names.len();
        if is_other {
            self.current = index;
        }
        is_other
    }

    /// The index of the file at a step from the current one. The first file follows the last.
    pub(crate) fn at(&self, step: Step) -> usize {
        let (n_files, last) = (self.names.len(), self.names.len() - 1);
        match step {
            Step::Previous => (self.current + last) % n_files,
            Step::Next => (self.current + 1) % n_files,
            Step::PageBack => self.current.saturating_sub(PAGE),
            Step::PageAhead => (self.current + PAGE).min(last),
            Step::First => 0,
            Step::Last => last,
        }
    }

    /// The indices of the files that have every word of a text in their names and folders.
    pub(crate) fn matching(&self, text: &str) -> Vec<usize> {
        let text = text.to_lowercase();
        let matches = |name: &FileName| {
            let name = name.in_list().to_lowercase();
            text.split_whitespace().all(|word| name.contains(word))
        };
        (0..self.names.len()).filter(|index| matches(&self.names[*index])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(folder: &str, name: &str) -> FileName {
        FileName { name: name.to_owned(), folder: folder.to_owned(), path: format!("/f/{folder}/{name}") }
    }

    fn list(n_files: usize, current: usize) -> FileList {
        FileList::new((0..n_files).map(|i| file("", &format!("File {i}.svg"))).collect(), current)
    }

    #[test]
    fn single_steps_go_round_and_pages_stop_at_the_ends() {
        let steps = [Step::Previous, Step::Next, Step::PageBack, Step::PageAhead, Step::First, Step::Last];
        let from = |current| steps.map(|step| list(25, current).at(step));
        assert_eq!(from(0), [24, 1, 0, 10, 0, 24]);
        assert_eq!(from(12), [11, 13, 2, 22, 0, 24]);
        assert_eq!(from(24), [23, 0, 14, 24, 0, 24]);
        assert_eq!(steps.map(|step| list(1, 0).at(step)), [0; 6]);
    }

    #[test]
    fn a_search_finds_names_with_every_word() {
        let list = list(25, 3);
        assert_eq!(list.matching("").len(), 25);
        assert_eq!(list.matching("FILE 2.s"), [2, 12, 22]);
        assert_eq!(list.matching("svg 24"), [24]);
        assert_eq!(list.matching("/f"), [0; 0]);
        let deep = FileList::new(vec![file("", "a.svg"), file("icons/Small", "a.svg")], 0);
        assert_eq!(deep.matching("small a"), [1]);
        assert_eq!(deep.matching("small/a"), [1]);
    }
}
