//! The SVG elements that the nodes of usvg's tree come from.

use usvg::{Group, Node};

use super::{SourceTracker, id_and_kind};
use crate::read::elements::{Element, Nodes};

impl SourceTracker {
    /// The element that each child of a group comes from. `None` for a node that is only a part of
    /// the current element.
    pub(crate) fn elements_of(&self, group: &Group) -> Vec<Option<u32>> {
        let nodes = group.children();
        let mut elements = vec![None; nodes.len()];
        let Some(current) = self.open.last().filter(|_| !self.is_in_leaf()) else { return elements };
        if let [Node::Group(only)] = nodes
            && only.id().is_empty()
            && self.clips_symbol(current.element, group)
        {
            return elements;
        }
        if let [Node::Group(whole)] = nodes
            && whole.children().first().is_some_and(|node| self.is_background(node))
        {
            return elements;
        }
        let start = nodes.iter().take_while(|node| self.is_background(node)).count();
        let (nodes, own) = (&nodes[start..], &mut elements[start..]);
        for (element, node) in own.iter_mut().zip(nodes) {
            *element = self.document.with_id(id_and_kind(node).0).or_else(|| self.marked_path(node));
        }
        if own.contains(&None) {
            let is_in_use = !current.uses.is_empty() || self.document.get(current.element).target().is_some();
            self.fill_gaps(own, nodes, &self.document.contents(current.element), !is_in_use);
        }
        elements
    }

    fn is_background(&self, node: &Node) -> bool {
        matches!(node, Node::Path(path) if self.background == Some(std::ptr::from_ref(&**path)))
    }

    /// Whether a group is that of a `use` that clips to the viewport of a symbol. usvg has a
    /// further group inside of it.
    fn clips_symbol(&self, element: u32, group: &Group) -> bool {
        let is_symbol = |target| self.document.get(target).tag == "symbol";
        group.clip_path().is_some() && self.document.get(element).target().is_some_and(is_symbol)
    }

    /// Finds the elements of nodes without an id, from the elements that can have nodes there.
    ///
    /// usvg drops the ids of what a `use` or a marker draws, and of the parts of a path with
    /// markers between them. With `has_ids`, no other node is without an id, so a group without one
    /// holds markers. It is empty if its element is, such as a text without characters.
    fn fill_gaps(&self, elements: &mut [Option<u32>], nodes: &[Node], contents: &[u32], has_ids: bool) {
        let (mut start, mut after) = (0, 0);
        while start < nodes.len() {
            if let Some(element) = elements[start] {
                after = after.max(contents.partition_point(|other| *other <= element));
                start += 1;
                continue;
            }
            let end = (start..nodes.len()).find(|i| elements[*i].is_some()).unwrap_or(nodes.len());
            let next = elements.get(end).copied().flatten();
            let before = next.map_or(contents.len(), |next| contents.partition_point(|other| *other < next));
            let gap = contents.get(after..before).unwrap_or_default();
            let around = [start.checked_sub(1).and_then(|i| elements[i]), next];
            let is_left_out = |i: &usize| self.has_known(&nodes[*i]) || has_ids && is_empty(&nodes[*i]);
            let unknown: Vec<usize> = (start..end).filter(|i| !is_left_out(i)).collect();
            let is_marker = |i: &usize| has_ids && is_nameless_group(&nodes[*i]);
            let first = unknown.iter().position(|i| !is_marker(i)).unwrap_or(unknown.len());
            let last = unknown.iter().rposition(|i| !is_marker(i)).map_or(first, |last| last + 1);
            let n_inside = unknown[first..last].iter().filter(|i| is_marker(i)).count();
            let found = if first == last {
                self.owners_of_markers(around, gap, unknown.len())
            } else if has_ids && n_inside < gap.len() {
                self.owners_of_outer_markers(around, gap, [first, last - first, unknown.len() - last])
            } else {
                let mut found = self.owners_of_markers([around[0], None], &[], first);
                let own: Vec<&Node> = unknown[first..last].iter().map(|i| &nodes[*i]).collect();
                found.extend(self.elements_in_gap(gap, around, &own));
                found.extend(self.owners_of_markers([None, next], &[], unknown.len() - last));
                found
            };
            unknown.iter().zip(found).for_each(|(i, element)| elements[*i] = element);
            start = end;
        }
    }

