//! The elements that keep their order.

use boxwood_cpu::specification::spatial::NO_PARTNER;

/// Keeps a longest increasing subsequence of the partners, and replaces the others by
/// [`NO_PARTNER`].
///
/// Patience sorting: the smallest last partner of an increasing subsequence of each length is
/// known, and increases with the length.
pub(super) fn keep_longest_increasing(partners: &mut [u32]) {
    // The index of the last partner of the best subsequence of each length.
    let mut last: Vec<usize> = Vec::new();
    // The index before each index in its subsequence.
    let mut before: Vec<Option<usize>> = vec![None; partners.len()];
    for (index, partner) in partners.iter().enumerate().filter(|(_, partner)| **partner != NO_PARTNER) {
        let length = last.partition_point(|other| partners[*other] < *partner);
        before[index] = length.checked_sub(1).map(|shorter| last[shorter]);
        if length == last.len() {
            last.push(index);
        } else {
            last[length] = index;
        }
    }
    let mut is_kept = vec![false; partners.len()];
    let mut next = last.last().copied();
    while let Some(index) = next {
        is_kept[index] = true;
        next = before[index];
    }
    partners
        .iter_mut()
        .zip(is_kept)
        .filter(|(_, is_kept)| !is_kept)
        .for_each(|(partner, _)| *partner = NO_PARTNER);
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: u32 = NO_PARTNER;

    #[test]
    fn the_fewest_elements_lose_their_partner() {
        for (partners, kept) in [
            (vec![], vec![]),
            (vec![0, 1, 2], vec![0, 1, 2]),
            (vec![3, 0, 1, 2], vec![NONE, 0, 1, 2]),
            (vec![1, 2, 3, 0], vec![1, 2, 3, NONE]),
            (vec![NONE, 1, NONE, 2], vec![NONE, 1, NONE, 2]),
            (vec![2, 1, 0], vec![NONE, NONE, 0]),
            (vec![5, 0, 6, 1, 2, 7], vec![NONE, 0, NONE, 1, 2, 7]),
        ] {
            let mut found = partners.clone();
            keep_longest_increasing(&mut found);
            assert_eq!(found, kept, "{partners:?}");
        }
    }
}
