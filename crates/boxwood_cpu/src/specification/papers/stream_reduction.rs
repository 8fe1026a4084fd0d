//! Stream reduction without scattered writes: Roger, Assarsson, Holzschuch 2007, *Efficient Stream
//! Reduction on the GPU*.

use alloc::vec::Vec;

/// How an output searches its item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StreamSearch {
    /// Each round halves the interval.
    Halving,
    /// Each round also skips the items that the contraction law excludes ("Dichotomic search
    /// improvement").
    Contracting,
}

/// The kept items of a stream, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReducedStream {
    /// Their indices.
    pub selected: Vec<u32>,
    /// The number of rounds of all searches.
    pub n_rounds: usize,
}

/// The number of removed items up to each item and including it. `is_kept` says which items are not
/// removed.
pub fn removed_sums(is_kept: impl IntoIterator<Item = bool>) -> Vec<usize> {
    let sums = is_kept.into_iter().scan(0, |sum, is_kept| {
        *sum += usize::from(!is_kept);
        Some(*sum)
    });
    sums.collect()
}

/// The item of output `i` of a block, and the number of rounds of the search for it. `None` if
/// fewer items are kept. `sums` are those of [`removed_sums`].
///
/// The rank of item j is j − sum\[j\]. It never falls, and it grows by at most 1 per item. The
/// latter is the contraction law: if the rank of item j differs from i by d, item i is at least d
/// items from item j.
///
/// The source stops at any item of rank i. That is wrong: removed items have the rank of the last
/// kept item before them. The item of output i is the first one of rank i. The source also sets the
/// lower bound of the halving form to the middle, which may be the lower bound already, so that the
/// search never ends.
pub fn search_stream(sums: &[usize], i: usize, search: StreamSearch) -> Option<(usize, usize)> {
    let n = sums.len();
    if i >= n || i + sums[n - 1] >= n {
        return None;
    }
    let (mut low, mut high) = (i + sums[i], i + sums[n - 1]);
    let mut n_rounds = 0;
    while low < high {
        n_rounds += 1;
        let middle = usize::midpoint(low, high);
        // The rank is -1 before the first kept item.
        let (rank_and_sum, i_and_sum) = (middle, i + sums[middle]);
        match (search, rank_and_sum < i_and_sum) {
            (StreamSearch::Halving, false) => high = middle,
            (StreamSearch::Halving, true) => low = middle + 1,
            // Both are the middle minus the difference of its rank to i.
            (StreamSearch::Contracting, false) => high = i_and_sum,
            (StreamSearch::Contracting, true) => low = i_and_sum,
        }
    }
    Some((low, n_rounds))
}

