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

use svgtypes::{PathParser, PointsParser};

use crate::dom::{Document, MAX_DEFAULTS, Node, NodeId};

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
    pub(crate) closing: Vec<Node<'d>>,
    /// The markers that contain themselves. usvg leaves them out there.
    pub(crate) in_themselves: Vec<Node<'d>>,
    /// The elements that refer to a wrong kind of element, and the property that does.
    pub(crate) wrong: Vec<(Node<'d>, &'static str)>,
}

/// A path or group, and its clip path, mask or filter in units of its bounding box.
pub(crate) struct RelativeEffect<'d> {
    pub(crate) element: Node<'d>,
    pub(crate) effect: Node<'d>,
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
pub(crate) fn check(document: &Document) -> Result<Checked<'_>, Error> {
    arcs::check(document)?;
    let mut checked = Checked { closing: closing_uses(document)?, ..Checked::default() };
    if has_references(document) {
        let ids = Ids::new(document);
        let mut references = References::new(document, &ids);
        checked.wrong = std::mem::take(&mut references.wrong);
        let mut followed = Followed::new(ids, Some(references));
        let Subtree { count, .. } = followed.visit_root(document)?;
        Quantity::Elements.check(count as f64, MAX_ELEMENTS.into())?;
        checked.closing.extend(followed.closing);
        checked.in_themselves = followed.in_themselves;
    }
    Ok(checked)
}

/// Checks the number of elements that a document contains, before anything is done with them: usvg
/// would refuse them as well. Also checks the number of attributes that they have by default.
///
/// # Errors
///
/// If there are too many.
pub(crate) fn check_number(document: &Document) -> Result<(), Error> {
    Quantity::Defaults.check(document.n_defaults() as f64, MAX_DEFAULTS as f64)?;
    let n_known = document.elements().filter(|node| is_known(*node)).count();
    if n_known > MAX_ELEMENTS as usize {
        return Err(exceeded_limit(document));
    }
    // Later steps look at the elements around each element, which takes time quadratic in the depth.
    // They find out more precisely which drawings are too deep, so this leaves the others to them.
    let depth = depth(document);
    if depth > f64::from(4 * MAX_DEPTH) {
        Ok(Quantity::Depth.check(depth, MAX_DEPTH.into())?)
    } else {
        Ok(())
    }
}

/// The elements that close a cycle of uses.
///
/// # Errors
///
/// If the uses stand for too many elements or nest too deep.
pub(crate) fn closing_uses(document: &Document) -> Result<Vec<Node<'_>>, Error> {
    if !document.elements().any(|node| node.has_tag("use")) {
        return Ok(Vec::new());
    }
    let mut uses = Followed::new(Ids::new(document), None);
    let Subtree { count, .. } = uses.visit_root(document)?;
    Quantity::Elements.check(count as f64, MAX_ELEMENTS.into())?;
    Ok(uses.closing)
}

/// Whether a document has other references than those of `use`.
fn has_references(document: &Document) -> bool {
    // Path data is long and refers to nothing.
    let refers = |node: Node<'_>| {
        node.attributes().any(|attribute| attribute.name != "d" && attribute.value.contains("url("))
    };
    document.elements().any(|node| node.has_tag("feImage") || refers(node))
}

/// The effects of paths in units of their bounding boxes.
pub(crate) fn effects_of_paths(document: &Document) -> Vec<RelativeEffect<'_>> {
    let references = References::new(document, &Ids::new(document));
    let paths = document.elements().filter(|node| PATHS.contains(&node.tag()));
    let of_path = |path| relative_effects_of(path, has_markers(path, &references), &references);
    paths.flat_map(of_path).collect()
}

/// The effects of groups with a path with markers, and of these flat groups, in units of the
/// bounding boxes of the groups.
pub(crate) fn effects_of_groups<'d>(document: &'d Document, flat: &[Node<'d>]) -> Vec<RelativeEffect<'d>> {
    let has_marker = document.elements().any(|node| node.has_tag(MARKER));
    if flat.is_empty() && !has_marker {
        return Vec::new();
    }
    let ids = Ids::new(document);
    let references = References::new(document, &ids);
    let mut users: HashMap<NodeId, Vec<Node<'_>>> = HashMap::new();
    for (user, used) in document.elements().filter_map(|node| Some((node, ids.of_use(node)?))) {
        users.entry(used.id()).or_default().push(user);
    }
    let is_marked = |path: &Node<'_>| PATHS.contains(&path.tag()) && has_markers(*path, &references);
    let mut left: Vec<_> = document.elements().filter(is_marked).collect();
    let (mut seen, mut effects) = (HashSet::new(), Vec::new());
    while let Some(node) = left.pop() {
        if !seen.insert(node.id()) {
            continue;
        }
        left.extend(node.parent_element());
        left.extend(users.get(&node.id()).into_iter().flatten());
        if matches!(node.tag(), "a" | "g" | "use") {
            effects.extend(relative_effects_of(node, true, &references));
        }
    }
    let unmarked = flat.iter().filter(|group| !seen.contains(&group.id()));
    effects.extend(unmarked.flat_map(|group| relative_effects_of(*group, false, &references)));
    effects
}

fn has_markers(path: Node<'_>, references: &References<'_>) -> bool {
    references.of(path).iter().any(|(_, target)| target.has_tag(MARKER))
}

fn relative_effects_of<'d>(
    element: Node<'d>,
    is_marked: bool,
    references: &References<'d>,
) -> Vec<RelativeEffect<'d>> {
    let targets = references.of(element).iter().map(|(_, target)| *target).filter(is_relative);
    targets.map(|effect| RelativeEffect { element, effect, is_marked }).collect()
}

