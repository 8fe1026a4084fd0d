//! Stage *select*: the items that are kept.

use alloc::vec::Vec;

use crate::core::Aabb;

/// Which items are kept. Item i is box i, value i, or bit i of a mask.
#[derive(Clone, Copy, Debug)]
pub enum Predicate<'a> {
    /// Those whose bit is 1. The first item is in the lowest bit of the first word.
    Mask(&'a [u32]),
    /// The boxes that overlap a region. Boxes that only touch do not overlap.
    Overlapping(&'a [Aabb], Aabb),
    /// The boxes with area.
    NotEmpty(&'a [Aabb]),
    /// The values from the first number to the last.
    InRange(&'a [u32], [u32; 2]),
    /// The first value of each run of equal ones.
    RunStarts(&'a [u32]),
}

impl Predicate<'_> {
    /// Whether an item is kept.
    ///
    /// # Panics
    ///
    /// Panics if there is no such item.
    pub fn keeps(&self, item: usize) -> bool {
        match *self {
            Self::Mask(words) => (words[item / 32] >> (item % 32)) & 1 == 1,
            Self::Overlapping(boxes, region) => boxes[item].overlaps(region),
            Self::NotEmpty(boxes) => !boxes[item].is_empty(),
            Self::InRange(values, [low, high]) => (low..=high).contains(&values[item]),
            Self::RunStarts(values) => item == 0 || values[item] != values[item - 1],
        }
    }
}

/// The kept ones of the first `n` items, in order.
///
/// # Panics
///
/// Panics if there are fewer items, or more than a `u32` can count.
pub fn select(n: usize, predicate: &Predicate<'_>) -> Vec<u32> {
    let kept = (0..n).filter(|item| predicate.keeps(*item));
    kept.map(|item| u32::try_from(item).expect("an item has a u32 as its index")).collect()
}

/// One bit for each of the first `n` items, 1 if it is kept. The rest of the last word is 0.
///
/// # Panics
///
/// Panics if there are fewer items.
pub fn mask(n: usize, predicate: &Predicate<'_>) -> Vec<u32> {
    let mut words = vec![0; n.div_ceil(32)];
    for item in (0..n).filter(|item| predicate.keeps(*item)) {
        words[item / 32] |= 1 << (item % 32);
    }
    words
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_kept_items_are_the_ones_of_the_mask(
            words in proptest::collection::vec(any::<u32>(), 0..9),
            rest in 0_usize..32,
        ) {
            let n = (32 * words.len()).saturating_sub(rest);
            let predicate = Predicate::Mask(&words);
            let selected = select(n, &predicate);
            let kept = mask(n, &predicate);
            prop_assert_eq!(selected.len(), kept.iter().map(|word| word.count_ones() as usize).sum::<usize>());
            prop_assert!(selected.is_sorted());
            prop_assert!(selected.iter().all(|item| Predicate::Mask(&kept).keeps(*item as usize)));
            // Selecting again changes nothing.
            prop_assert_eq!(select(n, &Predicate::Mask(&kept)), selected);
        }

        #[test]
        fn parts_concatenate(words in proptest::collection::vec(any::<u32>(), 1..9), at in 0_usize..9) {
            let at = at.min(words.len());
            let select = |words: &[u32]| select(32 * words.len(), &Predicate::Mask(words));
            let mut parts = select(&words[..at]);
            let start = 32 * u32::try_from(at).unwrap();
            parts.extend(select(&words[at..]).iter().map(|item| item + start));
            prop_assert_eq!(parts, select(&words));
        }
    }

    #[test]
    fn runs_start_where_the_value_changes() {
        assert_eq!(select(6, &Predicate::RunStarts(&[0, 0, 3, 3, 0, 7])), [0, 2, 4, 5]);
    }

    #[test]
    fn touching_boxes_do_not_overlap() -> Result<(), crate::NotABox> {
        let region = Aabb::new(0.0, 0.0, 10.0, 10.0)?;
        let boxes = [
            Aabb::new(10.0, 0.0, 20.0, 10.0)?,
            Aabb::new(9.0, 9.0, 20.0, 20.0)?,
            Aabb::EMPTY,
            Aabb::PLANE,
            Aabb::new(2.0, 2.0, 3.0, 3.0)?,
        ];
        assert_eq!(select(5, &Predicate::Overlapping(&boxes, region)), [1, 3, 4]);
        assert_eq!(select(5, &Predicate::Overlapping(&boxes, Aabb::EMPTY)), [0; 0]);
        assert_eq!(select(5, &Predicate::NotEmpty(&boxes)), [0, 1, 3, 4]);
        Ok(())
    }
}
