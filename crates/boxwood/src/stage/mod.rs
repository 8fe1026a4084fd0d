//! The schedule: which dispatches make a stage, and which buffers it fills.
//!
//! Buffers bear the names of the variables that the shaders bind, so a stage needs to list only what is its own.

pub mod bound;
pub mod clip;
pub mod compact;
pub mod r#match;
pub mod union;

use boxwood_layout::{Config, Limits, SIMPLE_MAX_NODES, WORKGROUP_SIZE};
use boxwood_shaders::Shader;

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

/// The largest scene of the fused algorithm in two levels: a workgroup holds one partition an invocation.
pub const TWO_LEVEL_MAX_ELEMENTS: u32 = bound::PARTITION_LENGTH * WORKGROUP_SIZE;

/// The largest scene of the fused algorithm for small ones: a workgroup holds one partition an invocation.
pub const SMALL_MAX_ELEMENTS: u32 = WORKGROUP_SIZE * WORKGROUP_SIZE;

/// The largest scene of the one for smaller ones: a workgroup reads 16 elements an invocation.
pub const DIRECT_MAX_ELEMENTS: u32 = 16 * WORKGROUP_SIZE;

/// How the tree of begins and ends is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Matching {
    /// Stage after stage, each in two levels: a workgroup sees every partition. For node streams of up to [`SIMPLE_MAX_NODES`]
    /// entries.
    ///
    /// Source: Levien 2022, section 7.
    Simple,
    /// All stages in one, an element an invocation, for up to [`DIRECT_MAX_ELEMENTS`] elements: two dispatches.
    Direct,
    /// The same for up to [`SMALL_MAX_ELEMENTS`] elements: three dispatches, or two for a scene of up to 256.
    Small,
    /// All stages but the first in one, in two levels, for up to [`TWO_LEVEL_MAX_ELEMENTS`] elements.
    TwoLevel,
    /// The same for any number of elements: a begin is found by its depth, in the last partition before that goes as low,
    /// which a tree of least depths tells.
    Hierarchical,
}

impl Matching {
    /// Every way.
    pub const ALL: [Self; 5] = [Self::Simple, Self::Direct, Self::Small, Self::TwoLevel, Self::Hierarchical];

    /// A short name, for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Direct => "direct",
            Self::Small => "small",
            Self::TwoLevel => "two_level",
            Self::Hierarchical => "hierarchical",
        }
    }

    /// The largest scene that it can hold. A device may hold less.
    pub fn limits(self) -> Limits {
        let any = i32::MAX as u64;
        match self {
            Self::Simple => Limits { max_elements: any, max_nodes: SIMPLE_MAX_NODES.into() },
            Self::Direct => Limits { max_elements: DIRECT_MAX_ELEMENTS.into(), max_nodes: any },
            Self::Small => Limits { max_elements: SMALL_MAX_ELEMENTS.into(), max_nodes: any },
            Self::TwoLevel => Limits { max_elements: TWO_LEVEL_MAX_ELEMENTS.into(), max_nodes: any },
            Self::Hierarchical => Limits { max_elements: any, max_nodes: any },
        }
    }

    /// The largest scene that it can hold on a device with these limits: the slices of a fused algorithm take whole partitions.
    pub fn limits_on(self, device: Limits) -> Limits {
        let own = self.limits();
        let whole = match self {
            Self::Simple | Self::Direct | Self::Small => 1,
            Self::TwoLevel | Self::Hierarchical => u64::from(bound::PARTITION_LENGTH),
        };
        Limits {
            max_elements: own.max_elements.min(device.max_elements / whole * whole),
            max_nodes: own.max_nodes.min(device.max_nodes),
        }
    }

    /// The configuration of a scene of this size.
    pub(crate) fn config(self, n_elements: u32, n_nodes: u32) -> Config {
        match self {
            Self::Simple => Config::new(n_elements, n_nodes, n_nodes.div_ceil(WORKGROUP_SIZE)),
            Self::Direct | Self::Small => {
                Config::new(n_elements, n_nodes, n_elements.div_ceil(WORKGROUP_SIZE))
            }
            Self::TwoLevel | Self::Hierarchical => {
                Config::new(n_elements, n_nodes, n_elements.div_ceil(bound::PARTITION_LENGTH))
            }
        }
    }

    /// The stages that it takes, in order.
    pub fn stages(self) -> &'static [&'static Stage] {
        static SIMPLE: [&Stage; 4] = [&compact::STAGE, &r#match::SIMPLE, &clip::SIMPLE, &union::SIMPLE];
        static DIRECT: [&Stage; 1] = [&bound::DIRECT];
        static SMALL: [&Stage; 1] = [&bound::SMALL];
        static TWO_LEVEL: [&Stage; 2] = [&compact::STAGE, &bound::TWO_LEVEL];
        static HIERARCHICAL: [&Stage; 2] = [&compact::STAGE, &bound::HIERARCHICAL];
        match self {
            Self::Simple => &SIMPLE,
            Self::Direct => &DIRECT,
            Self::Small => &SMALL,
            Self::TwoLevel => &TWO_LEVEL,
            Self::Hierarchical => &HIERARCHICAL,
        }
    }
}

impl Stage {
    /// Its dispatches, those of rounds once each.
    pub fn dispatches(&self) -> impl Iterator<Item = &Dispatch> {
        self.steps.iter().flat_map(|step| match step {
            Step::Once(dispatch) => std::slice::from_ref(dispatch),
            Step::Rounds(pair) => pair.as_slice(),
        })
    }
}

impl Step {
    pub(crate) const fn once(shader: &'static Shader, grid: Grid) -> Self {
        Self::Once(Dispatch { shader, grid, bound_to: &[] })
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
    fn every_buffer_of_the_largest_scene_fits_a_binding() {
        for max_binding in [1 << 27, (1 << 31) - 1, (1 << 31) - 16 * 1500] {
            for matching in Matching::ALL {
                let limits = matching.limits_on(Limits::with_binding_size(max_binding));
                let n_elements = u32::try_from(limits.max_elements).expect("it is within i32");
                let n_nodes = u32::try_from(limits.max_nodes.min(limits.max_elements)).expect("likewise");
                let config = matching.config(n_elements, n_nodes);
                for layout in matching.stages().iter().flat_map(|stage| stage.buffers) {
                    let size = (layout.stride * layout.per.count(&config)) as u64;
                    assert!(size <= max_binding, "{matching:?}: {} takes {size} bytes", layout.name);
                }
            }
        }
    }

    #[test]
    fn rounds_reach_every_group() {
        let rounds = |n_groups: u32| 2 * pairs_of_rounds(&Config::new(0, 0, n_groups * WORKGROUP_SIZE));
        assert_eq!([1, 2, 3, 4, 5, 16, 17, 256].map(rounds), [0, 2, 2, 2, 4, 4, 6, 8]);
    }
}
