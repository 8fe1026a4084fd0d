//! What is wasted in a drawing: elements that paint nothing visible, and effects without effect.
//!
//! A finding is a fact about the drawing at 100 %, for any background. [`visibility`] says what is
//! certain there.
//!
//! [`visibility`]: crate::visibility

mod changes;
mod clips;
mod dependents;
mod empty;
mod groups;
mod outside;
mod unseen;

pub use changes::may_change;

use std::collections::HashSet;

use crate::dom::Node;
use boxwood_cpu::{Aabb, ElementKind};

use crate::audit::changes::uncertain;
use crate::audit::dependents::Dependents;
use crate::drawing::Drawing;
use crate::table::{Clip, Within};
use crate::visibility::{Nodes, PlacedNode};

/// A part of a drawing that is wasted.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The kind of waste.
    pub kind: FindingKind,
    /// The id of the SVG element, or its path if it has none.
    pub name: String,
    /// The name of the SVG element's kind, such as `rect`.
    pub tag: String,
    /// The path of the element in the document, as in [`Source::path`](crate::Source::path).
    pub path: String,
    /// The line of the element in the document, starting at 1.
    pub line: u32,
    /// The column of the element in its line, in characters, starting at 1.
    pub column: u32,
    /// The reason: a sentence without a subject, which is the element.
    pub reason: String,
    /// The number of elements of the scene that are wasted: leaves, begins and ends.
    pub n_elements: usize,
    /// The area of the boxes of what is wasted, in px².
    pub area: f64,
}

/// A kind of waste. An element of the first four kinds paints no visible pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingKind {
    /// An element that paints nothing, because it has no size, no paint or no contents.
    Empty,
    /// An element outside of the canvas.
    OffCanvas,
    /// An element outside of its clips and masks.
    ClippedAway,
    /// An element below an opaque rectangle that is painted later.
    Covered,
    /// An element with at least 90 % of the area of its box outside of its clips.
    MostlyOutside,
    /// A clip path that cuts nothing.
    NeedlessClip,
    /// An opacity, blend mode or isolation that does not need a group of its own.
    NeedlessGroup,
}

impl FindingKind {
    /// All kinds, in the order of a summary.
    pub const ALL: [Self; 7] = [
        Self::Empty,
        Self::OffCanvas,
        Self::ClippedAway,
        Self::Covered,
        Self::MostlyOutside,
        Self::NeedlessClip,
        Self::NeedlessGroup,
    ];

    /// Whether it is about an element of which no pixel is visible.
    fn is_invisible(self) -> bool {
        matches!(self, Self::Empty | Self::OffCanvas | Self::ClippedAway | Self::Covered)
    }

    /// The kind in one word that does not change, such as `off-canvas`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::OffCanvas => "off-canvas",
            Self::ClippedAway => "clipped-away",
            Self::Covered => "covered",
            Self::MostlyOutside => "mostly-outside",
            Self::NeedlessClip => "needless-clip",
            Self::NeedlessGroup => "needless-group",
        }
    }
}

/// Finds what is wasted in a drawing, in document order.
///
/// Elements that a `use` draws, SVG images draw, or something else refers to are not reported: they
/// may be visible elsewhere. Neither are elements with animations, with paint that usvg cannot
/// parse, with strokes that do not scale, or with references to other files: they may be visible in
/// a browser. With a style sheet in another file, or with a CSS animation, nothing is reported.
///
/// An element that paints no visible pixel is not reported either if the picture may change without
/// it: if an effect around it is relative to a bounding box, if the canvas is as large as the
/// contents, in a `switch`, or if a style sheet has selectors such as `:first-child`.
///
/// The findings are about the drawing as it is loaded. [`may_change`] says what may change it.
pub fn audit(drawing: &Drawing) -> Vec<Finding> {
    let nodes = &Nodes::new(drawing);
    let (leaves, referenced) = (leaves(drawing), references(drawing.styled.text()));
    let styled: Vec<_> = drawing.styled.originals().collect();
    let (dependents, is_uncertain) = (Dependents::new(drawing, &styled), uncertain(drawing));
    let audit = Audit { drawing, nodes, leaves, referenced, dependents, styled, is_uncertain };
    let mut findings = Vec::new();
    let unseen = audit.unseen(&mut findings);
    audit.mostly_outside(&unseen, &mut findings);
    audit.needless_clips(&unseen, &mut findings);
    audit.needless_groups(&unseen, &mut findings);
    audit.empty(&mut findings);
    let mut findings = audit.facts(findings);
    findings.sort_by_key(|finding| (finding.line, finding.column, finding.kind));
    findings
}

/// The state of an audit.
struct Audit<'d> {
    drawing: &'d Drawing,
    nodes: &'d Nodes<'d>,
    /// The first and the last leaf of each source itself.
    leaves: Vec<Option<[usize; 2]>>,
    /// The ids that something refers to.
    referenced: HashSet<&'d str>,
    dependents: Dependents,
    /// The elements of the document, with the cascade of CSS resolved.
    styled: Vec<Node<'d>>,
    /// Whether a browser may show something else of each element of the document, or of those
    /// inside of it or around it.
    is_uncertain: Vec<bool>,
}

/// What is wasted, with its reason.
struct Waste {
    kind: FindingKind,
    reason: String,
    n_elements: usize,
    area: f64,
}

/// A finding, and its element.
struct Found {
    finding: Finding,
    /// The index of the element in the document.
    element: u32,
    /// Whether the element may be a part of the bounding boxes around it.
    has_box: bool,
}

