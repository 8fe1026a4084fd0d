//! Stage *scan*: the sums of the counts before each item.

use alloc::vec::Vec;

/// The sum of the counts before each item, and at last the sum of all: one more sum than counts.
///
/// A sum beyond the range of a `u32` is `u32::MAX`. So a total of `u32::MAX` means this or more.
pub fn scan(counts: &[u32]) -> Vec<u32> {
    let mut sum = 0_u32;
    let ends = counts.iter().map(|count| {
        sum = sum.saturating_add(*count);
        sum
    });
    core::iter::once(0).chain(ends).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sum_is_that_of_the_counts_before() {
        assert_eq!(scan(&[]), [0]);
        assert_eq!(scan(&[3, 0, 5]), [0, 3, 3, 8]);
    }

    #[test]
    fn sums_beyond_the_range_are_the_maximum() {
        assert_eq!(scan(&[1, u32::MAX - 1, 0, 1, 7]), [0, 1, u32::MAX, u32::MAX, u32::MAX, u32::MAX]);
    }
}
