//! Stage *search*: the places of queries among sorted keys.
//!
//! Specification: `boxwood_cpu::specification::spatial::search`.

use boxwood_cpu::specification::spatial::Bound;
use boxwood_shaders::spatial::{
    self as shaders, SearchBinary, SearchLayout, SearchPAry, SearchRearranged, SearchSorted,
};
use bytemuck::{Pod, Zeroable};

use super::check::{MAX_ITEMS, check_items};
use super::count::{CountSlot, Counted, Items};
use super::error::SpatialError;
use super::stage::Stage;
use crate::core::context::Context;
use crate::core::limits::WORKGROUP_SIZE;
use crate::core::plan::{Plan, Slot};

/// The number of keys of a node of the rearranged keys, as in `search_layout.wgsl`.
const KEYS_PER_NODE: u32 = 16;

/// The maximum number of levels of the rearranged keys, for the maximum number of keys.
const MAX_LEVELS: usize = 8;

/// The largest number of queries for which a workgroup per query is used: about as many as a GPU
/// runs at a time.
const FEW_QUERIES: u32 = 256;

/// The numbers of queries and of keys starting at which [`Searcher::Binary`] sorts the queries of a
/// workgroup. On an NVIDIA H200, 2^20 queries of 2^16 keys take 30 instead of 45 µs with it. Fewer
/// queries are too few workgroups, and fewer keys stay in the caches anyway.
const MANY_QUERIES: u32 = 1 << 19;
const MANY_KEYS: u32 = 1 << 16;

/// The number of queries of a workgroup that sorts them, as in `search_sorted.wgsl`.
const SORTED_QUERIES: u32 = 2048;

/// An algorithm that searches. The results are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Searcher {
    /// A binary search for each query. Among many queries, neighbours are sorted roughly first, so
    /// that they read neighbouring keys.
    Binary,
    /// A search of each query by 256 invocations, which divides the keys by 257 in each round. It
    /// is the fastest for a few queries.
    PAry,
    /// A search of copies of the keys, rearranged so that a round reads 16 keys in a row. It is the
    /// fastest for many queries, but the keys must be [rearranged](Search::record_rearrangement)
    /// first.
    Rearranged,
}

impl Searcher {
    /// Every algorithm.
    pub const ALL: [Self; 3] = [Self::Binary, Self::PAry, Self::Rearranged];

    /// The fastest algorithm for up to `n` queries that works with the keys as they are.
    pub fn for_queries(n: u32) -> Self {
        if n <= FEW_QUERIES { Self::PAry } else { Self::Binary }
    }
}

/// The parameters of the stage. `search_config.wgsl` has the same layout.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct SearchConfig {
    /// The number of queries that the buffers have room for.
    pub capacity: u32,
    /// The word of the buffer of the number of queries.
    pub count_word: u32,
    /// The number of keys that the buffers have room for.
    pub key_capacity: u32,
    /// The word of the buffer of the number of keys.
    pub key_count_word: u32,
    /// The number of levels of the rearranged keys.
    pub n_levels: u32,
    /// The array begins at a multiple of 16 bytes.
    pub padding: [u32; 3],
    /// For each level, the root first: its first node, its number of nodes, the distance of its
    /// keys in the order of the keys, and the last node of the next level. In the last level, that
    /// is the number of keys.
    pub levels: [[u32; 4]; MAX_LEVELS],
}

impl SearchConfig {
    fn set_levels(&mut self) {
        // The number of nodes of each level, the last one first.
        let n_leaves = self.key_capacity.div_ceil(KEYS_PER_NODE).max(1);
        let parents = |n: &u32| (*n > 1).then(|| n.div_ceil(KEYS_PER_NODE + 1));
        let n_nodes: Vec<u32> = std::iter::successors(Some(n_leaves), parents).collect();
        self.n_levels = u32::try_from(n_nodes.len()).expect("there are few levels");
        let (mut first, mut last_child) = (n_nodes.iter().sum::<u32>(), self.key_capacity);
        let (mut distance, mut next_distance) = (1, KEYS_PER_NODE);
        for (level, n_nodes) in self.levels[..n_nodes.len()].iter_mut().rev().zip(n_nodes) {
            first -= n_nodes;
            *level = [first, n_nodes, distance, last_child];
            last_child = n_nodes - 1;
            (distance, next_distance) = (next_distance, next_distance.saturating_mul(KEYS_PER_NODE + 1));
        }
    }

