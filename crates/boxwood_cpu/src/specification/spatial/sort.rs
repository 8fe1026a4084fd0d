//! Stage *sort*: keys in order, and sorting networks.

use alloc::vec::Vec;

/// The order of keys by their lowest `bits` bits: the index of the smallest key, then that of the
/// next, and so on. Equal keys stay in their order.
///
/// # Panics
///
/// Panics if there are more keys than a `u32` can count.
pub fn sort(keys: &[u32], bits: u32) -> Vec<u32> {
    let mask = u32::MAX.checked_shr(u32::BITS - bits.min(u32::BITS)).unwrap_or(0);
    let mut order: Vec<u32> = (0..u32::try_from(keys.len()).expect("a key has a u32 as its index")).collect();
    order.sort_by_key(|index| keys[*index as usize] & mask);
    order
}

/// The number of items of `left` among the first `n` items when two ascending runs are merged.
/// Equal items of `left` come first.
///
/// # Panics
///
/// Panics if the runs have fewer than `n` items.
pub fn co_rank<T: Ord>(left: &[T], right: &[T], n: usize) -> usize {
    assert!(n <= left.len() + right.len(), "the runs have {n} items");
    let (low, high) = (n.saturating_sub(right.len()), n.min(left.len()));
    // The item of `left` at a place is among the first if the item of `right` that would be in its
    // place is not less.
    let places: Vec<usize> = (low..high).collect();
    low + places.partition_point(|place| left[*place] <= right[n - 1 - place])
}

/// A kind of sorting network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Network {
    /// Batcher's odd-even merge sort.
    OddEvenMerge,
    /// Batcher's bitonic sort, whose comparators all put the smaller item first.
    Bitonic,
}

