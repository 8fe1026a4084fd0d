//! Stage *search*: the places of queries among sorted keys.

use alloc::vec::Vec;

/// The number of keys of a node of the [rearranged keys](rearrange). They fill a cache line.
const KEYS_PER_NODE: usize = 16;

/// Where a query is among equal keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bound {
    /// Before them: the first key that is not less than the query.
    #[default]
    Lower,
    /// After them: the first key that is greater than the query.
    Upper,
}

impl Bound {
    /// Both bounds.
    pub const ALL: [Self; 2] = [Self::Lower, Self::Upper];

    /// Whether a key is before a query.
    pub fn is_before(self, key: u32, query: u32) -> bool {
        match self {
            Self::Lower => key < query,
            Self::Upper => key <= query,
        }
    }
}

/// The bound of each query: the number of keys before it. The keys must be in ascending order.
///
/// # Panics
///
/// Panics if there are more keys than a `u32` can count.
pub fn search(keys: &[u32], queries: &[u32], bound: Bound) -> Vec<u32> {
    let place = |query: &u32| keys.partition_point(|key| bound.is_before(*key, *query));
    let count = |n| u32::try_from(n).expect("a key has a u32 as its index");
    queries.iter().map(place).map(count).collect()
}

/// The keys as levels of a search tree, the root first. In each round of a search, the keys that it
/// compares are next to each other.
///
/// Every node has 16 keys. The last level has all keys in order. The 16 keys of an inner node are
/// the first keys of its children, except the first one. So it has 17 children, and child c of node
/// k is node 17 k + c of the next level. Missing keys are `u32::MAX`.
///
/// Zachmann, *Massively Parallel Algorithms*, "p-ary parallel search", moves the pivots of each
/// round to the front. Here they are copied, so that the last level needs no indices.
pub fn rearrange(keys: &[u32]) -> Vec<Vec<u32>> {
    let n_leaves = keys.len().div_ceil(KEYS_PER_NODE).max(1);
    let mut leaves = keys.to_vec();
    leaves.resize(KEYS_PER_NODE * n_leaves, u32::MAX);
    // The first key of each node of the level above.
    let mut firsts: Vec<u32> = leaves.iter().copied().step_by(KEYS_PER_NODE).collect();
    let mut levels = vec![leaves];
    while firsts.len() > 1 {
        let children = firsts.chunks(KEYS_PER_NODE + 1);
        let mut level: Vec<u32> = children.clone().flat_map(|children| &children[1..]).copied().collect();
        // Only the last node can lack children.
        level.resize(KEYS_PER_NODE * children.len(), u32::MAX);
        firsts = children.map(|children| children[0]).collect();
        levels.push(level);
    }
    levels.reverse();
    levels
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A search in the rearranged keys.
    fn search_levels(levels: &[Vec<u32>], n_keys: usize, query: u32, bound: Bound) -> usize {
        let mut node = 0;
        for (index, level) in levels.iter().enumerate() {
            let keys = &level[KEYS_PER_NODE * node..][..KEYS_PER_NODE];
            let rank = keys.partition_point(|key| bound.is_before(*key, query));
            node = match levels.get(index + 1) {
                // A missing key can be before the query.
                Some(next) => ((KEYS_PER_NODE + 1) * node + rank).min(next.len() / KEYS_PER_NODE - 1),
                None => KEYS_PER_NODE * node + rank,
            };
        }
        node.min(n_keys)
    }

    proptest! {
        #[test]
        fn every_query_is_between_its_neighbours(
            mut keys in proptest::collection::vec(0_u32..50, 0..40),
            queries in proptest::collection::vec(0_u32..51, 1..9),
        ) {
            keys.sort_unstable();
            let [lower, upper] = Bound::ALL.map(|bound| search(&keys, &queries, bound));
            for ((query, lower), upper) in queries.iter().zip(lower).zip(upper) {
                let (lower, upper) = (lower as usize, upper as usize);
                prop_assert!(keys[..lower].iter().all(|key| key < query));
                prop_assert!(keys[lower..upper].iter().all(|key| key == query));
                prop_assert!(keys[upper..].iter().all(|key| key > query));
            }
        }
    }

    #[test]
    fn the_rearranged_keys_lead_to_the_same_places() {
        for n in [0, 1, 15, 16, 17, 271, 272, 273, 16 * 17 * 17, 16 * 17 * 17 + 1, 9999] {
            let keys: Vec<u32> = (0..n).map(|i| i / 3 * 5).chain([u32::MAX; 3]).collect();
            let levels = rearrange(&keys);
            assert_eq!(levels[levels.len() - 1][..keys.len()], keys);
            assert_eq!(levels[0].len(), KEYS_PER_NODE);
            let queries: Vec<u32> = (0..2 * n).chain([u32::MAX - 1, u32::MAX]).collect();
            for bound in Bound::ALL {
                let found = queries.iter().map(|query| search_levels(&levels, keys.len(), *query, bound));
                let found: Vec<u32> = found.map(|place| u32::try_from(place).unwrap()).collect();
                assert_eq!(found, search(&keys, &queries, bound), "{n} keys, {bound:?}");
            }
        }
    }
}
