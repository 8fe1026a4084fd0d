//! The check of a document before usvg sees it: how many curves its arcs become, how many elements
//! its references stand for, how deep they nest, and whether they end.
//!
//! Dashes are counted in usvg's tree, by `boxes::strokes`: their lengths depend on CSS and on the
//! viewport.
//!
//! Elements refer to others by `use`, paint, clip path, mask, filter and marker. usvg follows each
//! reference anew, so ten patterns that each use the next one ten times stand for 10¹⁰ elements. It
//! breaks some cycles of references and overflows its stack on the others.

use std::collections::{HashMap, HashSet};

use usvg::roxmltree::{Document, Node, NodeId};

use crate::error::{Error, LimitError, Quantity};
use crate::guard::arcs;
use crate::guard::limits::{MAX_DEPTH, MAX_ELEMENTS};
use crate::guard::references::{Ids, MARKER, References};
use crate::xml::DEFINITIONS;

/// The elements that are never drawn.
const DESCRIPTIONS: [&str; 4] = ["desc", "metadata", "style", "title"];

/// The elements that paint and markers apply to, and those that pass them on to what they draw.
const PAINTED: [&str; 13] = [
    "a", "circle", "ellipse", "line", "path", "polygon", "polyline", "rect", "text", "textPath", "tref",
    "tspan", "use",
];

/// The references of a document that usvg cannot follow as SVG says.
#[derive(Default)]
pub(crate) struct Checked<'d> {
    /// The elements that close a cycle. Without them, there are no cycles except those that usvg
    /// breaks.
    pub(crate) closing: Vec<Node<'d, 'd>>,
    /// The markers that contain themselves. usvg leaves them out there.
    pub(crate) in_themselves: Vec<Node<'d, 'd>>,
    /// The elements that refer to a wrong kind of element, and the property that does.
    pub(crate) wrong: Vec<(Node<'d, 'd>, &'static str)>,
    pub(crate) relative: Vec<RelativeEffect<'d>>,
}

/// A path or group, and its clip path, mask or filter in units of its bounding box.
pub(crate) struct RelativeEffect<'d> {
    pub(crate) element: Node<'d, 'd>,
    pub(crate) effect: Node<'d, 'd>,
    /// Whether the element may have markers, or a path in it.
    pub(crate) is_marked: bool,
}

/// The elements that can have markers, and whose geometry can have no area.
pub(crate) const PATHS: [&str; 4] = ["line", "path", "polygon", "polyline"];

/// Checks that what a document stands for is within the limits.
///
/// # Errors
///
/// [`Error::Limit`] if its arcs become too many curves, or if its references stand for too many
/// elements or nest too deep.
pub(crate) fn check<'d>(document: &'d Document<'d>) -> Result<Checked<'d>, Error> {
    // usvg would refuse these as well, but only after more work.
    let n_known = document.descendants().filter(|node| is_known(*node)).count();
    if n_known > MAX_ELEMENTS as usize {
        return Err(exceeded_limit(document));
    }
    arcs::check(document)?;
    let has = |signs: &[&str]| signs.iter().any(|sign| document.input_text().contains(sign));
    let mut checked = Checked::default();
    if has(&["<use", ":use"]) {
        let mut uses = Followed::new(Ids::new(document), None);
        // usvg itself limits the elements that they stand for.
        let _ = uses.visit_root(document);
        checked.closing = uses.closing;
    }
    // Character references may spell `url(`. Without any of these signs, there are no other
    // references than those of `use`.
    if has(&["url(", "feImage", "&#"]) {
        let ids = Ids::new(document);
        let mut references = References::new(document, &ids);
        checked.wrong = std::mem::take(&mut references.wrong);
        checked.relative = relative_effects(document, &references);
        let mut followed = Followed::new(ids, Some(references));
        let Subtree { count, .. } = followed.visit_root(document)?;
        Quantity::Elements.check(count as f64, MAX_ELEMENTS.into())?;
        checked.closing.extend(followed.closing);
        checked.in_themselves = followed.in_themselves;
    }
    Ok(checked)
}

fn relative_effects<'d>(document: &'d Document<'d>, references: &References<'d>) -> Vec<RelativeEffect<'d>> {
    let paths = document.descendants().filter(|node| PATHS.contains(&node.tag_name().name()));
    let of_path = |path| relative_effects_of(path, has_markers(path, references), references);
    paths.flat_map(of_path).collect()
}

