//! The part of a picture that differs between two frames, in memory that is kept from frame to
//! frame.

use alloc::vec::Vec;

use crate::core::Aabb;
use crate::radix::RadixSort;
use crate::specification::spatial::{Frame, NO_PARTNER, Rectangle, TileGrid};
use crate::tiles::{BITS, Tiles, bits_in, reset, set_bits};

/// Finds the part of a picture that differs between two frames, as
/// [`specification::spatial::damage`](crate::specification::spatial::damage()) does.
///
/// ```
/// use boxwood_cpu::{Aabb, Damage, Frame, Rectangle, TileGrid};
///
/// let boxes = [Aabb::new(0.0, 0.0, 30.0, 30.0)?, Aabb::new(40.0, 0.0, 50.0, 10.0)?];
/// // The second element gets another colour.
/// let old = Frame { boxes: &boxes, signatures: &[7, 7] };
/// let new = Frame { boxes: &boxes, signatures: &[7, 8] };
/// let mut damage = Damage::new();
/// let damaged = damage.between([old, new], &[0, 1], TileGrid::new(640, 480), 16);
/// assert_eq!(damaged.changed, [0b10]);
/// assert_eq!(damaged.rectangles, [Rectangle { x0: 32, y0: 0, x1: 64, y1: 16 }]);
/// # Ok::<(), boxwood_cpu::NotABox>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Damage {
    changed: Vec<u32>,
    /// While elements are compared, one bit per element of the old frame that has a partner.
    vanished: Vec<u32>,
    tiles: Vec<u32>,
    rectangles: Vec<Rectangle>,
    rows: Rows,
}

/// The part of a picture that differs between two frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged<'a> {
    /// One bit per element of the new frame, 1 if it changed.
    pub changed: &'a [u32],
    /// One bit per element of the old frame, 1 if it has no partner.
    pub vanished: &'a [u32],
    /// One bit per tile, 1 if it may differ: see [`TileGrid::mask`].
    pub tiles: &'a [u32],
    /// Disjoint rectangles in pixels that cover these tiles, as far as they are in the picture.
    pub rectangles: &'a [Rectangle],
}

impl Damage {
    /// A workspace without memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// The difference of an old and a new frame. `partners` has the index in the old frame of each
    /// element of the new frame, such as [`Partners::of`] returns. There are at most
    /// `max_rectangles` rectangles, where 0 counts as 1.
    ///
    /// # Panics
    ///
    /// Panics if the lengths of the arrays of a frame differ, or if the number of tiles exceeds a
    /// `u32`.
    pub fn between(
        &mut self,
        frames: [Frame<'_>; 2],
        partners: &[u32],
        grid: TileGrid,
        max_rectangles: usize,
    ) -> Damaged<'_> {
        let [old, new] = frames;
        for (frame, n) in [(old, old.boxes.len()), (new, partners.len())] {
            assert_eq!(
                [frame.boxes.len(), frame.signatures.len()],
                [n; 2],
                "each element has all properties"
            );
        }
        let in_tiles = Tiles::new(grid);
        reset(&mut self.changed, new.boxes.len().div_ceil(BITS));
        reset(&mut self.vanished, old.boxes.len().div_ceil(BITS));
        reset(&mut self.tiles, grid.mask_length());
        self.find_changed([old, new], partners, in_tiles);
        self.find_vanished(old, in_tiles);
        self.rows.find_rectangles(grid, &self.tiles, max_rectangles.max(1), &mut self.rectangles);
        let Self { changed, vanished, tiles, rectangles, .. } = self;
        Damaged { changed, vanished, tiles, rectangles }
    }

    /// Disjoint rectangles in pixels that cover all tiles that one of the boxes touches, as far as
    /// they are in the picture. There are at most `max_rectangles` rectangles, where 0 counts as 1.
    ///
    /// # Panics
    ///
    /// Panics if the number of tiles exceeds a `u32`.
    pub fn around(&mut self, boxes: &[Aabb], grid: TileGrid, max_rectangles: usize) -> &[Rectangle] {
        let in_tiles = Tiles::new(grid);
        reset(&mut self.tiles, grid.mask_length());
        boxes.iter().for_each(|own| in_tiles.mark(&mut self.tiles, own));
        self.rows.find_rectangles(grid, &self.tiles, max_rectangles.max(1), &mut self.rectangles);
        &self.rectangles
    }

