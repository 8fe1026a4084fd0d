//! Stage *pairs*: the sweep in strips.

use alloc::vec::Vec;

use super::{Axis, Bound, Sweep, scan, search, sort};
use crate::core::Aabb;

/// A sweep along an axis in strips that divide the other axis.
///
/// A box has an entry in each strip that it meets. Boxes in different strips are no candidates, so
/// that there are fewer candidates than without strips. Two boxes can share several strips. Only
/// the strip in which the later of the two begins reports the pair: Dittrich, Seeger, *Data
/// redundancy and duplicate detection in spatial join processing* (2000).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StripSweep {
    /// The entries by strip, then in the order of [`Sweep`] along the axis.
    pub entries: Vec<StripEntry>,
    /// The number of candidates of each entry: those that come after it in its strip, and begin
    /// before it ends.
    pub n_candidates: Vec<u32>,
}

/// A box in a strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StripEntry {
    /// The strip.
    pub strip: u32,
    /// The index of the box.
    pub item: u32,
    /// Whether the box begins in an earlier strip.
    pub is_continued: bool,
}

impl StripSweep {
    /// The sweep along an axis in 2^`lg_strips` strips.
    ///
    /// Strips are numbered from 0. Strip i > 0 begins at the smaller end of the box with place
    /// i ⌊n / 2^`lg_strips`⌋ in the sweep along the other axis. So the boxes of most inputs are
    /// distributed evenly. The first strip has no begin and the last one no end. Empty boxes have
    /// no entries.
    ///
    /// # Panics
    ///
    /// Panics if there are more boxes or entries than a `u32` can count, or more than 2^31 strips.
    pub fn new(boxes: &[Aabb], axis: Axis, lg_strips: u32) -> Self {
        let other = axis.other();
        let begins: Vec<u32> =
            Sweep::new(boxes, other).order.iter().map(|item| other.begin(boxes[*item as usize])).collect();
        let step = begins.len() >> lg_strips;
        let borders: Vec<u32> =
            (1..1_usize << lg_strips).map(|i| begins.get(i * step).copied().unwrap_or(u32::MAX)).collect();
        let strips_of = |aabb: Aabb| {
            let [begin, end] = other.ends(aabb);
            let first = search(&borders, &[begin], Bound::Upper)[0];
            first..=search(&borders, &[end], Bound::Lower)[0]
        };
        let of = |item: &u32| {
            let (item, aabb) = (*item, boxes[*item as usize]);
            let strips = (!aabb.is_empty()).then(|| strips_of(aabb)).into_iter();
            strips.flat_map(move |strips| {
                let first = *strips.start();
                strips.map(move |strip| StripEntry { strip, item, is_continued: strip != first })
            })
        };
        let entries: Vec<StripEntry> = Sweep::new(boxes, axis).order.iter().flat_map(of).collect();
        let strips: Vec<u32> = entries.iter().map(|entry| entry.strip).collect();
        let entries: Vec<StripEntry> =
            sort(&strips, lg_strips).iter().map(|place| entries[*place as usize]).collect();
        let n_candidates = entries.iter().zip(1..).map(|(entry, next)| {
            let end = axis.ends(boxes[entry.item as usize])[1];
            let is_candidate = |other: &StripEntry| {
                other.strip == entry.strip && axis.begin(boxes[other.item as usize]) < end
            };
            let n = entries[next..].partition_point(is_candidate);
            u32::try_from(n).expect("an entry has a u32 as its index")
        });
        let n_candidates = n_candidates.collect();
        Self { entries, n_candidates }
    }

    /// The number of candidates of all entries. It is `u32::MAX` if it is this or more.
    pub fn total(&self) -> u32 {
        scan(&self.n_candidates)[self.entries.len()]
    }