    /// The number of words of the rearranged keys.
    fn n_words(&self) -> u64 {
        let [first, n_nodes, ..] = self.levels[self.n_levels as usize - 1];
        u64::from(KEYS_PER_NODE) * u64::from(first + n_nodes)
    }
}

/// The stage with its buffers. Create it once per size.
///
/// It takes 4 bytes per query, and 4.25 bytes per rearranged key.
#[derive(Debug)]
pub struct Search {
    stage: Stage,
    key_count: CountSlot,
    found: Slot,
    rearranged: Option<Slot>,
    /// The step of the recording at which the search begins, after the rearrangement.
    first_step: usize,
}

impl Search {
    /// Allocates and binds the buffers.
    ///
    /// `keys` are in ascending order, `array<u32>`. If they are in another order, the results are
    /// any numbers up to the number of keys. `queries` are the values to look for, `array<u32>`, in
    /// any order. `bound` is the place of a query among equal keys.
    ///
    /// # Errors
    ///
    /// [`SpatialError::TooLarge`] if a buffer of the caller has no room for its capacity, or a
    /// result is larger than a storage binding of the device.
    pub fn new(
        context: &Context,
        keys: Items<'_>,
        queries: Items<'_>,
        bound: Bound,
    ) -> Result<Self, SpatialError> {
        Self::made(context, keys, queries, bound, Searcher::for_queries(queries.capacity))
    }

    /// Makes a stage that searches a copy of the keys, in another order. This is faster for many
    /// queries among the same keys. The copy is made by
    /// [`record_rearrangement`](Self::record_rearrangement).
    ///
    /// # Errors
    ///
    /// The same as for [`new`](Self::new).
    pub fn with_rearrangement(
        context: &Context,
        keys: Items<'_>,
        queries: Items<'_>,
        bound: Bound,
    ) -> Result<Self, SpatialError> {
        Self::made(context, keys, queries, bound, Searcher::Rearranged)
    }

    /// Makes a stage with a given algorithm.
    ///
    /// # Errors
    ///
    /// The same as for [`new`](Self::new).
    #[cfg(feature = "testing")]
    pub fn with_searcher(
        context: &Context,
        keys: Items<'_>,
        queries: Items<'_>,
        bound: Bound,
        searcher: Searcher,
    ) -> Result<Self, SpatialError> {
        Self::made(context, keys, queries, bound, searcher)
    }

    fn made(
        context: &Context,
        keys: Items<'_>,
        queries: Items<'_>,
        bound: Bound,
        searcher: Searcher,
    ) -> Result<Self, SpatialError> {
        let mut plan = Plan::new("boxwood.spatial", ());
        let queries = queries.add_to::<u32>(context, &mut plan, "queries")?;
        let keys = keys.add_to::<u32>(context, &mut plan, "keys")?;
        let mut config = SearchConfig {
            capacity: queries.count.capacity,
            count_word: queries.count.word,
            key_capacity: keys.count.capacity,
            key_count_word: keys.count.word,
            ..SearchConfig::zeroed()
        };
        config.set_levels();
        let n_words = config.n_words();
        let config = plan.uniform("search_config", &config);
        let found = plan.buffer::<u32>("found", queries.count.capacity);
        let mut rearranged = None;
        if searcher == Searcher::Rearranged {
            rearranged = Some(plan_rearrangement(&mut plan, config, keys, n_words)?);
        }
        let first_step = plan.n_steps();
        plan.begin("boxwood.search");
        let sought = Sought { config, keys, queries, found, rearranged };
        sought.plan(&mut plan, searcher, bound);
        plan.end();
        let (key_count, stage) = (keys.count, Stage::new(context, plan, queries.count)?);
        Ok(Self { stage, key_count, found, rearranged, first_step })
    }

    /// Sets the number of queries.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::AboveCapacity`] if it exceeds the capacity.
    /// - [`SpatialError::CountOfCaller`] if it is in a buffer of the caller.
    pub fn set_count(&self, queue: &wgpu::Queue, n: u32) -> Result<(), SpatialError> {
        self.stage.set(queue, self.stage.count, n)
    }

    /// Sets the number of keys. Rearranged keys must be rearranged again.
    ///
    /// # Errors
    ///
    /// As [`set_count`](Self::set_count).
    pub fn set_key_count(&self, queue: &wgpu::Queue, n: u32) -> Result<(), SpatialError> {
        self.stage.set(queue, self.key_count, n)
    }