    fn find_changed(&mut self, [old, new]: [Frame<'_>; 2], partners: &[u32], in_tiles: Tiles) {
        let Self { changed, vanished, tiles, .. } = self;
        let mut mark = |own: &Aabb| in_tiles.mark(tiles, own);
        // The largest partner so far, and 0 before the first one.
        let mut largest = 0;
        for (word, partners) in partners.chunks(BITS).enumerate() {
            let elements = BITS * word..BITS * word + partners.len();
            let (boxes, signatures) = (&new.boxes[elements.clone()], &new.signatures[elements]);
            // Most elements of most frames are the ones of the frame before. A comparison of 32 of
            // them takes a fifth of the time of 32 comparisons.
            let first = partners[0] as usize;
            // NO_PARTNER is the largest number, to which nothing can be added on 32-bit processors.
            let run = first..first.saturating_add(partners.len());
            let is_same = first >= largest
                && old.boxes.get(run.clone()).is_some_and(|old| is_equal(old, boxes))
                && old.signatures[run.clone()] == *signatures
                && partners.iter().zip(first..).all(|(partner, i)| *partner as usize == i);
            if is_same {
                largest = run.end - 1;
                set_bits(vanished, run);
                continue;
            }
            for (i, partner) in partners.iter().map(|partner| *partner as usize).enumerate() {
                let partner_box = old.boxes.get(partner);
                let is_same_box = partner_box.is_some_and(|other| is_equal(&[*other], &[boxes[i]]));
                let mut is_same = is_same_box;
                if partner_box.is_some() {
                    vanished[partner / BITS] |= 1 << (partner % BITS);
                    is_same &= partner >= largest;
                    is_same &= old.signatures[partner] == signatures[i];
                    largest = largest.max(partner);
                }
                if !is_same {
                    changed[word] |= 1 << i;
                    mark(&boxes[i]);
                    // An element of another colour at the same place damages its tiles once.
                    if !is_same_box {
                        partner_box.into_iter().for_each(&mut mark);
                    }
                }
            }
        }
    }

    fn find_vanished(&mut self, old: Frame<'_>, in_tiles: Tiles) {
        let Self { vanished, tiles, .. } = self;
        for (word, boxes) in vanished.iter_mut().zip(old.boxes.chunks(BITS)) {
            // The last word has fewer elements than bits.
            *word = !*word & bits_in(0..boxes.len());
            let mut rest = *word;
            while rest != 0 {
                in_tiles.mark(tiles, &boxes[rest.trailing_zeros() as usize]);
                rest &= rest - 1;
            }
        }
    }
}

/// Whether boxes have the same bits. The GPU compares these too.
fn is_equal(a: &[Aabb], b: &[Aabb]) -> bool {
    bytemuck::cast_slice::<_, u8>(a) == bytemuck::cast_slice::<_, u8>(b)
}

/// The memory of a search for rectangles.
#[derive(Clone, Debug, Default)]
struct Rows {
    /// The rows of tiles, with a bit per tile.
    words: Vec<u32>,
    /// The rectangles that end with the row before, by the index of each. They are in the order of
    /// their columns.
    open: Vec<usize>,
    /// Those that end with the current row.
    next: Vec<usize>,
}

impl Rows {
    /// At most `max` disjoint rectangles in pixels that cover all tiles whose bit is 1. A run of
    /// ones in a row, and equal runs in the rows below it, are a rectangle. While there are too
    /// many, the tiles are replaced by tiles of twice the side.
    fn find_rectangles(&mut self, grid: TileGrid, tiles: &[u32], max: usize, found: &mut Vec<Rectangle>) {
        self.words.clear();
        self.words.extend_from_slice(tiles);
        let [mut n_columns, _] = grid.n_tiles().map(|n| n as usize);
        // A tile of 2^32 pixels is larger than any picture.
        let mut lg_tile = grid.lg_tile.min(u32::BITS);
        while !self.find_runs(n_columns.div_ceil(BITS), max, found) {
            self.coarsen(n_columns.div_ceil(BITS));
            n_columns = n_columns.div_ceil(2);
            lg_tile += 1;
        }
        for tiles in found {
            #[expect(clippy::cast_possible_truncation, reason = "it is at most `end`")]
            let pixel = |tile: u32, end: u32| (u64::from(tile) << lg_tile).min(u64::from(end)) as u32;
            *tiles = Rectangle {
                x0: pixel(tiles.x0, grid.width),
                y0: pixel(tiles.y0, grid.height),
                x1: pixel(tiles.x1, grid.width),
                y1: pixel(tiles.y1, grid.height),
            };
        }
    }

