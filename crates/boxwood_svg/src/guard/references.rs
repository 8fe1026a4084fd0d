//! The references of elements: by their ids, and through properties.

use std::collections::{HashMap, HashSet};

use crate::dom::{Attribute, Document, Node, NodeId};

/// The elements of a document by their ids, several for one id in document order.
pub(crate) struct Ids<'d>(HashMap<&'d str, Vec<Node<'d>>>);

impl<'d> Ids<'d> {
    pub(crate) fn new(document: &'d Document) -> Self {
        let mut ids: HashMap<_, Vec<_>> = HashMap::new();
        // The ids of copies are those of other trees.
        for element in document.elements().filter(|element| !element.is_copy()) {
            if let Some(id) = element.attribute("id") {
                ids.entry(id).or_default().push(element);
            }
        }
        Self(ids)
    }

    /// The elements with an id.
    fn get(&self, id: &str) -> &[Node<'d>] {
        self.0.get(id).map_or(&[], Vec::as_slice)
    }

    /// The first element with an id, which browsers refer to.
    pub(crate) fn first(&self, id: &str) -> Option<Node<'d>> {
        self.get(id).first().copied()
    }

    /// The elements with the id that an element refers to. usvg uses the last one that it has
    /// converted, which may be any of them.
    pub(crate) fn of_href(&self, node: Node<'_>) -> &[Node<'d>] {
        node.local_href().map_or(&[], |id| self.get(id))
    }

    /// The element that a `use` stands for, which is the first one with the id. `None` for other
    /// elements.
    pub(crate) fn of_use(&self, node: Node<'_>) -> Option<Node<'d>> {
        node.has_tag("use").then(|| self.of_href(node).first().copied())?
    }
}

/// A kind of reference through a property.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Kind {
    property: &'static str,
    /// The name of the elements that it refers to.
    pub(crate) target_tag: &'static str,
    /// Whether elements inherit it. It then applies to painted elements only.
    pub(crate) is_inherited: bool,
}

/// The kinds of references. `marker` also stands for `marker-start`, `marker-mid` and `marker-end`.
const KINDS: [&Kind; 6] = [
    &Kind { property: "fill", target_tag: "pattern", is_inherited: true },
    &Kind { property: "stroke", target_tag: "pattern", is_inherited: true },
    &Kind { property: MARKER, target_tag: MARKER, is_inherited: true },
    &Kind { property: "clip-path", target_tag: "clipPath", is_inherited: false },
    &Kind { property: "mask", target_tag: "mask", is_inherited: false },
    FILTER,
];

/// The property and the element that marks vertices.
pub(crate) const MARKER: &str = "marker";

const FILTER: &Kind = &Kind { property: "filter", target_tag: "filter", is_inherited: false };

impl Kind {
    fn of(property: &str) -> Option<&'static Self> {
        let property = if property.starts_with("marker-") { MARKER } else { property };
        KINDS.into_iter().find(|kind| kind.property == property)
    }
}

/// The references of a document.
pub(crate) struct References<'d> {
    /// The references of each element, inherited ones included.
    by_element: HashMap<NodeId, Vec<(&'static Kind, Node<'d>)>>,
    /// The elements with a clip path, mask or filter that refers to another kind of element, and
    /// the property.
    pub(crate) wrong: Vec<(Node<'d>, &'static str)>,
}

impl<'d> References<'d> {
    /// The references of a document, except those that usvg removes to break cycles.
    pub(crate) fn new(document: &'d Document, ids: &Ids<'d>) -> Self {
        let elements: Vec<_> = document.elements().collect();
        let mut declared = Declared::new(&elements);
        declared.break_cycles(&elements, ids);
        let wrong = declared.wrong(&elements, ids);
        let mut references = Self { by_element: HashMap::new(), wrong };
        // Parents come before their children.
        for node in &elements {
            let inherited = node.parent().map_or(&[][..], |parent| references.of(parent)).iter();
            let is_inherited =
                |kind: &'static Kind| kind.is_inherited && !declared.ids.contains_key(&(node.id(), kind));
            let mut own: Vec<_> = inherited.filter(|(kind, _)| is_inherited(kind)).copied().collect();
            for kind in KINDS {
                own.extend(declared.targets(*node, kind, ids).into_iter().map(|to| (kind, to)));
            }
            references.by_element.insert(node.id(), own);
        }
        references
    }

    /// The references of an element.
    pub(crate) fn of(&self, node: Node<'_>) -> &[(&'static Kind, Node<'d>)] {
        self.by_element.get(&node.id()).map_or(&[], Vec::as_slice)
    }
}

