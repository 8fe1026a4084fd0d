//! Stage *pairs*: the pairs of boxes that overlap.

use alloc::vec::Vec;

use super::{Bound, Index, Query, find_all, scan, search, sort};
use crate::core::Aabb;

/// An axis of the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// The horizontal one.
    X,
    /// The vertical one.
    Y,
}

impl Axis {
    /// Both axes.
    pub const ALL: [Self; 2] = [Self::X, Self::Y];

    /// The other axis.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::X => Self::Y,
            Self::Y => Self::X,
        }
    }

    /// The smaller end of a box as a key, by which boxes are sorted. Empty boxes are last.
    pub(super) fn begin(self, aabb: Aabb) -> u32 {
        if aabb.is_empty() { u32::MAX } else { self.ends(aabb)[0] }
    }

    /// The ends of a box along this axis, as [`coordinate_key`]s.
    pub(super) fn ends(self, aabb: Aabb) -> [u32; 2] {
        match self {
            Self::X => [aabb.x0, aabb.x1],
            Self::Y => [aabb.y0, aabb.y1],
        }
        .map(coordinate_key)
    }
}

/// A number with the same order as a coordinate, which is neither `-0.0` nor NaN.
pub fn coordinate_key(v: f32) -> u32 {
    let bits = v.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 0x8000_0000 }
}

/// The pairs of indices (i, j), i < j, of boxes that overlap, in ascending order. Boxes that only
/// touch do not overlap.
///
/// # Panics
///
/// Panics if there are more boxes than a `u32` can count.
pub fn pairs(boxes: &[Aabb]) -> Vec<[u32; 2]> {
    let item = |i: usize| u32::try_from(i).expect("a box has a u32 as its index");
    let later = |i: usize| find_all(&boxes[i + 1..], Query::Overlapping(boxes[i]));
    let of = |i: usize| later(i).into_iter().map(move |j| [item(i), item(i) + 1 + j]);
    (0..boxes.len()).flat_map(of).collect()
}

/// The boxes in the order in which a line that moves along an axis meets them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep {
    /// The axis.
    pub axis: Axis,
    /// The index of each box, by the smaller end along the axis. Of equal ends, the smaller index
    /// is first. Empty boxes are last.
    pub order: Vec<u32>,
    /// The number of candidates of each of these boxes: those that come after it, and begin before
    /// it ends. Empty boxes have none.
    pub n_candidates: Vec<u32>,
}

impl Sweep {
    /// The sweep along an axis.
    ///
    /// # Panics
    ///
    /// Panics if there are more boxes than a `u32` can count.
    pub fn new(boxes: &[Aabb], axis: Axis) -> Self {
        let keys: Vec<u32> = boxes.iter().map(|aabb| axis.begin(*aabb)).collect();
        let order = sort(&keys, u32::BITS);
        let sorted: Vec<u32> = order.iter().map(|item| keys[*item as usize]).collect();
        let n_candidates = (1..).zip(&order).map(|(next, item)| {
            let aabb = boxes[*item as usize];
            let end = search(&sorted, &[axis.ends(aabb)[1]], Bound::Lower)[0];
            if aabb.is_empty() { 0 } else { end - next }
        });
        let n_candidates = n_candidates.collect();
        Self { axis, order, n_candidates }
    }

    /// The number of candidates of all boxes. It is `u32::MAX` if it is this or more.
    pub fn total(&self) -> u32 {
        scan(&self.n_candidates)[self.order.len()]
    }

    /// The sweep along the axis with fewer candidates, and along x if both have as many.
    ///
    /// Zachmann, *Massively Parallel Algorithms*, takes the principal axis of the centers. Its
    /// number of candidates can be larger, and it rounds.
    pub fn best(boxes: &[Aabb]) -> Self {
        let [x, y] = Axis::ALL.map(|axis| Self::new(boxes, axis));
        if y.total() < x.total() { y } else { x }
    }

    /// The pairs of indices (i, j), i < j, of boxes that overlap. The first box in the order of the
    /// sweep comes first, with its candidates in this order, then the next box, and so on.
    pub fn pairs(&self, boxes: &[Aabb]) -> Vec<[u32; 2]> {
        let of = |(first, n): (usize, &u32)| {
            let own = self.order[first];
            let candidates = &self.order[first + 1..][..*n as usize];
            let is_pair = move |other: &&u32| boxes[own as usize].overlaps(boxes[**other as usize]);
            candidates.iter().filter(is_pair).map(move |other| [own.min(*other), own.max(*other)])
        };
        self.n_candidates.iter().enumerate().flat_map(of).collect()
    }
}

