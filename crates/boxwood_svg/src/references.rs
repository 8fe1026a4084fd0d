//! Where the references of a document lead: usvg follows them without a look at how far.
//!
//! Scene refer to others by `use`, by paint, clip path, mask, filter and markers. usvg opens some circles of references, and runs
//! out of stack in the others; it goes through what is referred to anew for each reference, so that ten patterns which use the next
//! ten times are 10¹⁰. Both are found here before usvg sees the document.

use std::collections::{HashMap, HashSet};

use usvg::roxmltree::{Document, Node, NodeId};

use crate::Error;
use crate::error::{MAX_XML_DEPTH, MAX_XML_NODES};
use crate::properties::{ById, Kind, Properties, References};

const XLINK: &str = "http://www.w3.org/1999/xlink";

/// The elements that are not drawn where they stand.
const DEFINITIONS: [&str; 13] = [
    "clipPath",
    "defs",
    "desc",
    "filter",
    "linearGradient",
    "marker",
    "mask",
    "metadata",
    "pattern",
    "radialGradient",
    "style",
    "symbol",
    "title",
];

/// The elements that are painted, and so inherit paint and markers, or stand for some that do.
const PAINTED: [&str; 13] = [
    "a", "circle", "ellipse", "line", "path", "polygon", "polyline", "rect", "text", "textPath", "tref",
    "tspan", "use",
];

/// Checks that the references of a document end, and that following each one leads to no more elements, nor deeper, than may be.
///
/// # Errors
///
/// A circle of references that usvg does not open itself; too many elements; too deep a nest of them.
pub(crate) fn check(document: &Document<'_>) -> Result<(), Error> {
    // Uses alone are counted by usvg.
    let text = document.input_text();
    if !["url(", "feImage", "&#"].iter().any(|sign| text.contains(sign)) {
        return Ok(());
    }
    let mut properties = Properties::new(document);
    let targets = Targets::new(document);
    open_circles(document, &targets, &mut properties);
    let references = properties.effective(document, &targets.by_id);
    let mut walk = Walk { document, targets, references, path: Vec::new(), known: HashMap::new() };
    let root = Step { to: document.root_element().id(), depth: 0, times: 1, is_reference: false };
    let Extent { count, .. } = walk.extent(root, 0)?;
    if count > u64::from(MAX_XML_NODES) { Err(Error::TooMany { count }) } else { Ok(()) }
}

/// The elements by their ids.
struct Targets<'d> {
    /// Of several elements with one id, `use` stands for the first.
    first_by_id: HashMap<&'d str, NodeId>,
    /// All else refers to the last that usvg knows, be it any of these.
    by_id: ById<'d>,
}

impl<'d> Targets<'d> {
    fn new(document: &'d Document<'_>) -> Self {
        let mut targets = Self { first_by_id: HashMap::new(), by_id: HashMap::new() };
        for node in document.descendants() {
            if let Some(id) = node.attribute("id") {
                targets.first_by_id.entry(id).or_insert(node.id());
                targets.by_id.entry(id).or_default().push(node.id());
            }
        }
        targets
    }

    /// The elements that the address of this one may be.
    fn of_href(&self, node: Node<'_, '_>) -> &[NodeId] {
        href(node).and_then(|id| self.by_id.get(id)).map_or(&[], Vec::as_slice)
    }

    /// The element that this one stands for, if it is a `use`.
    fn of_use(&self, node: Node<'_, '_>) -> Option<NodeId> {
        let href = href(node).filter(|_| node.tag_name().name() == "use")?;
        self.first_by_id.get(href).copied()
    }
}

fn href<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    let own = node.attributes().find(|a| a.name() == "href" && a.namespace().is_none());
    let href = own.map(|a| a.value()).or_else(|| node.attribute((XLINK, "href")))?;
    href.trim().strip_prefix('#')
}

/// Removes the references that usvg removes: those by which an element refers to itself from within, directly or by one other.
fn open_circles(document: &Document<'_>, targets: &Targets<'_>, properties: &mut Properties) {
    let by_kind = [
        ("pattern", Kind::Fill),
        ("pattern", Kind::Stroke),
        ("clipPath", Kind::ClipPath),
        ("mask", Kind::Mask),
        ("filter", Kind::Filter),
    ];
    for (tag, kind) in by_kind {
        if !properties.have(kind) {
            continue;
        }
        for node in document.descendants().filter(|node| node.tag_name().name() == tag) {
            for child in with_used(document, targets, node.id()) {
                for target in properties.targets(child, kind, &targets.by_id) {
                    if target == node.id() {
                        properties.clear(child, kind);
                        continue;
                    }
                    for below in with_used(document, targets, target) {
                        if properties.targets(below, kind, &targets.by_id).contains(&node.id()) {
                            properties.clear(below, kind);
                        }
                    }
                }
            }
        }
    }
    for image in document.descendants().filter(|node| node.tag_name().name() == "feImage") {
        if let ([target], Some(filter)) = (targets.of_href(image), image.parent_element())
            && properties.targets(*target, Kind::Filter, &targets.by_id).contains(&filter.id())
        {
            properties.clear(*target, Kind::Filter);
        }
    }
}

/// An element and all that is in it, and in what it uses.
fn with_used(document: &Document<'_>, targets: &Targets<'_>, from: NodeId) -> Vec<NodeId> {
    let (mut found, mut seen, mut left) = (Vec::new(), HashSet::new(), vec![from]);
    while let Some(id) = left.pop() {
        let Some(node) = document.get_node(id).filter(|_| seen.insert(id)) else { continue };
        found.push(id);
        left.extend(node.children().filter(Node::is_element).map(|child| child.id()));
        left.extend(targets.of_use(node));
    }
    found
}

