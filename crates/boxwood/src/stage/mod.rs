//! The schedule: which dispatches make a stage, and which buffers it fills.
//!
//! Buffers bear the names of the variables that the shaders bind, so a stage needs to list only what is its own.

pub mod bound;
pub mod clip;
pub mod compact;
pub mod r#match;
mod matching;
pub mod union;
mod window;

use boxwood_layout::{Config, WORKGROUP_SIZE};
use boxwood_shaders::Shader;

pub use self::matching::{DIRECT_MAX_ELEMENTS, Matching, SMALL_MAX_ELEMENTS, TWO_LEVEL_MAX_ELEMENTS};
pub(crate) use self::matching::{INPUTS, Plan};
pub use self::window::Axis;
pub(crate) use self::window::{WHOLE, WindowLengths, config_in, window_bytes};

/// A stage of the pipeline.
#[derive(Debug)]
pub struct Stage {
    /// Its name, as in the names of its modules, shaders and labels.
    pub name: &'static str,
    /// What it runs, in order.
    pub steps: &'static [Step],
    /// The buffers that it fills, its private ones included.
    pub buffers: &'static [BufferLayout],
}

/// A step of a stage.
#[derive(Debug)]
pub enum Step {
    /// A dispatch.
    Once(Dispatch),
    /// Two dispatches in turn, the one reading what the other writes, for as many rounds of pointer jumping as there are
    /// doublings from one group of 256 partitions to all of them. An even number, so that the second has the last word.
    Rounds([Dispatch; 2]),
}

/// A dispatch of a stage.
#[derive(Debug)]
pub struct Dispatch {
    /// What it runs.
    pub shader: &'static Shader,
    /// How many workgroups it takes.
    pub grid: Grid,
    /// The buffers of variables that are not called as their buffer is: the variable, then the buffer.
    pub bound_to: &'static [(&'static str, &'static str)],
    /// The variables that a window of their buffer is bound to at a time, and along what. The dispatch is run once a window, once
    /// a pair of windows along two axes. If `config` is among them, it is that of the window.
    pub windows: &'static [(&'static str, Axis)],
}

/// What the workgroups of a dispatch share out among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// The elements of the scene, 256 a workgroup.
    Elements,
    /// The same, 1024 a workgroup, four an invocation.
    ElementQuads,
    /// The partitions, of entries of the node stream or of elements, one a workgroup.
    Partitions,
    /// The same, unless there is but one partition, which has nothing in common with others.
    SeveralPartitions,
    /// The partitions, a group of 256 a workgroup.
    Groups,
    /// One workgroup does it all.
    Single,
}

/// The shape of a buffer.
#[derive(Debug)]
pub struct BufferLayout {
    /// The name of the variables that bind it.
    pub name: &'static str,
    /// What it has one item of.
    pub per: Per,
    /// Bytes of an item.
    pub stride: usize,
}

/// What a buffer has one item of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    /// Each element of the scene.
    Element,
    /// Each four elements of the scene, the last as well if they are fewer.
    ElementQuad,
    /// Each four partitions of 1024 elements, the last as well if they are fewer.
    FourElementPartitions,
    /// Each entry of the node stream.
    Node,
    /// Each four entries of the node stream, the last as well if they are fewer.
    NodeQuad,
    /// Each word of 32 bits, one an entry of the node stream.
    NodeWord,
    /// Each partition, of entries of the node stream or of elements.
    Partition,
    /// Each slot of the slices of a fused algorithm: as many as the elements of all partitions, were the last one full.
    Slot,
    /// Each group of 256 partitions.
    Group,
    /// Each node of a tree over the partitions, and one more.
    TreeNode,
}

impl Stage {
    /// Its dispatches, those of rounds once each.
    pub fn dispatches(&self) -> impl Iterator<Item = &Dispatch> {
        self.steps.iter().flat_map(|step| match step {
            Step::Once(dispatch) => std::slice::from_ref(dispatch),
            Step::Rounds(pair) => pair.as_slice(),
        })
    }

    /// What these run.
    pub(crate) fn shaders(&self) -> impl Iterator<Item = &'static Shader> {
        self.dispatches().map(|dispatch| dispatch.shader)
    }
}