/// The effects of groups with a path with markers, and of these flat groups, in units of the
/// bounding boxes of the groups.
pub(crate) fn effects_of_groups<'d>(
    document: &'d Document<'d>,
    flat: &[Node<'d, 'd>],
) -> Vec<RelativeEffect<'d>> {
    let has_marker = document.descendants().any(|node| node.has_tag_name(MARKER));
    if flat.is_empty() && !has_marker {
        return Vec::new();
    }
    let ids = Ids::new(document);
    let references = References::new(document, &ids);
    let mut users: HashMap<NodeId, Vec<Node<'_, '_>>> = HashMap::new();
    for (user, used) in document.descendants().filter_map(|node| Some((node, ids.of_use(node)?))) {
        users.entry(used.id()).or_default().push(user);
    }
    let is_marked =
        |path: &Node<'_, '_>| PATHS.contains(&path.tag_name().name()) && has_markers(*path, &references);
    let mut left: Vec<_> = document.descendants().filter(is_marked).collect();
    let (mut seen, mut effects) = (HashSet::new(), Vec::new());
    while let Some(node) = left.pop() {
        if !seen.insert(node.id()) {
            continue;
        }
        left.extend(node.parent_element());
        left.extend(users.get(&node.id()).into_iter().flatten());
        if matches!(node.tag_name().name(), "a" | "g" | "use") {
            effects.extend(relative_effects_of(node, true, &references));
        }
    }
    let unmarked = flat.iter().filter(|group| !seen.contains(&group.id()));
    effects.extend(unmarked.flat_map(|group| relative_effects_of(*group, false, &references)));
    effects
}

fn has_markers(path: Node<'_, '_>, references: &References<'_>) -> bool {
    references.of(path).iter().any(|(_, target)| target.has_tag_name(MARKER))
}

fn relative_effects_of<'d>(
    element: Node<'d, 'd>,
    is_marked: bool,
    references: &References<'d>,
) -> Vec<RelativeEffect<'d>> {
    let is_relative = |target: &Node<'_, '_>| {
        let has = |name, units| target.attribute(name).is_some_and(|text| text.trim() == units);
        match target.tag_name().name() {
            "clipPath" => has("clipPathUnits", "objectBoundingBox"),
            "mask" => !has("maskUnits", "userSpaceOnUse") || has("maskContentUnits", "objectBoundingBox"),
            "filter" => !has("filterUnits", "userSpaceOnUse") || has("primitiveUnits", "objectBoundingBox"),
            _ => false,
        }
    };
    let targets = references.of(element).iter().map(|(_, target)| *target).filter(is_relative);
    targets.map(|effect| RelativeEffect { element, effect, is_marked }).collect()
}

/// Whether usvg surely counts an element.
fn is_known(node: Node<'_, '_>) -> bool {
    let tag = node.tag_name().name();
    node.is_element() && (tag == "g" || PAINTED.contains(&tag))
}

/// The limit that a document exceeds, for a document that usvg refuses for its number of elements.
pub(crate) fn exceeded_limit(document: &Document<'_>) -> Error {
    if let Err(error) = Quantity::Depth.check(depth(document), MAX_DEPTH.into()) {
        return error.into();
    }
    let limit = f64::from(MAX_ELEMENTS);
    match Followed::new(Ids::new(document), None).visit_root(document) {
        // usvg also counts text, which is not counted here.
        Ok(Subtree { count, .. }) => {
            LimitError { quantity: Quantity::Elements, count: (count as f64).max(limit + 1.0), limit }.into()
        }
        Err(error) => error,
    }
}

/// The depth of the deepest element below the root.
fn depth(document: &Document<'_>) -> f64 {
    let mut depths = HashMap::new();
    // Parents come before their children.
    for element in document.descendants().filter(Node::is_element) {
        let around = element.parent_element().and_then(|parent| depths.get(&parent.id()));
        depths.insert(element.id(), around.map_or(0.0, |depth| depth + 1.0));
    }
    depths.into_values().fold(0.0, f64::max)
}

/// The error for a cycle through an element.
pub(crate) fn cycle_through(node: Node<'_, '_>) -> Error {
    let id = node.attribute("id").unwrap_or_default().to_owned();
    Error::ReferenceCycle { element: node.tag_name().name().to_owned(), id }
}

/// The elements that an element stands for: itself, its descendants, and the elements it refers to.
#[derive(Clone, Copy, Default)]
struct Subtree {
    /// The number of elements, itself included.
    count: u64,
    /// The depth of the deepest of them below it.
    depth: u32,
}

/// A step from one element to another.
#[derive(Clone, Copy)]
struct Step<'d> {
    to: Node<'d, 'd>,
    /// How much deeper the element is.
    depth: u32,
    /// How often the step is taken.
    times: u64,
    /// Whether it is neither to a child nor from a `use`.
    is_reference: bool,
}

/// Follows references depth-first. Visits each element once, and remembers what it stands for.
struct Followed<'d> {
    ids: Ids<'d>,
    /// The references to follow. `None` to follow uses alone, as usvg does while it counts
    /// elements. The cycles of uses alone are found only then.
    references: Option<References<'d>>,
    /// The steps from the root to the current element. The first leads to the root.
    path: Vec<Step<'d>>,
    /// `None` for the elements in `path`.
    known: HashMap<NodeId, Option<Subtree>>,
    /// The elements that close a cycle.
    closing: Vec<Node<'d, 'd>>,
    /// The markers that contain themselves.
    in_themselves: Vec<Node<'d, 'd>>,
}

