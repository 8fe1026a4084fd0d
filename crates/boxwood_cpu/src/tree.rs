//! A tree of boxes, each with the largest key below it. It grows item by item.

use alloc::vec::Vec;

use crate::core::Aabb;
use crate::fault::{Fault, is_planted};
use crate::radix::RadixSort;

/// The number of children of a node. The edges of eight boxes are two registers of four lanes, and
/// a tree of 2^15 items has five levels.
const LANES: usize = 8;
const LG_LANES: usize = LANES.ilog2() as usize;
const LANE_MASK: i32 = (1 << LG_LANES) - 1;

/// The maximum number of items: a key and a lane have 31 bits together.
pub(crate) const MAX_ITEMS: usize = (1 << (31 - LG_LANES)) - 1;

/// The boxes of eight children by edge, and the largest key of each.
#[derive(Clone, Copy, Debug)]
struct Node {
    x0: [f32; LANES],
    y0: [f32; LANES],
    x1: [f32; LANES],
    y1: [f32; LANES],
    key: [i32; LANES],
}

impl Node {
    /// A node whose children are empty boxes: they neither overlap nor contain a box with area.
    const NEW: Self = Self {
        x0: [Aabb::EMPTY.x0; LANES],
        y0: [Aabb::EMPTY.y0; LANES],
        x1: [Aabb::EMPTY.x1; LANES],
        y1: [Aabb::EMPTY.y1; LANES],
        key: [i32::MIN; LANES],
    };

    /// The children whose boxes overlap a box: the key and the lane of each, and 0 for the others.
    ///
    /// Compilers turn this loop into instructions for four lanes. They do not if it has a branch,
    /// or a `bool` that they can make one of.
    #[inline(always)]
    fn overlapping(&self, own: &Aabb) -> [i32; LANES] {
        let mut found = [0; LANES];
        #[expect(clippy::needless_range_loop, reason = "an index for all arrays is what compilers know")]
        for lane in 0..LANES {
            found[lane] = with_lane(self.key[lane], lane)
                & -i32::from(self.x0[lane] < own.x1)
                & -i32::from(own.x0 < self.x1[lane])
                & -i32::from(self.y0[lane] < own.y1)
                & -i32::from(own.y0 < self.y1[lane]);
        }
        found
    }

    /// The children whose boxes contain a box and whose keys are at least `least`: 8 and the lane
    /// of each, and 0 for the others.
    #[inline(always)]
    fn containing(&self, own: &Aabb, least: i32) -> [i32; LANES] {
        let mut found = [0; LANES];
        #[expect(clippy::needless_range_loop, reason = "an index for all arrays is what compilers know")]
        for lane in 0..LANES {
            found[lane] = with_lane(1, lane)
                & -i32::from(self.key[lane] >= least)
                & -i32::from(self.x0[lane] <= own.x0)
                & -i32::from(own.x1 <= self.x1[lane])
                & -i32::from(self.y0[lane] <= own.y0)
                & -i32::from(own.y1 <= self.y1[lane]);
        }
        found
    }

    fn set(&mut self, lane: usize, own: &Aabb, key: i32) {
        self.x0[lane] = own.x0;
        self.y0[lane] = own.y0;
        self.x1[lane] = own.x1;
        self.y1[lane] = own.y1;
        self.key[lane] = key;
    }

    /// Extends the box of a child by another box. Returns whether anything changed.
    fn extend(&mut self, lane: usize, own: &Aabb, key: i32) -> bool {
        let old = Aabb { x0: self.x0[lane], y0: self.y0[lane], x1: self.x1[lane], y1: self.y1[lane] };
        let union = Aabb {
            x0: least(old.x0, own.x0),
            y0: least(old.y0, own.y0),
            x1: -least(-old.x1, -own.x1),
            y1: -least(-old.y1, -own.y1),
        };
        let is_changed = union != old || key > self.key[lane];
        if is_planted(Fault::DoesNotExtend) && !old.is_empty() {
            return is_changed;
        }
        self.set(lane, &union, key.max(self.key[lane]));
        is_changed
    }

    /// The union of the boxes of the children, and their largest key.
    fn summary(&self) -> (Aabb, i32) {
        let low = |edges: &[f32; LANES]| edges.iter().fold(f32::MAX, |low, edge| least(low, *edge));
        let high = |edges: &[f32; LANES]| -edges.iter().fold(f32::MAX, |low, edge| least(low, -*edge));
        let union = Aabb { x0: low(&self.x0), y0: low(&self.y0), x1: high(&self.x1), y1: high(&self.y1) };
        (union, self.key.iter().fold(i32::MIN, |key, other| key.max(*other)))
    }
}

