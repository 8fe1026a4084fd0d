//! Stage *damage*: the part of a picture that differs between two frames.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::tiles::{Rectangle, TileGrid};
use crate::core::Aabb;

/// The elements of a frame, in paint order.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The box of each element, which contains all pixels that it paints.
    pub boxes: &'a [Aabb],
    /// A hash of everything else that the pixels of an element depend on, such as its outline and
    /// its colours.
    pub signatures: &'a [u32],
}

/// The partner of an element without one.
pub const NO_PARTNER: u32 = u32::MAX;

/// The part of a picture that differs between two frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// One bit per element of the new frame, 1 if it changed.
    pub changed: Vec<u32>,
    /// One bit per element of the old frame, 1 if it has no partner.
    pub vanished: Vec<u32>,
    /// One bit per tile, 1 if it may differ: see [`TileGrid::mask`].
    pub tiles: Vec<u32>,
    /// Disjoint rectangles in pixels that cover these tiles, as far as they are in the picture.
    pub rectangles: Vec<Rectangle>,
}

/// The partner in the old frame of each element of the new frame: the element with the same number,
/// or [`NO_PARTNER`]. If several elements of a frame have the same number, the first one is the
/// partner of the first one, and so on.
///
/// # Panics
///
/// Panics if there are more elements than a `u32` can count.
pub fn partners(old_ids: &[u32], new_ids: &[u32]) -> Vec<u32> {
    let mut places: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (place, id) in old_ids.iter().enumerate().rev() {
        let place = u32::try_from(place).expect("an element has a u32 as its index");
        places.entry(*id).or_default().push(place);
    }
    let partner = |id| places.get_mut(id).and_then(Vec::pop).unwrap_or(NO_PARTNER);
    new_ids.iter().map(partner).collect()
}