impl Step {
    pub(crate) const fn once(shader: &'static Shader, grid: Grid) -> Self {
        Self::in_windows(shader, grid, &[])
    }

    pub(crate) const fn in_windows(
        shader: &'static Shader,
        grid: Grid,
        windows: &'static [(&'static str, Axis)],
    ) -> Self {
        Self::Once(Dispatch { shader, grid, bound_to: &[], windows })
    }
}

impl Dispatch {
    /// The name of the buffer that a variable of its shader is bound to.
    pub(crate) fn buffer_of<'a>(&self, variable: &'a str) -> &'a str {
        self.bound_to.iter().find(|(v, _)| *v == variable).map_or(variable, |(_, buffer)| buffer)
    }

    /// Along what a variable is bound in windows, if it is.
    pub(crate) fn axis_of(&self, variable: &str) -> Option<Axis> {
        self.windows.iter().find(|(v, _)| *v == variable).map(|&(_, axis)| axis)
    }
}

impl BufferLayout {
    /// The size of the buffer for a scene of this size. A binding of a runtime-sized array has room for one item at least.
    pub fn bytes(&self, config: &Config) -> u64 {
        self.stride as u64 * self.per.count(config).max(1) as u64
    }
}

impl Per {
    /// How many items a buffer has for a scene of this size.
    pub fn count(self, config: &Config) -> usize {
        let count = match self {
            Self::Element => config.n_elements,
            Self::ElementQuad => config.n_elements.div_ceil(4),
            Self::FourElementPartitions => config.n_elements.div_ceil(4 * bound::PARTITION_LENGTH),
            Self::Node => config.n_nodes,
            Self::NodeQuad => config.n_nodes.div_ceil(4),
            Self::NodeWord => config.n_nodes.div_ceil(u32::BITS),
            Self::Partition => config.n_partitions,
            Self::Slot => bound::PARTITION_LENGTH * config.n_partitions,
            Self::Group => config.n_partitions.div_ceil(WORKGROUP_SIZE),
            Self::TreeNode => 2 * config.n_tree_leaves,
        };
        count as usize
    }
}

impl Grid {
    /// The workgroups in x, y and z, no more than `max_per_dimension` in any; none at all where there is nothing to do.
    ///
    /// The grid of a large scene has more workgroups than it has partitions, in a last row that is not full.
    pub fn workgroups(self, config: &Config, max_per_dimension: u32) -> Option<[u32; 3]> {
        let n = match self {
            Self::Elements => config.n_elements.div_ceil(WORKGROUP_SIZE),
            Self::ElementQuads => config.n_elements.div_ceil(bound::PARTITION_LENGTH),
            Self::SeveralPartitions if config.n_partitions < 2 => 0,
            Self::Partitions | Self::SeveralPartitions => config.n_partitions,
            Self::Groups => config.n_partitions.div_ceil(WORKGROUP_SIZE),
            Self::Single => 1,
        };
        let rows = n.div_ceil(max_per_dimension);
        (n > 0).then(|| [n.div_ceil(rows), rows, 1])
    }
}

/// How many pairs of rounds of pointer jumping reach from any group of partitions to any other.
pub(crate) fn pairs_of_rounds(config: &Config) -> u32 {
    let n_groups = config.n_partitions.div_ceil(WORKGROUP_SIZE).max(1);
    n_groups.next_power_of_two().ilog2().div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_grids_have_rows() {
        let grid = |n_partitions: u32| {
            Grid::Elements.workgroups(&Config::new(n_partitions * WORKGROUP_SIZE, 0, 0), 65_535)
        };
        assert_eq!(grid(0), None);
        assert_eq!(grid(65_535), Some([65_535, 1, 1]));
        assert_eq!(grid(65_536), Some([32_768, 2, 1]));
        assert_eq!(grid(1_000_001), Some([62_501, 16, 1]));
    }

    #[test]
    fn rounds_reach_every_group() {
        let rounds = |n_groups: u32| 2 * pairs_of_rounds(&Config::new(0, 0, n_groups * WORKGROUP_SIZE));
        assert_eq!([1, 2, 3, 4, 5, 16, 17, 256].map(rounds), [0, 2, 2, 2, 4, 4, 6, 8]);
    }
}
