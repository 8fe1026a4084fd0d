//! Two elements that belong together, or an element without a partner.

use boxwood_cpu::Aabb;

use super::ChangeKind;
use super::places::Places;
use crate::drawing::Drawing;
use crate::table::SourceKind;

/// A source of the old drawing and one of the new drawing that belong together. One of them may be
/// missing.
pub(super) struct Pair(pub(super) [Option<usize>; 2]);

impl Pair {
    /// Whether one of the two is marked.
    pub(super) fn is_in(&self, marks: &[Vec<bool>; 2]) -> bool {
        self.0.iter().zip(marks).any(|(source, marks)| source.is_some_and(|source| marks[source]))
    }

    /// The boxes of both.
    pub(super) fn boxes(&self, places: &[Places; 2]) -> [Aabb; 2] {
        [0, 1].map(|side| self.0[side].map_or(Aabb::EMPTY, |source| places[side].boxes[source]))
    }

    /// How the element has changed, given that it has. `is_other` says whether its contents differ,
    /// and not only their order. `None` if it paints no pixel in either drawing.
    pub(super) fn kind(&self, places: &[Places; 2], is_other: bool) -> Option<ChangeKind> {
        let [old_box, new_box] = self.boxes(places);
        let is_painted = |side: usize| self.0[side].is_some_and(|source| places[side].is_painted[source]);
        Some(match [0, 1].map(is_painted) {
            [false, false] => return None,
            [false, true] => ChangeKind::Appeared,
            [true, false] => ChangeKind::Vanished,
            [true, true] if old_box != new_box => ChangeKind::Moved,
            [true, true] if is_other => ChangeKind::Repainted,
            [true, true] => ChangeKind::Reordered,
        })
    }

    /// Whether it is a group whose own transform differs.
    pub(super) fn has_other_transform(&self, drawings: [&Drawing; 2]) -> bool {
        let [Some(old), Some(new)] = self.0 else { return false };
        let kind = drawings[1].sources[new].kind;
        let is_group = matches!(kind, SourceKind::Svg | SourceKind::Group);
        is_group && drawings[0].origins[old].transforms != drawings[1].origins[new].transforms
    }

    /// Marks the sources around both.
    pub(super) fn add_around(&self, drawings: [&Drawing; 2], is_around: &mut [Vec<bool>; 2]) {
        for ((source, drawing), is_around) in self.0.iter().zip(drawings).zip(is_around) {
            let mut parent = source.and_then(|source| drawing.sources[source].parent);
            while let Some(around) = parent.map(|parent| parent as usize).filter(|around| !is_around[*around])
            {
                is_around[around] = true;
                parent = drawing.sources[around].parent;
            }
        }
    }
}
