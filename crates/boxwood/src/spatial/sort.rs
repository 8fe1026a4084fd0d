//! Stage *sort*: keys in ascending order, with a value each.
//!
//! Specification: `boxwood_cpu::specification::spatial::sort`.

#[cfg(feature = "papers")]
use boxwood_shaders::papers;
use boxwood_shaders::{Shader, spatial as shaders};
use bytemuck::{Pod, Zeroable};

use super::SpatialError;
use super::check::{check_input, check_items, check_result};
use super::count::{CountBuffer, Items};
use super::result::{no_buffer, result_buffer};
use crate::core::context::Context;
use crate::core::kernel::BoundKernel;
use crate::core::limits::{WORKGROUP_SIZE, max_binding_size};
use crate::core::program::{one_binding, uniform};

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
const MAX_WIRES: u32 = 2048;

/// An algorithm that sorts. The results are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sorter {
    /// Batcher's odd-even merge sort, for up to 2048 items, in one dispatch of one workgroup.
    OddEvenMerge,
    /// Batcher's bitonic sort, likewise.
    Bitonic,
    /// A radix sort for any number of items: three dispatches for every eight bits of the key.
    Radix,
    /// A bitonic sort of tiles, which are then merged: two dispatches for each doubling of sorted
    /// runs. Bilardi, Nicolau, *Adaptive bitonic sorting* (1989).
    AdaptiveBitonic,
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
        Self::OddEvenMerge,
        Self::Bitonic,
        Self::Radix,
        Self::AdaptiveBitonic,
        #[cfg(feature = "papers")]
        Self::BaseBitonic,
        #[cfg(feature = "papers")]
        Self::BaseOptimal,
    ];

    /// The fastest algorithm for up to `n` items with keys of this many bits.
    ///
    /// For more than 2048 items, this is the sort with fewer passes: for keys of 32 bits, the
    /// adaptive bitonic sort up to 2^14 items. On an NVIDIA H200, it takes 40 µs there, and the
    /// radix sort 55 µs. At 2^16 items, they take 68 and 59 µs (`docs/benchmarks.md`). Each eight
    /// bits less save the radix sort a pass, which takes as long as 1.4 merges.
    pub fn for_items(n: u32, bits: u32) -> Self {
        if n <= MAX_WIRES {
            return Self::Bitonic;
        }
        let has_fewer_passes = n_passes(Self::AdaptiveBitonic, n, bits) <= n_passes(Self::Radix, n, bits);
        if has_fewer_passes { Self::AdaptiveBitonic } else { Self::Radix }
    }

    /// The maximum number of items. A device may have a lower limit.
    pub fn max_items(self) -> u32 {
        match self {
            // A place, and the sum of a place and a tile, must be a u32.
            Self::Radix | Self::AdaptiveBitonic => u32::MAX / 2,
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
    count: CountBuffer,
    sorted: Sorted,
    dispatches: Vec<(BoundKernel, u32)>,
}

/// A buffer of keys and one of values.
#[derive(Clone, Debug)]
struct Sorted {
    keys: wgpu::Buffer,
    values: wgpu::Buffer,
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
        let device = context.device();
        let capacity = keys.capacity;
        let binding = max_binding_size(&device.limits());
        keys.check::<u32>("keys", binding)?;
        if let Some(values) = values {
            check_input::<u32>("values", values, capacity, binding)?;
        }
        check_result::<u32>("sorted_keys", capacity, binding)?;
        check_items(capacity, sorter.max_items().into())?;
        let count = keys.count_buffer(device)?;

        let create = |name: &'static str, words: u32| result_buffer::<u32>(device, name, words);
        let create_both = || {
            let (keys, values) = (create("sorted_keys", capacity)?, create("sorted_values", capacity)?);
            Ok::<_, SpatialError>(Sorted { keys, values })
        };
        let sorted = create_both()?;
        let key_mask = u32::MAX.checked_shr(u32::BITS.saturating_sub(bits)).unwrap_or(0);
        let n_chunks = n_chunks(capacity);
        // Each buffer is used by one algorithm.
        let words_of = |user: Sorter, words: u32| if sorter == user { words } else { 0 };
        let digit_counts = create("digit_counts", words_of(Sorter::Radix, N_DIGITS * n_chunks))?;
        let digit_totals = create("digit_totals", words_of(Sorter::Radix, N_DIGITS))?;
        let n_tiles = capacity.div_ceil(TILE_LENGTH);
        let splits = create("splits", words_of(Sorter::AdaptiveBitonic, n_tiles))?;
        let n_passes = n_passes(sorter, capacity, bits);
        let others = (n_passes > 1).then(create_both).transpose()?;
        let mut dispatches = Vec::new();
        let mut source = (keys.buffer, values);
        for pass in 0..n_passes {
            let config = SortConfig {
                capacity,
                count_word: count.word,
                key_mask,
                shift: if sorter == Sorter::Radix { DIGIT_BITS * pass } else { 0 },
                n_chunks,
                run_length: TILE_LENGTH << pass.saturating_sub(1),
                padding: [0; 2],
            };
            let config = uniform(device, "boxwood.spatial.sort_config", &config);
            // The last pass writes the result.
            let is_to_result = (n_passes - pass) % 2 == 1;
            let target = others.as_ref().filter(|_| !is_to_result).unwrap_or(&sorted);
            let buffer = |variable: &str| match variable {
                "config" => &config,
                "item_counts" => &count.buffer,
                "keys" => source.0,
                "values" => source.1.unwrap_or(source.0),
                "digit_counts" => &digit_counts,
                "digit_totals" => &digit_totals,
                "splits" => &splits,
                "sorted_keys" => &target.keys,
                "sorted_values" => &target.values,
                other => no_buffer(other),
            };
            for (shader, n_workgroups) in pass_of(sorter, pass, source.1.is_some(), capacity) {
                let kernel = context.kernel(shader);
                let bound = kernel.bind_parts(device, |name| one_binding(buffer(name), binding));
                dispatches.push((bound, n_workgroups));
            }
            source = (&target.keys, Some(&target.values));
        }
        Ok(Self { count, sorted, dispatches })
    }

    /// Sets the number of items.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::AboveCapacity`] if it exceeds the capacity.
    /// - [`SpatialError::CountOfCaller`] if it is in a buffer of the caller.
    pub fn set_count(&self, queue: &wgpu::Queue, n: u32) -> Result<(), SpatialError> {
        self.count.set(queue, n)
    }

    /// Records the stage into a compute pass. This does not submit or wait.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.push_debug_group("boxwood.sort");
        self.dispatches.iter().for_each(|(kernel, n_workgroups)| kernel.record(pass, *n_workgroups));
        pass.pop_debug_group();
    }

    /// Out: the keys in ascending order, `array<u32>`. Equal keys stay in their order.
    pub fn sorted_keys(&self) -> &wgpu::Buffer {
        &self.sorted.keys
    }

    /// Out: the value of each of these keys, `array<u32>`.
    pub fn sorted_values(&self) -> &wgpu::Buffer {
        &self.sorted.values
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
        _ => 1,
    }
}

