//! Arrays that are larger than a storage binding: chunks of them are bound one at a time.
//!
//! There are chunks of partitions, with everything that belongs to their elements, and chunks of
//! the node stream. Which entries of the node stream a partition contains depends on the scene. So
//! a dispatch over both axes runs once per pair of chunks, and a workgroup returns immediately
//! unless the first entry of its partition is in the chunk. Chunks of the node stream overlap by
//! the maximum number of entries in a partition: if the first entry of a partition is in a chunk,
//! then all its entries are bound.

use std::ops::Range;

use super::config::Config;
use super::grid::{Grid, PARTITION_LENGTH};
use super::limits::max_binding_size;
use super::plan::{Chunk, ChunkAxis, Plan, PlannedBuffer, PlannedDispatch};

impl Chunk {
    /// The offset and length, in bytes, of the part of a buffer that is in the chunk.
    pub(super) fn bytes(&self, buffer: &PlannedBuffer, axis: ChunkAxis) -> (u64, u64) {
        let (first, end) = match axis {
            ChunkAxis::Partitions => (self.first_partition.into(), self.end_partition.into()),
            ChunkAxis::Sources => (self.first_source.into(), self.end_source.into()),
            ChunkAxis::Entries => {
                let partition = u64::from(PARTITION_LENGTH);
                (u64::from(self.first_entry) / partition, u64::from(self.end_entry) / partition + 1)
            }
        };
        let offset = first * bytes_per_partition(buffer);
        (offset, ((end - first) * bytes_per_partition(buffer)).min(buffer.bytes() - offset))
    }
}

/// The lengths of the chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChunkLengths {
    /// In partitions.
    pub(crate) n_partitions: u32,
    /// In entries of the node stream, without the overlap with the next chunk.
    pub(crate) n_entries: u32,
}

impl ChunkLengths {
    /// The longest chunks that a device with these limits can bind, for the buffers that a plan
    /// binds in chunks. `None` if it cannot bind even the shortest chunks.
    pub(crate) fn new(plan: &Plan<Grid>, device: &wgpu::Limits) -> Option<Self> {
        let binding = max_binding_size(device);
        let alignment = u64::from(device.min_storage_buffer_offset_alignment);
        // As many partitions as a binding has room for in the array with the most bytes per
        // partition, minus the overlap, rounded down so that every chunk begins at a multiple of
        // the alignment.
        let longest = |bytes_per_partition: Vec<u64>, n_overlap: u64| {
            let largest = bytes_per_partition.iter().max()?;
            let steps = bytes_per_partition.iter().map(|bytes| alignment >> bytes.trailing_zeros());
            let multiple = steps.max()?.max(1);
            let n = (binding / largest).saturating_sub(n_overlap) / multiple * multiple;
            u32::try_from(n).ok().filter(|&n| n > 0)
        };
        let bytes_along = |is_along: fn(ChunkAxis) -> bool| {
            let slots = plan.dispatches().flat_map(PlannedDispatch::slots);
            let along = slots.filter(|slot| slot.axis.is_some_and(is_along));
            // The uniforms of a chunk are not parts of larger ones.
            along.filter_map(|slot| plan.buffers[slot.index].bytes_per_partition).collect()
        };
        Some(Self {
            n_partitions: longest(bytes_along(|axis| axis != ChunkAxis::Entries), 0)?,
            n_entries: longest(bytes_along(|axis| axis == ChunkAxis::Entries), 1)?
                .saturating_mul(PARTITION_LENGTH),
        })
    }

    /// The chunks that a dispatch runs for, in order, on scenes of up to `capacity`.
    pub(crate) fn chunks_of(self, dispatch: &PlannedDispatch<Grid>, capacity: &Config) -> Vec<Chunk> {
        let ranges = |axis, length, n| divided(length, if dispatch.is_chunked_along(axis) { n } else { 0 });
        let mut chunks = Vec::new();
        for partitions in ranges(ChunkAxis::Partitions, self.n_partitions, capacity.n_partitions) {
            let end_element = u64::from(partitions.end) * u64::from(PARTITION_LENGTH);
            for sources in ranges(ChunkAxis::Sources, self.n_partitions, capacity.n_partitions) {
                for entries in ranges(ChunkAxis::Entries, self.n_entries, capacity.n_entries) {
                    // No partition reads the data of a later one, or has entries beyond its
                    // elements.
                    if sources.start < partitions.end && u64::from(entries.start) < end_element {
                        chunks.push(Chunk::new(partitions.clone(), sources.clone(), entries));
                    }
                }
            }
        }
        chunks
    }
}

/// `n` items divided into ranges of `length`, at least one. The last range has no end, because
/// partitions without entries can follow the last entry of the node stream.
fn divided(length: u32, n: u32) -> impl Iterator<Item = Range<u32>> {
    let n_ranges = n.div_ceil(length).max(1);
    (0..n_ranges).map(move |i| {
        let end = if i + 1 < n_ranges { (i + 1) * length } else { u32::MAX };
        i * length..end
    })
}

/// The bytes for the elements of one partition, or for as many entries of the node stream.
fn bytes_per_partition(buffer: &PlannedBuffer) -> u64 {
    buffer.bytes_per_partition.unwrap_or_else(|| unreachable!("{} is not bound in chunks", buffer.name))
}

