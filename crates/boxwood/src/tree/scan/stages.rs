//! The stages of a tree scan, and the buffers of values.

use boxwood_cpu::Entry;
use boxwood_shaders::tree as shaders;

use crate::core::WORKGROUP_SIZE;
use crate::core::schedule::{BufferLayout, Dispatch, Grid, Per, Stage, StageName};
use crate::tree::link;

/// The stages of a tree scan, in order.
///
/// Their lists of buffers do not include those of values, whose items are as large as the caller's
/// monoid.
pub static STAGES: [&Stage; 3] = [&link::STAGE, &DOWN, &UP];

/// Products along the path from the root, by stack slices and pointer jumping.
static DOWN: Stage = Stage {
    name: StageName::ScanDown,
    dispatches: &[
        Dispatch::new(&shaders::SCAN_DOWN_REDUCE, Grid::Partitions),
        Dispatch::new(&shaders::SCAN_DOWN_ENCLOSING, Grid::Groups)
            .renamed(&[("chain_products", "enclosing_products")]),
        Dispatch::new(&shaders::SCAN_DOWN_ENCLOSING_JUMP, Grid::Groups).in_rounds([
            &[
                ("products_before", "enclosing_products"),
                ("links_before", "enclosing_links"),
                ("products_after", "other_entry_products"),
                ("links_after", "other_entry_links"),
            ],
            &[
                ("products_before", "other_entry_products"),
                ("links_before", "other_entry_links"),
                ("products_after", "enclosing_products"),
                ("links_after", "enclosing_links"),
            ],
        ]),
        Dispatch::new(&shaders::SCAN_DOWN_FINISH, Grid::Partitions).renamed(&[("chain_products", "down")]),
    ],
    buffers: &[
        BufferLayout::of::<i32>("enclosing_links", Per::Partition),
        BufferLayout::of::<i32>("other_entry_links", Per::Partition),
    ],
};

/// Products over a range of the node stream, by trees over entries and over partitions.
static UP: Stage = Stage {
    name: StageName::ScanUp,
    dispatches: &[
        Dispatch::new(&shaders::SCAN_UP_REDUCE, Grid::Partitions),
        Dispatch::new(&shaders::SCAN_UP_TREE, Grid::Groups),
        Dispatch::new(&shaders::SCAN_UP_TREE_TOP, Grid::Single),
        Dispatch::new(&shaders::SCAN_UP_FINISH, Grid::Partitions),
    ],
    buffers: &[],
};

/// The buffers for values of `stride` bytes, and the node stream.
pub(super) fn buffers_for(stride: usize) -> [BufferLayout; 10] {
    let values = |name, per| BufferLayout::new(name, per, stride);
    [
        values("values", Per::Entry),
        values("slice_products", Per::Entry),
        values("enclosing_products", Per::Partition),
        values("other_entry_products", Per::Partition),
        values("down", Per::Entry),
        values("suffix_products", Per::Entry),
        values("product_tree", Per::TreeNode),
        BufferLayout::new("entry_trees", Per::Partition, stride * WORKGROUP_SIZE as usize),
        values("up", Per::Entry),
        BufferLayout::of::<Entry>("entries", Per::Entry),
    ]
}