/// The smaller one of two numbers. `f32::min` takes three instructions more, because of NaN.
fn least(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// A key and a lane in one number, which is larger if the key is.
fn with_lane(key: i32, lane: usize) -> i32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "it is below LANES")]
    let lane = lane as i32;
    (key << LG_LANES) | lane
}

fn key_of(found: i32) -> i32 {
    found >> LG_LANES
}

#[expect(clippy::cast_sign_loss, reason = "only the bits of the lane are left")]
fn lane_of(found: i32) -> usize {
    (found & LANE_MASK) as usize
}

/// The largest of eight numbers, in three steps rather than seven.
#[inline(always)]
fn largest([a, b, c, d, e, f, g, h]: [i32; LANES]) -> i32 {
    let [a, b, c, d] = [a.max(e), b.max(f), c.max(g), d.max(h)];
    let [a, b] = [a.max(c), b.max(d)];
    a.max(b)
}

/// The largest of eight numbers that is below another, or 0.
#[inline(always)]
fn largest_below(found: [i32; LANES], end: i32) -> i32 {
    largest(found.map(|one| one & -i32::from(one < end)))
}

/// A tree over places, each of which gets a box and a key once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    /// The nodes of each level, without gaps. The first level has the places, the last one node.
    /// The children of node i are the nodes from 8 i to 8 i + 7 of the level before.
    nodes: Vec<Node>,
    /// The first node of each level.
    starts: Vec<usize>,
    /// The number of nodes that searches visited since the tree was cleared.
    n_visits: usize,
}

impl Tree {
    /// Makes a tree of `n` places without boxes.
    pub(crate) fn clear(&mut self, n: usize) {
        self.starts.clear();
        self.n_visits = 0;
        let (mut n_nodes, mut n_of_level) = (0, n.max(1));
        while n_of_level > 1 || n_nodes == 0 {
            self.starts.push(n_nodes);
            n_of_level = n_of_level.div_ceil(LANES);
            n_nodes += n_of_level;
        }
        if !is_planted(Fault::KeepsTheTree) || self.nodes.len() != n_nodes {
            self.nodes.clear();
        }
        self.nodes.resize(n_nodes, Node::NEW);
    }

    /// The number of nodes that searches visited since the tree was cleared.
    pub(crate) fn n_visits(&self) -> usize {
        self.n_visits
    }

    /// Sets a box and a key at a place, and updates all nodes above.
    pub(crate) fn insert(&mut self, mut place: usize, own: &Aabb, key: i32) {
        for start in &self.starts {
            let node = &mut self.nodes[start + place / LANES];
            // If a node does not change, the nodes above it do not either.
            if !node.extend(place % LANES, own, key) {
                break;
            }
            place /= LANES;
        }
    }

    /// Sets a box and a key at the place after the last one. Nodes above get to know of it by
    /// [`carry`](Self::carry).
    pub(crate) fn append(&mut self, place: usize, own: &Aabb, key: i32) {
        self.nodes[place / LANES].set(place % LANES, own, key);
    }

    /// If a place was the last one of its node, updates the node above, and so on, as a counter
    /// carries. So a node knows of its full children only.
    pub(crate) fn carry(&mut self, mut place: usize) {
        for levels in self.starts.windows(2) {
            if place % LANES != LANES - 1 || is_planted(Fault::DoesNotCarry) {
                break;
            }
            place /= LANES;
            let node = &self.nodes[levels[0] + place];
            let (union, mut key) = node.summary();
            if is_planted(Fault::CarriesTheLastKey) {
                key = node.key[LANES - 1];
            }
            self.nodes[levels[1] + place / LANES].set(place % LANES, &union, key);
        }
    }

    /// The largest key of the boxes that overlap `own`, or `best` if none is larger.
    pub(crate) fn largest_overlapping(&mut self, own: &Aabb, best: i32) -> i32 {
        self.largest_below(self.starts.len() - 1, 0, *own, best)
    }

    /// The same for a tree whose places were appended, from place `first` to `end`. It can be
    /// larger because of boxes before `first`.
    pub(crate) fn largest_overlapping_since(
        &mut self,
        first: usize,
        end: usize,
        own: &Aabb,
        mut best: i32,
    ) -> i32 {
        let mut place = end;
        let n_levels = self.starts.len() - usize::from(is_planted(Fault::StopsBelowTheTop));
        for level in 0..n_levels {
            place /= LANES;
            // The node that `end` is in, and its children that are full. Those that are not were
            // searched on the level before.
            best = self.largest_below(level, place, *own, best);
            if place << (LG_LANES * (level + 1)) <= first {
                break;
            }
        }
        best
    }