/// The dispatches of a pass, with their numbers of workgroups. Only the first pass can be without
/// values.
fn pass_of(sorter: Sorter, pass: u32, has_values: bool, capacity: u32) -> Vec<(&'static Shader, u32)> {
    let (n_tiles, n_chunks) = (capacity.div_ceil(TILE_LENGTH), n_chunks(capacity));
    let first = match (sorter, has_values) {
        (Sorter::OddEvenMerge, true) => &shaders::SORT_ODD_EVEN,
        (Sorter::OddEvenMerge, false) => &shaders::SORT_ODD_EVEN_INDICES,
        (Sorter::Bitonic | Sorter::AdaptiveBitonic, true) => &shaders::SORT_BITONIC,
        (Sorter::Bitonic | Sorter::AdaptiveBitonic, false) => &shaders::SORT_BITONIC_INDICES,
        (Sorter::Radix, true) => &shaders::RADIX_DOWNSWEEP,
        (Sorter::Radix, false) => &shaders::RADIX_DOWNSWEEP_INDICES,
        #[cfg(feature = "papers")]
        (Sorter::BaseBitonic, true) => &papers::SORT_BASE_BITONIC,
        #[cfg(feature = "papers")]
        (Sorter::BaseBitonic, false) => &papers::SORT_BASE_BITONIC_INDICES,
        #[cfg(feature = "papers")]
        (Sorter::BaseOptimal, true) => &papers::SORT_BASE_OPTIMAL,
        #[cfg(feature = "papers")]
        (Sorter::BaseOptimal, false) => &papers::SORT_BASE_OPTIMAL_INDICES,
    };
    match sorter {
        Sorter::Radix => {
            let upsweep = (&shaders::RADIX_UPSWEEP, n_chunks);
            vec![upsweep, (&shaders::RADIX_SPINE, N_DIGITS), (first, n_chunks)]
        }
        Sorter::AdaptiveBitonic if pass == 0 => vec![(first, n_tiles)],
        Sorter::AdaptiveBitonic => {
            let splits = (&shaders::SORT_SPLITS, n_tiles.div_ceil(WORKGROUP_SIZE));
            vec![splits, (&shaders::SORT_MERGE, n_tiles)]
        }
        _ => vec![(first, 1)],
    }
}
