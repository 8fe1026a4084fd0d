//! Stage *index*: a tree over boxes, so that a query visits only the boxes near it.

use alloc::vec::Vec;

use super::sort;
use crate::core::Aabb;

/// The number of children of a node.
pub const CHILDREN: usize = 4;

/// The order of the leaves. Four boxes in a row, starting at a multiple of four, have a common
/// parent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// The order in which the boxes are given. It costs no sort, and is the best one if neighbours
    /// in this order are close to each other, as in documents and user interfaces.
    Paint,
    /// The order of the centers along Morton's curve.
    Morton,
    /// The order of the centers along Hilbert's curve, of which any two neighbours are adjacent.
    #[default]
    Hilbert,
}

/// A node of the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IndexNode {
    /// The union of the boxes below it.
    pub aabb: Aabb,
    /// The smallest and the largest index of a box below it. Empty boxes do not count.
    pub span: [u32; 2],
}

impl IndexNode {
    /// A node without boxes.
    pub const EMPTY: Self = Self { aabb: Aabb::EMPTY, span: [u32::MAX, 0] };

    /// The leaf of a box.
    fn leaf(item: u32, aabb: Aabb) -> Self {
        if aabb.is_empty() { Self::EMPTY } else { Self { aabb, span: [item; 2] } }
    }

    fn union(self, other: Self) -> Self {
        let [min, max] = self.span;
        Self { aabb: self.aabb.union(other.aabb), span: [min.min(other.span[0]), max.max(other.span[1])] }
    }
}

/// A packed tree over boxes. The children of a node are found by arithmetic, so that there are no
/// links.
///
/// # Source
///
/// The layout is that of *flatbush* (Agafonkin) and of the packed Hilbert R-tree (Kamel, Faloutsos,
/// *On packing R-trees*, 1993), with an interval of indices per node.
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    /// The index of the box of each leaf.
    pub permutation: Vec<u32>,
    /// The nodes of each level. Level 0 has the leaves. Node i of the next level has the nodes 4i
    /// to 4i + 3 below it. The last level has at most one node.
    pub levels: Vec<Vec<IndexNode>>,
}

impl Index {
    /// The tree over boxes. Keys have `bits` bits: see [`curve_keys`].
    ///
    /// # Panics
    ///
    /// Panics if there are more boxes than a `u32` can count.
    pub fn new(boxes: &[Aabb], order: Order, bits: u32) -> Self {
        let permutation = match order {
            Order::Paint => (0..u32::try_from(boxes.len()).expect("a box has a u32 as its index")).collect(),
            _ => sort(&curve_keys(boxes, order, bits), bits),
        };
        let mut index = Self { permutation, levels: Vec::new() };
        index.refit(boxes);
        index
    }

    /// Replaces the boxes, and keeps the order of the leaves.
    ///
    /// # Panics
    ///
    /// Panics if there are fewer boxes than before.
    pub fn refit(&mut self, boxes: &[Aabb]) {
        let leaf = |item: &u32| IndexNode::leaf(*item, boxes[*item as usize]);
        let mut level: Vec<IndexNode> = self.permutation.iter().map(leaf).collect();
        self.levels.clear();
        while level.len() > 1 {
            let parent =
                |children: &[IndexNode]| children.iter().copied().fold(IndexNode::EMPTY, IndexNode::union);
            let parents = level.chunks(CHILDREN).map(parent).collect();
            self.levels.push(core::mem::replace(&mut level, parents));
        }
        self.levels.push(level);
    }
}

/// The number of bits of a key that suffice for `n` boxes: two more per axis than a grid with a box
/// per cell needs, rounded up to whole digits of the sort.
pub fn key_bits(n: usize) -> u32 {
    match n {
        0..=0x1000 => 16,
        0x1001..=0x10_0000 => 24,
        _ => 32,
    }
}

/// The place of the center of each box along a curve, in `bits` bits, an even number up to 32.
///
/// The curve fills a grid over the union of all boxes. The grid is up to twice as large as the
/// union along each axis, because its scale is a power of two. Empty boxes have the largest key.
/// With [`Order::Paint`], all keys are 0.
///
/// The coordinates are those of a grid, and only the subtraction in their computation rounds.
/// Coordinates are clamped to ±2^30, so that no difference is infinite, and those below 2^-100 are
/// 0, so that none is subnormal.
pub fn curve_keys(boxes: &[Aabb], order: Order, bits: u32) -> Vec<u32> {
    let bounds = union_of(boxes);
    let x = GridAxis::new(bounds.x0, bounds.x1);
    let y = GridAxis::new(bounds.y0, bounds.y1);
    let key = |aabb: &Aabb| {
        let cell = [x.cell(aabb.x0, aabb.x1), y.cell(aabb.y0, aabb.y1)];
        let key = match order {
            _ if aabb.is_empty() => u32::MAX,
            Order::Paint => 0,
            Order::Morton => morton_key(cell),
            Order::Hilbert => hilbert_key(cell),
        };
        key.checked_shr(u32::BITS - bits.min(u32::BITS)).unwrap_or(0)
    };
    boxes.iter().map(key).collect()
}

