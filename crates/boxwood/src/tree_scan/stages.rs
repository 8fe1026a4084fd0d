//! The dispatches of a tree scan after matching, which is that of the box pipeline, and the buffers of values.

use boxwood_layout::{Node, WORKGROUP_SIZE};
use boxwood_shaders::SHADERS;

use crate::stage::{BufferLayout, Dispatch, Grid, Per, Stage, Step, r#match};

/// What a tree scan runs, in order. The buffers of values are not among those of the stages, as they are as large as the caller
/// wants: see `value_buffers`.
pub static STAGES: [&Stage; 3] = [&r#match::HIERARCHICAL, &DOWN, &UP];

/// Products along the path from the root: by stack slices and pointer jumping, as clip boxes.
static DOWN: Stage = Stage {
    name: "tree_scan_down",
    steps: &[
        Step::once(&SHADERS.tree_scan_down_reduce, Grid::Partitions),
        Step::once(&SHADERS.tree_scan_down_entry, Grid::Groups),
        Step::Rounds([
            Dispatch {
                shader: &SHADERS.tree_scan_down_entry_jump,
                grid: Grid::Groups,
                bound_to: &[
                    ("products_before", "entry_products"),
                    ("links_before", "entry_links"),
                    ("products_after", "other_entry_products"),
                    ("links_after", "other_entry_links"),
                ],
                windows: &[],
            },
            Dispatch {
                shader: &SHADERS.tree_scan_down_entry_jump,
                grid: Grid::Groups,
                bound_to: &[
                    ("products_before", "other_entry_products"),
                    ("links_before", "other_entry_links"),
                    ("products_after", "entry_products"),
                    ("links_after", "entry_links"),
                ],
                windows: &[],
            },
        ]),
        Step::once(&SHADERS.tree_scan_down_leaf, Grid::Partitions),
    ],
    buffers: &[
        BufferLayout { name: "entry_links", per: Per::Partition, stride: 4 },
        BufferLayout { name: "other_entry_links", per: Per::Partition, stride: 4 },
    ],
};

/// Products over a range of the node stream: by trees over entries and partitions, as group boxes.
static UP: Stage = Stage {
    name: "tree_scan_up",
    steps: &[
        Step::once(&SHADERS.tree_scan_up_reduce, Grid::Partitions),
        Step::once(&SHADERS.tree_scan_up_tree_leaf, Grid::Groups),
        Step::once(&SHADERS.tree_scan_up_tree_top, Grid::Single),
        Step::once(&SHADERS.tree_scan_up_leaf, Grid::Partitions),
    ],
    buffers: &[],
};

/// The node stream as the host uploads it.
pub(super) const NODES: BufferLayout =
    BufferLayout { name: "nodes", per: Per::Node, stride: size_of::<Node>() };

/// The buffers of values of `stride` bytes: what the host uploads, the results, and what the stages keep for themselves.
pub(super) fn value_buffers(stride: usize) -> [BufferLayout; 9] {
    let of_values = |name, per| BufferLayout { name, per, stride };
    [
        of_values("values", Per::Node),
        of_values("slice_products", Per::Node),
        of_values("entry_products", Per::Partition),
        of_values("other_entry_products", Per::Partition),
        of_values("down", Per::Node),
        of_values("suffix_products", Per::Node),
        of_values("product_tree", Per::TreeNode),
        BufferLayout { name: "entry_trees", per: Per::Partition, stride: stride * WORKGROUP_SIZE as usize },
        of_values("up", Per::Node),
    ]
}
