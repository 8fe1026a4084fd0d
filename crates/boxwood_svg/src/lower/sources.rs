//! The SVG elements that elements of the scene come from.

use std::fmt::Write;

use crate::table::{Source, SourceKind};

/// Follows a walk through the tree, and lists the SVG elements that it meets.
#[derive(Default)]
pub(crate) struct SourceTracker {
    /// The sources, each with its number among the SVG elements.
    sources: Vec<(Source, usize)>,
    /// The number of SVG elements so far.
    n_elements: usize,
    /// The SVG elements around the current node, the outermost first.
    open: Vec<OpenElement>,
    /// The path of the current node, such as `/g[2]/path[1]`; empty at the root.
    path: String,
    /// Whether everything comes from the current element: in a mask, whose contents have no source
    /// of their own.
    pub(crate) is_frozen: bool,
}

/// An SVG element around the current node.
struct OpenElement {
    /// The element as a source, without its parent.
    source: Source,
    /// Its number among the SVG elements.
    number: usize,
    /// Its index among the sources, once it is one.
    index: Option<u32>,
}

impl SourceTracker {
    /// Enters an SVG element, unless it counts as part of the current one, because that is a path,
    /// image or text.
    pub(crate) fn enter(&mut self, id: &str, kind: SourceKind) {
        let is_group =
            |around: &OpenElement| matches!(around.source.kind, SourceKind::Svg | SourceKind::Group);
        if self.is_frozen || !self.open.last().is_none_or(is_group) {
            return;
        }
        let has_id = !id.is_empty();
        let name = if has_id {
            id
        } else if self.path.is_empty() {
            "/"
        } else {
            &self.path
        };
        let source = Source { name: name.to_owned(), has_id, kind, parent: None };
        self.open.push(OpenElement { source, number: self.n_elements, index: None });
        self.n_elements += 1;
        if has_id {
            self.source();
        }
    }

    /// Steps down to the `count`th child with this name. Returns the length of the path and the
    /// number of elements around the child for [`step_up`](Self::step_up).
    pub(crate) fn step_down(&mut self, name: &str, count: usize) -> [usize; 2] {
        let around = [self.path.len(), self.open.len()];
        let _ = write!(self.path, "/{name}[{count}]");
        around
    }

    /// Steps up, and leaves the SVG elements that were entered since.
    pub(crate) fn step_up(&mut self, [length, n_open]: [usize; 2]) {
        self.open.truncate(n_open);
        self.path.truncate(length);
    }

    /// The index of the current SVG element among the sources. It and the groups around it become
    /// sources if they are not.
    pub(crate) fn source(&mut self) -> u32 {
        let mut parent = None;
        for element in &mut self.open {
            let index = *element.index.get_or_insert_with(|| {
                self.sources.push((Source { parent, ..element.source.clone() }, element.number));
                u32::try_from(self.sources.len() - 1).unwrap_or(u32::MAX)
            });
            parent = Some(index);
        }
        parent.unwrap_or_default()
    }

    /// The name of the current SVG element.
    pub(crate) fn name(&self) -> String {
        self.open.last().map(|element| element.source.name.clone()).unwrap_or_default()
    }

    /// The sources in document order, and the number of each among the SVG elements.
    pub(crate) fn finish(self) -> (Vec<Source>, Vec<usize>) {
        self.sources.into_iter().unzip()
    }
}
