//! The elements that later, opaque elements hide, in memory that is kept from frame to frame.

use alloc::vec::Vec;

use crate::adaptive_tree::AdaptiveTree;
use crate::core::Aabb;
use crate::specification::spatial::TileGrid;
use crate::tiles::{BITS, Tiles, reset};

/// Finds the elements that may be visible, as
/// [`specification::spatial::visible`](crate::specification::spatial::visible()) and
/// [`visible_by_boxes`](crate::specification::spatial::visible_by_boxes()) do.
///
/// ```
/// use boxwood_cpu::{Aabb, Occlusion, TileGrid};
///
/// let small = Aabb::new(20.0, 20.0, 30.0, 30.0)?;
/// let large = Aabb::new(10.0, 10.0, 90.0, 90.0)?;
/// // The large element is opaque, and painted after the small one.
/// let (boxes, inner_boxes) = ([small, large], [Aabb::EMPTY, large]);
/// let mut occlusion = Occlusion::new();
/// assert_eq!(occlusion.by_boxes(&boxes, &inner_boxes, None), [0b10]);
/// // In tiles of 16 pixels, it covers those from pixel 16 to pixel 80.
/// assert_eq!(occlusion.by_tiles(&boxes, &inner_boxes, TileGrid::new(100, 100)), [0b10]);
/// # Ok::<(), boxwood_cpu::NotABox>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Occlusion {
    visible: Vec<u32>,
    /// One bit per tile, 1 if a later element covers it.
    covered: Vec<u32>,
    /// The inner boxes of later elements, the last one first. The key is the negative start of the
    /// scope.
    tree: AdaptiveTree,
}

impl Occlusion {
    /// A workspace without memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// One bit per element, 1 if it may be visible: if it touches a tile that no later element
    /// covers. The rest of the last word is 0. Elements are in paint order.
    ///
    /// `boxes` contain all pixels that an element paints. An inner box is the part of the box where
    /// the element surely replaces everything below it. It is the clipped rectangle of an opaque
    /// element, and [`Aabb::EMPTY`] for most others. Elements of an isolated group must not cover
    /// anything outside of it.
    ///
    /// # Panics
    ///
    /// Panics if the numbers of boxes differ, or if the number of tiles exceeds a `u32`.
    pub fn by_tiles(&mut self, boxes: &[Aabb], inner_boxes: &[Aabb], grid: TileGrid) -> &[u32] {
        assert_eq!(boxes.len(), inner_boxes.len(), "each element has two boxes");
        let Self { visible, covered, .. } = self;
        let in_tiles = Tiles::new(grid);
        reset(visible, boxes.len().div_ceil(BITS));
        reset(covered, grid.mask_length());
        let mut n_open = grid.count();
        // From the top down: an element is hidden by later ones only.
        for (i, (own, inner)) in boxes.iter().zip(inner_boxes).enumerate().rev() {
            // Often a background covers the picture. Nothing below it is visible.
            if n_open == 0 {
                break;
            }
            let touched = in_tiles.touched(own);
            if in_tiles.any_word(covered, touched, |word, bits| *word & bits != bits) {
                visible[i / BITS] |= 1 << (i % BITS);
            }
            // Only now, because an element does not hide itself.
            in_tiles.any_word(covered, in_tiles.covered(inner), |word, bits| {
                // Tiles that were covered before do not count again.
                n_open -= (bits & !*word).count_ones();
                *word |= bits;
                false
            });
        }
        visible
    }

    /// One bit per element, 1 if it may be visible: if it has an area, and the inner box of no
    /// later element in its scope contains its box. The rest of the last word is 0.
    ///
    /// `boxes` and `inner_boxes` are as for [`by_tiles`](Self::by_tiles), but boxes are not rounded
    /// to tiles: if edges are anti-aliased, round inner boxes inward to whole pixels.
    ///
    /// An inner box covers nothing outside of the innermost isolated group of its element.
    /// `scope_starts` has the index of the first element of this group for each element, or 0 if
    /// there is no such group. The elements of a group must be in a row. Without `scope_starts`,
    /// there are no groups. If an element stands for the group itself, such as a begin with the
    /// group box, it is outside of the group, which starts after it.
    ///
    /// # Panics
    ///
    /// Panics if the numbers of boxes and scopes differ, or if there are 2^28 elements or more.
    pub fn by_boxes(&mut self, boxes: &[Aabb], inner_boxes: &[Aabb], scope_starts: Option<&[u32]>) -> &[u32] {
        let n = boxes.len();
        assert_eq!(n, inner_boxes.len(), "each element has two boxes");
        assert!(scope_starts.is_none_or(|starts| starts.len() == n), "each element has a scope");
        let Self { visible, tree, .. } = self;
        tree.clear(n);
        reset(visible, n.div_ceil(BITS));
        let scope_start = |i: usize| scope_starts.map_or(0, |starts| starts[i] as usize);
        // The element that hid another one most recently.
        let mut last = None;
        // From the top down: an element is hidden by later ones only.
        for (i, own) in boxes.iter().enumerate().rev() {
            tree.adapt(&inner_boxes.iter().rev());
            let hidden_by = if own.is_empty() {
                None
            } else {
                let is_hidden_by = |j: &usize| scope_start(*j) <= i && inner_boxes[*j].contains(*own);
                // Neighbours in paint order are often hidden by the same element.
                last.filter(is_hidden_by).or_else(|| {
                    // The scope of an inner box starts at element `i` or before it. Trees search
                    // for large keys, so the key is the negative start.
                    tree.find_containing(own, -as_key(i)).map(|place| n - 1 - place)
                })
            };
            if hidden_by.is_none() && !own.is_empty() {
                visible[i / BITS] |= 1 << (i % BITS);
            }
            last = hidden_by.or(last);
            // An inner box inside of another one hides nothing more, unless its scope is larger.
            let is_redundant = hidden_by
                .is_some_and(|j| scope_start(j) <= scope_start(i) && inner_boxes[j].contains(inner_boxes[i]));
            // Only now, because an element does not hide itself.
            if is_redundant || inner_boxes[i].is_empty() {
                tree.skip();
            } else {
                tree.insert(&inner_boxes[i], -as_key(scope_start(i)));
            }
        }
        visible
    }
}

