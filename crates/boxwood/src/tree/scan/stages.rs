//! The stages of a tree scan, and the buffers of values.

use boxwood_cpu::Entry;
use boxwood_shaders::Shader;
use boxwood_shaders::tree::{
    ScanDownEnclosing, ScanDownEnclosingJump, ScanDownFinish, ScanDownReduce, ScanUpFinish, ScanUpReduce,
    ScanUpTree, ScanUpTreeTop,
};

use crate::core::WORKGROUP_SIZE;
use crate::core::config::Config;
use crate::core::grid::{Grid, Per};
use crate::core::plan::{Plan, Slot};
use crate::tree::link::{self, Link};

/// The stages of a tree scan, with its inputs and results.
#[derive(Debug)]
pub(super) struct ScanPlan {
    pub(super) plan: Plan<Grid>,
    pub(super) slots: ScanSlots,
}

/// The inputs and results of a tree scan.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScanSlots {
    config: Slot,
    pub(super) entries: Slot,
    pub(super) values: Slot,
    pub(super) links: Slot,
    pub(super) down: Slot,
    pub(super) up: Slot,
}

impl ScanPlan {
    /// The stages for up to `n_entries` entries, with values of `stride` bytes.
    pub(super) fn new(stride: usize, n_entries: u32) -> Self {
        let mut plan = Plan::new("boxwood.tree", config(n_entries));
        let config = plan.size_uniform("config");
        let entries = plan.per::<Entry>(Per::Entry, "entries");
        let mut values_per = |per, name| plan.per_of_stride(per, name, stride);
        let values = values_per(Per::Entry, "values");
        let (down, up) = (values_per(Per::Entry, "down"), values_per(Per::Entry, "up"));
        let link = link::plan(&mut plan, config, entries);
        let slots = ScanSlots { config, entries, values, links: link.links, down, up };
        plan_down(&mut plan, stride, slots, link);
        plan_up(&mut plan, stride, slots);
        Self { plan, slots }
    }

    /// The shaders of the dispatches.
    pub(super) fn shaders() -> impl Iterator<Item = &'static Shader> {
        let shaders: Vec<_> = Self::new(4, 1).plan.dispatches().map(|dispatch| dispatch.shader).collect();
        shaders.into_iter()
    }
}

/// The size of a node stream.
pub(super) fn config(n_entries: u32) -> Config {
    Config::of_entries(n_entries, WORKGROUP_SIZE)
}

/// Adds the products along the path from the root, by stack slices and pointer jumping.
fn plan_down(plan: &mut Plan<Grid>, stride: usize, slots: ScanSlots, link: Link) {
    let ScanSlots { config, entries, values, links, down, .. } = slots;
    let Link { partition_bics, slices, spine, .. } = link;
    let slice_products = plan.per_of_stride(Per::Entry, "slice_products", stride);
    let products = ["enclosing_products", "other_entry_products"]
        .map(|name| plan.per_of_stride(Per::Partition, name, stride));
    let enclosing_links =
        ["enclosing_links", "other_entry_links"].map(|name| plan.per::<i32>(Per::Partition, name));
    plan.begin("boxwood.scan_down");
    let reduce = ScanDownReduce { config, values, partition_bics, slices, slice_products };
    plan.dispatch(reduce, Grid::Partitions);
    let enclosing = ScanDownEnclosing {
        config,
        partition_depths: spine.depths,
        slices,
        slice_products,
        chain_products: products[0],
        enclosing_links: enclosing_links[0],
        depth_tree: spine.depth_tree,
    };
    plan.dispatch(enclosing, Grid::Groups);
    let jump = |from: usize, to: usize| ScanDownEnclosingJump {
        config,
        products_before: products[from],
        links_before: enclosing_links[from],
        products_after: products[to],
        links_after: enclosing_links[to],
    };
    // Rounds run in pairs, so that the result is in the first buffers.
    plan.dispatch_in_rounds([jump(0, 1), jump(1, 0)], Grid::Groups);
    let finish = ScanDownFinish {
        config,
        entries,
        values,
        slice_products,
        enclosing_products: products[0],
        links,
        chain_products: down,
    };
    plan.dispatch(finish, Grid::Partitions);
    plan.end();
}

/// Adds the products over a range of the node stream, by trees over entries and over partitions.
fn plan_up(plan: &mut Plan<Grid>, stride: usize, slots: ScanSlots) {
    let ScanSlots { config, entries, values, links, up, .. } = slots;
    let suffix_products = plan.per_of_stride(Per::Entry, "suffix_products", stride);
    let product_tree = plan.per_of_stride(Per::TreeNode, "product_tree", stride);
    let entry_trees = plan.per_of_stride(Per::Partition, "entry_trees", stride * WORKGROUP_SIZE as usize);
    plan.begin("boxwood.scan_up");
    plan.dispatch(ScanUpReduce { config, entries, values, suffix_products }, Grid::Partitions);
    plan.dispatch(ScanUpTree { config, suffix_products, product_tree }, Grid::Groups);
    plan.dispatch(ScanUpTreeTop { config, product_tree }, Grid::Single);
    let finish =
        ScanUpFinish { config, entries, values, links, suffix_products, product_tree, entry_trees, up };
    plan.dispatch(finish, Grid::Partitions);
    plan.end();
}