impl Network {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::OddEvenMerge, Self::Bitonic];

    /// The comparators of the network for `n` wires, stage by stage. Each has its lower wire first.
    /// The comparators of a stage have no wire in common.
    ///
    /// It is the network for the next power of two, without the comparators that have a wire from
    /// `n` on. That is correct because every comparator puts the smaller item first: the missing
    /// wires would have the largest items, which stay in place.
    pub fn stages(self, n: usize) -> Vec<Vec<[usize; 2]>> {
        let n_wires = n.next_power_of_two();
        let merges = (0..n_wires.ilog2()).map(|merge| 1 << merge);
        let steps =
            merges.flat_map(|merged: usize| (0..=merged.ilog2()).map(move |step| (merged, merged >> step)));
        let comparators = |(merged, distance)| {
            let all = (0..n_wires / 2).filter_map(|c| self.comparator(merged, distance, c));
            all.filter(|wires| wires[1] < n).collect()
        };
        steps.map(comparators).collect()
    }

    /// Comparator `c` of the stage that compares wires at a distance, while runs of the length
    /// `merged` are merged. Knuth, *The Art of Computer Programming* 3, section 5.3.4.
    fn comparator(self, merged: usize, distance: usize, c: usize) -> Option<[usize; 2]> {
        let (quotient, offset) = (c / distance, c % distance);
        let first = 2 * quotient * distance;
        match self {
            Self::OddEvenMerge => {
                let lower = first + offset + distance % merged;
                let upper = lower + distance;
                (lower / (2 * merged) == upper / (2 * merged)).then_some([lower, upper])
            }
            Self::Bitonic if distance == merged => Some([first + offset, first + 2 * distance - 1 - offset]),
            Self::Bitonic => Some([first + offset, first + distance + offset]),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Ties are taken from the left run, so that merging is stable.
        #[test]
        fn the_first_items_of_two_runs_are_the_least(
            mut left in proptest::collection::vec(0_u32..9, 0..40),
            mut right in proptest::collection::vec(0_u32..9, 0..40),
        ) {
            left.sort_unstable();
            right.sort_unstable();
            let of_run = |run: &[u32], number: u32| run.iter().map(|key| (*key, number)).collect::<Vec<_>>();
            let mut merged = [of_run(&left, 0), of_run(&right, 1)].concat();
            merged.sort_unstable();
            let mut before = 0;
            for n in 0..=merged.len() {
                let n_left = co_rank(&left, &right, n);
                let mut first = [of_run(&left[..n_left], 0), of_run(&right[..n - n_left], 1)].concat();
                first.sort_unstable();
                prop_assert_eq!(&first[..], &merged[..n]);
                prop_assert!(n_left == before || n_left == before + 1);
                before = n_left;
            }
        }

        #[test]
        fn sorting_by_one_digit_after_another_sorts_by_all(keys in proptest::collection::vec(any::<u32>(), 0..70)) {
            // Digits of two bits have many ties.
            let keys: Vec<u32> = keys.iter().map(|key| key & 0x3f).collect();
            let pass = |order: Vec<u32>, shift: u32| -> Vec<u32> {
                let digits: Vec<u32> = order.iter().map(|item| keys[*item as usize] >> shift).collect();
                sort(&digits, 2).into_iter().map(|place| order[place as usize]).collect()
            };
            prop_assert_eq!([0, 2, 4].into_iter().fold((0..).take(keys.len()).collect(), pass), sort(&keys, 6));
        }
    }

    /// Whether the comparators sort every input of zeros and ones, and so, by the 0-1 principle,
    /// every input (Knuth, section 5.3.4, theorem Z). 64 inputs at a time: bit i of a wire is its
    /// value in input i.
    fn sorts_all(n: usize, comparators: &[[usize; 2]]) -> bool {
        // In 64 inputs in a row, the first six wires have all values.
        const LOW: [u64; 6] = [
            0xaaaa_aaaa_aaaa_aaaa,
            0xcccc_cccc_cccc_cccc,
            0xf0f0_f0f0_f0f0_f0f0,
            0xff00_ff00_ff00_ff00,
            0xffff_0000_ffff_0000,
            0xffff_ffff_0000_0000,
        ];
        (0..1_usize << n.saturating_sub(6)).all(|high| {
            let value = |wire: usize| match wire.checked_sub(6) {
                None => LOW[wire],
                Some(bit) => u64::from((high >> bit) & 1 == 0).wrapping_sub(1),
            };
            let mut wires: Vec<u64> = (0..n).map(value).collect();
            for [lower, upper] in comparators {
                let [low, high] = [wires[*lower], wires[*upper]];
                (wires[*lower], wires[*upper]) = (low & high, low | high);
            }
            wires.windows(2).all(|pair| pair[0] & !pair[1] == 0)
        })
    }

    #[test]
    fn networks_sort_every_input_of_zeros_and_ones() {
        for network in Network::ALL {
            for n in (1..=16).chain([20, 24]) {
                assert!(sorts_all(n, &network.stages(n).concat()), "{network:?} of {n} wires");
            }
        }
    }

    #[test]
    fn every_comparator_of_16_wires_is_needed() {
        for (network, n_comparators) in [(Network::OddEvenMerge, 63), (Network::Bitonic, 80)] {
            let all = network.stages(16).concat();
            assert_eq!(all.len(), n_comparators);
            for left_out in 0..all.len() {
                let mut rest = all.clone();
                rest.remove(left_out);
                assert!(!sorts_all(16, &rest), "{network:?} without comparator {left_out}");
            }
        }
    }

    /// All comparators of the last merge. It merges two sorted halves, each of which is one of
    /// n / 2 + 1 inputs of zeros and ones. 64 right halves at a time: bit i of a wire is its value
    /// with right half i.
    #[test]
    fn mergers_merge_every_pair_of_sorted_halves() {
        for network in Network::ALL {
            for n in [2_usize, 4, 8, 64, 256, 512, 1024, 2048] {
                let stages = network.stages(n);
                let merge = stages[stages.len() - n.ilog2() as usize..].concat();
                let half = n / 2;
                let rights = (0..=half).step_by(64);
                for (left, right) in
                    (0..=half).flat_map(|left| rights.clone().map(move |right| (left, right)))
                {
                    // A left half has `left` zeros, and right half i has `right` + i.
                    let value = |wire: usize| match wire.checked_sub(half) {
                        None => u64::from(wire < left).wrapping_sub(1),
                        Some(wire) => match (wire + 1).saturating_sub(right) {
                            n_ones @ 0..64 => (1 << n_ones) - 1,
                            _ => u64::MAX,
                        },
                    };
                    let mut wires: Vec<u64> = (0..n).map(value).collect();
                    for [lower, upper] in &merge {
                        let [low, high] = [wires[*lower], wires[*upper]];
                        (wires[*lower], wires[*upper]) = (low & high, low | high);
                    }
                    let is_sorted = wires.windows(2).all(|pair| pair[0] & !pair[1] == 0);
                    assert!(is_sorted, "{network:?} of {n}: {left} zeros, and from {right} zeros");
                }
            }
        }
    }

    #[test]
    fn the_depth_and_the_size_are_those_of_the_literature() {
        for log2 in 1..=11 {
            let n = 1_usize << log2;
            let [odd_even, bitonic] = Network::ALL.map(|network| network.stages(n));
            let depth = (log2 * (log2 + 1) / 2) as usize;
            assert_eq!([odd_even.len(), bitonic.len()], [depth; 2]);
            let sizes = [odd_even, bitonic].map(|stages| stages.concat().len());
            assert_eq!(sizes, [n * (log2 * log2 - log2 + 4) as usize / 4 - 1, n / 2 * depth]);
        }
    }

    #[test]
    fn the_comparators_of_a_stage_have_no_wire_in_common() {
        for network in Network::ALL {
            for n in 0..70 {
                for stage in network.stages(n) {
                    let mut wires = stage.concat();
                    wires.sort_unstable();
                    assert!(wires.windows(2).all(|pair| pair[0] != pair[1]), "{network:?} of {n}: {stage:?}");
                }
            }
        }
    }

    #[test]
    fn the_first_items_of_merged_runs_are_counted() {
        let (left, right) = ([1, 3, 3, 5, 9], [0, 3, 3, 4]);
        let merged = [(0, 1), (1, 0), (3, 0), (3, 0), (3, 1), (3, 1), (4, 1), (5, 0), (9, 0)];
        for n in 0..=merged.len() {
            let expected = merged[..n].iter().filter(|(_, run)| *run == 0).count();
            assert_eq!(co_rank(&left, &right, n), expected, "{n}");
        }
        assert_eq!(co_rank(&[7], &[], 1), 1);
        assert_eq!(co_rank(&[], &[7], 1), 0);
    }

    #[test]
    fn equal_keys_stay_in_order() {
        assert_eq!(sort(&[3, 1, 3, 0, 1], 32), [3, 1, 4, 0, 2]);
        assert_eq!(sort(&[0x103, 0x201, 0x003], 8), [1, 0, 2]);
        assert_eq!(sort(&[2, 1, 0], 0), [0, 1, 2]);
    }
}