/// A number as a key. Numbers beyond all elements are equal: nothing is in these scopes.
fn as_key(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::families::{Random, SIDE, families};
    use crate::specification::spatial as specification;

    /// Large and small pictures alternate, so that memory of one is there for the next.
    const SIZES: [usize; 12] = [1300, 1, 0, 600, 8, 64, 9, 7, 65, 2, 63, 400];

    const GRIDS: [TileGrid; 3] = [
        TileGrid { width: 1920, height: 1080, lg_tile: 4 },
        TileGrid { width: 10_000, height: 10_000, lg_tile: 6 },
        TileGrid { width: 300, height: 0, lg_tile: 3 },
    ];

    /// Inner boxes of some kind, and the starts of scopes.
    fn inner_and_scopes(boxes: &[Aabb], kind: u32, random: &mut Random) -> (Vec<Aabb>, Vec<u32>) {
        let mut inner = |own: &Aabb| match (kind, random.below(3)) {
            // Opaque elements.
            (0, 0) | (1, _) => *own,
            // Inner boxes that are smaller than their boxes, and larger than most boxes.
            (2, 0) => Aabb { x0: 0.9 * own.x0 + 0.1 * own.x1, ..*own }.canonical(),
            (2, 1) => Aabb::new(0.0, 0.0, SIDE * random.unit(), SIDE * random.unit()).expect("no NaN"),
            _ => Aabb::EMPTY,
        };
        let inner: Vec<Aabb> = boxes.iter().map(&mut inner).collect();
        let mut starts = Vec::new();
        let mut open = vec![0];
        for i in (0..).take(boxes.len()) {
            match random.below(8) {
                0 => open.push(i),
                1 if open.len() > 1 => drop(open.pop()),
                _ => {}
            }
            // Starts that belong to no tree of groups, or are beyond the picture, are compared too.
            let is_odd = kind == 1 && random.below(3) == 0;
            let odd = if random.below(9) == 0 { u32::MAX as usize - i } else { random.below(i + 1) };
            let start = if is_odd { odd } else { *open.last().expect("the picture stays") };
            starts.push(u32::try_from(start).unwrap_or(u32::MAX));
        }
        (inner, starts)
    }

    #[test]
    fn visible_elements_are_those_of_the_specification() {
        let mut occlusion = Occlusion::new();
        let mut random = Random::new(5);
        for n in SIZES {
            for family in families() {
                let boxes = family.generate(n, random.bits());
                for kind in 0..3 {
                    let (inner, starts) = inner_and_scopes(&boxes, kind, &mut random);
                    for starts in [None, Some(&*starts)] {
                        let expected = specification::visible_by_boxes(&boxes, &inner, starts);
                        let is_equal = occlusion.by_boxes(&boxes, &inner, starts) == expected;
                        assert!(is_equal, "{n} {family:?} differ by boxes: {kind}, {starts:?}");
                    }
                    for grid in GRIDS {
                        let expected = specification::visible(&boxes, &inner, grid);
                        let is_equal = occlusion.by_tiles(&boxes, &inner, grid) == expected;
                        assert!(is_equal, "{n} {family:?} differ by tiles: {kind}, {grid:?}");
                    }
                }
            }
        }
    }

    proptest! {
        #[test]
        fn a_workspace_has_no_memory_of_pictures_before(
            pictures in proptest::collection::vec(
                proptest::collection::vec((0_u8..40, 0_u8..40, 1_u8..30, 1_u8..30, 0_u8..4, 0_u32..60), 0..200),
                1..5,
            ),
        ) {
            let mut occlusion = Occlusion::new();
            for elements in pictures {
                let (mut boxes, mut inner, mut starts) = (vec![], vec![], vec![]);
                for (x, y, width, height, kind, start) in elements {
                    let [x, y, width, height] = [x, y, width, height].map(f64::from);
                    let own = Aabb::new(x, y, x + width, y + height).expect("no NaN");
                    boxes.push(if kind == 3 { Aabb::EMPTY } else { own });
                    inner.push(if kind == 2 { Aabb::EMPTY } else { own });
                    starts.push(start);
                }
                for starts in [None, Some(&*starts)] {
                    let expected = specification::visible_by_boxes(&boxes, &inner, starts);
                    prop_assert_eq!(occlusion.by_boxes(&boxes, &inner, starts), &*expected);
                }
                for lg_tile in [0, 2, 9] {
                    let grid = TileGrid { width: 67, height: 50, lg_tile };
                    let expected = specification::visible(&boxes, &inner, grid);
                    prop_assert_eq!(occlusion.by_tiles(&boxes, &inner, grid), &*expected);
                }
            }
        }
    }
}
