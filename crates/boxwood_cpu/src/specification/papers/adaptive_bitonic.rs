//! Adaptive bitonic sorting, literally: Bilardi, Nicolau 1989, as in Zachmann, *Massively Parallel
//! Algorithms*, "Adaptive bitonic sorting".

use alloc::vec::Vec;

/// Sorts a bitonic sequence in place. Returns the number of comparisons, which is 2n − log2 n − 2.
///
/// A sequence is bitonic if it is an ascending run followed by a descending run, or a rotation of
/// such a sequence. By theorem 2 of the source, the n / 2 smaller items are next to each other, if
/// the last item is followed by the first one. By theorem 3, swapping one part with the part n / 2
/// places later brings them to the first half, and both halves are bitonic again.
///
/// The source avoids the swaps by a tree of pointers, so that the time is linear too. Here parts
/// are swapped.
///
/// # Panics
///
/// Panics if the number of items is not a power of two. Items that are equal or not bitonic lead to
/// another order.
pub fn adaptive_bitonic_merge<T: Ord>(items: &mut [T]) -> usize {
    let n = items.len();
    assert!(n.is_power_of_two(), "{n} items are not a power of two");
    if n == 1 {
        return 0;
    }
    let (low, high) = items.split_at_mut(n / 2);
    let mut n_comparisons = 0;
    let mut is_swapped = |place: usize| {
        n_comparisons += 1;
        low[place] > high[place]
    };
    // The pairs to be swapped are the first or the last ones. The last pair says which, and a
    // binary search among the others finds where the pairs like it begin.
    let last = is_swapped(n / 2 - 1);
    let (mut begin, mut end) = (0, n / 2 - 1);
    while begin < end {
        let middle = usize::midpoint(begin, end);
        if is_swapped(middle) == last {
            end = middle;
        } else {
            begin = middle + 1;
        }
    }
    let swapped = if last { begin..n / 2 } else { 0..begin };
    low[swapped.clone()].swap_with_slice(&mut high[swapped]);
    n_comparisons + adaptive_bitonic_merge(low) + adaptive_bitonic_merge(high)
}

/// The order of keys: the index of the smallest key, then that of the next, and so on. Equal keys
/// stay in their order. Returns the number of comparisons too.
///
/// Missing keys up to the next power of two are larger than all others.
pub fn adaptive_bitonic_sort(keys: &[u32]) -> (Vec<usize>, usize) {
    let mut items: Vec<_> = keys.iter().map(|key| Some(*key)).collect();
    items.resize(keys.len().next_power_of_two(), None);
    // The index makes all items distinct.
    let mut items: Vec<_> =
        items.into_iter().enumerate().map(|(index, key)| (key.is_none(), key, index)).collect();
    let n_comparisons = sort_items(&mut items);
    items.truncate(keys.len());
    (items.into_iter().map(|(.., index)| index).collect(), n_comparisons)
}

fn sort_items<T: Ord>(items: &mut [T]) -> usize {
    let n = items.len();
    if n == 1 {
        return 0;
    }
    let (low, high) = items.split_at_mut(n / 2);
    let n_comparisons = sort_items(low) + sort_items(high);
    // The second half descends.
    high.reverse();
    n_comparisons + adaptive_bitonic_merge(items)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::specification::spatial::{co_rank, sort};

    /// The rotation of the sequence that ascends through the numbers below n whose bit is 0, and
    /// descends through the others.
    fn bitonic(n: usize, descending: u64, rotation: usize) -> Vec<usize> {
        let is_descending = |item: &usize| (descending >> item) & 1 == 1;
        let mut items: Vec<usize> = (0..n).filter(|item| !is_descending(item)).collect();
        items.extend((0..n).rev().filter(is_descending));
        items.rotate_left(rotation);
        items
    }

    #[test]
    fn every_bitonic_sequence_is_merged_with_the_comparisons_of_the_source() {
        for log2 in 0..=4 {
            let n = 1_usize << log2;
            let expected: Vec<usize> = (0..n).collect();
            for descending in 0..1 << (n - 1) {
                for rotation in 0..n {
                    let mut items = bitonic(n, descending, rotation);
                    assert_eq!(adaptive_bitonic_merge(&mut items), 2 * n - log2 - 2);
                    assert_eq!(items, expected, "{descending:b} rotated by {rotation}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn long_bitonic_sequences_are_merged(descending in any::<u64>(), rotation in 0_usize..64) {
            let mut items = bitonic(64, descending, rotation);
            prop_assert_eq!(adaptive_bitonic_merge(&mut items), 2 * 64 - 6 - 2);
            prop_assert!(items.is_sorted());
        }

        /// Theorems 2 and 3, and why a search of the co-rank takes the place of the swaps: the
        /// smaller half is the first items of the ascending run, and the last ones of the other.
        #[test]
        fn the_smaller_half_is_contiguous(
            descending in any::<u64>(), rotation in 0_usize..64,
        ) {
            let items = bitonic(64, descending, rotation);
            let is_low = |place: usize| items[place % 64] < 32;
            let n_begins = (0..64).filter(|place| is_low(place + 1) && !is_low(*place)).count();
            prop_assert_eq!(n_begins, 1);
            let runs = bitonic(64, descending, 0);
            let n_ascending = 64 - descending.count_ones() as usize;
            let (left, right) = runs.split_at(n_ascending);
            let right: Vec<usize> = right.iter().rev().copied().collect();
            prop_assert_eq!(co_rank(left, &right, 32), left.iter().filter(|item| **item < 32).count());
        }

        #[test]
        fn keys_are_sorted(keys in proptest::collection::vec(0_u32..40, 0..150)) {
            let (order, n_comparisons) = adaptive_bitonic_sort(&keys);
            let expected: Vec<usize> = sort(&keys, 32).iter().map(|index| *index as usize).collect();
            prop_assert_eq!(order, expected);
            // The sum over all merges.
            let n = keys.len().next_power_of_two();
            let bound = (1..=n.ilog2()).map(|log2| (n >> log2) * ((2 << log2) - log2 as usize - 2));
            prop_assert_eq!(n_comparisons, bound.sum::<usize>());
        }
    }
}
