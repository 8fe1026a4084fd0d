//! Stable sorts of indices by keys of 32 bits, in memory that is kept.

use alloc::vec::Vec;

/// The bits of a digit. Three digits have at least 32 bits, and the counts of a digit take 8 KiB,
/// so the counts of all digits fit into a first-level cache of 32 KiB.
pub(crate) const DIGIT_BITS: u32 = 11;
const N_DIGITS: usize = 3;
const RADIX: usize = 1 << DIGIT_BITS;

/// The maximum number of keys of a sort by comparison. It takes as long as a sort by digits at 300,
/// 512, and 1,024 keys with one, two, and three digits that differ (on an AMD EPYC).
const MAX_COMPARED: usize = 512;

/// The memory of sorts of up to `u32::MAX` keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct RadixSort {
    /// Each key in the upper half of a word, and its index in the lower half.
    pairs: Vec<u64>,
    /// The pairs of the pass before.
    scratch: Vec<u64>,
    /// The number of keys with each value of each digit.
    counts: Vec<[u32; RADIX]>,
}

impl RadixSort {
    /// The keys and their indices `0..`, by key. The indices of equal keys ascend.
    ///
    /// # Panics
    ///
    /// Panics if there are more than `u32::MAX` keys.
    pub(crate) fn sort(
        &mut self,
        keys: impl ExactSizeIterator<Item = u32>,
    ) -> impl ExactSizeIterator<Item = (u32, u32)> + '_ {
        let n = keys.len();
        assert!(u32::try_from(n).is_ok(), "{n} items are too many: the limit is {}", u32::MAX);
        self.pairs.clear();
        self.pairs.extend((0..).zip(keys).map(|(index, key): (u32, u32)| pair(key, index)));
        if self.pairs.len() <= MAX_COMPARED {
            // Pairs differ in their indices, so that the order is the stable one.
            self.pairs.sort_unstable();
        } else {
            self.sort_by_digits();
        }
        self.pairs.iter().map(|pair| halves(*pair))
    }

    fn sort_by_digits(&mut self) {
        self.counts.clear();
        self.counts.resize(N_DIGITS, [0; RADIX]);
        for pair in &self.pairs {
            for (at, counts) in self.counts.iter_mut().enumerate() {
                counts[digit(*pair, at)] += 1;
            }
        }
        self.scratch.resize(self.pairs.len(), 0);
        for (at, counts) in self.counts.iter_mut().enumerate() {
            // A digit that is the same in all keys does not change the order. Most keys are small.
            if counts[digit(self.pairs[0], at)] as usize == self.pairs.len() {
                continue;
            }
            let mut sum = 0;
            for count in counts.iter_mut() {
                let first = sum;
                sum += *count;
                *count = first;
            }
            for pair in &self.pairs {
                let place = &mut counts[digit(*pair, at)];
                self.scratch[*place as usize] = *pair;
                *place += 1;
            }
            core::mem::swap(&mut self.pairs, &mut self.scratch);
        }
    }
}

fn pair(key: u32, index: u32) -> u64 {
    (u64::from(key) << 32) | u64::from(index)
}

/// The key and the index of a pair.
#[expect(clippy::cast_possible_truncation, reason = "these are the halves of a word")]
fn halves(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

fn digit(pair: u64, at: usize) -> usize {
    (halves(pair).0 >> (DIGIT_BITS as usize * at)) as usize % RADIX
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_order_is_that_of_a_stable_sort(
            // Lists on both sides of MAX_COMPARED, with keys that have one, two, and three digits.
            lists in proptest::collection::vec((0_usize..1500, 0_u32..=32, any::<u64>()), 1..6),
        ) {
            let mut sort = RadixSort::default();
            for (n, bits, seed) in lists {
                let mut random = crate::families::Random::new(seed);
                let keys: Vec<u32> =
                    (0..n).map(|_| halves(random.bits()).0.checked_shr(32 - bits).unwrap_or(0)).collect();
                let mut expected: Vec<(u32, u32)> = keys.iter().copied().zip(0..).collect();
                expected.sort_by_key(|(key, _)| *key);
                let found: Vec<_> = sort.sort(keys.iter().copied()).collect();
                prop_assert_eq!(found, expected, "the orders differ");
            }
        }
    }
}
