//! The schedule of a stage: its dispatches, and the buffers that it fills.
//!
//! A buffer has the name of the shader variables that bind it, so a schedule lists only the
//! exceptions.

use boxwood_shaders::Shader;

use super::config::Config;
use super::limits::WORKGROUP_SIZE;

/// The number of elements in a partition of the fused stage: four per invocation.
pub const PARTITION_LENGTH: u32 = 4 * WORKGROUP_SIZE;

/// The name of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StageName {
    /// Extracts the node stream from the draw tags.
    Compact,
    /// Finds the parent and the partner of each entry of the node stream.
    Link,
    /// Computes clip boxes and clipped boxes.
    Clip,
    /// Computes group boxes.
    Union,
    /// Does the work of *link*, *clip*, and *union* together.
    Fused,
    /// Matches parentheses, without a scene.
    Match,
    /// Scans values along the path from the root.
    ScanDown,
    /// Scans values over each subtree.
    ScanUp,
    /// Computes the boxes of paths.
    Paths,
}

impl StageName {
    /// The name in labels, tables, and files of shaders.
    pub fn label(self) -> &'static str {
        match self {
            Self::Compact => "compact",
            Self::Link => "link",
            Self::Clip => "clip",
            Self::Union => "union",
            Self::Fused => "fused",
            Self::Match => "match",
            Self::ScanDown => "scan_down",
            Self::ScanUp => "scan_up",
            Self::Paths => "paths",
        }
    }
}

/// A stage of the pipeline.
#[derive(Debug)]
pub struct Stage {
    /// Its name.
    pub name: StageName,
    /// The dispatches, in order.
    pub dispatches: &'static [Dispatch],
    /// The buffers that it fills, including the ones that only its own dispatches read.
    pub buffers: &'static [BufferLayout],
}

/// The axis along which an array is divided into chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The partitions that have workgroups.
    Partitions,
    /// The partitions whose data these workgroups read. None of them is after the workgroup's own
    /// partition.
    Sources,
    /// The entries of the node stream. None of them belongs to a partition after the workgroup's
    /// own.
    Entries,
}

/// Variables of a shader whose name differs from that of their buffer: the variable, then the
/// buffer.
pub type Renamed = &'static [(&'static str, &'static str)];

/// The variables of a shader that bind one chunk of their buffer at a time, by the axis of the
/// chunks.
pub type Chunked = &'static [(Axis, &'static [&'static str])];

/// A dispatch of a stage.
#[derive(Clone, Copy, Debug)]
pub struct Dispatch {
    /// The shader.
    pub shader: &'static Shader,
    /// The number of workgroups.
    pub grid: Grid,
    /// The variables whose name differs from that of their buffer.
    pub renamed: Renamed,
    /// The renamed variables of every second round, if the dispatch runs in rounds of pointer
    /// jumping. Each round reads the output of the one before.
    ///
    /// The number of rounds is even, so that a second round writes the result.
    pub second_round: Option<Renamed>,
    /// The variables that bind one chunk of their buffer at a time, and the axis of the chunks.
    /// None of them is renamed.
    ///
    /// The dispatch runs once per chunk, or once per pair of chunks along two axes. A `config`
    /// among them is that of the chunk.
    pub chunked: Chunked,
}

/// What the workgroups of a dispatch divide among them.
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

/// The size of a buffer.
#[derive(Debug)]
pub struct BufferLayout {
    /// The name of the variables that bind the buffer.
    pub name: &'static str,
    /// What the buffer has one item per.
    pub per: Per,
    /// Bytes per item.
    pub stride: usize,
}

/// What a buffer has one item per. A last incomplete quad or group counts as a whole one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
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

impl Stage {
    /// The shaders of the dispatches.
    pub(crate) fn shaders(&self) -> impl Iterator<Item = &'static Shader> {
        self.dispatches.iter().map(|dispatch| dispatch.shader)
    }
}

impl Dispatch {
    /// A dispatch that runs once, over whole buffers with the names of the shader's variables.
    pub(crate) const fn new(shader: &'static Shader, grid: Grid) -> Self {
        Self { shader, grid, renamed: &[], second_round: None, chunked: &[] }
    }

    /// The same with renamed variables.
    pub(crate) const fn renamed(self, renamed: Renamed) -> Self {
        Self { renamed, ..self }
    }

    /// The same in rounds. Each list renames the variables in every other round.
    pub(crate) const fn in_rounds(self, [first, second]: [Renamed; 2]) -> Self {
        Self { renamed: first, second_round: Some(second), ..self }
    }