/// The place of the center of a box along Hilbert's curve through other bounds, in 32 bits. The box
/// may be empty.
pub(super) fn hilbert_key_within(bounds: Aabb, aabb: Aabb) -> u32 {
    let x = GridAxis::new(bounds.x0, bounds.x1);
    let y = GridAxis::new(bounds.y0, bounds.y1);
    hilbert_key([x.cell(aabb.x0, aabb.x1), y.cell(aabb.y0, aabb.y1)])
}

/// The union of all boxes.
pub fn union_of(boxes: &[Aabb]) -> Aabb {
    boxes.iter().copied().map(Aabb::canonical).fold(Aabb::EMPTY, Aabb::union)
}

/// A range of coordinates, divided into up to 2^23 places.
#[derive(Clone, Copy, Debug)]
pub(in crate::specification) struct GridAxis {
    low: f32,
    /// A power of two, so that products are exact.
    scale: f32,
}

impl GridAxis {
    /// The number of bits of a place. It exceeds those of a cell, so that a center is exact enough.
    pub(in crate::specification) const BITS: u32 = 23;

    /// The largest exponent of a scale. Boxes at a single point have it.
    const MAX_EXPONENT: u32 = 126;

    fn new(low: f32, high: f32) -> Self {
        let low = plain(low);
        Self::with_extent(low, plain(high) - low)
    }

    /// The range of this extent from a plain coordinate.
    pub(in crate::specification) fn with_extent(low: f32, extent: f32) -> Self {
        const EXPONENT_BIAS: u32 = 127;
        // An extent is at most 2^(exponent - 126).
        let exponent = extent.max(0.0).to_bits().saturating_sub(1) >> (f32::MANTISSA_DIGITS - 1);
        let scale_exponent =
            (Self::BITS + 126 + EXPONENT_BIAS - exponent).min(Self::MAX_EXPONENT + EXPONENT_BIAS);
        Self { low, scale: f32::from_bits(scale_exponent << (f32::MANTISSA_DIGITS - 1)) }
    }

    /// The upper 16 bits of twice the center of a range.
    fn cell(self, from: f32, to: f32) -> u32 {
        (self.place(from) + self.place(to)) >> (Self::BITS + 1 - 16)
    }

    /// The place of a coordinate. Coordinates outside of the range are at its ends.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is clamped")]
    pub(in crate::specification) fn place(self, v: f32) -> u32 {
        ((plain(v) - self.low) * self.scale).clamp(0.0, 8_388_607.0) as u32
    }
}

/// A coordinate with which differences are finite and normal.
pub(in crate::specification) fn plain(v: f32) -> f32 {
    const LIMIT: f32 = 1_073_741_824.0;
    // 2^-100
    const LEAST: f32 = f32::from_bits(27 << 23);
    if v.abs() < LEAST { 0.0 } else { v.clamp(-LIMIT, LIMIT) }
}

/// Alternates the bits of two 16-bit numbers. G. M. Morton, *A computer oriented geodetic data
/// base*, 1966.
fn morton_key([x, y]: [u32; 2]) -> u32 {
    (0..16).fold(0, |key, bit| key | ((x >> bit) & 1) << (2 * bit) | ((y >> bit) & 1) << (2 * bit + 1))
}

