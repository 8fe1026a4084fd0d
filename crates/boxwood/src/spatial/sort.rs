//! Stage *sort*: keys in ascending order, with a value each.
//!
//! Specification: `boxwood_cpu::specification::spatial::sort`.

#[cfg(feature = "papers")]
use boxwood_shaders::papers;
use boxwood_shaders::spatial::{
    RadixDownsweep, RadixDownsweepIndices, RadixSpine, RadixUpsweep, SortBitonic, SortBitonicIndices,
    SortMerge, SortSplits,
};
use bytemuck::{Pod, Zeroable};

use super::check::check_items;
use super::count::{CountSlot, Counted, Items};
use super::error::SpatialError;
use super::stage::{Stage, stage_methods};
use crate::core::context::Context;
use crate::core::limits::WORKGROUP_SIZE;
use crate::core::plan::{Plan, Slot};

/// The bits of a digit, by which a pass of the radix sort sorts.
const DIGIT_BITS: u32 = 8;

/// The number of digits, as in `radix_tile.wgsl`.
const N_DIGITS: u32 = 1 << DIGIT_BITS;

/// The number of items that a workgroup of the radix sort or the adaptive bitonic sort sorts at a
/// time, as in `radix_tile.wgsl` and `wires.wgsl`.
const TILE_LENGTH: u32 = 2048;

/// The maximum number of chunks: one workgroup of `radix_spine` scans the counts of all chunks,
/// four per invocation.
const MAX_CHUNKS: u32 = 1024;

/// The number of wires of the largest network, as in `wires.wgsl`: their keys and places
/// fill the workgroup memory.
#[cfg(feature = "papers")]
const MAX_WIRES: u32 = 2048;

/// An algorithm that sorts. The results are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sorter {
    /// A radix sort for any number of items: three dispatches for every eight bits of the key.
    Radix,
    /// Batcher's bitonic sort of tiles of 2048 items, which are then merged: one dispatch for the
    /// tiles, and two for each doubling of sorted runs. Bilardi, Nicolau, *Adaptive bitonic sorting*
    /// (1989).
    AdaptiveBitonic,
    /// Batcher's odd-even merge sort, for up to 2048 items.
    #[cfg(feature = "papers")]
    OddEvenMerge,
    /// The bitonic sort with 16 items per invocation instead of eight, for up to 2048 items.
    #[cfg(feature = "papers")]
    BaseBitonic,
    /// The same, but 16 items are first sorted by the network with the fewest stages,
    /// `boxwood_cpu::specification::papers::OPTIMAL_16`.
    #[cfg(feature = "papers")]
    BaseOptimal,
}

impl Sorter {
    /// Every algorithm.
    pub const ALL: &'static [Self] = &[
        Self::Radix,
        Self::AdaptiveBitonic,
        #[cfg(feature = "papers")]
        Self::OddEvenMerge,
        #[cfg(feature = "papers")]
        Self::BaseBitonic,
        #[cfg(feature = "papers")]
        Self::BaseOptimal,
    ];

    /// The fastest algorithm for up to `n` items with keys of this many bits.
    ///
    /// This is the sort with fewer passes: for keys of 32 bits, the adaptive bitonic sort up to 2^14
    /// items. On an NVIDIA H200, it takes 40 µs there, and the
    /// radix sort 55 µs. At 2^16 items, they take 68 and 59 µs (`docs/benchmarks.md`). Each eight
    /// bits less save the radix sort a pass, which takes as long as 1.4 merges.
    pub fn for_items(n: u32, bits: u32) -> Self {
        let has_fewer_passes = n_passes(Self::AdaptiveBitonic, n, bits) <= n_passes(Self::Radix, n, bits);
        if has_fewer_passes { Self::AdaptiveBitonic } else { Self::Radix }
    }

    /// The maximum number of items. A device may have a lower limit.
    pub fn max_items(self) -> u32 {
        match self {
            // A place, and the sum of a place and a tile, must be a u32.
            Self::Radix | Self::AdaptiveBitonic => u32::MAX / 2,
            #[cfg(feature = "papers")]
            _ => MAX_WIRES,
        }
    }
}