    /// The same on chunks of arrays.
    pub(crate) const fn in_chunks(self, chunked: Chunked) -> Self {
        Self { chunked, ..self }
    }

    /// The renamed variables of each round of a pair, or of the only one.
    pub fn rounds(&self) -> impl Iterator<Item = Renamed> {
        std::iter::once(self.renamed).chain(self.second_round)
    }

    /// How often the pair of rounds, or the only one, runs.
    pub(crate) fn repeats(&self, config: &Config) -> u32 {
        if self.second_round.is_some() { pairs_of_rounds(config) } else { 1 }
    }

    /// Whether a variable binds a buffer as a whole.
    pub(crate) fn binds_whole(&self, buffer: &str) -> bool {
        let binds = |renamed| self.shader.bindings.iter().any(|own| buffer_of(renamed, own.name) == buffer);
        self.axis_of(buffer).is_none() && self.rounds().any(binds)
    }

    /// The variables that bind chunks, and the axis of each.
    pub fn chunked_variables(&self) -> impl Iterator<Item = (&'static str, Axis)> {
        self.chunked.iter().flat_map(|&(axis, variables)| variables.iter().map(move |name| (*name, axis)))
    }

    /// The axis along which a variable binds chunks, if it does.
    pub(crate) fn axis_of(&self, variable: &str) -> Option<Axis> {
        self.chunked_variables().find(|(name, _)| *name == variable).map(|(_, axis)| axis)
    }
}

/// The name of the buffer that a variable binds.
pub fn buffer_of(renamed: Renamed, variable: &str) -> &str {
    renamed.iter().find(|(own, _)| *own == variable).map_or(variable, |(_, buffer)| buffer)
}

impl BufferLayout {
    /// A buffer with items of `T`.
    pub(crate) const fn of<T>(name: &'static str, per: Per) -> Self {
        Self::new(name, per, size_of::<T>())
    }

    /// A buffer with items of `stride` bytes.
    pub(crate) const fn new(name: &'static str, per: Per, stride: usize) -> Self {
        Self { name, per, stride }
    }

    /// The size of the buffer for a scene of this size. wgpu rejects empty bindings, so there is
    /// room for at least one item.
    pub fn bytes(&self, config: &Config) -> u64 {
        self.stride as u64 * self.per.count(config).max(1) as u64
    }
}

impl Per {
    /// The number of items for a scene of this size.
    pub fn count(self, config: &Config) -> usize {
        let count = match self {
            Self::Element => config.n_elements,
            Self::ElementQuad => config.n_elements.div_ceil(4),
            Self::FourElementPartitions => config.n_elements.div_ceil(4 * PARTITION_LENGTH),
            Self::Entry => config.n_entries,
            Self::EntryQuad => config.n_entries.div_ceil(4),
            Self::EntryWord => config.n_entries.div_ceil(u32::BITS),
            Self::Partition => config.n_partitions,
            Self::Slot => PARTITION_LENGTH * config.n_partitions,
            Self::Group => config.n_partitions.div_ceil(WORKGROUP_SIZE),
            Self::TreeNode => 2 * config.n_tree_leaves,
        };
        count as usize
    }
}

impl Grid {
    /// The number of workgroups.
    pub fn workgroups(self, config: &Config) -> u32 {
        match self {
            Self::Elements => config.n_elements.div_ceil(WORKGROUP_SIZE),
            Self::ElementQuads => config.n_elements.div_ceil(PARTITION_LENGTH),
            Self::SeveralPartitions if config.n_partitions < 2 => 0,
            Self::OnlyPartition => u32::from(config.n_partitions == 1),
            Self::Partitions | Self::SeveralPartitions => config.n_partitions,
            Self::Groups => config.n_partitions.div_ceil(WORKGROUP_SIZE),
            Self::Single => 1,
        }
    }
}

/// The number of links that a round of pointer jumping from group to group covers.
pub const LINKS_PER_ROUND: u32 = 8;

/// The number of pairs of rounds in which pointer jumping gets from any group of partitions to any
/// other.
fn pairs_of_rounds(config: &Config) -> u32 {
    let n_groups = config.n_partitions.div_ceil(WORKGROUP_SIZE).max(1);
    n_groups.next_power_of_two().ilog2().div_ceil(2 * LINKS_PER_ROUND.ilog2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_get_to_every_group() {
        let rounds = |n_groups: u32| 2 * pairs_of_rounds(&Config::new(0, 0, n_groups * WORKGROUP_SIZE));
        assert_eq!([1, 2, 64, 65, 4096, 4097].map(rounds), [0, 2, 2, 4, 4, 6]);
    }
}
