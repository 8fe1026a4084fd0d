//! Groups that need no compositing of their own.

use boxwood_cpu::{Aabb, ElementKind};

use crate::audit::clips::N_ELEMENTS_OF_NODE;
use crate::audit::{Audit, FindingKind, Found, Waste, area};
use crate::table::{Clip, Role, SourceKind, Within};
use crate::visibility::{PlacedNode, overlap, painted};

/// The number of leaves of a group that are compared with each other.
const MAX_COMPARED_LEAVES: usize = 32;

/// The longest side of a group with an opacity, in px. resvg steps along edges in fixed-point
/// numbers from the origin of the group's layer. Without the group it rounds differently, which
/// changes the anti-aliasing of long curves by up to 34 of 255.
const MAX_SIDE: f32 = 256.0;

/// The number of elements below a group that it is compared with. It keeps the time linear.
const MAX_ELEMENTS_BELOW: usize = 1024;

impl Audit<'_> {
    /// Finds opacities, blend modes and isolations that look the same without a group.
    pub(super) fn needless_groups(&self, unseen: &[bool], findings: &mut Vec<Found>) {
        let nodes = self.nodes;
        let (contents, has_filter) = (self.contents(), self.filtered_nodes());
        let mut has_blend_inside = vec![false; nodes.list.len()];
        for node in &nodes.list {
            if let Some(parent) = node.parent {
                has_blend_inside[parent] |= node.effects.blends;
            }
        }
        for (index, node) in nodes.list.iter().enumerate() {
            let seen = contents[index].intersect(node.pixels);
            let is_mask = matches!(node.effects.clip, Some(Clip::Mask { .. }));
            let is_candidate = node.effects.isolates
                && !is_mask
                && !has_filter[index]
                && !seen.is_empty()
                && !unseen[node.info.source as usize]
                && self.is_reportable(node);
            let reason = is_candidate.then(|| self.needless(node, seen, has_blend_inside[index])).flatten();
            let Some(reason) = reason else { continue };
            let waste = Waste {
                kind: FindingKind::NeedlessGroup,
                reason,
                n_elements: N_ELEMENTS_OF_NODE,
                area: area(seen),
            };
            findings.push(self.found(node.info.source as usize, waste));
        }
    }

    /// Why a group needs no compositing. `None` if it may need it.
    fn needless(&self, node: &PlacedNode<'_>, seen: Aabb, has_blend_inside: bool) -> Option<String> {
        let effects = node.effects;
        let property = match effects.opacity {
            _ if effects.blends => "mix-blend-mode",
            1.0 => "isolation",
            _ => "opacity",
        };
        if !self.declares(node, property) {
            return None;
        }
        if effects.blends || (effects.opacity == 1.0 && has_blend_inside) {
            let does_nothing = !self.is_anything_below(node, seen)?;
            let effect = if effects.blends { "has a blend mode" } else { "is isolated" };
            return does_nothing.then(|| format!("{effect}, but nothing is below it in its group"));
        }
        if effects.opacity == 1.0 {
            return Some("is isolated, but nothing in it blends with what is below".to_owned());
        }
        if seen.width().max(seen.height()) > MAX_SIDE {
            return None;
        }
        let leaves = self.leaves_if_apart(node)?;
        let opacity = match leaves.as_slice() {
            [] => return None,
            [Role::Fill, rest @ ..] if rest.iter().all(|role| *role == Role::Fill) => "fill-opacity",
            [Role::Stroke, rest @ ..] if rest.iter().all(|role| *role == Role::Stroke) => "stroke-opacity",
            _ => "fill-opacity and stroke-opacity",
        };
        let why = match leaves.len() {
            1 => "on one leaf only".to_owned(),
            n => format!("on {n} leaves that do not overlap"),
        };
        Some(format!("has an opacity {why}: {opacity} looks the same without a group"))
    }

    /// Whether an earlier leaf of the enclosing group can paint pixels that this group can. `None`
    /// if there are too many, or if the group around it is the drawing, which may be drawn on a
    /// background.
    fn is_anything_below(&self, node: &PlacedNode<'_>, seen: Aabb) -> Option<bool> {
        let (drawing, nodes) = (self.drawing, self.nodes);
        let isolates = |role| matches!(role, Role::Blend | Role::ClipBlend | Role::Mask);
        let mut around = nodes.chain_from(node.parent).map(|around| &nodes.list[around]);
        let around = around.find(|around| isolates(around.info.role));
        // The root composites if something in it blends.
        let around = around.filter(|around| around.parent.is_some())?;
        let mut below = around.begin..node.begin;
        if below.len() > MAX_ELEMENTS_BELOW {
            return None;
        }
        let is_below = |element: usize| {
            let info = drawing.table[element];
            let pixels = painted(drawing, element);
            drawing.elements.kind(element) == ElementKind::Leaf
                && info.within != Within::Mask
                && overlap(pixels.intersect(nodes.pixels_around(element)), seen)
        };
        Some(below.any(is_below))
    }

    /// The roles of the leaves in a group, if there are few, none has pixels in common with
    /// another, and each can have an opacity itself.
    ///
    /// The glyphs of a text may overlap in a browser, a marker does not inherit from its path, and
    /// the contents of a `use` may be drawn elsewhere too.
    fn leaves_if_apart(&self, node: &PlacedNode<'_>) -> Option<Vec<Role>> {
        let (drawing, nodes) = (self.drawing, self.nodes);
        let (mut roles, mut all_pixels): (Vec<_>, Vec<Aabb>) = (Vec::new(), Vec::new());
        for element in node.begin + 1..node.end {
            let info = drawing.table[element];
            match (drawing.elements.kind(element), info.role) {
                (ElementKind::Leaf, Role::Fill | Role::Stroke)
                    if info.within == Within::Scene && self.can_have_opacity(info.source as usize) =>
                {
                    let pixels = painted(drawing, element).intersect(nodes.pixels_around(element));
                    let is_apart = all_pixels.iter().all(|other| !overlap(*other, pixels));
                    if !is_apart || roles.len() == MAX_COMPARED_LEAVES {
                        return None;
                    }
                    roles.push(info.role);
                    all_pixels.push(pixels);
                }
                // A clip does not change how leaves are composited.
                (ElementKind::Begin | ElementKind::End, Role::Clip) | (ElementKind::Nop, _) => {}
                _ => return None,
            }
        }
        Some(roles)
    }

    /// Whether the leaves of a source are its fill and its stroke, and nothing else.
    fn can_have_opacity(&self, source: usize) -> bool {
        let (source, origin) = (&self.drawing.sources[source], self.drawing.origins[source]);
        let node = self.styled[origin.element as usize];
        let may_have_markers = ["marker-start", "marker-mid", "marker-end"]
            .into_iter()
            .any(|property| node.inherited(property).is_some_and(|marker| marker != "none"));
        source.kind == SourceKind::Path && !may_have_markers && !origin.is_in_use
    }

    /// Whether each node is one of an element with a filter.
    fn filtered_nodes(&self) -> Vec<bool> {
        let mut is_filtered = vec![false; self.nodes.list.len()];
        let leaves = self.drawing.table.iter().enumerate().filter(|(_, info)| info.role == Role::Filter);
        for (element, info) in leaves {
            let own = |node: &usize| self.nodes.list[*node].info.source == info.source;
            self.nodes.chain(element).take_while(own).for_each(|node| is_filtered[node] = true);
        }
        is_filtered
    }
}
