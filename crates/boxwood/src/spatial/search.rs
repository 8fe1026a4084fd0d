//! Stage *search*: the places of queries among sorted keys.
//!
//! Specification: `boxwood_cpu::specification::spatial::search`.

use boxwood_cpu::specification::spatial::Bound;
use boxwood_shaders::{Shader, spatial as shaders};
use bytemuck::{Pod, Zeroable};

use super::SpatialError;
use super::check::{MAX_ITEMS, check_items, check_result};
use super::count::{CountBuffer, Items};
use super::result::{no_buffer, result_buffer};
use crate::core::context::Context;
use crate::core::kernel::BoundKernel;
use crate::core::limits::{WORKGROUP_SIZE, max_binding_size};
use crate::core::program::{one_binding, uniform};

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
    count: CountBuffer,
    key_count: CountBuffer,
    found: wgpu::Buffer,
    rearranged: Option<wgpu::Buffer>,
    rearrangement: Option<(BoundKernel, u32)>,
    dispatch: (BoundKernel, u32),
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
        let device = context.device();
        let (key_capacity, capacity) = (keys.capacity, queries.capacity);
        let binding = max_binding_size(&device.limits());
        keys.check::<u32>("keys", binding)?;
        queries.check::<u32>("queries", binding)?;
        check_result::<u32>("found", capacity, binding)?;
        check_items(key_capacity.max(capacity), MAX_ITEMS)?;
        let count = queries.count_buffer(device)?;
        let key_count = keys.count_buffer(device)?;
        let mut config = SearchConfig {
            capacity,
            count_word: count.word,
            key_capacity,
            key_count_word: key_count.word,
            ..SearchConfig::zeroed()
        };
        config.set_levels();
        let is_rearranged = searcher == Searcher::Rearranged;
        if is_rearranged {
            check_result::<u32>("rearranged", config.n_words(), binding)?;
            check_items(config.n_words(), MAX_ITEMS)?;
        }

        let create = |name: &'static str, words: u64| result_buffer::<u32>(device, name, words);
        let found = create("found", capacity.into())?;
        let rearranged = is_rearranged.then(|| create("rearranged", config.n_words())).transpose()?;
        let uniform = uniform(device, "boxwood.spatial.search_config", &config);
        let bind = |shader: &'static Shader| {
            let buffer = |variable: &str| match variable {
                "config" => &uniform,
                "item_counts" => &count.buffer,
                "key_counts" => &key_count.buffer,
                "queries" => queries.buffer,
                "rearranged" => rearranged.as_ref().unwrap_or(keys.buffer),
                "keys" => keys.buffer,
                "found" => &found,
                other => no_buffer(other),
            };
            context.kernel(shader).bind_parts(device, |name| one_binding(buffer(name), binding))
        };
        let n_vectors = u32::try_from(config.n_words() / 4).expect("there are at most 2^31 words");
        let rearrangement =
            is_rearranged.then(|| (bind(&shaders::SEARCH_LAYOUT), n_vectors.div_ceil(WORKGROUP_SIZE)));
        let is_many = capacity >= MANY_QUERIES && key_capacity >= MANY_KEYS;
        let per_workgroup = match searcher {
            Searcher::PAry => 1,
            Searcher::Binary if is_many => SORTED_QUERIES,
            _ => WORKGROUP_SIZE,
        };
        let dispatch = (bind(shader_of(searcher, bound, is_many)), capacity.div_ceil(per_workgroup));
        Ok(Self { count, key_count, found, rearranged, rearrangement, dispatch })
    }

    /// Sets the number of queries.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::AboveCapacity`] if it exceeds the capacity.
    /// - [`SpatialError::CountOfCaller`] if it is in a buffer of the caller.
    pub fn set_count(&self, queue: &wgpu::Queue, n: u32) -> Result<(), SpatialError> {
        self.count.set(queue, n)
    }

    /// Sets the number of keys. Rearranged keys must be rearranged again.
    ///
    /// # Errors
    ///
    /// As [`set_count`](Self::set_count).
    pub fn set_key_count(&self, queue: &wgpu::Queue, n: u32) -> Result<(), SpatialError> {
        self.key_count.set(queue, n)
    }

    /// Records the rearrangement of the keys for a stage [with it](Self::with_rearrangement), and
    /// nothing for the others. It must run before the first search, and whenever the keys have
    /// changed.
    pub fn record_rearrangement(&self, pass: &mut wgpu::ComputePass<'_>) {
        if let Some((kernel, n_workgroups)) = &self.rearrangement {
            kernel.record(pass, *n_workgroups);
        }
    }

    /// Records the stage into a compute pass. This does not submit or wait.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        let (kernel, n_workgroups) = &self.dispatch;
        pass.push_debug_group("boxwood.search");
        kernel.record(pass, *n_workgroups);
        pass.pop_debug_group();
    }

    /// Out: the bound of each query, which is the number of keys before it, `array<u32>`.
    pub fn found(&self) -> &wgpu::Buffer {
        &self.found
    }

    /// Out: the levels of the rearranged keys one after the other, if the algorithm needs them.
    #[cfg(feature = "testing")]
    pub fn rearranged(&self) -> Option<&wgpu::Buffer> {
        self.rearranged.as_ref()
    }
}

fn shader_of(searcher: Searcher, bound: Bound, is_many: bool) -> &'static Shader {
    match (searcher, bound) {
        (Searcher::Binary, Bound::Lower) if is_many => &shaders::SEARCH_SORTED,
        (Searcher::Binary, Bound::Upper) if is_many => &shaders::SEARCH_SORTED_UPPER,
        (Searcher::Binary, Bound::Lower) => &shaders::SEARCH_BINARY,
        (Searcher::Binary, Bound::Upper) => &shaders::SEARCH_BINARY_UPPER,
        (Searcher::PAry, Bound::Lower) => &shaders::SEARCH_P_ARY,
        (Searcher::PAry, Bound::Upper) => &shaders::SEARCH_P_ARY_UPPER,
        (Searcher::Rearranged, Bound::Lower) => &shaders::SEARCH_REARRANGED,
        (Searcher::Rearranged, Bound::Upper) => &shaders::SEARCH_REARRANGED_UPPER,
    }
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