    /// Finds the rectangles in tiles. Returns `false` as soon as there are more than `max`.
    fn find_runs(&mut self, words_per_row: usize, max: usize, found: &mut Vec<Rectangle>) -> bool {
        let Self { words, open, next } = self;
        found.clear();
        open.clear();
        for (y, row) in (0..).zip(words.chunks_exact(words_per_row.max(1))) {
            next.clear();
            let mut above = open.iter().copied().peekable();
            let mut x = 0;
            while let Some([x0, x1]) = next_run(row, x) {
                x = x1 as usize;
                // Both rows are in the order of columns.
                while above.next_if(|i| found[*i].x0 < x0).is_some() {}
                let is_equal = |i: &usize| found[*i].x0 == x0 && found[*i].x1 == x1;
                if let Some(i) = above.next_if(is_equal) {
                    found[i].y1 = y + 1;
                    next.push(i);
                    continue;
                }
                if found.len() == max {
                    return false;
                }
                next.push(found.len());
                found.push(Rectangle { x0, y0: y, x1, y1: y + 1 });
            }
            core::mem::swap(open, next);
        }
        true
    }

    /// Replaces the rows by those of tiles of twice the side.
    fn coarsen(&mut self, words_per_row: usize) {
        let n_words = words_per_row.div_ceil(2);
        let n_rows = self.words.len() / words_per_row;
        for y in 0..n_rows.div_ceil(2) {
            for word in 0..n_words {
                let column = |row: usize, word: usize| {
                    let is_in = row < n_rows && word < words_per_row;
                    if is_in { self.words[row * words_per_row + word] } else { 0 }
                };
                let both = |word: usize| u32::from(any_of_two(column(2 * y, word) | column(2 * y + 1, word)));
                // The words that are written were read before: they come earlier in the list.
                self.words[y * n_words + word] = both(2 * word) | (both(2 * word + 1) << 16);
            }
        }
        self.words.truncate(n_rows.div_ceil(2) * n_words);
    }
}

/// The columns of the first run of ones that begins at column `from` or later.
fn next_run(row: &[u32], from: usize) -> Option<[u32; 2]> {
    let x0 = next_bit(row, from, 0)?;
    let x1 = next_bit(row, x0, u32::MAX).unwrap_or(BITS * row.len());
    Some([x0, x1].map(|x| u32::try_from(x).expect("a picture has fewer than 2^32 columns")))
}

/// The first bit at `from` or later that is 1, after each bit is flipped where `flip` has a one.
fn next_bit(row: &[u32], from: usize, flip: u32) -> Option<usize> {
    let mut word = from / BITS;
    let mut bits = (row.get(word)? ^ flip) & bits_in(from % BITS..BITS);
    while bits == 0 {
        word += 1;
        bits = row.get(word)? ^ flip;
    }
    Some(word * BITS + bits.trailing_zeros() as usize)
}

/// One bit for each two bits of a word, 1 if any of the two is.
#[expect(clippy::cast_possible_truncation, reason = "the upper half is 0 in the end")]
fn any_of_two(word: u32) -> u16 {
    let word = (word | (word >> 1)) & 0x5555_5555;
    let word = (word | (word >> 1)) & 0x3333_3333;
    let word = (word | (word >> 2)) & 0x0f0f_0f0f;
    let word = (word | (word >> 4)) & 0x00ff_00ff;
    (word | (word >> 8)) as u16
}

/// Finds the partners of the elements of a frame, as
/// [`specification::spatial::partners`](crate::specification::spatial::partners()) does.
#[derive(Clone, Debug, Default)]
pub struct Partners {
    partners: Vec<u32>,
    old: RadixSort,
    new: RadixSort,
}

impl Partners {
    /// A workspace without memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// The partner in the old frame of each element of the new frame: the element with the same
    /// number, or [`NO_PARTNER`]. If several elements of a frame have the same number, the first
    /// one is the partner of the first one, and so on.
    ///
    /// # Panics
    ///
    /// Panics if there are more elements than a `u32` can count.
    pub fn of(&mut self, old_ids: &[u32], new_ids: &[u32]) -> &[u32] {
        let n_old = u32::try_from(old_ids.len()).expect("an element has a u32 as its index");
        let n_new = u32::try_from(new_ids.len()).expect("an element has a u32 as its index");
        let Self { partners, old, new } = self;
        // Most frames begin with the same elements. These are partners, whatever comes later.
        let is_equal = |i: &u32| old_ids[*i as usize] == new_ids[*i as usize];
        let first = (0..n_old.min(n_new)).find(|i| !is_equal(i)).unwrap_or(n_old.min(n_new));
        let n_equal = first as usize;
        partners.clear();
        partners.extend(0..first);
        partners.resize(new_ids.len(), NO_PARTNER);
        let mut old = old.sort(old_ids[n_equal..].iter().copied()).peekable();
        for (id, place) in new.sort(new_ids[n_equal..].iter().copied()) {
            // Both lists are in the order of numbers, and then of places.
            while old.next_if(|(other, _)| *other < id).is_some() {}
            // Each old element is the partner of one new element: this one removes it.
            if let Some((_, partner)) = old.next_if(|(other, _)| *other == id) {
                // Both places count from the first element that differs.
                partners[n_equal + place as usize] = first + partner;
            }
        }
        partners
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::families::{Random, SIDE, families};
    use crate::specification::spatial as specification;

    /// Pictures with one word per row and several, with tiles as small as pixels and larger than
    /// the picture, and without pixels. Large and small ones alternate.
    const GRIDS: [TileGrid; 8] = [
        TileGrid { width: 1920, height: 1080, lg_tile: 4 },
        TileGrid { width: 300, height: 170, lg_tile: 0 },
        TileGrid { width: 0, height: 50, lg_tile: 4 },
        TileGrid { width: 512, height: 512, lg_tile: 4 },
        TileGrid { width: 1041, height: 33, lg_tile: 4 },
        TileGrid { width: 4000, height: 4000, lg_tile: 2 },
        TileGrid { width: 77, height: u32::MAX, lg_tile: 30 },
        TileGrid { width: 100, height: 100, lg_tile: 40 },
    ];

    struct Elements {
        boxes: Vec<Aabb>,
        signatures: Vec<u32>,
        ids: Vec<u32>,
    }

    impl Elements {
        fn frame(&self) -> Frame<'_> {
            Frame { boxes: &self.boxes, signatures: &self.signatures }
        }
    }

