//! Sorting networks by recursion, as in Zachmann, *Massively Parallel Algorithms*, "Sorting
//! networks". `boxwood_cpu::specification::spatial::Network` has the same comparators stage by
//! stage.

use alloc::vec::Vec;

/// A comparator. The smaller item leaves on the first wire.
type Comparator = [usize; 2];

/// A network of 16 wires with the fewest stages: 9, with 61 comparators. Each wire is in at most
/// one comparator of a stage.
///
/// No network has fewer stages: Bundala, Závodný, *Optimal sorting networks* (2014).
#[rustfmt::skip]
pub const OPTIMAL_16: [&[Comparator]; 9] = [
    &[[0, 5], [1, 4], [2, 12], [3, 13], [6, 7], [8, 9], [10, 15], [11, 14]],
    &[[0, 2], [1, 10], [3, 6], [4, 7], [5, 14], [8, 11], [9, 12], [13, 15]],
    &[[0, 8], [1, 3], [2, 11], [4, 13], [5, 9], [6, 10], [7, 15], [12, 14]],
    &[[0, 1], [2, 4], [3, 8], [5, 6], [7, 12], [9, 10], [11, 13], [14, 15]],
    &[[1, 3], [2, 5], [4, 8], [6, 9], [7, 11], [10, 13], [12, 14]],
    &[[1, 2], [3, 5], [4, 11], [6, 8], [7, 9], [10, 12], [13, 14]],
    &[[2, 3], [4, 5], [6, 7], [8, 9], [10, 11], [12, 13]],
    &[[4, 6], [5, 7], [8, 10], [9, 11]],
    &[[3, 4], [5, 6], [7, 8], [9, 10], [11, 12]],
];

/// Batcher's odd-even merge sort: the comparators for these wires, in order.
///
/// # Panics
///
/// Panics if the number of wires is not a power of two.
pub fn odd_even_sort(wires: &[usize]) -> Vec<Comparator> {
    assert!(wires.len().is_power_of_two(), "{} wires are not a power of two", wires.len());
    let Some((low, high)) = halves(wires) else { return Vec::new() };
    [odd_even_sort(low), odd_even_sort(high), odd_even_merge(wires)].concat()
}

/// Merges two sorted halves.
fn odd_even_merge(wires: &[usize]) -> Vec<Comparator> {
    if let [low, high] = *wires {
        return vec![[low, high]];
    }
    let every_second = |first| wires.iter().copied().skip(first).step_by(2).collect::<Vec<_>>();
    let last = wires[1..wires.len() - 1].chunks(2).map(|pair| [pair[0], pair[1]]).collect();
    [odd_even_merge(&every_second(0)), odd_even_merge(&every_second(1)), last].concat()
}

/// Batcher's bitonic sort: the comparators for these wires, in order. The first wire of a
/// comparator can be the upper one, because every second merge is descending.
///
/// # Panics
///
/// Panics if the number of wires is not a power of two.
pub fn bitonic_sort(wires: &[usize], is_ascending: bool) -> Vec<Comparator> {
    assert!(wires.len().is_power_of_two(), "{} wires are not a power of two", wires.len());
    let Some((low, high)) = halves(wires) else { return Vec::new() };
    [bitonic_sort(low, true), bitonic_sort(high, false), bitonic_merge(wires, is_ascending)].concat()
}

/// Sorts a bitonic sequence: a half-cleaner, then both halves.
fn bitonic_merge(wires: &[usize], is_ascending: bool) -> Vec<Comparator> {
    let Some((low, high)) = halves(wires) else { return Vec::new() };
    let (smaller, larger) = if is_ascending { (low, high) } else { (high, low) };
    let half_cleaner = smaller.iter().zip(larger).map(|(smaller, larger)| [*smaller, *larger]).collect();
    [half_cleaner, bitonic_merge(low, is_ascending), bitonic_merge(high, is_ascending)].concat()
}

