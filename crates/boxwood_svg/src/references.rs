//! Where the references of a document lead: usvg follows them without a look at how far.
//!
//! Elements refer to others by `use`, by paint, clip path, mask, filter and markers. usvg opens some circles of references, and runs
//! out of stack in the others; it goes through what is referred to anew for each reference, so that ten patterns which use the next
//! ten times are 10¹⁰. Both are found here before usvg sees the document.

use std::collections::{HashMap, HashSet};

use usvg::roxmltree::{Document, Node, NodeId};

use crate::Error;
use crate::error::{MAX_XML_DEPTH, MAX_XML_NODES};
use crate::properties::{Kind, Properties};

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
const PAINTED: [&str; 11] =
    ["circle", "ellipse", "line", "path", "polygon", "polyline", "rect", "text", "textPath", "tspan", "use"];

/// Checks that the references of a document end, and that following each one leads to no more elements, nor deeper, than may be.
///
/// # Errors
///
/// A circle of references that usvg does not open itself; too many elements; too deep a nest of them.
pub(crate) fn check(document: &Document<'_>) -> Result<(), Error> {
    // Uses alone are counted by usvg.
    let text = document.input_text();
    if !text.contains("url(") && !text.contains("feImage") {
        return Ok(());
    }
    let mut properties = Properties::new(document);
    let targets = Targets::new(document);
    open_circles(document, &targets, &mut properties);
    let references = properties.effective(document, &targets.last_by_id);
    let mut walk = Walk { document, targets, references, path: Vec::new(), known: HashMap::new() };
    let Extent { count, .. } = walk.extent(document.root_element(), 0)?;
    if count > u64::from(MAX_XML_NODES) { Err(Error::TooMany { count }) } else { Ok(()) }
}

/// The elements by their ids. Of two with one id, usvg has the first for `use`, the last for all else.
struct Targets<'d> {
    first_by_id: HashMap<&'d str, NodeId>,
    last_by_id: HashMap<&'d str, NodeId>,
}

impl<'d> Targets<'d> {
    fn new(document: &'d Document<'_>) -> Self {
        let mut targets = Self { first_by_id: HashMap::new(), last_by_id: HashMap::new() };
        for node in document.descendants() {
            if let Some(id) = node.attribute("id") {
                targets.first_by_id.entry(id).or_insert(node.id());
                targets.last_by_id.insert(id, node.id());
            }
        }
        targets
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
                for target in properties.targets(child, kind, &targets.last_by_id) {
                    if target == node.id() {
                        properties.clear(child, kind);
                        continue;
                    }
                    for below in with_used(document, targets, target) {
                        if properties.targets(below, kind, &targets.last_by_id).contains(&node.id()) {
                            properties.clear(below, kind);
                        }
                    }
                }
            }
        }
    }
    for image in document.descendants().filter(|node| node.tag_name().name() == "feImage") {
        let target = href(image).and_then(|id| targets.last_by_id.get(id)).copied();
        if let Some((target, filter)) = target.zip(image.parent_element())
            && properties.targets(target, Kind::Filter, &targets.last_by_id).contains(&filter.id())
        {
            properties.clear(target, Kind::Filter);
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

struct Walk<'d, 'input> {
    document: &'d Document<'input>,
    targets: Targets<'d>,
    references: HashMap<NodeId, Vec<(Kind, NodeId)>>,
    /// The elements that are being looked at, the outermost first, and whether each is a marker.
    path: Vec<(NodeId, bool)>,
    /// Nothing where an element is being looked at.
    known: HashMap<NodeId, Option<Extent>>,
}

impl Walk<'_, '_> {
    /// The extent of an element that is `depth` elements deep.
    fn extent(&mut self, node: Node<'_, '_>, depth: u32) -> Result<Extent, Error> {
        let within = |extent: Extent| match depth + extent.depth {
            deep if deep > MAX_XML_DEPTH => Err(Error::TooDeep { depth: deep }),
            _ => Ok(extent),
        };
        match self.known.get(&node.id()) {
            Some(Some(known)) => return within(*known),
            // usvg leaves out a marker inside of itself.
            Some(None) if self.leads_back_over_a_marker(node.id()) => {
                return Ok(Extent { count: 0, depth: 0 });
            }
            Some(None) => {
                let id = node.attribute("id").unwrap_or_default().to_owned();
                return Err(Error::Circle { element: node.tag_name().name().to_owned(), id });
            }
            None => {}
        }
        let mut whole = within(Extent { count: 1, depth: 0 })?;
        self.known.insert(node.id(), None);
        self.path.push((node.id(), node.tag_name().name() == "marker"));
        for (below, steps, times) in self.below(node) {
            let Some(below) = self.document.get_node(below) else { continue };
            let part = self.extent(below, depth + steps)?;
            whole.count = whole.count.saturating_add(part.count.saturating_mul(times));
            whole.depth = whole.depth.max(part.depth + steps);
        }
        self.path.pop();
        self.known.insert(node.id(), Some(whole));
        Ok(whole)
    }

    fn leads_back_over_a_marker(&self, id: NodeId) -> bool {
        let circle = self.path.iter().skip_while(|(on_path, _)| *on_path != id);
        circle.into_iter().any(|(_, is_marker)| *is_marker)
    }

    /// What usvg goes on to from an element: each with how much deeper it is, and how often it goes there.
    fn below(&self, node: Node<'_, '_>) -> Vec<(NodeId, u32, u64)> {
        let is_drawn =
            |child: &Node<'_, '_>| child.is_element() && !DEFINITIONS.contains(&child.tag_name().name());
        let contents = self.document.get_node(self.contents(node)).into_iter();
        let children = contents.flat_map(|contents| contents.children().filter(is_drawn));
        let mut below: Vec<_> = children.map(|child| (child.id(), 1, 1)).collect();
        below.extend(self.targets.of_use(node).map(|used| (used, 2, 1)));
        if node.tag_name().name() == "feImage" {
            below.extend(
                href(node).and_then(|id| self.targets.last_by_id.get(id)).map(|shown| (*shown, 2, 1)),
            );
        }
        for (kind, target) in self.references.get(&node.id()).into_iter().flatten() {
            let is_painted = PAINTED.contains(&node.tag_name().name());
            let tag = self.document.get_node(*target).map_or("", |target| target.tag_name().name());
            match kind {
                Kind::Fill | Kind::Stroke if is_painted && tag == "pattern" => below.push((*target, 1, 1)),
                Kind::Marker if is_painted && tag == "marker" => below.push((*target, 1, vertices(node))),
                Kind::ClipPath if tag == "clipPath" => below.push((*target, 1, 1)),
                Kind::Mask if tag == "mask" => below.push((*target, 1, 1)),
                Kind::Filter if tag == "filter" => below.push((*target, 1, 1)),
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
            let next = href(contents).and_then(|id| self.targets.last_by_id.get(id));
            match next.and_then(|id| self.document.get_node(*id)) {
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