/// How many elements an element leads to, itself counted, and how deep those are below it.
#[derive(Clone, Copy)]
struct Extent {
    count: u64,
    depth: u32,
}

/// A step from one element to another.
#[derive(Clone, Copy)]
struct Step {
    to: NodeId,
    /// How much deeper it leads.
    depth: u32,
    /// How often it is made.
    times: u64,
    /// Whether it is neither to a child nor a `use`.
    is_reference: bool,
}

/// An element that is being looked at.
struct Visited {
    node: NodeId,
    is_marker: bool,
    /// Whether a reference has led to it.
    is_referred_to: bool,
}

struct Walk<'d, 'input> {
    document: &'d Document<'input>,
    targets: Targets<'d>,
    references: References,
    /// The elements that are being looked at, the outermost first.
    path: Vec<Visited>,
    /// Nothing where an element is being looked at.
    known: HashMap<NodeId, Option<Extent>>,
}

impl Walk<'_, '_> {
    /// The extent of the element that a step leads to, `depth` elements deep.
    fn extent(&mut self, step: Step, depth: u32) -> Result<Extent, Error> {
        let Some(node) = self.document.get_node(step.to) else { return Ok(Extent { count: 0, depth: 0 }) };
        let within = |extent: Extent| match depth + extent.depth {
            deep if deep > MAX_XML_DEPTH => Err(Error::TooDeep { depth: deep }),
            _ => Ok(extent),
        };
        match self.known.get(&step.to) {
            Some(Some(known)) => return within(*known),
            Some(None) if self.is_opened(step) => return Ok(Extent { count: 0, depth: 0 }),
            Some(None) => {
                let id = node.attribute("id").unwrap_or_default().to_owned();
                return Err(Error::Circle { element: node.tag_name().name().to_owned(), id });
            }
            None => {}
        }
        let mut whole = within(Extent { count: 1, depth: 0 })?;
        self.known.insert(step.to, None);
        let is_marker = node.tag_name().name() == "marker";
        self.path.push(Visited { node: step.to, is_marker, is_referred_to: step.is_reference });
        for next in self.below(node) {
            let part = self.extent(next, depth + next.depth)?;
            whole.count = whole.count.saturating_add(part.count.saturating_mul(next.times));
            whole.depth = whole.depth.max(part.depth + next.depth);
        }
        self.path.pop();
        self.known.insert(step.to, Some(whole));
        Ok(whole)
    }

    /// Whether usvg itself opens the circle that a step closes: it leaves out a marker inside of itself, and where uses alone
    /// lead back, it leaves one out or says that they nest too deep.
    fn is_opened(&self, last: Step) -> bool {
        let circle: Vec<_> = self.path.iter().skip_while(|visited| visited.node != last.to).collect();
        let is_by_reference =
            last.is_reference || circle.iter().skip(1).any(|visited| visited.is_referred_to);
        !is_by_reference || circle.iter().any(|visited| visited.is_marker)
    }

    /// What usvg goes on to from an element.
    fn below(&self, node: Node<'_, '_>) -> Vec<Step> {
        let is_drawn =
            |child: &Node<'_, '_>| child.is_element() && !DEFINITIONS.contains(&child.tag_name().name());
        let contents = self.document.get_node(self.contents(node)).into_iter();
        let children = contents.flat_map(|contents| contents.children().filter(is_drawn));
        let step = |to, depth| Step { to, depth, times: 1, is_reference: false };
        let mut below: Vec<_> = children.map(|child| step(child.id(), 1)).collect();
        below.extend(self.targets.of_use(node).map(|used| step(used, 2)));
        let refer = |to, times| Step { to, depth: 1, times, is_reference: true };
        if node.tag_name().name() == "feImage" {
            below.extend(self.targets.of_href(node).iter().map(|shown| refer(*shown, 1)));
        }
        let is_painted = PAINTED.contains(&node.tag_name().name());
        for (kind, target) in self.references.get(&node.id()).into_iter().flatten() {
            let tag = self.document.get_node(*target).map_or("", |target| target.tag_name().name());
            match kind {
                Kind::Fill | Kind::Stroke if is_painted && tag == "pattern" => below.push(refer(*target, 1)),
                Kind::Marker if is_painted && tag == "marker" => below.push(refer(*target, vertices(node))),
                Kind::ClipPath if tag == "clipPath" => below.push(refer(*target, 1)),
                Kind::Mask if tag == "mask" => below.push(refer(*target, 1)),
                Kind::Filter if tag == "filter" => below.push(refer(*target, 1)),
                _ => {}
            }
        }
        below
    }

    /// The element whose children are this one's: a pattern without any has those of the one that it refers to.
    fn contents(&self, node: Node<'_, '_>) -> NodeId {
        let (mut contents, mut seen) = (node, HashSet::new());
        while contents.tag_name().name() == "pattern"
            && contents.first_element_child().is_none()
            && seen.insert(contents.id())
        {
            match self.targets.of_href(contents).last().and_then(|id| self.document.get_node(*id)) {
                Some(next) => contents = next,
                None => break,
            }
        }
        contents.id()
    }
}

/// About how many vertices a path or polygon has.
fn vertices(node: Node<'_, '_>) -> u64 {
    let numbers = |text: &str| {
        let is_start = |pair: &[u8]| pair[1].is_ascii_digit() && !pair[0].is_ascii_digit() && pair[0] != b'.';
        text.as_bytes().windows(2).filter(|pair| is_start(pair)).count()
    };
    let data = node.attribute("d").or_else(|| node.attribute("points"));
    data.map_or(2, |data| (numbers(data) as u64 / 2).max(2))
}