/// The pairs of indices (i, j), i < j, of boxes that overlap, in the order of the leaves of a tree:
/// those of the first leaf with later boxes, in the order of their leaves, then those of the next
/// leaf, and so on.
///
/// # Panics
///
/// Panics if these are not the boxes of the tree.
pub fn tree_pairs(boxes: &[Aabb], index: &Index) -> Vec<[u32; 2]> {
    let leaves: Vec<Aabb> = index.permutation.iter().map(|item| boxes[*item as usize]).collect();
    let of = |own: &u32| {
        let found = find_all(&leaves, Query::Overlapping(boxes[*own as usize]));
        let own = *own;
        found.into_iter().map(move |leaf| [own, index.permutation[leaf as usize]]).filter(|[i, j]| i < j)
    };
    index.permutation.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Order;
    use super::*;

    fn aabb([x0, y0, x1, y1]: [i8; 4]) -> Aabb {
        Aabb::new(x0.into(), y0.into(), x1.into(), y1.into()).expect("no NaN")
    }

    fn sorted(mut pairs: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
        pairs.sort_unstable();
        pairs
    }

    /// The candidates of a box as Zachmann counts them: the ends of all boxes are sorted, at equal
    /// places the larger ends first. The candidates are the smaller ends between the two ends of
    /// the box.
    fn n_candidates_by_ends(boxes: &[Aabb], sweep: &Sweep) -> Vec<u32> {
        let items = sweep.order.iter().filter(|item| !boxes[**item as usize].is_empty());
        let ends = |(place, item): (usize, &u32)| {
            let [begin, end] = sweep.axis.ends(boxes[*item as usize]);
            [(begin, true, place), (end, false, place)]
        };
        let mut all: Vec<(u32, bool, usize)> = items.enumerate().flat_map(ends).collect();
        all.sort_unstable();
        let mut counts = vec![0; boxes.len()];
        for (place, count) in counts.iter_mut().enumerate() {
            let begins = all.iter().skip_while(|(_, is_begin, other)| !(*is_begin && *other == place));
            let until_end = begins.skip(1).take_while(|(_, is_begin, other)| *is_begin || *other != place);
            *count = u32::try_from(until_end.filter(|(_, is_begin, _)| *is_begin).count()).unwrap();
        }
        counts
    }

    proptest! {
        #[test]
        fn every_algorithm_finds_the_same_pairs(corners in proptest::collection::vec(any::<[i8; 4]>(), 0..40)) {
            let boxes: Vec<Aabb> = corners.into_iter().map(aabb).collect();
            let expected = pairs(&boxes);
            for axis in Axis::ALL {
                let sweep = Sweep::new(&boxes, axis);
                prop_assert_eq!(&sweep.n_candidates, &n_candidates_by_ends(&boxes, &sweep));
                prop_assert_eq!(sorted(sweep.pairs(&boxes)), expected.clone());
            }
            for order in [Order::Paint, Order::Hilbert] {
                let index = Index::new(&boxes, order, 16);
                prop_assert_eq!(sorted(tree_pairs(&boxes, &index)), expected.clone());
            }
        }

        #[test]
        fn both_axes_are_alike(corners in proptest::collection::vec(any::<[i8; 4]>(), 0..40)) {
            let swapped = corners.iter().map(|[x0, y0, x1, y1]| aabb([*y0, *x0, *y1, *x1])).collect::<Vec<_>>();
            let boxes: Vec<Aabb> = corners.into_iter().map(aabb).collect();
            prop_assert_eq!(pairs(&boxes), pairs(&swapped));
            prop_assert_eq!(Sweep::new(&boxes, Axis::X).pairs(&boxes), Sweep::new(&swapped, Axis::Y).pairs(&swapped));
        }

        #[test]
        fn another_box_adds_exactly_its_pairs(corners in proptest::collection::vec(any::<[i8; 4]>(), 1..40)) {
            let boxes: Vec<Aabb> = corners.into_iter().map(aabb).collect();
            let n = boxes.len() - 1;
            let last = u32::try_from(n).unwrap();
            let added = find_all(&boxes[..n], Query::Overlapping(boxes[n])).into_iter().map(|i| [i, last]);
            prop_assert_eq!(pairs(&boxes), sorted(pairs(&boxes[..n]).into_iter().chain(added).collect()));
        }
    }

    #[test]
    fn touching_and_empty_boxes_are_in_no_pair() {
        let boxes = [
            aabb([0, 0, 10, 10]),
            aabb([10, 0, 20, 10]),
            Aabb::EMPTY,
            aabb([0, 10, 10, 20]),
            aabb([9, 9, 11, 11]),
            Aabb::PLANE,
        ];
        let expected = [[0, 4], [0, 5], [1, 4], [1, 5], [3, 4], [3, 5], [4, 5]];
        assert_eq!(pairs(&boxes), expected);
        assert_eq!(sorted(Sweep::best(&boxes).pairs(&boxes)), expected);
    }

    #[test]
    fn a_row_is_swept_along_x_and_a_column_along_y() {
        let column: Vec<Aabb> = (0..9).map(|i| aabb([0, 5 * i, 9, 5 * i + 6])).collect();
        let row: Vec<Aabb> = (0..9).map(|i| aabb([5 * i, 0, 5 * i + 6, 9])).collect();
        assert_eq!(Sweep::best(&column).axis, Axis::Y);
        assert_eq!(Sweep::best(&row).axis, Axis::X);
        assert_eq!(Sweep::best(&column).total(), 8);
        assert_eq!(Sweep::best(&[Aabb::PLANE; 3]).axis, Axis::X);
    }
}
