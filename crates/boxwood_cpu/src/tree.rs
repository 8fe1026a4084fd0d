//! A tree of boxes, each with the largest key below it. It grows item by item.

use alloc::vec::Vec;

use crate::core::Aabb;

/// The number of children of a node. One edge of eight boxes fills two registers of four lanes, and
/// a tree of 2^15 items has five levels. Other numbers were not measured.
const LANES: usize = 8;
const LG_LANES: usize = LANES.ilog2() as usize;
const LANE_MASK: i32 = (1 << LG_LANES) - 1;

/// The maximum number of items. A positive key and a lane share the 31 bits of a positive `i32`,
/// and the largest key, a layer, can be the number of items.
pub(crate) const MAX_ITEMS: usize = (1 << (31 - LG_LANES)) - 1;

/// Checks that trees and sorts can hold `n` items.
///
/// # Panics
///
/// Panics if there are more than [`MAX_ITEMS`].
pub(crate) fn check_number(n: usize) {
    assert!(n <= MAX_ITEMS, "{n} items are too many: the limit is {MAX_ITEMS}");
}

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
    /// The key of a child that was never set. Every other key is larger.
    const NO_KEY: i32 = i32::MIN;

    /// A node whose children are empty boxes: they neither overlap nor contain a box with area.
    const NEW: Self = Self {
        x0: [Aabb::EMPTY.x0; LANES],
        y0: [Aabb::EMPTY.y0; LANES],
        x1: [Aabb::EMPTY.x1; LANES],
        y1: [Aabb::EMPTY.y1; LANES],
        key: [Self::NO_KEY; LANES],
    };

    /// The children whose boxes overlap a box: the key and the lane of each, and 0 for the others.
    #[inline(always)]
    fn overlapping(&self, own: &Aabb) -> [i32; LANES] {
        let mut found = [0; LANES];
        // Compilers turn this loop into instructions for four lanes, but only without a branch and
        // without a `bool` that they could turn into one. So each comparison becomes a mask of
        // bits.
        #[expect(clippy::needless_range_loop, reason = "compilers vectorize a loop over one index")]
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
        // Without a branch, for the same reason as in `overlapping`. Keys can be negative here, so
        // the constant 1 is in their place: the result is never 0.
        #[expect(clippy::needless_range_loop, reason = "compilers vectorize a loop over one index")]
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

    fn own_box(&self, lane: usize) -> Aabb {
        Aabb { x0: self.x0[lane], y0: self.y0[lane], x1: self.x1[lane], y1: self.y1[lane] }
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
        let old = self.own_box(lane);
        let union = Aabb {
            x0: least(old.x0, own.x0),
            y0: least(old.y0, own.y0),
            x1: -least(-old.x1, -own.x1),
            y1: -least(-old.y1, -own.y1),
        };
        let is_changed = union != old || key > self.key[lane];
        self.set(lane, &union, key.max(self.key[lane]));
        is_changed
    }

    /// The union of the boxes of the children, and their largest key.
    fn summary(&self) -> (Aabb, i32) {
        let low = |edges: &[f32; LANES]| edges.iter().fold(f32::MAX, |low, edge| least(low, *edge));
        let high = |edges: &[f32; LANES]| -edges.iter().fold(f32::MAX, |low, edge| least(low, -*edge));
        let union = Aabb { x0: low(&self.x0), y0: low(&self.y0), x1: high(&self.x1), y1: high(&self.y1) };
        (union, self.key.iter().fold(Self::NO_KEY, |key, other| key.max(*other)))
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

/// The largest of eight numbers.
#[inline(always)]
fn largest([a, b, c, d, e, f, g, h]: [i32; LANES]) -> i32 {
    // Three dependent steps, which a processor can overlap, rather than seven.
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
    n_visits: u64,
}

impl Tree {
    /// Makes a tree of `n` places without boxes.
    pub(crate) fn clear(&mut self, n: usize) {
        self.starts.clear();
        self.n_visits = 0;
        // A tree without places has one node too, so that searches need no special case.
        let (mut n_nodes, mut n_of_level) = (0, n.max(1));
        while n_of_level > 1 || n_nodes == 0 {
            self.starts.push(n_nodes);
            n_of_level = n_of_level.div_ceil(LANES);
            n_nodes += n_of_level;
        }
        // Nodes of the picture before must not stay: `resize` alone would keep them.
        self.nodes.clear();
        self.nodes.resize(n_nodes, Node::NEW);
    }

    /// The number of levels.
    pub(crate) fn n_levels(&self) -> usize {
        self.starts.len()
    }

    /// The number of nodes that searches visited since the tree was cleared.
    pub(crate) fn n_visits(&self) -> u64 {
        self.n_visits
    }

    /// The places that have a box, with their boxes and keys, in the order of places.
    pub(crate) fn items(&self) -> impl Iterator<Item = (usize, Aabb, i32)> + '_ {
        let end = self.starts.get(1).copied().unwrap_or(self.nodes.len());
        let lanes = self.nodes[..end].iter().enumerate().flat_map(|(i, node)| {
            (0..LANES).map(move |lane| (LANES * i + lane, node.own_box(lane), node.key[lane]))
        });
        lanes.filter(|(_, _, key)| *key != Node::NO_KEY)
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

    /// Sets a box and a key at the place after the last one. The nodes above are updated by
    /// [`carry`](Self::carry).
    pub(crate) fn append(&mut self, place: usize, own: &Aabb, key: i32) {
        self.nodes[place / LANES].set(place % LANES, own, key);
    }

    /// If a place is the last one of its node, updates the node above, and so on, as a counter
    /// carries. So a node has the boxes of its full children only.
    pub(crate) fn carry(&mut self, mut place: usize) {
        for levels in self.starts.windows(2) {
            // Updates of the nodes above at each place would cost a step per level. A carry costs
            // 1/7 of a step per place, and searches look at the incomplete nodes themselves.
            if place % LANES != LANES - 1 {
                break;
            }
            place /= LANES;
            let node = &self.nodes[levels[0] + place];
            let (union, key) = node.summary();
            self.nodes[levels[1] + place / LANES].set(place % LANES, &union, key);
        }
    }

    /// The largest key of the boxes that overlap `own`, or `best` if none is larger.
    pub(crate) fn largest_overlapping(&mut self, own: &Aabb, best: i32) -> i32 {
        self.largest_below(self.starts.len() - 1, 0, *own, best)
    }

    /// The largest key of the boxes at places `first..end` that overlap `own`, or `best` if none is
    /// larger, in a tree whose places before `end` were appended. Boxes before `first` can be
    /// included.
    pub(crate) fn largest_overlapping_since(
        &mut self,
        first: usize,
        end: usize,
        own: &Aabb,
        mut best: i32,
    ) -> i32 {
        let mut place = end;
        for level in 0..self.starts.len() {
            place /= LANES;
            // The node that contains `end` has the boxes of its full children. The last child,
            // which is not full, was searched on the level below.
            best = self.largest_below(level, place, *own, best);
            // The node, and what was searched so far, start at or before the first place.
            if place << (LG_LANES * (level + 1)) <= first {
                break;
            }
        }
        best
    }

    fn largest_below(&mut self, level: usize, node: usize, own: Aabb, mut best: i32) -> i32 {
        self.n_visits += 1;
        let found = self.nodes[self.starts[level] + node].overlapping(&own);
        if level == 0 {
            return best.max(key_of(largest(found)));
        }
        // Children are visited from the largest key down, because a large key that is found early
        // excludes other nodes. No two children are equal, because their lanes differ.
        let mut last = i32::MAX;
        loop {
            last = largest_below(found, last);
            if key_of(last) <= best {
                return best;
            }
            best = self.largest_below(level - 1, LANES * node + lane_of(last), own, best);
        }
    }

    /// A place whose box contains `own` and whose key is at least `least`.
    pub(crate) fn find_containing(&mut self, own: &Aabb, least: i32) -> Option<usize> {
        self.find_below(self.starts.len() - 1, 0, own, least)
    }

    /// A place before `end` whose box contains `own` and whose key is at least `least`, in a tree
    /// whose places before `end` were appended.
    pub(crate) fn find_containing_before(&mut self, end: usize, own: &Aabb, least: i32) -> Option<usize> {
        let mut place = end;
        (0..self.starts.len()).find_map(|level| {
            place /= LANES;
            // Upward from the last places: a box is probably contained in one near it.
            self.find_below(level, place, own, least)
        })
    }

    fn find_below(&mut self, level: usize, node: usize, own: &Aabb, least: i32) -> Option<usize> {
        self.n_visits += 1;
        let found = self.nodes[self.starts[level] + node].containing(own, least);
        // The numbers differ only in their lanes, so this visits the children from the last one
        // down.
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
            if place.is_some() {
                return place;
            }
        }
    }
}
