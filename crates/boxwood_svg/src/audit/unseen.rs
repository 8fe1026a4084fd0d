//! Elements that paint no visible pixel: off the canvas, clipped away, or covered.

use boxwood_cpu::{Aabb, ElementKind};

use crate::audit::{Audit, FindingKind, Found, Waste, area};
use crate::table::Within;
use crate::visibility::{Covers, Unseen};

fn kind(unseen: Unseen) -> FindingKind {
    match unseen {
        Unseen::Empty => FindingKind::Empty,
        Unseen::OffCanvas => FindingKind::OffCanvas,
        Unseen::Clipped(_) => FindingKind::ClippedAway,
        Unseen::Covered(_) => FindingKind::Covered,
    }
}

/// What is known of all leaves of a source and of the sources inside of it.
#[derive(Clone, Copy, Default)]
struct Sum {
    n_elements: usize,
    leaf_box: Option<Aabb>,
    /// Why its leaves are not visible: of the first of them, and whether that holds for all.
    first: Option<Unseen>,
    same_reason: bool,
    /// Whether a leaf is visible, or not visible for another kind of reason.
    is_mixed: bool,
}

impl Sum {
    fn add(&mut self, other: &Self) {
        self.n_elements += other.n_elements;
        self.is_mixed |= other.is_mixed;
        let Some(leaf_box) = other.leaf_box else { return };
        match (self.first, other.first) {
            (None, first) => (self.first, self.same_reason) = (first, other.same_reason),
            (Some(first), Some(second)) => {
                self.is_mixed |= kind(first) != kind(second);
                self.same_reason &= other.same_reason && first == second;
            }
            (Some(_), None) => {}
        }
        self.leaf_box = Some(self.leaf_box.map_or(leaf_box, |all| all.union(leaf_box)));
    }
}

impl Audit<'_> {
    /// Finds the elements of which no pixel is visible. A group stands for everything inside of it.
    /// Returns whether each source is in a finding, or would be if nothing referred to it.
    pub(super) fn unseen(&self, findings: &mut Vec<Found>) -> Vec<bool> {
        let sums = self.sums();
        let mut is_unseen = vec![false; sums.len()];
        let mut is_done = vec![false; sums.len()];
        for (index, sum) in sums.iter().enumerate() {
            let parent = self.drawing.sources[index].parent.map(|parent| parent as usize);
            let of_parent = |flags: &[bool]| parent.is_some_and(|parent| flags[parent]);
            (is_unseen[index], is_done[index]) = (of_parent(&is_unseen), of_parent(&is_done));
            // The root cannot be removed: the elements in it are findings.
            let Some(first) = sum.first.filter(|_| !sum.is_mixed && parent.is_some()) else { continue };
            is_unseen[index] = true;
            let element = self.drawing.origins[index].element;
            if is_done[index] || !self.is_own_and_certain(index) || self.is_referenced(element) {
                continue;
            }
            is_done[index] = true;
            let waste = Waste {
                kind: kind(first),
                reason: self.reason(first, sum.same_reason),
                n_elements: sum.n_elements,
                area: area(sum.leaf_box.unwrap_or(Aabb::EMPTY)),
            };
            findings.push(self.found(index, waste));
        }
        is_unseen
    }

    /// Whether something refers to an element of the document, or to one inside of it that is
    /// drawn.
    fn is_referenced(&self, element: u32) -> bool {
        let within = self.drawing.document.within(element);
        within.iter().any(|inner| inner.is_kept && self.referenced.contains(&*inner.id))
    }

    /// What is known of the leaves of each source.
    fn sums(&self) -> Vec<Sum> {
        let (drawing, covers) = (self.drawing, Covers::new(self.drawing, self.nodes));
        let mut sums = vec![Sum::default(); drawing.sources.len()];
        for (element, info) in drawing.table.iter().enumerate() {
            let mut sum = Sum { n_elements: 1, same_reason: true, ..Sum::default() };
            if drawing.elements.kind(element) == ElementKind::Leaf && info.within != Within::Mask {
                let unseen = Unseen::of(element, drawing, self.nodes, &covers);
                sum.first = unseen.filter(|unseen| match unseen {
                    Unseen::Covered(cover) => self.is_certain(drawing.table[*cover].source as usize),
                    Unseen::Empty | Unseen::OffCanvas | Unseen::Clipped(_) => true,
                });
                sum.leaf_box = Some(drawing.elements.boxes()[element]);
                sum.is_mixed = sum.first.is_none();
            }
            sums[info.source as usize].add(&sum);
        }
        for index in (0..sums.len()).rev() {
            if let Some(parent) = drawing.sources[index].parent {
                let sum = sums[index];
                sums[parent as usize].add(&sum);
            }
        }
        sums
    }

    fn reason(&self, unseen: Unseen, is_of_all: bool) -> String {
        match unseen {
            Unseen::Empty => "has a filter that paints nothing".to_owned(),
            Unseen::OffCanvas => "is off the canvas".to_owned(),
            Unseen::Clipped(Some(node)) if is_of_all => {
                format!("is outside of {}", self.clip_label(&self.nodes.list[node]))
            }
            Unseen::Clipped(_) => "is outside of the clips around it".to_owned(),
            Unseen::Covered(cover) if is_of_all => {
                format!("is below the opaque {}", self.label(self.drawing.table[cover].source))
            }
            Unseen::Covered(_) => "is below opaque elements".to_owned(),
        }
    }
}