/// The kept ones of the first `n` items: blocks are reduced on their own, and concatenated.
///
/// Bit i of `mask` is 1 if item i is kept. The result equals that of
/// [`spatial::select`](crate::specification::spatial::select()) with
/// [`Predicate::Mask`](crate::specification::spatial::Predicate::Mask).
///
/// With one block for the whole stream, this is the method of Horn 2005, *Stream Reduction
/// Operations for GPGPU Applications*. A search then takes O(log n) rounds, and with blocks of a
/// constant length, O(1) rounds.
///
/// # Panics
///
/// Panics if the mask has fewer bits, if the length of a block is not a power of two, or if there
/// are more items than a `u32` can count.
pub fn reduce_stream(n: usize, mask: &[u32], block_length: usize, search: StreamSearch) -> ReducedStream {
    assert!(block_length.is_power_of_two(), "the length of a block is {block_length}, not a power of two");
    let mut reduced = ReducedStream::default();
    for first in (0..n).step_by(block_length) {
        let items = first..n.min(first + block_length);
        let sums = removed_sums(items.map(|item| (mask[item / 32] >> (item % 32)) & 1 == 1));
        for (item, n_rounds) in (0..).map_while(|i| search_stream(&sums, i, search)) {
            reduced.selected.push(u32::try_from(first + item).expect("an item has a u32 as its index"));
            reduced.n_rounds += n_rounds;
        }
    }
    reduced
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::specification::spatial::{Predicate, select};

    const SEARCHES: [StreamSearch; 2] = [StreamSearch::Halving, StreamSearch::Contracting];

    /// The search as the source prints it. `None` if it never ends.
    fn as_printed(sums: &[usize], i: usize, search: StreamSearch) -> Option<usize> {
        let signed = |n: usize| isize::try_from(n).expect("it is small");
        let (mut low, mut high) = (signed(i + sums[i]), signed(i + sums[sums.len() - 1]));
        loop {
            let j = isize::midpoint(low, high);
            let item = usize::try_from(j).expect("it is in the block");
            let found = j - signed(sums[item]) - signed(i);
            let skipped = if search == StreamSearch::Contracting { found } else { 0 };
            let before = (low, high);
            match found {
                0 => return Some(item),
                ..0 => low = j - skipped,
                1.. => high = j - skipped,
            }
            if (low, high) == before {
                return None;
            }
        }
    }

    /// Blocks of 256 items. The share of the kept ones rises from none to all.
    fn random_blocks() -> Vec<Vec<bool>> {
        let mut state = 1_u64;
        let mut is_kept = |percent| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 32) % 100 < percent
        };
        (0..=400).map(|block| (0..256).map(|_| is_kept(block / 4)).collect()).collect()
    }

    #[test]
    fn the_search_as_printed_finds_removed_items_or_never_ends() {
        for search in SEARCHES {
            let (mut n_outputs, mut n_removed, mut n_endless) = (0, 0, 0);
            for block in random_blocks() {
                let sums = removed_sums(block.iter().copied());
                for i in (0..block.len()).take_while(|i| i + sums[255] < 256) {
                    n_outputs += 1;
                    match as_printed(&sums, i, search) {
                        Some(item) => n_removed += usize::from(!block[item]),
                        None => n_endless += 1,
                    }
                }
            }
            assert_eq!(n_outputs, 51_142);
            let expected = match search {
                StreamSearch::Halving => (10_438, 751),
                StreamSearch::Contracting => (9824, 0),
            };
            assert_eq!((n_removed, n_endless), expected, "a fifth of the outputs");
        }
    }

    #[test]
    fn contracting_saves_a_third_of_the_rounds() {
        let blocks = random_blocks();
        let [halving, contracting] = SEARCHES.map(|search| {
            let (mut n_outputs, mut n_rounds, mut most) = (0_u32, 0_u32, 0);
            for block in &blocks {
                let sums = removed_sums(block.iter().copied());
                for (_, rounds) in (0..).map_while(|i| search_stream(&sums, i, search)) {
                    (n_outputs, most) = (n_outputs + 1, most.max(rounds));
                    n_rounds += u32::try_from(rounds).expect("it is small");
                }
            }
            (f64::from(n_rounds) / f64::from(n_outputs), most)
        });
        assert!((5.3..5.4).contains(&halving.0) && halving.1 == 8, "{halving:?}");
        assert!((3.7..3.8).contains(&contracting.0) && contracting.1 == 8, "{contracting:?}");
    }

    proptest! {
        #[test]
        fn a_rank_grows_by_at_most_one(is_kept in proptest::collection::vec(any::<bool>(), 1..99)) {
            let sums = removed_sums(is_kept);
            let excess = |item: usize| item + sums.len() - sums[item];
            prop_assert!((1..sums.len()).all(|item| [0, 1].contains(&(excess(item) - excess(item - 1)))));
        }

        #[test]
        fn every_form_selects_what_the_specification_selects(
            words in proptest::collection::vec(prop_oneof![any::<u32>(), Just(0), Just(u32::MAX)], 0..9),
            rest in 0_usize..32,
            lg_block in 0_u32..10,
        ) {
            let n = (32 * words.len()).saturating_sub(rest);
            for search in SEARCHES {
                let reduced = reduce_stream(n, &words, 1 << lg_block, search);
                prop_assert_eq!(reduced.selected, select(n, &Predicate::Mask(&words)));
            }
        }
    }
}