    fn largest_below(&mut self, level: usize, node: usize, own: Aabb, mut best: i32) -> i32 {
        self.n_visits += 1;
        let mut query = own;
        if is_planted(Fault::TouchingOverlaps) {
            query.x1 = own.x1.next_up();
        }
        let found = self.nodes[self.starts[level] + node].overlapping(&query);
        if level == 0 {
            return best.max(key_of(largest(found)));
        }
        // A large key, found early, excludes other nodes: children are visited from the largest key
        // down. No two children are equal, because their lanes differ.
        let mut last = i32::MAX;
        loop {
            last = largest_below(found, last);
            if key_of(last) <= best {
                return best;
            }
            best = self.largest_below(level - 1, LANES * node + lane_of(last), own, best);
            if is_planted(Fault::VisitsOneChild) {
                return best;
            }
        }
    }

    /// The place of a box that contains `own` and has a key of at least `least`.
    pub(crate) fn find_containing(&mut self, own: &Aabb, least: i32) -> Option<usize> {
        self.find_below(self.starts.len() - 1, 0, own, least)
    }

    /// The same for a tree whose places before `end` were appended.
    pub(crate) fn find_containing_before(&mut self, end: usize, own: &Aabb, least: i32) -> Option<usize> {
        let mut place = end;
        let n_levels = self.starts.len() - usize::from(is_planted(Fault::StopsBelowTheTop));
        (0..n_levels).find_map(|level| {
            place /= LANES;
            self.find_below(level, place, own, least)
        })
    }

    fn find_below(&mut self, level: usize, node: usize, own: &Aabb, least: i32) -> Option<usize> {
        self.n_visits += 1;
        let found = self.nodes[self.starts[level] + node].containing(own, least);
        let mut last = i32::MAX;
        loop {
            last = largest_below(found, last);
            if last == 0 {
                return None;
            }
            let child = LANES * node + lane_of(last);
            if level == 0 {
                return Some(child);
            }
            let place = self.find_below(level - 1, child, own, least);
            if place.is_some() || is_planted(Fault::VisitsOneChild) {
                return place;
            }
        }
    }
}

/// The bits of a position along a direction, in the code of a cell of space. Two directions have
/// two digits of a radix sort.
const POSITION_BITS: u32 = 11;

/// Places of boxes such that boxes at neighbouring places are close to each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// The place of each box.
    places: Vec<u32>,
    /// The box at each place.
    items: Vec<u32>,
    /// The cell of space of each box: the bits of its positions in x and y alternate.
    cells: Vec<u32>,
    sort: RadixSort,
}

impl Places {
    /// Finds the place of each box.
    ///
    /// A position is the rank of a center, so that cells have about as many boxes each however the
    /// boxes are distributed.
    pub(crate) fn find(&mut self, boxes: &[Aabb]) {
        let n = boxes.len() as u64;
        self.cells.clear();
        self.cells.resize(boxes.len(), 0);
        let centers: [fn(&Aabb) -> f32; 2] =
            [|own| 0.5 * own.x0 + 0.5 * own.x1, |own| 0.5 * own.y0 + 0.5 * own.y1];
        for (shift, center) in centers.into_iter().enumerate() {
            let sorted = self.sort.sort(boxes.iter().map(|own| center_key(center(own))));
            for (rank, (_, item)) in (0_u64..).zip(sorted) {
                #[expect(clippy::cast_possible_truncation, reason = "the rank is below n")]
                let position = ((rank << POSITION_BITS) / n) as u32;
                self.cells[item as usize] |= with_gaps(position) << shift;
            }
        }
        self.items.clear();
        self.items.extend(self.sort.sort(self.cells.iter().copied()).map(|(_, item)| item));
        self.places.clear();
        self.places.resize(boxes.len(), 0);
        for (place, item) in (0..).zip(&self.items) {
            self.places[*item as usize] = place;
        }
    }

    pub(crate) fn item_at(&self, place: usize) -> usize {
        self.items[place] as usize
    }

    pub(crate) fn of(&self, item: usize) -> usize {
        self.places[item] as usize
    }
}

/// A number that is larger if a center is, except for differences beyond 13 bits of the mantissa.
/// Then its two digits sort it. The order of boxes that are so close does not matter.
fn center_key(center: f32) -> u32 {
    let bits = center.to_bits();
    let ordered = if center.is_sign_negative() { !bits } else { bits | (1 << 31) };
    ordered >> 10
}

/// A number of up to 16 bits with a 0 before each bit.
fn with_gaps(number: u32) -> u32 {
    let number = (number | (number << 8)) & 0x00ff_00ff;
    let number = (number | (number << 4)) & 0x0f0f_0f0f;
    let number = (number | (number << 2)) & 0x3333_3333;
    (number | (number << 1)) & 0x5555_5555
}