impl Audit<'_> {
    fn found(&self, index: usize, waste: Waste) -> Found {
        let source = &self.drawing.sources[index];
        let Waste { kind, reason, n_elements, area } = waste;
        let finding = Finding {
            kind,
            name: source.name.clone(),
            tag: source.tag.clone(),
            path: source.path.clone(),
            line: source.line,
            column: source.column,
            reason,
            n_elements,
            area,
        };
        Found { finding, element: self.drawing.origins[index].element, has_box: true }
    }

    /// The findings that hold for an element of its own, on which nothing else depends. An element
    /// that is not visible stands for everything inside of it.
    fn facts(&self, mut found: Vec<Found>) -> Vec<Finding> {
        found.retain(|found| {
            let Found { finding, element, has_box } = found;
            let may_be_needed = || self.dependents.may_need(*element, *has_box);
            let is_needed = finding.kind.is_invisible() && may_be_needed();
            !is_needed && !self.dependents.is_from_entity(*element)
        });
        found.sort_by_key(|found| (found.element, !found.finding.kind.is_invisible()));
        let mut end = 0;
        found.retain(|Found { finding, element, .. }| {
            let is_outside = *element >= end;
            if is_outside && finding.kind.is_invisible() {
                end = self.drawing.document.end(*element);
            }
            is_outside
        });
        found.into_iter().map(|found| found.finding).collect()
    }

    /// Whether the element of a node declares a property itself. A node can be that of an element
    /// around it.
    fn declares(&self, node: &PlacedNode<'_>, property: &str) -> bool {
        let element = self.drawing.origins[node.info.source as usize].element;
        self.styled[element as usize].declared(property).is_some()
    }

    /// Whether a source is drawn only in its own place in the document, and a browser shows the
    /// same.
    fn is_own_and_certain(&self, source: usize) -> bool {
        let origin = self.drawing.origins[source];
        self.is_certain(source) && !origin.is_in_use && !self.is_in_referenced(origin.element)
    }

    /// Whether a browser shows what the boxes of a source say.
    fn is_certain(&self, source: usize) -> bool {
        !self.is_uncertain[self.drawing.origins[source].element as usize]
    }

    /// Whether something refers to an element of the document, or to one around it.
    fn is_in_referenced(&self, element: u32) -> bool {
        let document = &self.drawing.document;
        let mut all = std::iter::once(element).chain(document.around(element));
        all.any(|element| self.referenced.contains(&*document.get(element).id))
    }

    /// The name of a source for a reason, with its position.
    fn label(&self, source: u32) -> String {
        let source = &self.drawing.sources[source as usize];
        format!("{} ({}:{})", source.name, source.line, source.column)
    }

    /// The name of a clip for a reason.
    fn clip_label(&self, node: &PlacedNode<'_>) -> String {
        let of = self.label(node.info.source);
        match &node.effects.clip {
            Some(Clip::ClipPath { id }) if !id.is_empty() => format!("the clip path #{id} of {of}"),
            Some(Clip::Mask { id }) if !id.is_empty() => format!("the mask #{id} of {of}"),
            Some(Clip::Mask { .. }) => format!("the mask of {of}"),
            Some(clip @ (Clip::Viewport | Clip::Marker)) => format!("the {clip} of {of}"),
            _ => format!("the clip of {of}"),
        }
    }
}

/// The first and the last leaf of each source itself.
fn leaves(drawing: &Drawing) -> Vec<Option<[usize; 2]>> {
    let mut leaves = vec![None; drawing.sources.len()];
    for (element, info) in drawing.table.iter().enumerate() {
        if drawing.elements.kind(element) == ElementKind::Leaf && info.within != Within::Mask {
            let [_, last] = leaves[info.source as usize].get_or_insert([element; 2]);
            *last = element;
        }
    }
    leaves
}

/// The area of a box in px², without overflow.
fn area(b: Aabb) -> f64 {
    if b.is_empty() {
        return 0.0;
    }
    let length = |start: f32, end: f32| f64::from(end) - f64::from(start);
    length(b.x0, b.x1) * length(b.y0, b.y1)
}

/// The ids in references such as `href="#a"` and `url(#a)`.
fn references(text: &str) -> HashSet<&str> {
    let attributes = text.split(['"', '\'']);
    let functions = text.split(['"', '\'', '(', ')']);
    attributes.chain(functions).filter_map(|part| part.trim().strip_prefix('#')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_found_in_attributes_and_functions() {
        let text =
            r##"<style>#a { fill: url(#b) }</style><use href="#c"/><g mask="url('#d')"/><a href='#e'/>"##;
        let mut ids: Vec<_> = references(text).into_iter().collect();
        ids.sort_unstable();
        assert_eq!(ids, ["b", "c", "d", "e"]);
    }

    #[test]
    fn references_are_found_with_white_space_around_them() {
        let ids = references(r##"<use href=" #a "/><g mask="url( '#b' )"/><use href="#c(1)"/>"##);
        assert!(["a", "b", "c(1)"].iter().all(|id| ids.contains(id)), "{ids:?}");
    }

    #[test]
    fn references_in_a_long_text_are_found_at_once() {
        let text = "(#".repeat(400_000);
        assert!(references(&text).len() <= 2);
    }

    #[test]
    fn the_area_of_the_plane_is_finite() {
        assert!(area(Aabb::PLANE).is_finite());
        assert_eq!(area(Aabb::EMPTY), 0.0);
    }
}
