//! How large a document is, as usvg counts: each use of an element is one more.

use std::collections::HashMap;

use usvg::roxmltree::{Document, Node, NodeId};

use crate::Error;
use crate::error::{MAX_XML_DEPTH, MAX_XML_NODES};

const XLINK: &str = "http://www.w3.org/1999/xlink";

/// Which of usvg's limits a document that usvg refuses is beyond, with what it has.
pub(crate) fn limit_of(document: &Document<'_>) -> Error {
    let depth = depth_of(document);
    if depth > MAX_XML_DEPTH {
        return Error::TooDeep { depth };
    }
    let mut extents = Extents { document, by_id: HashMap::new(), known: HashMap::new(), circle: None };
    for (node, id) in document.descendants().filter_map(|node| Some((node, node.attribute("id")?))) {
        extents.by_id.entry(id).or_insert(node.id());
    }
    let extent = extents.of(document.root_element(), 0);
    let circle = extents.circle.and_then(|id| document.get_node(id));
    match (extent, circle) {
        // usvg opens some circles, and goes round the others until it is too deep.
        (Some(Extent { count, .. }), Some(node)) if count <= MAX_XML_NODES.into() => {
            let id = node.attribute("id").unwrap_or_default().to_owned();
            Error::Circle { element: node.tag_name().name().to_owned(), id }
        }
        // What is counted here is no text, of which usvg has elements as well.
        (Some(Extent { count, .. }), _) => Error::TooMany { count: count.max(u64::from(MAX_XML_NODES) + 1) },
        (None, _) => Error::TooDeep { depth: MAX_XML_DEPTH + 1 },
    }
}

/// How many elements are inside of each other in the root, uses left alone.
fn depth_of(document: &Document<'_>) -> u32 {
    let mut depths = HashMap::from([(document.root_element().id(), 0)]);
    let mut deepest = 0;
    // Parents come before their children.
    for node in document.root_element().descendants().filter(Node::is_element) {
        if let Some(depth) = node.parent().and_then(|parent| depths.get(&parent.id())).map(|above| above + 1)
        {
            depths.insert(node.id(), depth);
            deepest = deepest.max(depth);
        }
    }
    deepest
}

/// How many elements an element stands for, itself counted, and how deep those are below it.
#[derive(Clone, Copy)]
struct Extent {
    count: u64,
    depth: u32,
}

struct Extents<'d, 'input> {
    document: &'d Document<'input>,
    by_id: HashMap<&'d str, NodeId>,
    /// Nothing where an element is being looked at: what leads back there ends there.
    known: HashMap<NodeId, Option<Extent>>,
    /// The first element that is found to lead back to itself.
    circle: Option<NodeId>,
}

impl Extents<'_, '_> {
    /// The extent of an element that is `depth` elements deep, `None` if it reaches deeper than usvg goes.
    fn of(&mut self, node: Node<'_, '_>, depth: u32) -> Option<Extent> {
        let is_in_reach = |extent: &Extent| depth + extent.depth <= MAX_XML_DEPTH;
        if let Some(known) = self.known.get(&node.id()) {
            if known.is_none() {
                self.circle.get_or_insert(node.id());
            }
            return Some(known.unwrap_or(Extent { count: 0, depth: 0 })).filter(is_in_reach);
        }
        let mut whole = Some(Extent { count: 1, depth: 0 }).filter(is_in_reach)?;
        self.known.insert(node.id(), None);
        // An element that is used is two below its use.
        let children = node.children().filter(Node::is_element).map(|child| (child.id(), 1));
        let below: Vec<_> = children.chain(self.used_by(node).map(|used| (used, 2))).collect();
        for (id, steps) in below {
            let Some(node) = self.document.get_node(id) else { continue };
            let part = self.of(node, depth + steps)?;
            whole.count = whole.count.saturating_add(part.count);
            whole.depth = whole.depth.max(part.depth + steps);
        }
        self.known.insert(node.id(), Some(whole));
        Some(whole)
    }

    fn used_by(&self, node: Node<'_, '_>) -> Option<NodeId> {
        let href = node.attribute("href").or(node.attribute((XLINK, "href")))?;
        let id = href.strip_prefix('#').filter(|_| node.tag_name().name() == "use")?;
        self.by_id.get(id).copied()
    }
}
