//! The SVG elements that elements of the scene come from.

use std::fmt::Write;

use crate::table::{Source, SourceKind};

/// Follows a walk through the tree, and lists the SVG elements that it meets.
#[derive(Default)]
pub(crate) struct SourceTracker {
    sources: Vec<Source>,
    /// For each source, the indices of children that lead to it from the root.
    steps_of_sources: Vec<Box<[u32]>>,
    /// The SVG elements around the current node, the outermost first.
    open: Vec<OpenElement>,
    /// The path of the current node, such as `/g[2]/path[1]`; empty at the root.
    path: String,
    /// The indices of children that lead to the current node.
    steps: Vec<u32>,
    /// Whether everything comes from the current element: in a mask, whose contents have no source
    /// of their own.
    pub(crate) is_frozen: bool,
}

/// An SVG element around the current node.
struct OpenElement {
    id: String,
    kind: SourceKind,
    path_length: usize,
    n_steps: usize,
    /// Its index among the sources, once it is one.
    index: Option<u32>,
}

impl SourceTracker {
    /// Enters an SVG element, unless it counts as part of the current one, because that is a path,
    /// image or text.
    pub(crate) fn enter(&mut self, id: &str, kind: SourceKind) {
        let is_group = |around: &OpenElement| matches!(around.kind, SourceKind::Svg | SourceKind::Group);
        if self.is_frozen || !self.open.last().is_none_or(is_group) {
            return;
        }
        let (path_length, n_steps) = (self.path.len(), self.steps.len());
        self.open.push(OpenElement { id: id.to_owned(), kind, path_length, n_steps, index: None });
        if !id.is_empty() {
            self.source();
        }
    }

    /// Steps down to the child at an index, the `count`th with this name. Returns the length of the
    /// path and the number of elements around the child for [`step_up`](Self::step_up).
    pub(crate) fn step_down(&mut self, name: &str, count: usize, index: usize) -> [usize; 2] {
        let around = [self.path.len(), self.open.len()];
        self.steps.push(u32::try_from(index).unwrap_or(u32::MAX));
        let _ = write!(self.path, "/{name}[{count}]");
        around
    }

    /// Steps up, and leaves the SVG elements that were entered since.
    pub(crate) fn step_up(&mut self, [length, n_open]: [usize; 2]) {
        self.open.truncate(n_open);
        self.path.truncate(length);
        self.steps.pop();
    }

    /// The index of the current SVG element among the sources. It and the groups around it become
    /// sources if they are not.
    pub(crate) fn source(&mut self) -> u32 {
        let n_listed = self.open.iter().rposition(|element| element.index.is_some()).map_or(0, |i| i + 1);
        let mut parent = n_listed.checked_sub(1).and_then(|last| self.open[last].index);
        for i in n_listed..self.open.len() {
            let index = u32::try_from(self.sources.len()).unwrap_or(u32::MAX);
            let element = &self.open[i];
            let (name, has_id) = (self.name_of(element), !element.id.is_empty());
            self.steps_of_sources.push(self.steps[..element.n_steps].into());
            self.sources.push(Source { name, has_id, kind: element.kind, parent });
            self.open[i].index = Some(index);
            parent = Some(index);
        }
        parent.unwrap_or_default()
    }

    /// The name of the current SVG element.
    pub(crate) fn name(&self) -> String {
        self.open.last().map(|element| self.name_of(element)).unwrap_or_default()
    }

    fn name_of(&self, element: &OpenElement) -> String {
        match &self.path[..element.path_length] {
            _ if !element.id.is_empty() => element.id.clone(),
            "" => "/".to_owned(),
            path => path.to_owned(),
        }
    }

    /// The sources in document order, and the indices of children that lead to each.
    pub(crate) fn finish(self) -> (Vec<Source>, Vec<Box<[u32]>>) {
        (self.sources, self.steps_of_sources)
    }
}
