//! The sizes of the buffers and dispatches over the elements of a scene, or over a node stream.

use super::config::Config;
use super::limits::WORKGROUP_SIZE;
use super::plan::{Chunk, Plan, Slot, Workgroups};

/// The number of elements in a partition of the fused stage: four per invocation.
pub const PARTITION_LENGTH: u32 = 4 * WORKGROUP_SIZE;

/// The number of links that a round of pointer jumping from group to group covers.
pub const LINKS_PER_ROUND: u32 = 8;

/// The items that the workgroups of a dispatch share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// The elements of the scene, 256 per workgroup.
    Elements,
    /// The elements of the scene, 1024 per workgroup, four per invocation.
    ElementQuads,
    /// The partitions, one per workgroup.
    Partitions,
    /// The partitions, one per workgroup. Nothing to do if there is only one, since no node crosses
    /// partitions then.
    SeveralPartitions,
    /// The only partition. Nothing to do if there are several.
    OnlyPartition,
    /// The partitions, a group of 256 per workgroup.
    Groups,
    /// A single workgroup.
    Single,
}

impl Workgroups for Grid {
    type Size = Config;

    fn workgroups(&self, size: &Config) -> u32 {
        match self {
            Self::Elements => size.n_elements.div_ceil(WORKGROUP_SIZE),
            Self::ElementQuads => size.n_elements.div_ceil(PARTITION_LENGTH),
            Self::SeveralPartitions if size.n_partitions < 2 => 0,
            Self::OnlyPartition => u32::from(size.n_partitions == 1),
            Self::Partitions | Self::SeveralPartitions => size.n_partitions,
            Self::Groups => size.n_partitions.div_ceil(WORKGROUP_SIZE),
            Self::Single => 1,
        }
    }

    /// The number of pairs of rounds in which pointer jumping gets from any group of partitions to
    /// any other.
    fn n_repeats(size: &Config) -> u32 {
        let n_groups = size.n_partitions.div_ceil(WORKGROUP_SIZE).max(1);
        n_groups.next_power_of_two().ilog2().div_ceil(2 * LINKS_PER_ROUND.ilog2())
    }

    fn part_in(size: &Config, chunk: &Chunk) -> Option<Config> {
        // After the last entry of the node stream there may be partitions without entries.
        (chunk.first_entry <= size.n_entries).then(|| chunk.config(size))
    }

    fn is_empty(size: &Config) -> bool {
        size.n_elements == 0 && size.n_entries == 0
    }

    fn is_within(size: &Config, capacity: &Config) -> bool {
        size.n_elements <= capacity.n_elements
            && size.n_entries <= capacity.n_entries
            && size.n_partitions <= capacity.n_partitions
    }
}

impl Chunk {
    /// The configuration of the chunk's part of a scene. A shader that reads only its own partition
    /// runs on it as on a whole scene.
    pub(crate) fn config(&self, scene: &Config) -> Config {
        let n_partitions = scene.n_partitions.min(self.end_partition).saturating_sub(self.first_partition);
        let [first, end] =
            [self.first_partition, self.end_partition].map(|n| n.saturating_mul(PARTITION_LENGTH));
        let n_elements = scene.n_elements.min(end).saturating_sub(first);
        Config { n_elements, n_partitions, ..*scene }
    }
}

/// The element type of a buffer. A last incomplete quad or group counts as a whole one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Per {
    /// One item per element of the scene.
    Element,
    /// One item per four elements.
    ElementQuad,
    /// One item per four partitions of 1024 elements.
    FourElementPartitions,
    /// One item per entry of the node stream.
    Entry,
    /// One item per four entries of the node stream.
    EntryQuad,
    /// One item per 32 entries of the node stream.
    EntryWord,
    /// One item per partition.
    Partition,
    /// One item per slot of a slice of the fused stage. Each partition has 1024 slots.
    Slot,
    /// One item per group of 256 partitions.
    Group,
    /// One item per node of a binary tree over the partitions. Item 0 is unused.
    TreeNode,
}

impl Per {
    /// The number of items for a scene of this size.
    pub(crate) fn count(self, size: &Config) -> u32 {
        match self {
            Self::Element => size.n_elements,
            Self::ElementQuad => size.n_elements.div_ceil(4),
            Self::FourElementPartitions => size.n_elements.div_ceil(4 * PARTITION_LENGTH),
            Self::Entry => size.n_entries,
            Self::EntryQuad => size.n_entries.div_ceil(4),
            Self::EntryWord => size.n_entries.div_ceil(u32::BITS),
            Self::Partition => size.n_partitions,
            Self::Slot => PARTITION_LENGTH * size.n_partitions,
            Self::Group => size.n_partitions.div_ceil(WORKGROUP_SIZE),
            Self::TreeNode => 2 * size.n_tree_leaves,
        }
    }

    /// The number of bytes for the elements of a partition, or for as many entries, of items of
    /// `stride` bytes, unless such a buffer is not divided by partitions.
    fn bytes_per_partition(self, stride: usize) -> Option<u64> {
        // Some items belong to four partitions.
        let n = 4 * PARTITION_LENGTH;
        let size = Config { n_elements: n, n_entries: n, n_partitions: 4, n_tree_leaves: 0 };
        let is_divided = !matches!(self, Self::Group | Self::TreeNode);
        is_divided.then(|| u64::from(self.count(&size)) * stride as u64 / 4)
    }
}

impl Plan<Grid> {
    /// Adds a buffer with items of `Item`, for the largest input.
    pub(crate) fn per<Item>(&mut self, per: Per, name: &'static str) -> Slot {
        self.per_of_stride(per, name, size_of::<Item>())
    }

    /// Adds a buffer with items of `stride` bytes, for the largest input.
    pub(crate) fn per_of_stride(&mut self, per: Per, name: &'static str, stride: usize) -> Slot {
        let n_items = per.count(&self.capacity).into();
        self.array(name, n_items, stride, per.bytes_per_partition(stride))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_get_to_every_group() {
        let rounds = |n_groups: u32| 2 * Grid::n_repeats(&Config::new(0, 0, n_groups * WORKGROUP_SIZE));
        assert_eq!([1, 2, 64, 65, 4096, 4097].map(rounds), [0, 2, 2, 4, 4, 6]);
    }
}
