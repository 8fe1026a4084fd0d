//! Elements that are mostly outside of their clips.

use boxwood_cpu::{Aabb, ElementKind};

use crate::audit::{Audit, FindingKind, Found, Waste, area};
use crate::table::{SourceKind, Within};

/// The part of the area of a box that is outside of the clips, from which it is reported.
const MOSTLY: f64 = 0.9;

impl Audit<'_> {
    /// Finds paths, images and texts with most of the area of their boxes outside of their clips.
    /// Those that are unseen have their own findings.
    pub(super) fn mostly_outside(&self, unseen: &[bool], findings: &mut Vec<Found>) {
        let (drawing, boxes) = (self.drawing, self.drawing.boxes());
        let mut sums = vec![(0_usize, Aabb::EMPTY, Aabb::EMPTY); drawing.sources.len()];
        for (element, info) in drawing.table.iter().enumerate() {
            if drawing.elements.kind(element) == ElementKind::Leaf && info.within == Within::Scene {
                let (n, leaf, clipped) = &mut sums[info.source as usize];
                *n += 1;
                *leaf = leaf.union(drawing.elements.boxes()[element]);
                *clipped = clipped.union(boxes.clipped_boxes[element]);
            }
        }
        for (index, (n_elements, leaf, clipped)) in sums.into_iter().enumerate() {
            let is_group = matches!(drawing.sources[index].kind, SourceKind::Svg | SourceKind::Group);
            let (whole, inside) = (area(leaf), area(clipped));
            let outside = 1.0 - inside / whole;
            if is_group
                || !self.is_own_and_certain(index)
                || unseen[index]
                || outside.is_nan()
                || outside < MOSTLY
            {
                continue;
            }
            let reason = format!("has {} % of its box outside of its clips", percent(outside));
            let waste = Waste { kind: FindingKind::MostlyOutside, reason, n_elements, area: whole - inside };
            findings.push(self.found(index, waste));
        }
    }
}

/// A part as a percentage, rounded down so that only everything is 100.
fn percent(part: f64) -> f64 {
    (part * 1000.0).floor() / 10.0
}