    /// A frame, and one in which about one element in `period` has another box or signature, is
    /// missing, or is at another place. Some numbers occur more than once.
    fn frames(boxes: &[Aabb], period: usize, random: &mut Random) -> [Elements; 2] {
        let ids: Vec<u32> = (0..).map(|i| i - i % 7 % 2).take(boxes.len()).collect();
        let old = Elements { boxes: boxes.to_vec(), signatures: ids.iter().map(|id| id % 5).collect(), ids };
        let mut new = Elements { boxes: vec![], signatures: vec![], ids: vec![] };
        for i in 0..boxes.len() {
            let edit = if random.below(period) == 0 { random.below(5) } else { 9 };
            let other = random.below(boxes.len());
            let source = if edit == 0 { other } else { i };
            if edit != 1 {
                new.boxes.push(if edit == 2 { old.boxes[other] } else { old.boxes[source] });
                new.signatures.push(old.signatures[source] + u32::from(edit == 3));
                new.ids.push(if edit == 4 { large_id(random) } else { old.ids[source] });
            }
        }
        [old, new]
    }

    /// A number beyond those of the old frame, with three digits of a sort.
    fn large_id(random: &mut Random) -> u32 {
        u32::try_from(random.below(1 << 20) << 12).expect("it has 32 bits")
    }