/// The place of a cell along Hilbert's curve through a grid of 2^16 by 2^16 cells. From the largest
/// quadrants to the smallest, a quadrant gives two bits, and rotates the curve inside.
fn hilbert_key([mut x, mut y]: [u32; 2]) -> u32 {
    let mut key = 0;
    for bit in (0..16).rev() {
        let quadrant = [(x >> bit) & 1, (y >> bit) & 1];
        key = (key << 2) | ((3 * quadrant[0]) ^ quadrant[1]);
        match quadrant {
            [0, 0] => (x, y) = (y, x),
            [_, 0] => (x, y) = (0xffff - y, 0xffff - x),
            _ => {}
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_boxes() -> impl Strategy<Value = Vec<Aabb>> {
        let any_box = (-99_i16..99, -99_i16..99, 0_i16..30, 0_i16..30).prop_map(|(x, y, width, height)| {
            let [x0, y0, x1, y1] = [x, y, x + width, y + height].map(f64::from);
            Aabb::new(x0, y0, x1, y1).expect("no coordinate is NaN")
        });
        proptest::collection::vec(any_box, 0..200)
    }

    const ORDERS: [Order; 3] = [Order::Paint, Order::Morton, Order::Hilbert];

    proptest! {
        #[test]
        fn a_node_is_the_union_of_its_leaves(boxes in any_boxes()) {
            for order in ORDERS {
                let index = Index::new(&boxes, order, 24);
                let mut sorted = index.permutation.clone();
                sorted.sort_unstable();
                prop_assert!(sorted.into_iter().eq((0..).take(boxes.len())));
                prop_assert!(index.levels.last().is_some_and(|root| root.len() <= 1));
                let mut width = 1;
                for level in &index.levels {
                    let below = index.permutation.chunks(width);
                    width *= CHILDREN;
                    prop_assert_eq!(level.len(), below.len());
                    for (node, items) in level.iter().zip(below) {
                        let items = || items.iter().filter(|item| !boxes[**item as usize].is_empty());
                        let union = items().fold(Aabb::EMPTY, |union, item| union.union(boxes[*item as usize]));
                        prop_assert_eq!(node.aabb, union);
                        let [min, max] = [items().min(), items().max()].map(Option::<&u32>::copied);
                        prop_assert_eq!(node.span, [min.unwrap_or(u32::MAX), max.unwrap_or(0)]);
                    }
                }
            }
        }

        #[test]
        fn refitting_the_same_boxes_changes_nothing(boxes in any_boxes()) {
            let index = Index::new(&boxes, Order::Hilbert, 24);
            let mut refitted = index.clone();
            refitted.refit(&boxes);
            prop_assert_eq!(refitted, index);
        }

        #[test]
        fn scaling_and_moving_all_boxes_keeps_the_keys(boxes in any_boxes()) {
            let moved = |aabb: &Aabb| {
                let Aabb { x0, y0, x1, y1 } = *aabb;
                if aabb.is_empty() { *aabb } else {
                    Aabb { x0: 4.0 * (x0 + 512.0), y0: 4.0 * y0, x1: 4.0 * (x1 + 512.0), y1: 4.0 * y1 }
                }
            };
            let moved: Vec<Aabb> = boxes.iter().map(moved).collect();
            for order in ORDERS {
                prop_assert_eq!(curve_keys(&moved, order, 32), curve_keys(&boxes, order, 32));
            }
        }
    }

    #[test]
    fn keys_of_fewer_bits_are_the_upper_bits() {
        let boxes: Vec<Aabb> = (0..99_u8)
            .map(|i| {
                let [x, y] = [i.wrapping_mul(37), i.wrapping_mul(101)].map(f64::from);
                Aabb::new(x, y, x + 1.0, y + 2.0).expect("no coordinate is NaN")
            })
            .chain([Aabb::EMPTY])
            .collect();
        for order in [Order::Morton, Order::Hilbert] {
            let all = curve_keys(&boxes, order, 32);
            for bits in [0, 2, 16, 24] {
                let upper: Vec<u32> = all.iter().map(|key| key.checked_shr(32 - bits).unwrap_or(0)).collect();
                assert_eq!(curve_keys(&boxes, order, bits), upper);
            }
            assert_eq!(all[99], u32::MAX);
        }
    }

    #[test]
    fn the_curve_of_hilbert_goes_through_all_cells_step_by_step() {
        // The cells of a corner of the grid, in the order of their keys.
        let mut cells: Vec<[u32; 2]> = (0..64).flat_map(|x| (0..64).map(move |y| [x, y])).collect();
        cells.sort_by_key(|cell| hilbert_key(*cell));
        assert_eq!(cells[0], [0, 0]);
        for (i, pair) in cells.windows(2).enumerate() {
            let distance: u32 = (0..2).map(|axis| pair[0][axis].abs_diff(pair[1][axis])).sum();
            assert_eq!(distance, 1, "{pair:?}");
            assert_eq!(hilbert_key(pair[1]) as usize, i + 1);
        }
    }

    #[test]
    fn coordinates_at_the_limits_have_keys() {
        let tiny = f32::MIN_POSITIVE;
        let boxes = [
            Aabb { x0: 0.0, y0: 0.0, x1: tiny, y1: tiny },
            Aabb { x0: tiny, y0: tiny, x1: 3.0 * tiny, y1: 5.0 * tiny },
        ];
        assert_eq!(curve_keys(&boxes, Order::Hilbert, 32), [0, 0]);
        let all = [boxes[0], Aabb::PLANE, Aabb::EMPTY];
        let [zero, center, empty] = curve_keys(&all, Order::Morton, 32)[..] else {
            panic!("there are 3 keys")
        };
        assert_eq!([zero, center, empty], [0xc000_0000, 0x3fff_ffff, u32::MAX]);
        assert_eq!(curve_keys(&[], Order::Hilbert, 32), [0; 0]);
        assert_eq!(curve_keys(&[Aabb::EMPTY], Order::Hilbert, 16), [0xffff]);
    }
}