/// The parameters of a pass. `sort_config.wgsl` has the same layout.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct SortConfig {
    /// The number of items that the buffers have room for.
    pub capacity: u32,
    /// The word of the buffer of the count.
    pub count_word: u32,
    /// The bits of a key that count.
    pub key_mask: u32,
    /// The lowest bit of the digit.
    pub shift: u32,
    /// The number of chunks.
    pub n_chunks: u32,
    /// The length of the runs that are merged.
    pub run_length: u32,
    /// The size of a uniform is a multiple of 16 bytes.
    pub padding: [u32; 2],
}

/// The stage with its buffers. Create it once per size.
///
/// It takes 8 bytes per item, or 16 for several passes, and up to 1 MiB.
#[derive(Debug)]
pub struct Sort {
    stage: Stage,
    sorted: Sorted,
}

/// Keys and their values in a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sorted {
    pub(crate) keys: Slot,
    pub(crate) values: Slot,
}

impl Sort {
    /// Allocates and binds the buffers.
    ///
    /// `keys` is an `array<u32>`, of which the lowest `bits` bits count. More than 32 are 32.
    /// `values` has the value of each key, `array<u32>`. Without it, the value is the index of the
    /// key.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::TooLarge`] if a buffer of the caller or a storage binding of the device
    ///   has no room for the capacity.
    /// - [`SpatialError::TooManyItems`] if the algorithm cannot sort as many.
    pub fn new(
        context: &Context,
        keys: Items<'_>,
        values: Option<&wgpu::Buffer>,
        bits: u32,
    ) -> Result<Self, SpatialError> {
        Self::made(context, keys, values, bits, Sorter::for_items(keys.capacity, bits))
    }

    /// Makes a stage with a given algorithm.
    ///
    /// # Errors
    ///
    /// The same as for [`new`](Self::new).
    #[cfg(any(feature = "papers", feature = "testing"))]
    pub fn with_sorter(
        context: &Context,
        keys: Items<'_>,
        values: Option<&wgpu::Buffer>,
        bits: u32,
        sorter: Sorter,
    ) -> Result<Self, SpatialError> {
        Self::made(context, keys, values, bits, sorter)
    }

    fn made(
        context: &Context,
        keys: Items<'_>,
        values: Option<&wgpu::Buffer>,
        bits: u32,
        sorter: Sorter,
    ) -> Result<Self, SpatialError> {
        check_items(keys.capacity, sorter.max_items().into())?;
        let mut plan = Plan::new("boxwood.spatial", ());
        let counted = keys.add_to::<u32>(context, &mut plan, "keys")?;
        let values = values.map(|values| plan.given::<u32>("values", values, keys.capacity));
        let sorted = Self::plan_with(&mut plan, counted, values, bits, sorter);
        Ok(Self { stage: Stage::new(context, plan, counted.count)?, sorted })
    }

    /// Adds the stage to a plan, with the fastest algorithm. The value of a key without one is its
    /// index.
    pub(crate) fn plan(plan: &mut Plan<u32>, keys: Counted, values: Option<Slot>, bits: u32) -> Sorted {
        Self::plan_with(plan, keys, values, bits, Sorter::for_items(keys.count.capacity, bits))
    }