/// The difference of two frames. `partners` has the index in the old frame of each element of the
/// new frame, such as [`partners()`] returns. An index beyond the old frame means that there is no
/// partner.
///
/// An element of the new frame changed if it has no partner, if its box or its signature differs
/// from its partner's, or if an element before it has a later partner: then two elements changed
/// their order. The damage consists of the tiles that a changed element, its partner, or an element
/// that vanished touches. There are at most `max_rectangles` rectangles. `max_rectangles` 0 counts
/// as 1.
///
/// # Panics
///
/// Panics if the lengths of the arrays of a frame differ, or if the number of tiles exceeds a
/// `u32`.
pub fn damage([old, new]: [Frame<'_>; 2], partners: &[u32], grid: TileGrid, max_rectangles: usize) -> Damage {
    for (frame, n) in [(old, old.boxes.len()), (new, partners.len())] {
        assert_eq!([frame.boxes.len(), frame.signatures.len()], [n; 2], "each element has all properties");
    }
    let mut changed = vec![0; new.boxes.len().div_ceil(32)];
    let mut vanished = vec![0; old.boxes.len().div_ceil(32)];
    let mut damaged = Vec::new();
    let mut has_partner = vec![false; old.boxes.len()];
    let mut largest = 0;
    for (i, partner) in partners.iter().map(|partner| *partner as usize).enumerate() {
        let is_same = partner < old.boxes.len() && {
            has_partner[partner] = true;
            let is_in_order = partner >= largest;
            largest = largest.max(partner);
            is_in_order
                && bytemuck::bytes_of(&old.boxes[partner]) == bytemuck::bytes_of(&new.boxes[i])
                && old.signatures[partner] == new.signatures[i]
        };
        if !is_same {
            changed[i / 32] |= 1 << (i % 32);
            damaged.extend(old.boxes.get(partner));
            damaged.push(new.boxes[i]);
        }
    }
    for i in (0..old.boxes.len()).filter(|i| !has_partner[*i]) {
        vanished[i / 32] |= 1 << (i % 32);
        damaged.push(old.boxes[i]);
    }
    let tiles = grid.mask(damaged);
    let rectangles = rectangles(grid, &tiles, max_rectangles);
    Damage { changed, vanished, tiles, rectangles }
}

/// At most `max` disjoint rectangles in pixels, but at least one if a bit of the mask is 1, that
/// cover all tiles whose bit is 1. They are in the order of their first tiles, row by row.
///
/// A run of ones in a row, and equal runs in the rows below it, are a rectangle. While there are
/// too many, the tiles are replaced by tiles of twice the side.
///
/// # Panics
///
/// Panics if the mask is not one of the grid, or if the number of tiles exceeds a `u32`.
pub fn rectangles(grid: TileGrid, mask: &[u32], max: usize) -> Vec<Rectangle> {
    let words_per_row = grid.words_per_row() as usize;
    let [n_columns, n_rows] = grid.n_tiles().map(|n| n as usize);
    assert_eq!(mask.len(), grid.mask_length(), "the mask has one bit per tile");
    let is_set = |y: usize, x: usize| (mask[y * words_per_row + x / 32] >> (x % 32)) & 1 == 1;
    let mut rows: Vec<Vec<bool>> =
        (0..n_rows).map(|y| (0..n_columns).map(|x| is_set(y, x)).collect()).collect();
    // A tile of 2^32 pixels is larger than any picture.
    let mut lg_tile = grid.lg_tile.min(u32::BITS);
    loop {
        let tiles = runs_with_height(&rows);
        if tiles.len() <= max.max(1) {
            let to_pixels = |tiles: [usize; 4]| {
                let pixel = |tile: usize, end: u32| {
                    u32::try_from(((tile as u64) << lg_tile).min(end.into()))
                        .expect("it is within the picture")
                };
                let [x0, y0, x1, y1] = tiles;
                let [x0, x1] = [x0, x1].map(|x| pixel(x, grid.width));
                let [y0, y1] = [y0, y1].map(|y| pixel(y, grid.height));
                Rectangle { x0, y0, x1, y1 }
            };
            return tiles.into_iter().map(to_pixels).collect();
        }
        rows = rows.chunks(2).map(coarser_row).collect();
        lg_tile += 1;
    }
}

/// A row of tiles of twice the side, from one or two rows.
fn coarser_row(rows: &[Vec<bool>]) -> Vec<bool> {
    let is_any = |x: usize| rows.iter().any(|row| row[x] || row.get(x + 1) == Some(&true));
    (0..rows[0].len()).step_by(2).map(is_any).collect()
}

/// The runs of ones that the row above does not have, each with the equal ones below it: the first
/// column and row, and the ones after the last.
fn runs_with_height(rows: &[Vec<bool>]) -> Vec<[usize; 4]> {
    let runs: Vec<Vec<[usize; 2]>> = rows.iter().map(|row| runs(row)).collect();
    let mut found = Vec::new();
    for (y, own) in runs.iter().enumerate() {
        for run in own.iter().filter(|run| y == 0 || !runs[y - 1].contains(run)) {
            let height = runs[y..].iter().take_while(|row| row.contains(run)).count();
            found.push([run[0], y, run[1], y + height]);
        }
    }
    found
}

/// The first column of each run of ones, and the column after it.
fn runs(row: &[bool]) -> Vec<[usize; 2]> {
    let is_set = |x: usize| row.get(x) == Some(&true);
    let is_start = |x: &usize| is_set(*x) && (*x == 0 || !is_set(x - 1));
    let end = |x: usize| (x..).find(|x| !is_set(*x)).expect("the row ends");
    (0..row.len()).filter(is_start).map(|x| [x, end(x)]).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const GRID: TileGrid = TileGrid { width: 150, height: 118, lg_tile: 2 };

    /// A box, and a colour that is also its signature.
    type Element = (Aabb, u32);

    fn some_elements() -> impl Strategy<Value = Vec<Element>> {
        let one = (0_u8..150, 0_u8..118, 1_u8..25, 1_u8..25, 0_u32..4);
        let element = one.prop_map(|(x, y, width, height, colour)| {
            let [x, y, width, height] = [x, y, width, height].map(f64::from);
            (Aabb::new(x, y, x + width, y + height).expect("no NaN"), colour)
        });
        proptest::collection::vec(element, 0..30)
    }

    fn picture(elements: &[Element]) -> Vec<Option<u32>> {
        let grid = TileGrid { lg_tile: 0, ..GRID };
        let mut pixels = vec![None; (GRID.width * GRID.height) as usize];
        for (own, colour) in elements {
            for [x, y] in grid.touched(*own).positions() {
                pixels[(y * GRID.width + x) as usize] = Some(*colour);
            }
        }
        pixels
    }

    fn damage_of(old: &[Element], new: &[Element], partners: &[u32], max: usize) -> Damage {
        let split = |elements: &[Element]| -> (Vec<Aabb>, Vec<u32>) { elements.iter().copied().unzip() };
        let (old, new) = (split(old), split(new));
        let frame = |(boxes, signatures)| Frame { boxes, signatures };
        damage([frame((&*old.0, &*old.1)), frame((&*new.0, &*new.1))], partners, GRID, max)
    }

    /// Pixels that are in the rectangles.
    fn covered(rectangles: &[Rectangle]) -> Vec<usize> {
        let mut counts = vec![0; (GRID.width * GRID.height) as usize];
        for [x, y] in rectangles.iter().flat_map(|rectangle| rectangle.positions()) {
            counts[(y * GRID.width + x) as usize] += 1;
        }
        counts
    }

    proptest! {
        /// The picture is the law: a pixel that differs is in a rectangle.
        #[test]
        fn every_pixel_that_differs_is_in_exactly_one_rectangle(
            old in some_elements(),
            // For each element of the new frame: an element of the old one, perhaps changed.
            edits in proptest::collection::vec((any::<prop::sample::Index>(), 0_u8..8), 0..30),
            added in some_elements(),
            is_sorted in any::<bool>(),
            max in 1_usize..=16,
        ) {
            let mut chosen: Vec<(usize, u8)> =
                edits.iter().filter(|_| !old.is_empty()).map(|(i, edit)| (i.index(old.len()), *edit)).collect();
            chosen.sort_unstable();
            chosen.dedup_by_key(|(i, _)| *i);
            if !is_sorted && chosen.len() > 2 {
                chosen.swap(0, 2);
            }
            let edited = chosen.iter().zip(added.iter().cycle()).map(|((i, edit), (own, _))| match edit {
                0 => (*own, old[*i].1),
                1 => (old[*i].0, old[*i].1 + 1),
                _ => old[*i],
            });
            let new: Vec<Element> = edited.chain(added.iter().copied().take(3)).collect();
            let mut partners: Vec<u32> = chosen.iter().map(|(i, _)| u32::try_from(*i).expect("it is small")).collect();
            partners.resize(new.len(), NO_PARTNER);
            partners.truncate(new.len());

            let damage = damage_of(&old, &new, &partners, max);
            let counts = covered(&damage.rectangles);
            prop_assert!(damage.rectangles.len() <= max);
            for (i, (a, b)) in picture(&old).iter().zip(&picture(&new)).enumerate() {
                prop_assert!(counts[i] <= 1);
                prop_assert!(a == b || counts[i] == 1, "pixel {}", i);
            }
        }

        #[test]
        fn the_order_of_the_frames_does_not_matter_without_moves(
            old in some_elements(),
            new in some_elements(),
        ) {
            let by_position = |a: &[Element], b: &[Element]| -> Vec<u32> {
                (0..).take(a.len()).chain(std::iter::repeat(NO_PARTNER)).take(b.len()).collect()
            };
            let forward = damage_of(&old, &new, &by_position(&old, &new), 16);
            let backward = damage_of(&new, &old, &by_position(&new, &old), 16);
            prop_assert_eq!(forward.rectangles, backward.rectangles);
            prop_assert_eq!(forward.tiles, backward.tiles);
        }

        #[test]
        fn more_changes_damage_more_tiles(
            old in some_elements(),
            changes in proptest::collection::vec((any::<bool>(), any::<bool>()), 30),
        ) {
            let partners: Vec<u32> = (0..).take(old.len()).collect();
            let changed = |is_changed: &dyn Fn(usize) -> bool| -> Damage {
                let new = old.iter().enumerate();
                let new: Vec<Element> =
                    new.map(|(i, (own, colour))| (*own, colour + u32::from(is_changed(i)))).collect();
                damage_of(&old, &new, &partners, 16)
            };
            let few = changed(&|i| changes[i].0);
            let many = changed(&|i| changes[i].0 || changes[i].1);
            prop_assert!(few.tiles.iter().zip(&many.tiles).all(|(few, many)| few & !many == 0));
        }

        #[test]
        fn equal_frames_have_no_damage(elements in some_elements()) {
            let ids: Vec<u32> = (0..).map(|i| 7 - i % 8).take(elements.len()).collect();
            let damage = damage_of(&elements, &elements, &partners(&ids, &ids), 16);
            prop_assert!(damage.rectangles.is_empty());
            prop_assert!(damage.changed.iter().chain(&damage.vanished).chain(&damage.tiles).all(|w| *w == 0));
        }

        #[test]
        fn rectangles_cover_every_tile_of_a_mask(
            bits in proptest::collection::vec(prop::bool::weighted(0.3), 38 * 30),
            max in 0_usize..200,
        ) {
            let tiles = |i: usize| [(i % 38) as f64, (i / 38) as f64].map(|tile| 4.0 * tile);
            let boxes = (0..bits.len()).filter(|i| bits[*i]).map(|i| {
                let [x, y] = tiles(i);
                Aabb::new(x, y, x + 4.0, y + 4.0).expect("no NaN")
            });
            let found = rectangles(GRID, &GRID.mask(boxes), max);
            prop_assert!(found.len() <= max.max(1));
            let counts = covered(&found);
            prop_assert!(counts.iter().all(|count| *count <= 1));
            for (i, _) in bits.iter().enumerate().filter(|(_, bit)| **bit) {
                let [x, y] = [4 * (i % 38), 4 * (i / 38)];
                if x < 150 && y < 118 {
                    prop_assert_eq!(counts[y * 150 + x], 1);
                }
            }
        }
    }

    #[test]
    fn partners_have_the_same_number() {
        assert_eq!(partners(&[5, 7, 5, 9], &[9, 5, 5, 5, 8]), [3, 0, 2, NO_PARTNER, NO_PARTNER]);
    }

    #[test]
    fn an_element_that_changes_its_order_is_changed() {
        let element = |x: f64| (Aabb::new(x, 0.0, x + 20.0, 20.0).expect("no NaN"), 1);
        let [a, b, c] = [element(0.0), element(10.0), element(100.0)];
        let damage = damage_of(&[a, b, c], &[b, a, c], &[1, 0, 2], 16);
        assert_eq!(damage.changed, [0b010]);
        assert_eq!(damage.rectangles, [Rectangle { x0: 0, y0: 0, x1: 20, y1: 20 }]);
    }

    #[test]
    fn equal_runs_below_each_other_are_one_rectangle() {
        let grid = TileGrid { width: 64, height: 64, lg_tile: 4 };
        let found = |rows: [u32; 4], max| rectangles(grid, &rows, max).len();
        assert_eq!(found([0b1011, 0b1011, 0b0011, 0b1111], 16), 3);
        assert_eq!(found([0b1011, 0b1011, 0b0011, 0b1111], 2), 1);
        assert_eq!(found([0; 4], 16), 0);
        assert_eq!(rectangles(grid, &[8, 8, 0, 0], 1), [Rectangle { x0: 48, y0: 0, x1: 64, y1: 32 }]);
    }
}