    /// The pairs of indices (i, j), i < j, of boxes that overlap. The first entry comes first, with
    /// its candidates in the order of the entries, then the next entry, and so on.
    pub fn pairs(&self, boxes: &[Aabb]) -> Vec<[u32; 2]> {
        let of = |(first, n): (usize, &u32)| {
            let own = self.entries[first];
            let candidates = &self.entries[first + 1..][..*n as usize];
            // A pair belongs to the strip in which at least one of its boxes begins.
            let is_pair = move |other: &&StripEntry| {
                let is_here = !own.is_continued || !other.is_continued;
                is_here && boxes[own.item as usize].overlaps(boxes[other.item as usize])
            };
            let pair = move |other: &StripEntry| [own.item.min(other.item), own.item.max(other.item)];
            candidates.iter().filter(is_pair).map(pair)
        };
        self.n_candidates.iter().enumerate().flat_map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::pairs;
    use super::*;

    fn aabb([x0, y0, x1, y1]: [i8; 4]) -> Aabb {
        Aabb::new(x0.into(), y0.into(), x1.into(), y1.into()).expect("no NaN")
    }

    fn sorted(mut pairs: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
        pairs.sort_unstable();
        pairs
    }

    proptest! {
        #[test]
        fn any_number_of_strips_has_the_same_pairs(
            corners in proptest::collection::vec(any::<[i8; 4]>(), 0..40),
            lg_strips in 0_u32..9,
        ) {
            let boxes: Vec<Aabb> = corners.into_iter().map(aabb).collect();
            for axis in Axis::ALL {
                let strips = StripSweep::new(&boxes, axis, lg_strips);
                prop_assert_eq!(sorted(strips.pairs(&boxes)), pairs(&boxes));
            }
        }

        #[test]
        fn one_strip_is_a_sweep_without_strips(corners in proptest::collection::vec(any::<[i8; 4]>(), 0..40)) {
            let boxes: Vec<Aabb> = corners.into_iter().map(aabb).collect();
            for axis in Axis::ALL {
                let (plain, strip) = (Sweep::new(&boxes, axis), StripSweep::new(&boxes, axis, 0));
                prop_assert_eq!(strip.pairs(&boxes), plain.pairs(&boxes));
                prop_assert_eq!(strip.total(), plain.total());
            }
        }
    }

    #[test]
    fn strips_have_as_many_boxes_and_fewer_candidates() {
        // A grid of squares that overlap their neighbours.
        let square = |i: i8, j: i8| aabb([8 * i, 8 * j, 8 * i + 9, 8 * j + 9]);
        let boxes: Vec<Aabb> = (0..8).flat_map(|i| (0..8).map(move |j| square(i, j))).collect();
        let totals = [0, 1, 2, 3].map(|lg_strips| StripSweep::new(&boxes, Axis::X, lg_strips).total());
        // A strip of rows has 8 columns, and the last row of the strip before.
        let expected = [8 * 28 + 7 * 64, 8 * (6 + 10) + 7 * (16 + 25)];
        assert_eq!(totals[..2], expected);
        assert!(totals.is_sorted_by(|a, b| a > b), "{totals:?}");
        let n_entries = StripSweep::new(&boxes, Axis::X, 3).entries.len();
        assert_eq!(n_entries, 64 + 7 * 8);
    }

    #[test]
    fn touching_and_empty_boxes_are_in_no_pair_of_a_strip() {
        let boxes = [
            aabb([0, 0, 10, 10]),
            aabb([10, 0, 20, 10]),
            Aabb::EMPTY,
            aabb([0, 10, 10, 20]),
            aabb([9, 9, 11, 11]),
            Aabb::PLANE,
        ];
        let expected = [[0, 4], [0, 5], [1, 4], [1, 5], [3, 4], [3, 5], [4, 5]];
        for (axis, lg_strips) in Axis::ALL.into_iter().flat_map(|axis| [0, 1, 2, 8].map(|lg| (axis, lg))) {
            assert_eq!(sorted(StripSweep::new(&boxes, axis, lg_strips).pairs(&boxes)), expected);
        }
    }
}