#[cfg(all(test, feature = "scene"))]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::scene::{Algorithm, Outputs};

    /// The plan for a scene of `n_elements`, half of which are entries of the node stream, and its
    /// size.
    fn plan(n_elements: u32, device: &wgpu::Limits) -> (Plan<Grid>, ChunkLengths, Config) {
        let n = n_elements as usize;
        let scene =
            Algorithm::Hierarchical.plan(Outputs::all(), n, n / 2, device).expect("it is within the limits");
        let size = scene.plan.capacity;
        (scene.plan, scene.chunks.expect("it is larger than a binding"), size)
    }

    fn device(max_storage_buffer_binding_size: u64, alignment: u32) -> wgpu::Limits {
        wgpu::Limits {
            max_storage_buffer_binding_size,
            min_storage_buffer_offset_alignment: alignment,
            max_buffer_size: 1 << 40,
            ..wgpu::Limits::default()
        }
    }

    const DEVICES: [(u64, u32, u32); 5] = [
        (128 << 20, 256, 100_000_000),
        ((2 << 30) - 1, 16, i32::MAX.unsigned_abs()),
        (1 << 20, 256, 300_000),
        ((1 << 20) - 1, 32, 300_000),
        (128 << 10, 32, 100_000),
    ];

    #[test]
    fn chunks_are_as_long_as_a_binding_allows() {
        let lengths = |max_binding, alignment| plan(1 << 22, &device(max_binding, alignment)).1;
        let of = |n_partitions, n_entries| ChunkLengths { n_partitions, n_entries };
        assert_eq!(lengths(32 << 20, 256), of(2048, 2047 * 1024));
        assert_eq!(lengths((32 << 20) - 1, 256), of(1984, 2046 * 1024));
        assert_eq!(lengths((32 << 20) - 1, 32), of(2040, 2046 * 1024));
        assert_eq!(lengths((32 << 20) - 1, 4), of(2047, 2046 * 1024));
    }

    /// The buffers that a dispatch binds in chunks, and the axis of each.
    fn chunked<'a>(
        plan: &'a Plan<Grid>,
        dispatch: &PlannedDispatch<Grid>,
    ) -> Vec<(&'a PlannedBuffer, ChunkAxis)> {
        let chunked = dispatch.slots().filter_map(|slot| Some((&plan.buffers[slot.index], slot.axis?)));
        // The uniform of a chunk is a buffer of its own.
        chunked.filter(|(buffer, _)| buffer.bytes_per_partition.is_some()).collect()
    }

    #[test]
    fn every_chunk_can_be_bound() {
        for (max_binding, alignment, n_elements) in DEVICES {
            let (plan, lengths, size) = plan(n_elements, &device(max_binding, alignment));
            for dispatch in plan.dispatches() {
                for chunk in lengths.chunks_of(dispatch, &size) {
                    for (buffer, axis) in chunked(&plan, dispatch) {
                        let (offset, length) = chunk.bytes(buffer, axis);
                        let what = format!("{} in {}: {chunk:?}", buffer.name, dispatch.shader.name);
                        assert!(offset.is_multiple_of(alignment.into()), "{what} begins at {offset}");
                        assert!((1..=max_binding).contains(&length), "{what} takes {length}");
                        assert!(offset + length <= buffer.bytes(), "{what} ends at {}", offset + length);
                    }
                }
            }
        }
    }

    #[test]
    fn the_chunks_of_a_buffer_cover_it() {
        for (max_binding, alignment, n_elements) in DEVICES {
            let (plan, lengths, size) = plan(n_elements, &device(max_binding, alignment));
            for dispatch in plan.dispatches() {
                for (buffer, axis) in chunked(&plan, dispatch) {
                    let chunks = lengths.chunks_of(dispatch, &size);
                    let parts: BTreeMap<u64, u64> =
                        chunks.iter().map(|chunk| chunk.bytes(buffer, axis)).collect();
                    let mut end = 0;
                    for (offset, length) in parts {
                        let n_overlap =
                            u64::from(axis == ChunkAxis::Entries && offset > 0) * bytes_per_partition(buffer);
                        assert_eq!(offset + n_overlap, end, "{} in {}", buffer.name, dispatch.shader.name);
                        end = offset + length;
                    }
                    assert_eq!(end, buffer.bytes(), "{} in {}", buffer.name, dispatch.shader.name);
                }
            }
        }
    }

    #[test]
    fn the_chunks_of_a_scene_cover_it_once() {
        let (plan, lengths, capacity) = plan(300_000, &device(1 << 20, 256));
        assert_eq!(lengths.n_partitions, 64);
        // The first dispatch is divided along the partitions alone.
        let dispatch = plan.dispatches().next().expect("there are some");
        let chunks = lengths.chunks_of(dispatch, &capacity);
        for n_elements in [0, 1, 65_535, 65_536, 65_537, 131_072, 299_999] {
            let scene = Algorithm::Hierarchical.config(n_elements, 7);
            let parts: Vec<Config> = chunks.iter().map(|chunk| chunk.config(&scene)).collect();
            assert_eq!(parts.iter().map(|part| part.n_elements).sum::<u32>(), n_elements);
            assert_eq!(parts.iter().map(|part| part.n_partitions).sum::<u32>(), scene.n_partitions);
            assert!(parts.iter().all(|part| part.n_partitions == part.n_elements.div_ceil(PARTITION_LENGTH)));
            assert!(
                parts.iter().all(|part| (part.n_entries, part.n_tree_leaves) == (7, scene.n_tree_leaves))
            );
        }
        // The partitions may also divide something else.
        for whole in [capacity, Config::new(300_000, 7, 1), Config::new(0, 300_000, 1172)] {
            assert_eq!(Chunk::WHOLE.config(&whole), whole);
        }
    }
}
