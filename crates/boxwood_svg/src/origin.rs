//! Which SVG element the walk is in.

use std::fmt::Write;

use usvg::{Group, Node};

use crate::drawing::{Source, SourceKind};
use crate::placement::image_id;

/// The SVG elements around the current node, and the sources that have come of them and of others so far.
#[derive(Default)]
pub(crate) struct Origins {
    sources: Vec<Source>,
    /// The elements around the current node, the outermost first.
    open: Vec<OpenElement>,
    /// The path of the current node over the tree, such as `/g[2]/path[1]`; nothing at the root.
    path: String,
    /// The same as places among all children of each group.
    steps: Vec<u32>,
    /// For each source, the steps to it.
    steps_of_sources: Vec<Box<[u32]>>,
    /// How many times elements are kept from being entered.
    seals: usize,
}

/// An SVG element that the walk is in.
struct OpenElement {
    id: String,
    kind: SourceKind,
    /// How much of the path leads to it.
    path_length: usize,
    n_steps: usize,
    /// Its place among the sources, once it is one.
    index: Option<u32>,
}

impl Origins {
    /// Enters an element, and says whether it is one of its own: all that is inside a path, text or image comes from
    /// that.
    pub(crate) fn enter(&mut self, id: &str, kind: SourceKind) -> bool {
        let is_inside_leaf = self
            .open
            .last()
            .is_some_and(|around| !matches!(around.kind, SourceKind::Svg | SourceKind::Group));
        if is_inside_leaf || self.seals > 0 {
            return false;
        }
        let path_length = self.path.len();
        let n_steps = self.steps.len();
        self.open.push(OpenElement { id: id.to_owned(), kind, path_length, n_steps, index: None });
        if !id.is_empty() {
            self.source();
        }
        true
    }

    /// From here on no element is entered, until as many calls of [`Self::unseal`].
    pub(crate) fn seal(&mut self) {
        self.seals += 1;
    }

    /// Takes back one [`Self::seal`].
    pub(crate) fn unseal(&mut self) {
        self.seals -= 1;
    }

    /// Leaves the element that was entered last.
    pub(crate) fn leave(&mut self) {
        self.open.pop();
    }

    /// Steps down to the child at `place`, the `count`th of its kind, and returns where to step back to.
    pub(crate) fn step_down(&mut self, word: &str, count: usize, place: usize) -> usize {
        let length = self.path.len();
        self.steps.push(u32::try_from(place).unwrap_or(u32::MAX));
        let _ = write!(self.path, "/{word}[{count}]");
        length
    }

    /// Steps back from a child.
    pub(crate) fn step_back(&mut self, length: usize) {
        self.path.truncate(length);
        self.steps.pop();
    }

    /// The index of the source for what the current node becomes. It, and the groups around it, become sources here if
    /// they are none yet.
    pub(crate) fn source(&mut self) -> u32 {
        let n_known =
            self.open.iter().rposition(|element| element.index.is_some()).map_or(0, |last| last + 1);
        let mut parent = n_known.checked_sub(1).and_then(|last| self.open[last].index);
        for place in n_known..self.open.len() {
            let index = u32::try_from(self.sources.len()).unwrap_or(u32::MAX);
            let element = &self.open[place];
            let has_id = !element.id.is_empty();
            self.steps_of_sources.push(self.steps[..element.n_steps].into());
            self.sources.push(Source { name: self.name_of(element), has_id, kind: element.kind, parent });
            self.open[place].index = Some(index);
            parent = Some(index);
        }
        parent.unwrap_or_default()
    }

    /// The name of the element that the walk is in.
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

    /// The sources, in document order, and the steps to each over the tree.
    pub(crate) fn finish(self) -> (Vec<Source>, Vec<Box<[u32]>>) {
        (self.sources, self.steps_of_sources)
    }
}

/// The id and kind of the SVG element that a group's nodes come from.
///
/// usvg puts a group without an id around an element with effects, and a group that takes over the id around an image.
/// Such a group is not an element of its own.
pub(crate) fn element_of(group: &Group) -> (&str, SourceKind) {
    let wrapped = match group.children() {
        _ if !group.id().is_empty() => image_id(group).map(|id| (id, SourceKind::Image)),
        [only] if group.should_isolate() => match only {
            Node::Path(path) => Some((path.id(), SourceKind::Path)),
            Node::Text(text) => Some((text.id(), SourceKind::Text)),
            Node::Group(inner) => image_id(inner).map(|id| (id, SourceKind::Image)),
            Node::Image(_) => None,
        },
        _ => None,
    };
    wrapped.filter(|(id, _)| !id.is_empty()).unwrap_or((group.id(), SourceKind::Group))
}