/// The ids that the properties of each element refer to. A property with another value has an empty
/// list.
struct Declared {
    ids: HashMap<(NodeId, &'static Kind), Vec<String>>,
    /// The elements with a list of filters. usvg ignores only the wrong references in it.
    filter_lists: HashSet<NodeId>,
}

impl Declared {
    fn new(elements: &[Node<'_>]) -> Self {
        let mut declared = Self { ids: HashMap::new(), filter_lists: HashSet::new() };
        for node in elements {
            for Attribute { name, value, .. } in node.attributes().filter(|own| own.namespace.is_none()) {
                if let Some(kind) = Kind::of(name) {
                    let ids = declared.ids.entry((node.id(), kind)).or_default();
                    ids.extend(ids_in(value).map(str::to_owned));
                    if kind == FILTER && value.matches('(').count() > 1 {
                        declared.filter_lists.insert(node.id());
                    }
                }
            }
        }
        declared
    }

    fn targets<'d>(&self, node: Node<'_>, kind: &'static Kind, ids: &Ids<'d>) -> Vec<Node<'d>> {
        let declared = self.ids.get(&(node.id(), kind)).into_iter().flatten();
        declared.flat_map(|id| ids.get(id)).copied().collect()
    }

    /// The references to another kind of element. usvg itself ignores a clip path or mask that
    /// refers to no element.
    fn wrong<'d>(&self, elements: &[Node<'d>], ids: &Ids<'d>) -> Vec<(Node<'d>, &'static str)> {
        let is_wrong = |node: Node<'d>, kind: &'static Kind| {
            let declares = self.ids.get(&(node.id(), kind)).is_some_and(|ids| !ids.is_empty());
            let targets = self.targets(node, kind, ids);
            let counts =
                if kind == FILTER { !self.filter_lists.contains(&node.id()) } else { !targets.is_empty() };
            // Of several elements with an id, browsers refer to the first.
            let is_right = |target: &Node<'_>| target.tag() == kind.target_tag;
            let is_first_right = targets.first().is_some_and(is_right);
            declares && counts && !is_first_right
        };
        let kinds = KINDS.into_iter().filter(|kind| !kind.is_inherited);
        let of_kind = |kind: &'static Kind| {
            let wrong = elements.iter().filter(move |node| is_wrong(**node, kind));
            wrong.map(|node| (*node, kind.property))
        };
        kinds.flat_map(of_kind).collect()
    }

    /// Removes the references that usvg removes: those by which an element refers to itself from
    /// within, directly or through one other element. A property with several references stays,
    /// because any of them may be in effect.
    fn break_cycles<'d>(&mut self, elements: &[Node<'d>], ids: &Ids<'d>) {
        let with_tag = |tag| elements.iter().filter(move |node| node.has_tag(tag));
        for kind in KINDS.into_iter().filter(|kind| kind.property != MARKER) {
            if !self.ids.iter().any(|((_, declared), ids)| *declared == kind && !ids.is_empty()) {
                continue;
            }
            for node in with_tag(kind.target_tag) {
                for child in with_used(ids, *node) {
                    for target in self.targets(child, kind, ids) {
                        if target == *node {
                            self.remove(child, kind);
                            continue;
                        }
                        for below in with_used(ids, target) {
                            if self.targets(below, kind, ids).contains(node) {
                                self.remove(below, kind);
                            }
                        }
                    }
                }
            }
        }
        for image in with_tag("feImage") {
            if let ([shown], Some(filter)) = (ids.of_href(*image), image.parent_element())
                && self.targets(*shown, FILTER, ids).contains(&filter)
            {
                self.remove(*shown, FILTER);
            }
        }
    }

    fn remove(&mut self, node: Node<'_>, kind: &'static Kind) {
        if let Some(ids) = self.ids.get_mut(&(node.id(), kind)).filter(|ids| ids.len() == 1) {
            ids.clear();
        }
    }
}

/// An element, its descendants, and the elements that these use.
fn with_used<'d>(ids: &Ids<'d>, from: Node<'d>) -> Vec<Node<'d>> {
    let (mut found, mut seen, mut left) = (Vec::new(), HashSet::new(), vec![from]);
    while let Some(node) = left.pop() {
        if seen.insert(node.id()) {
            found.push(node);
            left.extend(node.children().filter(Node::is_element));
            left.extend(ids.of_use(node));
        }
    }
    found
}

/// The ids in the `url(#id)` of a value.
pub(crate) fn ids_in(value: &str) -> impl Iterator<Item = &str> {
    value.split("url(").skip(1).filter_map(|rest| {
        let address = rest.split(')').next()?.trim().trim_matches(['"', '\'']).trim();
        address.strip_prefix('#')
    })
}