/// Whether a document has effects in units of bounding boxes.
pub(crate) fn has_relative_effects(document: &Document) -> bool {
    document.elements().any(|node| is_relative(&node))
}

/// Whether an element is an effect in units of the bounding box of the element that it applies to.
fn is_relative(effect: &Node<'_>) -> bool {
    let has = |name, units| effect.attribute(name).is_some_and(|text| text.trim() == units);
    match effect.tag() {
        "clipPath" => has("clipPathUnits", "objectBoundingBox"),
        "mask" => !has("maskUnits", "userSpaceOnUse") || has("maskContentUnits", "objectBoundingBox"),
        "filter" => !has("filterUnits", "userSpaceOnUse") || has("primitiveUnits", "objectBoundingBox"),
        _ => false,
    }
}

/// Whether usvg surely counts an element.
fn is_known(node: Node<'_>) -> bool {
    let tag = node.tag();
    node.is_element() && (tag == "g" || PAINTED.contains(&tag))
}

/// The limit that a document exceeds, for a document that usvg refuses for its number of elements.
pub(crate) fn exceeded_limit(document: &Document) -> Error {
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
fn depth(document: &Document) -> f64 {
    let mut depths: Vec<u32> = Vec::new();
    // Parents come before their children.
    for element in document.elements() {
        let depth = element.parent_element().map_or(0, |parent| depths[parent.id().index()] + 1);
        // Copies have later numbers than elements after them.
        let index = element.id().index();
        depths.resize(depths.len().max(index + 1), 0);
        depths[index] = depth;
    }
    depths.into_iter().max().unwrap_or_default().into()
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
    to: Node<'d>,
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
    closing: Vec<Node<'d>>,
    /// The markers that contain themselves.
    in_themselves: Vec<Node<'d>>,
}

impl<'d> Followed<'d> {
    fn new(ids: Ids<'d>, references: Option<References<'d>>) -> Self {
        let (path, known) = (Vec::new(), HashMap::new());
        Self { ids, references, path, known, closing: Vec::new(), in_themselves: Vec::new() }
    }

    fn visit_root(&mut self, document: &'d Document) -> Result<Subtree, Error> {
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
        let marker = cycle.iter().map(|step| step.to).find(|node| node.tag() == MARKER);
        match marker.filter(|_| self.references.is_some()) {
            Some(marker) if self.in_themselves.contains(&marker) => {}
            Some(marker) => self.in_themselves.push(marker),
            None => self.closing.extend(self.path.last().map(|last| last.to)),
        }
    }

    /// The steps that usvg takes from an element.
    fn steps_from(&self, node: Node<'d>) -> Vec<Step<'d>> {
        let step = |to, depth| Step { to, depth, times: 1, is_reference: false };
        // usvg puts what is used two levels below the `use`.
        let used = self.ids.of_use(node).map(|used| step(used, 2));
        let Some(references) = &self.references else {
            let children = node.children().filter(Node::is_element);
            return children.map(|child| step(child, 1)).chain(used).collect();
        };
        let is_drawn = |child: &Node<'_>| {
            let tag = child.tag();
            child.is_element() && !DEFINITIONS.contains(&tag) && !DESCRIPTIONS.contains(&tag)
        };
        let children = self.contents(node).children().filter(is_drawn);
        let mut steps: Vec<_> = children.map(|child| step(child, 1)).chain(used).collect();
        let reference = |to, times| Step { to, depth: 1, times, is_reference: true };
        if node.tag() == "feImage" {
            steps.extend(self.ids.of_href(node).iter().map(|shown| reference(*shown, 1)));
        }
        let is_painted = PAINTED.contains(&node.tag());
        for (kind, target) in references.of(node).iter().filter(|(kind, _)| is_painted || !kind.is_inherited)
        {
            let tag = target.tag();
            if tag == kind.target_tag {
                steps.push(reference(*target, if tag == MARKER { vertices(node) } else { 1 }));
            }
        }
        steps
    }

    /// The element that has the children of this one: a pattern without children has those of the
    /// pattern it refers to.
    fn contents(&self, node: Node<'d>) -> Node<'d> {
        let (mut contents, mut seen) = (node, HashSet::new());
        while contents.tag() == "pattern"
            && contents.first_element_child().is_none()
            && seen.insert(contents.id())
        {
            // Of several elements with an id, usvg gets the first (`passes::ids`).
            let Some(next) = self.ids.of_href(contents).first() else { break };
            contents = *next;
        }
        contents
    }
}

/// The number of segments of a path or of points of a polygon, each of which may get a marker.
fn vertices(node: Node<'_>) -> u64 {
    let data = node.attribute("d").map(|d| PathParser::from(d).take_while(Result::is_ok).count());
    let points = || node.attribute("points").map(|points| PointsParser::from(points).count());
    data.or_else(points).map_or(2, |n| (n as u64).max(2))
}