    fn plan_with(
        plan: &mut Plan<u32>,
        keys: Counted,
        values: Option<Slot>,
        bits: u32,
        sorter: Sorter,
    ) -> Sorted {
        let capacity = keys.count.capacity;
        let (sorted, passes) = Pass::plan_all(plan, keys, values, bits, sorter);
        plan.begin("boxwood.sort");
        match sorter {
            Sorter::Radix => {
                let digit_counts = plan.buffer::<u32>("digit_counts", N_DIGITS * n_chunks(capacity));
                let digit_totals = plan.buffer::<u32>("digit_totals", N_DIGITS);
                passes.iter().for_each(|pass| pass.plan_radix(plan, digit_counts, digit_totals));
            }
            Sorter::AdaptiveBitonic => {
                let splits = plan.buffer::<u32>("splits", capacity.div_ceil(TILE_LENGTH));
                passes[0].plan_tiles(plan);
                passes[1..].iter().for_each(|pass| pass.plan_merge(plan, splits));
            }
            #[cfg(feature = "papers")]
            _ => passes[0].plan_network(plan, sorter),
        }
        plan.end();
        sorted
    }

    stage_methods!("items");

    /// Out: the keys in ascending order, `array<u32>`. Equal keys stay in their order.
    pub fn sorted_keys(&self) -> &wgpu::Buffer {
        &self.stage[self.sorted.keys]
    }

    /// Out: the value of each of these keys, `array<u32>`.
    pub fn sorted_values(&self) -> &wgpu::Buffer {
        &self.stage[self.sorted.values]
    }
}

/// A pass from keys and values to others. Only the first pass can be without values.
#[derive(Clone, Copy)]
struct Pass {
    config: Slot,
    count: CountSlot,
    keys: Slot,
    values: Option<Slot>,
    target: Sorted,
}

impl Pass {
    /// Adds the buffers of all passes. Returns those with the result, and the passes.
    fn plan_all(
        plan: &mut Plan<u32>,
        keys: Counted,
        values: Option<Slot>,
        bits: u32,
        sorter: Sorter,
    ) -> (Sorted, Vec<Self>) {
        let Counted { items: mut keys, count } = keys;
        let (capacity, count_word) = (count.capacity, count.word);
        let mut pairs = || Sorted {
            keys: plan.buffer::<u32>("sorted_keys", capacity),
            values: plan.buffer::<u32>("sorted_values", capacity),
        };
        let n_passes = n_passes(sorter, capacity, bits);
        let sorted = pairs();
        let others = if n_passes > 1 { pairs() } else { sorted };
        let key_mask = u32::MAX.checked_shr(u32::BITS.saturating_sub(bits)).unwrap_or(0);
        let mut values = values;
        let passes = (0..n_passes).map(|pass| {
            let config = plan.uniform(
                "sort_config",
                &SortConfig {
                    capacity,
                    count_word,
                    key_mask,
                    shift: if sorter == Sorter::Radix { DIGIT_BITS * pass } else { 0 },
                    n_chunks: n_chunks(capacity),
                    run_length: TILE_LENGTH << pass.saturating_sub(1),
                    padding: [0; 2],
                },
            );
            // The last pass writes the result.
            let target = if (n_passes - pass) % 2 == 1 { sorted } else { others };
            let own = Self { config, count, keys, values, target };
            (keys, values) = (target.keys, Some(target.values));
            own
        });
        (sorted, passes.collect())
    }

    /// Adds the dispatches that sort by a digit.
    fn plan_radix(self, plan: &mut Plan<u32>, digit_counts: Slot, digit_totals: Slot) {
        let Self { config, count, keys, values, target } = self;
        let Sorted { keys: sorted_keys, values: sorted_values } = target;
        let (item_counts, n_chunks) = (count.buffer, n_chunks(count.capacity));
        plan.dispatch(RadixUpsweep { config, item_counts, keys, digit_counts }, n_chunks);
        plan.dispatch(RadixSpine { config, digit_counts, digit_totals }, N_DIGITS);
        if let Some(values) = values {
            let downsweep = RadixDownsweep {
                config,
                item_counts,
                keys,
                digit_counts,
                digit_totals,
                sorted_keys,
                sorted_values,
                values,
            };
            plan.dispatch(downsweep, n_chunks);
        } else {
            let downsweep = RadixDownsweepIndices {
                config,
                item_counts,
                keys,
                digit_counts,
                digit_totals,
                sorted_keys,
                sorted_values,
            };
            plan.dispatch(downsweep, n_chunks);
        }
    }