    fn is_equal(found: Damaged<'_>, expected: &specification::Damage) -> bool {
        let specification::Damage { changed, vanished, tiles, rectangles } = expected;
        found == Damaged { changed, vanished, tiles, rectangles }
    }

    #[test]
    fn damage_is_that_of_the_specification() {
        let (mut damage, mut partners) = (Damage::new(), Partners::new());
        let mut random = Random::new(4);
        for (grid, n) in GRIDS.into_iter().zip([800, 40, 100, 33, 700, 64, 200, 1]) {
            for family in families() {
                let scale = f64::from(grid.width) / SIDE;
                let scaled = |own: &Aabb| {
                    let edges = [own.x0, own.y0, own.x1, own.y1].map(|edge| f64::from(edge) * scale);
                    Aabb::try_from(edges).expect("no NaN")
                };
                let boxes: Vec<Aabb> = family.generate(n, random.bits()).iter().map(scaled).collect();
                for (period, max) in [(1, 16), (300, 0), (20, 3), (7, 1000), (50, 16)] {
                    let [old, new] = frames(&boxes, period, &mut random);
                    let expected = specification::partners(&old.ids, &new.ids);
                    let found = partners.of(&old.ids, &new.ids);
                    assert!(found == expected, "the partners of {family:?} differ: {grid:?}, {period}");
                    let frames = [old.frame(), new.frame()];
                    let expected = specification::damage(frames, found, grid, max);
                    let found = damage.between(frames, found, grid, max);
                    let is_equal = is_equal(found, &expected);
                    assert!(is_equal, "the damage of {family:?} differs: {grid:?}, {period}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn rectangles_around_any_boxes_are_those_of_the_specification(
            masks in proptest::collection::vec(
                (1_u32..140, 0_u32..70, 0_usize..100, any::<u64>(), 0_usize..80),
                1..4,
            ),
        ) {
            let mut damage = Damage::new();
            for (width, height, percent, seed, max) in masks {
                let grid = TileGrid { width, height, lg_tile: 0 };
                let mut random = Random::new(seed);
                let pixels = Rectangle { x0: 0, y0: 0, x1: width, y1: height };
                let some: Vec<Aabb> = pixels
                    .positions()
                    .filter(|_| random.below(100) < percent)
                    .map(|[x, y]| Aabb::new(x.into(), y.into(), (x + 1).into(), (y + 1).into()).expect("no NaN"))
                    .collect();
                let found = damage.around(&some, grid, max);
                prop_assert_eq!(found, specification::rectangles(grid, &grid.mask(some.iter().copied()), max));
            }
        }

        #[test]
        fn any_partners_give_the_damage_of_the_specification(
            ids in proptest::collection::vec((0_u32..40, 0_u32..40), 0..60),
            partners in proptest::collection::vec(prop_oneof![0_u32..70, Just(NO_PARTNER)], 60),
        ) {
            let (old_ids, new_ids): (Vec<u32>, Vec<u32>) = ids.into_iter().unzip();
            let mut by_ids = Partners::new();
            prop_assert_eq!(by_ids.of(&old_ids, &new_ids), specification::partners(&old_ids, &new_ids));
            let boxes = |ids: &[u32]| -> Vec<Aabb> {
                ids.iter().map(|id| f64::from(*id)).map(|x| Aabb::new(x, x, x + 2.0, x + 9.0).expect("no NaN")).collect()
            };
            let (old_boxes, new_boxes) = (boxes(&old_ids), boxes(&new_ids));
            let partners = &partners[..new_ids.len()];
            let frames = [
                Frame { boxes: &old_boxes, signatures: &old_ids },
                Frame { boxes: &new_boxes, signatures: &new_ids },
            ];
            let grid = TileGrid { width: 45, height: 40, lg_tile: 1 };
            let expected = specification::damage(frames, partners, grid, 5);
            prop_assert!(is_equal(Damage::new().between(frames, partners, grid, 5), &expected));
        }
    }
}
