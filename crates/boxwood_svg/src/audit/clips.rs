//! Clip paths that cut nothing.

use boxwood_cpu::{Aabb, ElementKind};

use crate::audit::{Audit, FindingKind, Found, Waste, area};
use crate::table::{Clip, Role, SourceKind, Within};
use crate::visibility::{PlacedNode, covered, painted};

/// The elements of a node: its begin and its end.
pub(super) const N_ELEMENTS_OF_NODE: usize = 2;

impl Audit<'_> {
    /// The pixels that the contents of each node can paint, inside of the nodes in it.
    pub(super) fn contents(&self) -> Vec<Aabb> {
        let (drawing, nodes) = (self.drawing, self.nodes);
        let mut contents = vec![Aabb::EMPTY; nodes.list.len()];
        for (element, info) in drawing.table.iter().enumerate() {
            if let Some(node) = nodes.around[element]
                && drawing.elements.kind(element) == ElementKind::Leaf
                && info.within != Within::Mask
            {
                contents[node] = contents[node].union(painted(drawing, element));
            }
        }
        for (index, node) in nodes.list.iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                let seen = contents[index].intersect(node.touched());
                contents[parent] = contents[parent].union(seen);
            }
        }
        contents
    }

    /// Finds clip paths of groups that are rectangles around everything in them. All of them can be
    /// removed at once: a clip that is found does not count as a reason for another.
    pub(super) fn needless_clips(&self, unseen: &[bool], findings: &mut Vec<Found>) {
        let (contents, has_text) = (self.contents(), self.nodes_with_text());
        let mut n_clips = vec![0; self.drawing.sources.len()];
        for node in &self.nodes.list {
            let is_clip_path = matches!(node.effects.clip, Some(Clip::ClipPath { .. }));
            n_clips[node.info.source as usize] += usize::from(is_clip_path);
        }
        // The pixels that each node and the nodes around it let through, without those found.
        let mut kept: Vec<Aabb> = Vec::with_capacity(contents.len());
        for (index, node) in self.nodes.list.iter().enumerate() {
            let around = node.parent.map_or(Aabb::PLANE, |parent| kept[parent]);
            let seen = contents[index].intersect(around);
            let source = node.info.source as usize;
            let is_found = !seen.is_empty()
                && !unseen[source]
                // Not a part of a clip path with a clip path.
                && n_clips[source] == 1
                && self.may_be_needless(node)
                && !has_text[index]
                && covered(node.shape).contains(seen);
            kept.push(if is_found { around } else { around.intersect(node.touched()) });
            let Some(Clip::ClipPath { id }) = node.effects.clip.as_ref().filter(|_| is_found) else {
                continue;
            };
            let waste = Waste {
                kind: FindingKind::NeedlessClip,
                reason: format!("has the clip path #{id}, which cuts nothing"),
                n_elements: N_ELEMENTS_OF_NODE,
                area: area(node.shape),
            };
            findings.push(self.found(source, waste));
        }
    }

    /// Whether a text is in each node. In another font, it may be larger than here.
    fn nodes_with_text(&self) -> Vec<bool> {
        let mut has_text = vec![false; self.nodes.list.len()];
        for (element, info) in self.drawing.table.iter().enumerate() {
            if let Some(node) = self.nodes.around[element] {
                has_text[node] |= self.drawing.sources[info.source as usize].kind == SourceKind::Text;
            }
        }
        for (index, node) in self.nodes.list.iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                has_text[parent] |= has_text[index];
            }
        }
        has_text
    }

    /// Whether a node is a clip path of the document that clips a group to a rectangle and does
    /// nothing else that depends on it.
    ///
    /// If the edges of a clip path are not at whole pixels, Chromium anti-aliases the contents
    /// differently, by up to 8 of 255, even if they are far from these edges. resvg draws a clipped
    /// shape in a layer, which rounds the overlap of its fill and stroke once more.
    fn may_be_needless(&self, node: &PlacedNode<'_>) -> bool {
        let has_id = matches!(&node.effects.clip, Some(Clip::ClipPath { id }) if !id.is_empty())
            && self.declares(node, "clip-path");
        let kind = self.drawing.sources[node.info.source as usize].kind;
        let is_group = matches!(kind, SourceKind::Svg | SourceKind::Group);
        // A clip path also isolates its contents, which matters if they blend.
        let only_clips = node.info.role == Role::Clip || node.effects.isolates;
        let has_whole_edges = covered(node.shape) == node.shape;
        has_id && is_group && has_whole_edges && only_clips && node.effects.is_box && self.is_reportable(node)
    }

    /// Whether a node is an effect of an SVG element in the document itself, and not of an SVG
    /// image or a marker that it draws.
    pub(super) fn is_reportable(&self, node: &PlacedNode<'_>) -> bool {
        let source = node.info.source as usize;
        // A marker is around a part of the leaves of a path.
        let is_around_all =
            self.leaves[source].is_none_or(|[first, last]| node.begin < first && last < node.end);
        node.info.within == Within::Scene
            && is_around_all
            && self.is_own_and_certain(source)
            && self.drawing.sources[source].kind != SourceKind::Image
    }
}
