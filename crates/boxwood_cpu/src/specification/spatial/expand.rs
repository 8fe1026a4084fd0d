//! Stage *expand*: one output for each unit of a count.

use alloc::vec::Vec;

use super::scan;

/// The outputs of items that need several outputs each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expanded {
    /// The item that each output belongs to.
    pub owners: Vec<u32>,
    /// The number of earlier outputs of the same item.
    pub ranks: Vec<u32>,
    /// The number of outputs of all items, which can exceed the number of these. A number beyond
    /// the range of a `u32` is `u32::MAX`.
    pub needed: u32,
}

/// The first `capacity` outputs: item 0 has `counts[0]` outputs, item 1 has the next `counts[1]`,
/// and so on.
///
/// # Panics
///
/// Panics if there are more items than a `u32` can count.
pub fn expand(counts: &[u32], capacity: usize) -> Expanded {
    let outputs = counts.iter().enumerate().flat_map(|(owner, count)| {
        let owner = u32::try_from(owner).expect("an item has a u32 as its index");
        (0..*count).map(move |rank| (owner, rank))
    });
    let (owners, ranks) = outputs.take(capacity).unzip();
    Expanded { owners, ranks, needed: scan(counts)[counts.len()] }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_output_lies_between_the_sums_of_its_owner(counts in proptest::collection::vec(0_u32..9, 0..99)) {
            let sums = scan(&counts);
            let expanded = expand(&counts, usize::MAX);
            prop_assert_eq!(expanded.owners.len(), expanded.needed as usize);
            for (output, (owner, rank)) in expanded.owners.iter().zip(&expanded.ranks).enumerate() {
                let owner = *owner as usize;
                prop_assert_eq!((sums[owner] + rank) as usize, output);
                prop_assert!(output < sums[owner + 1] as usize);
            }
        }
    }

    #[test]
    fn outputs_beyond_the_capacity_are_needed_all_the_same() {
        let expected = Expanded { owners: vec![1, 1, 3], ranks: vec![0, 1, 0], needed: 7 };
        assert_eq!(expand(&[0, 2, 0, 5], 3), expected);
        assert_eq!(expand(&[u32::MAX, 1], 0).needed, u32::MAX);
        assert_eq!(expand(&[], 3), Expanded::default());
    }
}
