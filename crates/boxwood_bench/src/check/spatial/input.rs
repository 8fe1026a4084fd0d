//! What the stages are given: boxes of a family, and what follows from them.

use boxwood::Aabb;
use boxwood_cpu::specification::spatial::{TileGrid, coordinate_key};

use super::count;
use crate::inputs::{BoxFamily, Random};

/// The maximum number of queries. The specification visits all boxes for each.
const MAX_QUERIES: usize = 40;

/// The maximum number of outputs of an item.
const MAX_OUTPUTS: usize = 15;

/// The percentage of elements that change from a frame to the next.
const CHANGED_PERCENT: usize = 5;

/// The side of the square that most families are in.
const SIDE: f64 = 10_000.0;

/// The elements of a frame.
#[derive(Debug)]
pub(in crate::check) struct Elements {
    pub(super) boxes: Vec<Aabb>,
    pub(super) signatures: Vec<u32>,
}

/// The inputs of all stages.
#[derive(Debug)]
pub(in crate::check) struct Input {
    pub(in crate::check) boxes: Vec<Aabb>,
    /// For each box, its left side. So their order, and how many are equal, depend on the family.
    pub(super) keys: Vec<u32>,
    /// For each box, a number of outputs. Empty boxes have none.
    pub(super) counts: Vec<u32>,
    /// A bit per box. Most bits are equal to the one before, so that there are words without ones.
    pub(super) mask: Vec<u32>,
    /// Points, rectangles, and distances.
    pub(super) queries: Vec<Aabb>,
    /// A picture of the boxes.
    pub(super) grid: TileGrid,
    /// The boxes as elements of two frames of the picture, and the index in the first frame of each
    /// element of the second one.
    pub(super) frames: [Elements; 2],
    pub(super) partners: Vec<u32>,
    /// For each element of the first frame, its box if it is opaque.
    pub(super) inner_boxes: Vec<Aabb>,
    /// For each element of the first frame, the first element of the innermost group around it.
    pub(super) scope_starts: Vec<u32>,
}

impl Input {
    /// `n` boxes of a family.
    pub(in crate::check) fn new(family: BoxFamily, n: usize) -> Self {
        let boxes = family.generate(n, n as u64);
        let random = &mut Random::new(n as u64);
        let keys = boxes.iter().map(|own| coordinate_key(own.x0)).collect();
        let outputs = |own: &Aabb| if own.is_empty() { 0 } else { count(random.below(MAX_OUTPUTS + 1)) };
        let counts = boxes.iter().map(outputs).collect();
        let mut bit = 0;
        let mut next_bit = || {
            bit ^= u32::from(random.percent(4));
            bit
        };
        let mut word = |items: &[Aabb]| (0..items.len()).fold(0, |word, i| word | next_bit() << i);
        let mask = boxes.chunks(32).map(&mut word).collect();
        let queries = queries(&boxes, n.min(MAX_QUERIES), random);
        let grid = TileGrid::new(800, 500);
        let frames = frames(&boxes, grid, random);
        let inner = |own: &Aabb| if random.percent(40) { *own } else { Aabb::EMPTY };
        let inner_boxes = frames[0].boxes.iter().map(inner).collect();
        let mut partners: Vec<u32> = (0..count(n)).collect();
        for _ in 0..n / 100 {
            partners.swap(random.below(n), random.below(n));
        }
        let scope_starts = scope_starts(n, random);
        Self { boxes, keys, counts, mask, queries, grid, frames, partners, inner_boxes, scope_starts }
    }
}

/// The first element of the innermost group around each element. Groups are inside each other.
fn scope_starts(n: usize, random: &mut Random) -> Vec<u32> {
    let mut open = vec![0];
    let start = |i| {
        match random.below(30) {
            0 => open.push(i),
            1 if open.len() > 1 => drop(open.pop()),
            _ => {}
        }
        *open.last().expect("the picture stays")
    };
    (0..count(n)).map(start).collect()
}

/// Points and rectangles at boxes, and anywhere else. As a query for the nearest box, each is a
/// point with a maximum distance.
fn queries(boxes: &[Aabb], n: usize, random: &mut Random) -> Vec<Aabb> {
    let mut one = |i: usize| {
        let own = boxes[random.below(boxes.len())];
        let [x, y] = [(); 2].map(|()| SIDE * random.unit());
        match i % 5 {
            0 => own,
            1 => Aabb { x0: own.x1, y0: own.y1, x1: own.x1 + 50.0, y1: own.y1 + 50.0 },
            2 => Aabb::new(x, y, x + 300.0, y + 400.0).expect("no NaN"),
            3 => Aabb::new(x, y, f64::from(f32::MAX), f64::from(f32::MAX)).expect("no NaN"),
            _ if i.is_multiple_of(2) => Aabb::EMPTY,
            _ => Aabb::PLANE,
        }
    };
    (0..n).map(&mut one).collect()
}

/// The boxes in the picture, and the same with some changes.
fn frames(boxes: &[Aabb], grid: TileGrid, random: &mut Random) -> [Elements; 2] {
    let scale = f64::from(grid.width) / SIDE;
    let scaled = |own: &Aabb| {
        let [x0, y0, x1, y1] = [own.x0, own.y0, own.x1, own.y1].map(|v| scale * f64::from(v));
        Aabb::new(x0, y0, x1, y1).expect("no NaN")
    };
    let old: Vec<Aabb> = boxes.iter().map(scaled).collect();
    let signatures: Vec<u32> = boxes.iter().map(|_| count(random.below(9))).collect();
    let (mut new, mut new_signatures) = (old.clone(), signatures.clone());
    for i in 0..boxes.len() {
        if random.percent(CHANGED_PERCENT) {
            match random.below(3) {
                0 => new_signatures[i] += 1,
                1 => new[i] = Aabb::EMPTY,
                _ => new[i] = old[random.below(old.len())],
            }
        }
    }
    [Elements { boxes: old, signatures }, Elements { boxes: new, signatures: new_signatures }]
}