    /// Adds the dispatch that sorts each tile.
    fn plan_tiles(self, plan: &mut Plan<u32>) {
        let Self { config, count, keys, values, target } = self;
        let Sorted { keys: sorted_keys, values: sorted_values } = target;
        let (item_counts, n_tiles) = (count.buffer, count.capacity.div_ceil(TILE_LENGTH));
        if let Some(values) = values {
            let sort = SortBitonic { config, item_counts, keys, sorted_keys, sorted_values, values };
            plan.dispatch(sort, n_tiles);
        } else {
            let sort = SortBitonicIndices { config, item_counts, keys, sorted_keys, sorted_values };
            plan.dispatch(sort, n_tiles);
        }
    }

    /// Adds the dispatches that merge pairs of sorted runs.
    fn plan_merge(self, plan: &mut Plan<u32>, splits: Slot) {
        let Self { config, count, keys, values, target } = self;
        let Sorted { keys: sorted_keys, values: sorted_values } = target;
        let (item_counts, n_tiles) = (count.buffer, count.capacity.div_ceil(TILE_LENGTH));
        let values = values.expect("the pass before it writes values");
        plan.dispatch(SortSplits { config, item_counts, keys, splits }, n_tiles.div_ceil(WORKGROUP_SIZE));
        let merge = SortMerge { config, item_counts, keys, sorted_keys, sorted_values, values, splits };
        plan.dispatch(merge, n_tiles);
    }

    /// Adds the dispatch of an algorithm of the papers.
    #[cfg(feature = "papers")]
    fn plan_network(self, plan: &mut Plan<u32>, sorter: Sorter) {
        use papers::{SortBase, SortBaseBitonicIndices, SortOddEven, SortOddEvenIndices};
        let Self { config, count, keys, values, target } = self;
        let Sorted { keys: sorted_keys, values: sorted_values } = target;
        let item_counts = count.buffer;
        match (sorter, values) {
            (Sorter::OddEvenMerge, Some(values)) => {
                let sort = SortOddEven { config, item_counts, keys, sorted_keys, sorted_values, values };
                plan.dispatch(sort, 1);
            }
            (Sorter::OddEvenMerge, None) => {
                let sort = SortOddEvenIndices { config, item_counts, keys, sorted_keys, sorted_values };
                plan.dispatch(sort, 1);
            }
            (_, Some(values)) => {
                let is_bitonic = sorter == Sorter::BaseBitonic;
                let shader = if is_bitonic { &papers::SORT_BASE_BITONIC } else { &papers::SORT_BASE_OPTIMAL };
                let sort = SortBase { config, item_counts, keys, sorted_keys, sorted_values, values };
                plan.dispatch_with(shader, sort, 1);
            }
            (_, None) => {
                let is_bitonic = sorter == Sorter::BaseBitonic;
                let [bitonic, optimal] =
                    [&papers::SORT_BASE_BITONIC_INDICES, &papers::SORT_BASE_OPTIMAL_INDICES];
                let sort = SortBaseBitonicIndices { config, item_counts, keys, sorted_keys, sorted_values };
                plan.dispatch_with(if is_bitonic { bitonic } else { optimal }, sort, 1);
            }
        }
    }
}

/// The number of chunks of the radix sort.
fn n_chunks(capacity: u32) -> u32 {
    capacity.div_ceil(TILE_LENGTH).clamp(1, MAX_CHUNKS)
}

fn n_passes(sorter: Sorter, capacity: u32, bits: u32) -> u32 {
    match sorter {
        Sorter::Radix => bits.clamp(1, u32::BITS).div_ceil(DIGIT_BITS),
        // The first pass sorts tiles. The others double the length of the runs.
        Sorter::AdaptiveBitonic => 1 + capacity.div_ceil(TILE_LENGTH).next_power_of_two().ilog2(),
        #[cfg(feature = "papers")]
        _ => 1,
    }
}