    /// The elements of nodes between those of two elements, from the elements in the gap.
    fn elements_in_gap(&self, gap: &[u32], around: [Option<u32>; 2], nodes: &[&Node]) -> Vec<Option<u32>> {
        let can_be = |(node, element): (&&Node, &u32)| {
            let Element { nodes, tag, .. } = self.document.get(*element);
            match node {
                // A leaf is in a group only for an effect. usvg also has groups around images.
                Node::Group(group) if !group.should_isolate() && group.transform().is_identity() => {
                    *nodes == Nodes::Group || tag == "image"
                }
                Node::Group(_) => true,
                Node::Path(_) | Node::Image(_) | Node::Text(_) => *nodes == Nodes::Leaf,
            }
        };
        match gap {
            [] => self.owners_of_markers(around, gap, nodes.len()),
            [only] => vec![Some(*only); nodes.len()],
            _ if 3 * gap.len() == nodes.len() && nodes.chunks_exact(3).all(has_markers_inside) => {
                gap.iter().flat_map(|element| [Some(*element); 3]).collect()
            }
            _ if gap.len() == nodes.len() && nodes.iter().zip(gap).all(can_be) => {
                gap.iter().copied().map(Some).collect()
            }
            _ => vec![None; nodes.len()],
        }
    }

    /// The path in a group that holds only the path and its markers. usvg puts one around a path
    /// with markers and an effect. Its group around everything can look alike, but the group of an
    /// element has a known id in it, and markers have none.
    fn marked_path(&self, node: &Node) -> Option<u32> {
        let Node::Group(group) = node else { return None };
        let is_marker = |node: &Node| is_nameless_group(node) && !is_empty(node) && !self.has_known(node);
        match group.children() {
            [Node::Path(path), other] | [other, Node::Path(path)]
                if group.id().is_empty() && is_marker(other) =>
            {
                self.document.with_id(path.id())
            }
            _ => None,
        }
    }

    /// The elements of markers, given the elements of the nodes before and after the markers, and
    /// those between them. One of those has only its markers, if it has neither fill nor stroke.
    fn owners_of_markers(
        &self,
        [before, after]: [Option<u32>; 2],
        gap: &[u32],
        n_markers: usize,
    ) -> Vec<Option<u32>> {
        let is_leaf = |element: &u32| self.document.get(*element).nodes == Nodes::Leaf;
        let [before, after] = [before.filter(is_leaf), after.filter(is_leaf)];
        let is_first = after.is_some_and(|after| self.document.get(after).has_markers_first);
        let between = match gap {
            [] => after,
            [only] => Some(*only),
            _ => None,
        };
        let mut owners = vec![before.or(between); n_markers];
        if let Some(last) = owners.last_mut().filter(|_| is_first) {
            *last = after;
        }
        owners
    }

    /// The elements of some markers, a part of a path, and more markers, given the number of each.
    /// Some of the markers are those of the path, which is drawn without fill or without stroke.
    fn owners_of_outer_markers(
        &self,
        [before, after]: [Option<u32>; 2],
        gap: &[u32],
        [n_before, n_own, n_after]: [usize; 3],
    ) -> Vec<Option<u32>> {
        match (gap, n_before, n_after) {
            ([only], 1.., 0) => {
                let mut owners = self.owners_of_markers([before, None], &[], n_before - 1);
                owners.resize(n_before + n_own, Some(*only));
                owners
            }
            ([only], 0, 1..) => {
                let mut owners = vec![Some(*only); n_own + 1];
                owners.extend(self.owners_of_markers([None, after], &[], n_after - 1));
                owners
            }
            _ => vec![None; n_before + n_own + n_after],
        }
    }

    /// Whether a node has a descendant with a known id. Such a node is not that of an element, but
    /// a group that usvg puts around several of them.
    fn has_known(&self, node: &Node) -> bool {
        let Node::Group(group) = node else { return false };
        group
            .children()
            .iter()
            .any(|node| self.document.with_id(id_and_kind(node).0).is_some() || self.has_known(node))
    }
}

/// Whether nodes are a path that is drawn in two steps, and its markers between them.
fn has_markers_inside(nodes: &[&Node]) -> bool {
    // usvg makes both steps from one path.
    matches!(nodes, [Node::Path(first), Node::Group(_), Node::Path(last)] if std::ptr::eq(first.data(), last.data()))
}

fn is_nameless_group(node: &Node) -> bool {
    matches!(node, Node::Group(_)) && id_and_kind(node).0.is_empty()
}

/// Whether a node is a group without contents. usvg has one for an element that has a transform or
/// an effect, and nothing to draw.
fn is_empty(node: &Node) -> bool {
    matches!(node, Node::Group(group) if !group.has_children())
}
