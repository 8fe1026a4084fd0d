//! A tree of boxes that adapts the order of its places to the boxes.

use alloc::vec::Vec;

use crate::core::Aabb;
use crate::radix::{DIGIT_BITS, RadixSort};
use crate::tree::{Tree, check_number};

/// The number of nodes per box that searches may visit in the order of insertion, beyond one per
/// level of the tree, which a search without a result visits at least.
///
/// Layers and occlusion of 2,048 and 16,384 boxes in 23 families were timed on an AMD EPYC with
/// limits from 0 to 48 visits in all. Occlusion of nested panels needs 4 to 8, and takes 1.8 times
/// as long with the limit 4. Occlusion of drawings and windows needs 8 to 12, and takes 1.5 times
/// as long with the limit 12 as in spatial order. Boxes at random places need more than 48, so the
/// limit hardly matters to them. The best limit was 8. The larger tree has five levels.
const MAX_EXTRA_VISITS: usize = 3;

/// Boxes with keys that are inserted one by one, and searches among those that were inserted.
///
/// Boxes that are neighbours in paint order are often close to each other, such as those of a
/// panel. A tree over the order of insertion then costs nothing to make. If searches visit many
/// nodes of it, a tree in spatial order takes its place, for the rest of the picture.
#[derive(Clone, Debug, Default)]
pub(crate) struct AdaptiveTree {
    in_order: Tree,
    /// The tree that takes the place of the other one, if `is_in_space`.
    in_space: Tree,
    is_in_space: bool,
    places: Places,
    /// The number of boxes that were inserted or skipped.
    n_done: usize,
}

impl AdaptiveTree {
    /// Makes a tree for `n` boxes, without any of them.
    ///
    /// # Panics
    ///
    /// Panics if the boxes are more than [`MAX_ITEMS`](crate::tree::MAX_ITEMS).
    pub(crate) fn clear(&mut self, n: usize) {
        check_number(n);
        self.in_order.clear(n);
        self.is_in_space = false;
        self.n_done = 0;
    }

    /// Inserts the next box. It has an area, and its key is not `i32::MIN`.
    pub(crate) fn insert(&mut self, own: &Aabb, key: i32) {
        if self.is_in_space {
            self.in_space.insert(self.places.of(self.n_done), own, key);
        } else {
            self.in_order.append(self.n_done, own, key);
        }
        self.skip();
    }

    /// Skips the next box: no search finds it.
    pub(crate) fn skip(&mut self) {
        if !self.is_in_space {
            // A place without a box can be the last one of its node too.
            self.in_order.carry(self.n_done);
        }
        self.n_done += 1;
    }

    /// Changes to spatial order if the searches so far visited too many nodes. `boxes` are all
    /// boxes in the order of insertion, with those that will be inserted later or skipped.
    pub(crate) fn adapt<'a>(&mut self, boxes: &(impl ExactSizeIterator<Item = &'a Aabb> + Clone)) {
        let max_visits = (self.in_order.n_levels() + MAX_EXTRA_VISITS) as u64;
        if self.is_in_space || self.in_order.n_visits() <= max_visits * self.n_done as u64 {
            return;
        }
        self.is_in_space = true;
        self.in_space.clear(boxes.len());
        self.places.find(boxes);
        for (i, own, key) in self.in_order.items() {
            self.in_space.insert(self.places.of(i), &own, key);
        }
    }

    /// The largest key of the boxes that overlap `own`, or `best` if none is larger. No box before
    /// the one with index `first` may overlap `own` and have a larger key than `best`.
    pub(crate) fn largest_overlapping(&mut self, first: usize, own: &Aabb, best: i32) -> i32 {
        if self.is_in_space {
            // Places have another order, so `first` excludes nothing.
            self.in_space.largest_overlapping(own, best)
        } else {
            self.in_order.largest_overlapping_since(first, self.n_done, own, best)
        }
    }

    /// The index, in the order of insertion, of a box that contains `own` and whose key is at least
    /// `least`.
    pub(crate) fn find_containing(&mut self, own: &Aabb, least: i32) -> Option<usize> {
        if self.is_in_space {
            self.in_space.find_containing(own, least).map(|place| self.places.item_at(place))
        } else {
            self.in_order.find_containing_before(self.n_done, own, least)
        }
    }
}

/// The bits of a position along one axis. The code of a cell has the bits of two positions, which
/// are then two digits of a radix sort.
const POSITION_BITS: u32 = DIGIT_BITS;

/// The bits of the key of a center. They are two digits of a radix sort, so a third pass over the
/// boxes is saved. They include 13 of the 23 bits of the mantissa.
const CENTER_BITS: u32 = 2 * DIGIT_BITS;

/// Places of boxes such that boxes at neighbouring places are close to each other: the cells of a
/// grid on a Z-order curve (Morton 1966).
#[derive(Clone, Debug, Default)]
struct Places {
    /// The place of each box.
    places: Vec<u32>,
    /// The box at each place.
    items: Vec<u32>,
    /// The code of the cell of each box: the bits of its positions in x and y alternate.
    cells: Vec<u32>,
    sort: RadixSort,
}

impl Places {
    /// Finds the place of each box.
    fn find<'a>(&mut self, boxes: &(impl ExactSizeIterator<Item = &'a Aabb> + Clone)) {
        let n = boxes.len();
        self.cells.clear();
        self.cells.resize(n, 0);
        let centers: [fn(&Aabb) -> f32; 2] =
            [|own| 0.5 * own.x0 + 0.5 * own.x1, |own| 0.5 * own.y0 + 0.5 * own.y1];
        for (shift, center) in centers.into_iter().enumerate() {
            // A position is the rank of a center rather than the center itself, so that all rows
            // and columns of the grid have equally many boxes, however the boxes are distributed.
            let sorted = self.sort.sort(boxes.clone().map(|own| center_key(center(own))));
            for (rank, (_, item)) in (0_u64..).zip(sorted) {
                #[expect(clippy::cast_possible_truncation, reason = "the rank is below n")]
                let position = ((rank << POSITION_BITS) / n as u64) as u32;
                self.cells[item as usize] |= with_gaps(position) << shift;
            }
        }
        self.items.clear();
        self.items.extend(self.sort.sort(self.cells.iter().copied()).map(|(_, item)| item));
        self.places.clear();
        self.places.resize(n, 0);
        for (place, item) in (0..).zip(&self.items) {
            self.places[*item as usize] = place;
        }
    }

    fn item_at(&self, place: usize) -> usize {
        self.items[place] as usize
    }

    fn of(&self, item: usize) -> usize {
        self.places[item] as usize
    }
}

/// A number of [`CENTER_BITS`] that ascends with the center. Centers that differ only in the lower
/// bits of their mantissas have the same key: their order has no effect on results, and little on
/// times.
fn center_key(center: f32) -> u32 {
    let bits = center.to_bits();
    // Negative numbers have the sign bit, and their other bits descend.
    let ordered = if center.is_sign_negative() { !bits } else { bits | (1 << 31) };
    ordered >> (u32::BITS - CENTER_BITS)
}

/// A number of up to 16 bits with a 0 before each bit.
fn with_gaps(number: u32) -> u32 {
    let number = (number | (number << 8)) & 0x00ff_00ff;
    let number = (number | (number << 4)) & 0x0f0f_0f0f;
    let number = (number | (number << 2)) & 0x3333_3333;
    (number | (number << 1)) & 0x5555_5555
}