    /// Records the rearrangement of the keys for a stage [with it](Self::with_rearrangement), and
    /// nothing for the others. It must run before the first search, and whenever the keys have
    /// changed.
    pub fn record_rearrangement(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.stage.program.record_steps(pass, 0..self.first_step);
    }

    /// Records the stage into a compute pass. This does not submit or wait.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        let program = &self.stage.program;
        program.record_steps(pass, self.first_step..program.n_steps());
    }

    /// Out: the bound of each query, which is the number of keys before it, `array<u32>`.
    pub fn found(&self) -> &wgpu::Buffer {
        &self.stage[self.found]
    }

    /// Out: the levels of the rearranged keys one after the other, if the algorithm needs them.
    #[cfg(feature = "testing")]
    pub fn rearranged(&self) -> Option<&wgpu::Buffer> {
        self.rearranged.map(|slot| &self.stage[slot])
    }
}

/// The buffers of a search, in a plan.
struct Sought {
    config: Slot,
    keys: Counted,
    queries: Counted,
    found: Slot,
    rearranged: Option<Slot>,
}

impl Sought {
    /// Adds the dispatch that searches.
    fn plan(self, plan: &mut Plan<u32>, searcher: Searcher, bound: Bound) {
        let Self { config, keys, queries: Counted { items: queries, count }, found, rearranged } = self;
        let (item_counts, key_counts) = (count.buffer, keys.count.buffer);
        let is_many = count.capacity >= MANY_QUERIES && keys.count.capacity >= MANY_KEYS;
        let keys = keys.items;
        let n_workgroups = count.capacity.div_ceil(WORKGROUP_SIZE);
        let is_lower = bound == Bound::Lower;
        match (searcher, rearranged) {
            (Searcher::PAry, _) => {
                let shader = if is_lower { &shaders::SEARCH_P_ARY } else { &shaders::SEARCH_P_ARY_UPPER };
                let search = SearchPAry { config, item_counts, key_counts, keys, queries, found };
                plan.dispatch_with(shader, search, count.capacity);
            }
            (_, Some(rearranged)) => {
                let shader =
                    if is_lower { &shaders::SEARCH_REARRANGED } else { &shaders::SEARCH_REARRANGED_UPPER };
                let search = SearchRearranged { config, item_counts, key_counts, rearranged, queries, found };
                plan.dispatch_with(shader, search, n_workgroups);
            }
            _ if is_many => {
                let shader = if is_lower { &shaders::SEARCH_SORTED } else { &shaders::SEARCH_SORTED_UPPER };
                let search = SearchSorted { config, item_counts, key_counts, keys, queries, found };
                plan.dispatch_with(shader, search, count.capacity.div_ceil(SORTED_QUERIES));
            }
            _ => {
                let shader = if is_lower { &shaders::SEARCH_BINARY } else { &shaders::SEARCH_BINARY_UPPER };
                let search = SearchBinary { config, item_counts, key_counts, keys, queries, found };
                plan.dispatch_with(shader, search, n_workgroups);
            }
        }
    }
}

/// Adds the dispatch that copies the keys into the order of the levels. Returns the copy.
fn plan_rearrangement(
    plan: &mut Plan<u32>,
    config: Slot,
    Counted { items: keys, count }: Counted,
    n_words: u64,
) -> Result<Slot, SpatialError> {
    check_items(n_words, MAX_ITEMS)?;
    let rearranged = plan.buffer::<u32>("rearranged", n_words);
    let n_vectors = u32::try_from(n_words / 4).expect("there are at most 2^31 words");
    let layout = SearchLayout { config, key_counts: count.buffer, keys, rearranged };
    plan.dispatch(layout, n_vectors.div_ceil(WORKGROUP_SIZE));
    Ok(rearranged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_follow_each_other() {
        for key_capacity in [0, 1, 16, 17, 272, 273, 1 << 24, u32::MAX / 2] {
            let mut config = SearchConfig { key_capacity, ..SearchConfig::zeroed() };
            config.set_levels();
            let levels = &config.levels[..config.n_levels as usize];
            assert_eq!(levels[0][..2], [0, 1]);
            assert_eq!(levels[levels.len() - 1][2..], [1, key_capacity]);
            for [level, next] in levels.array_windows() {
                assert_eq!(level[0] + level[1], next[0]);
                assert_eq!(level[3] + 1, next[1]);
                assert!(next[1] <= 17 * level[1] && next[1] > 17 * (level[1] - 1));
                assert!(u64::from(level[3]) * u64::from(level[2]) < key_capacity.into());
            }
        }
    }
}