/// The halves of two or more wires.
fn halves(wires: &[usize]) -> Option<(&[usize], &[usize])> {
    (wires.len() > 1).then(|| wires.split_at(wires.len() / 2))
}

/// The same network with comparators whose first wire is the lower one.
///
/// If a comparator is the other way round, its wires change places from there on. A sorting network
/// remains one: sorted items leave all comparators alone, so that no wires are exchanged at the
/// end. Knuth, *The Art of Computer Programming* 3, section 5.3.4.
pub fn without_descending_comparators(comparators: &[Comparator]) -> Vec<Comparator> {
    let n_wires = comparators.iter().flatten().max().map_or(0, |last| last + 1);
    let mut places: Vec<usize> = (0..n_wires).collect();
    let ascending = comparators.iter().map(|&[smaller, larger]| {
        if places[smaller] > places[larger] {
            places.swap(smaller, larger);
        }
        [places[smaller], places[larger]]
    });
    ascending.collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::specification::spatial::Network;

    fn sorted(mut comparators: Vec<Comparator>) -> Vec<Comparator> {
        comparators.sort_unstable();
        comparators
    }

    fn apply<T: Ord + Copy>(comparators: &[Comparator], items: &mut [T]) {
        for [smaller, larger] in comparators {
            let [a, b] = [items[*smaller], items[*larger]];
            (items[*smaller], items[*larger]) = (a.min(b), a.max(b));
        }
    }

    /// Whether the comparators sort every input of zeros and ones of 16 wires.
    fn sorts_all(comparators: &[Comparator]) -> bool {
        (0..1_u32 << 16).all(|input| {
            let mut wires = input;
            for [smaller, larger] in comparators {
                let is_swapped = (wires >> smaller) & !(wires >> larger) & 1;
                wires ^= is_swapped << smaller | is_swapped << larger;
            }
            // All ones are on the last wires.
            (!wires & 0xffff) & ((!wires & 0xffff) + 1) == 0
        })
    }

    #[test]
    fn the_recursions_have_the_comparators_of_the_schedule() {
        for log2 in 0..=9 {
            let wires: Vec<usize> = (0..1 << log2).collect();
            let specified = |network: Network| sorted(network.stages(wires.len()).concat());
            assert_eq!(sorted(odd_even_sort(&wires)), specified(Network::OddEvenMerge));
            let bitonic = without_descending_comparators(&bitonic_sort(&wires, true));
            assert_eq!(sorted(bitonic), specified(Network::Bitonic));
        }
    }

    #[test]
    fn the_optimal_network_sorts_every_input_of_zeros_and_ones() {
        assert!(sorts_all(&OPTIMAL_16.concat()));
        assert_eq!(OPTIMAL_16.concat().len(), 61);
        for stage in OPTIMAL_16 {
            let wires = stage.concat();
            assert!(wires.iter().all(|wire| wires.iter().filter(|other| *other == wire).count() == 1));
        }
    }

    #[test]
    fn every_comparator_of_the_optimal_network_is_needed() {
        for left_out in 0..61 {
            let mut rest = OPTIMAL_16.concat();
            rest.remove(left_out);
            assert!(!sorts_all(&rest), "comparator {left_out}");
        }
    }

    proptest! {
        /// The lemma of the source behind the 0-1 principle.
        #[test]
        fn monotone_functions_commute_with_networks(
            items in proptest::collection::vec(0_u32..99, 16), divisor in 1_u32..50,
        ) {
            let wires: Vec<usize> = (0..16).collect();
            for comparators in [odd_even_sort(&wires), bitonic_sort(&wires, true), OPTIMAL_16.concat()] {
                let mut before: Vec<u32> = items.iter().map(|item| item / divisor).collect();
                apply(&comparators, &mut before);
                let mut after = items.clone();
                apply(&comparators, &mut after);
                prop_assert!(after.is_sorted());
                prop_assert_eq!(before, after.iter().map(|item| item / divisor).collect::<Vec<_>>());
            }
        }
    }
}