impl<'d> Followed<'d> {
    fn new(ids: Ids<'d>, references: Option<References<'d>>) -> Self {
        let (path, known) = (Vec::new(), HashMap::new());
        Self { ids, references, path, known, closing: Vec::new(), in_themselves: Vec::new() }
    }

    fn visit_root(&mut self, document: &'d Document<'d>) -> Result<Subtree, Error> {
        let to = document.root_element();
        self.visit(Step { to, depth: 0, times: 1, is_reference: false }, 0)
    }

    /// Visits the element that a step leads to, at `depth`.
    fn visit(&mut self, step: Step<'d>, depth: u32) -> Result<Subtree, Error> {
        let check_depth = |below: u32| Quantity::Depth.check((depth + below).into(), MAX_DEPTH.into());
        match self.known.get(&step.to.id()) {
            Some(Some(known)) => return Ok(check_depth(known.depth).map(|()| *known)?),
            Some(None) => {
                self.close(step);
                return Ok(Subtree::default());
            }
            None => {}
        }
        check_depth(0)?;
        let mut whole = Subtree { count: 1, depth: 0 };
        self.known.insert(step.to.id(), None);
        self.path.push(step);
        for next in self.steps_from(step.to) {
            let part = self.visit(next, depth + next.depth)?;
            whole.count = whole.count.saturating_add(part.count.saturating_mul(next.times));
            whole.depth = whole.depth.max(part.depth + next.depth);
        }
        self.path.pop();
        self.known.insert(step.to.id(), Some(whole));
        Ok(whole)
    }

    /// Lists the element that closes a cycle by a step, unless the cycle is broken without it: usvg
    /// leaves out a marker inside of itself, and a cycle of uses alone is broken before references
    /// are followed.
    fn close(&mut self, last: Step<'d>) {
        let cycle: Vec<_> = self.path.iter().skip_while(|step| step.to != last.to).collect();
        let has_reference = last.is_reference || cycle.iter().skip(1).any(|step| step.is_reference);
        if self.references.is_some() && !has_reference {
            return;
        }
        let marker = cycle.iter().map(|step| step.to).find(|node| node.tag_name().name() == MARKER);
        match marker.filter(|_| self.references.is_some()) {
            Some(marker) if self.in_themselves.contains(&marker) => {}
            Some(marker) => self.in_themselves.push(marker),
            None => self.closing.extend(self.path.last().map(|last| last.to)),
        }
    }

    /// The steps that usvg takes from an element.
    fn steps_from(&self, node: Node<'d, 'd>) -> Vec<Step<'d>> {
        let step = |to, depth| Step { to, depth, times: 1, is_reference: false };
        // usvg puts what is used two levels below the `use`.
        let used = self.ids.of_use(node).map(|used| step(used, 2));
        let Some(references) = &self.references else {
            let children = node.children().filter(Node::is_element);
            return children.map(|child| step(child, 1)).chain(used).collect();
        };
        let is_drawn = |child: &Node<'_, '_>| {
            let tag = child.tag_name().name();
            child.is_element() && !DEFINITIONS.contains(&tag) && !DESCRIPTIONS.contains(&tag)
        };
        let children = self.contents(node).children().filter(is_drawn);
        let mut steps: Vec<_> = children.map(|child| step(child, 1)).chain(used).collect();
        let reference = |to, times| Step { to, depth: 1, times, is_reference: true };
        if node.tag_name().name() == "feImage" {
            steps.extend(self.ids.of_href(node).iter().map(|shown| reference(*shown, 1)));
        }
        let is_painted = PAINTED.contains(&node.tag_name().name());
        for (kind, target) in references.of(node).iter().filter(|(kind, _)| is_painted || !kind.is_inherited)
        {
            let tag = target.tag_name().name();
            if tag == kind.target_tag {
                steps.push(reference(*target, if tag == MARKER { vertices(node) } else { 1 }));
            }
        }
        steps
    }

    /// The element that has the children of this one: a pattern without children has those of the
    /// pattern it refers to.
    fn contents(&self, node: Node<'d, 'd>) -> Node<'d, 'd> {
        let (mut contents, mut seen) = (node, HashSet::new());
        while contents.tag_name().name() == "pattern"
            && contents.first_element_child().is_none()
            && seen.insert(contents.id())
        {
            let Some(next) = self.ids.of_href(contents).last() else { break };
            contents = *next;
        }
        contents
    }
}

/// An estimate of the number of vertices of a path or polygon.
fn vertices(node: Node<'_, '_>) -> u64 {
    let numbers = |text: &str| {
        let is_start = |pair: &[u8]| pair[1].is_ascii_digit() && !pair[0].is_ascii_digit() && pair[0] != b'.';
        text.as_bytes().windows(2).filter(|pair| is_start(pair)).count()
    };
    let data = node.attribute("d").or_else(|| node.attribute("points"));
    data.map_or(2, |data| (numbers(data) as u64 / 2).max(2))
}
