//! Stage *index*: a tree over boxes.
//!
//! Specification: `boxwood_cpu::specification::spatial::Index`.

use boxwood_cpu::Aabb;
use boxwood_cpu::specification::spatial::{Order, key_bits};
use boxwood_shaders::spatial::{
    self as shaders, IndexBounds, IndexKeys, IndexPack, IndexPackInner, IndexPackPaint,
};
use bytemuck::{Pod, Zeroable};

use super::check::check_items;
use super::count::{CountSlot, Counted, Items};
use super::error::SpatialError;
use super::sort::{Sort, Sorted};
use super::stage::{Stage, stage_methods};
use crate::core::context::Context;
use crate::core::plan::{Plan, Slot};

/// The number of boxes that a workgroup unites at a time, if there are few: 8 per invocation.
const UNITED_BOXES: u32 = 2048;

/// The maximum number of workgroups that unite boxes. Each invocation of the next dispatch unites
/// one result.
const MAX_UNIONS: u32 = 256;

/// The number of boxes of a workgroup of `index_keys`.
const KEYS_PER_WORKGROUP: u32 = 1024;

/// The number of nodes that a workgroup of `index_pack` unites, and the number of heights that it
/// packs: a node has four children, so that each height has a quarter of the nodes of the one
/// below.
const PACKED_NODES: u32 = 1024;
const PACKED_HEIGHTS: u32 = PACKED_NODES.ilog2() / 2;

/// The maximum number of boxes: a tree over them has the height 14, and `walk.wgsl` keeps four bits
/// per height in two words.
const MAX_BOXES: u64 = 1 << 28;

/// llvmpipe, Mesa's software Vulkan, stops an invocation after 65,535 rounds of loops in total. A
/// walk may use 65,000 of them. The rest is for other loops. Other software adapters have the same
/// limit here, because their own one is not known.
const MAX_SOFTWARE_ROUNDS: u64 = 65_000;

/// The number of walks of a workgroup, as in the shaders that import `walk.wgsl`. A workgroup takes
/// as long as the longest of its walks, so that it has few.
pub(super) const WALKS_PER_WORKGROUP: u32 = 64;

/// The parameters of a dispatch. `index_config.wgsl` has the same layout.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct IndexConfig {
    /// The number of boxes that the buffers have room for.
    pub capacity: u32,
    /// The word of the buffer of the count.
    pub count_word: u32,
    /// 32 minus the number of bits of a key.
    pub key_shift: u32,
    /// The number of workgroups that unite boxes.
    pub n_unions: u32,
    /// The height of the lowest nodes that a dispatch packs.
    pub base_height: u32,
    /// The size of a uniform is a multiple of 16 bytes.
    pub padding: [u32; 3],
}

/// Where the nodes of a tree are in the buffers [`Index::node_boxes`] and [`Index::node_spans`].
///
/// The root has the id 1, and the children of a node have the ids 4 id to 4 id + 3. The height of a
/// node is the number of levels below it. It covers 4^height places in a row. The leaves have the
/// height 0. Siblings exist together: those without leaves are [`Aabb::EMPTY`].
///
/// `packed_tree.wgsl` has the same layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct PackedTree {
    /// The height of the root. It depends on the capacity only, and is at least 1.
    pub height: u32,
    /// The slot of the first leaf. It is a multiple of 4. The slot of any other node is its id.
    pub first_leaf: u32,
    /// The slot of the first of the last siblings.
    pub last_siblings: u32,
    /// The size of a uniform is a multiple of 16 bytes.
    pub padding: u32,
}

impl PackedTree {
    /// The tree for up to `capacity` boxes, and its number of slots.
    fn new(capacity: u32) -> (Self, u64) {
        let height = capacity.max(2).next_power_of_two().ilog2().div_ceil(2);
        let n_siblings = |n: u64| n.div_ceil(4).max(1) * 4;
        // The nodes above the leaves have the ids from 4^(height - 1).
        let first_leaf = n_siblings((1 << (2 * (height - 1))) + u64::from(capacity).div_ceil(4));
        let n_slots = first_leaf + n_siblings(capacity.into());
        // Beyond `MAX_BOXES`, which is refused, a slot can exceed a u32.
        let [first_leaf, last_siblings] =
            [first_leaf, n_slots - 4].map(|slot| u32::try_from(slot).unwrap_or(u32::MAX));
        (Self { height, first_leaf, last_siblings, padding: 0 }, n_slots)
    }

    /// The maximum number of nodes above the leaves, each of which takes a round of a walk.
    fn n_inner(self, capacity: u32) -> u64 {
        (1..=self.height).map(|height| u64::from(capacity).div_ceil(1 << (2 * height))).sum()
    }

    /// The slot of a node, by its height and its place among the nodes of that height.
    pub fn slot(self, height: u32, place: u32) -> u32 {
        let first = if height == 0 { self.first_leaf } else { 1 << (2 * (self.height - height)) };
        first + place
    }
}

/// The stage with its buffers. Create it once per size.
///
/// It takes 36 to 54 bytes per box for the nodes, and 20 more if it sorts.
#[derive(Debug)]
pub struct Index {
    stage: Stage,
    tree: PackedTree,
    nodes: NodeSlots,
    /// The order of the leaves, unless it is the paint order.
    order: Option<LeafOrder>,
    /// The step of the recording at which the nodes are packed.
    first_pack: usize,
}

/// The buffers of a tree in a plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeSlots {
    pub(super) tree: Slot,
    pub(super) node_boxes: Slot,
    pub(super) node_spans: Slot,
}

/// The order of the leaves in a plan.
#[derive(Clone, Copy, Debug)]
struct LeafOrder {
    sorted: Sorted,
    bounds: Slot,
}

impl Index {
    /// Allocates and binds the buffers. `boxes` is an `array<vec4<f32>>`. `order` is the order of
    /// the leaves.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::TooLarge`] if `boxes` has no room for its capacity, or a result is larger
    ///   than a storage binding of the device.
    /// - [`SpatialError::TooManyItems`] for more than 2^28 boxes.
    pub fn new(context: &Context, boxes: Items<'_>, order: Order) -> Result<Self, SpatialError> {
        let capacity = boxes.capacity;
        check_items(capacity, MAX_BOXES)?;
        let mut plan = Plan::new("boxwood.spatial", ());
        let counted = boxes.add_to::<Aabb>(context, &mut plan, "boxes")?;
        let (tree, n_slots) = PackedTree::new(capacity);
        let nodes = NodeSlots {
            tree: plan.uniform("tree", &tree),
            node_boxes: plan.buffer::<Aabb>("node_boxes", n_slots),
            node_spans: plan.buffer::<[u32; 2]>("node_spans", n_slots),
        };
        let config = IndexConfig {
            capacity,
            count_word: counted.count.word,
            key_shift: u32::BITS - key_bits(capacity as usize),
            n_unions: capacity.div_ceil(UNITED_BOXES).clamp(1, MAX_UNIONS),
            base_height: 0,
            padding: [0; 3],
        };
        plan.begin("boxwood.index");
        let is_sorted = order != Order::Paint;
        let order = is_sorted.then(|| plan_sort(&mut plan, counted, order, &config));
        let first_pack = plan.n_steps();
        plan.begin("boxwood.refit");
        plan_pack(&mut plan, counted, tree.height, nodes, order, &config);
        plan.end();
        plan.end();
        Ok(Self { stage: Stage::new(context, plan, counted.count)?, tree, nodes, order, first_pack })
    }

    stage_methods!("boxes");

    /// Records the last part of the stage, which computes the nodes again for boxes that have
    /// changed since [`record`](Self::record). The order of the leaves and the bounds stay the
    /// same, so that queries are right, but slower if boxes have moved far. The number of boxes
    /// must stay the same.
    pub fn record_refit(&self, pass: &mut wgpu::ComputePass<'_>) {
        let program = &self.stage.program;
        // The last step ends the whole stage.
        program.record_steps(pass, self.first_pack..program.n_steps() - 1);
    }

    /// Adds the buffers of the tree to the plan of a stage that reads them.
    pub(super) fn add_to(&self, plan: &mut Plan<u32>) -> NodeSlots {
        let (_, n_slots) = PackedTree::new(self.capacity());
        NodeSlots {
            tree: plan.given::<PackedTree>("tree", &self.stage[self.nodes.tree], 1_u32),
            node_boxes: plan.given::<Aabb>("node_boxes", self.node_boxes(), n_slots),
            node_spans: plan.given::<[u32; 2]>("node_spans", self.node_spans(), n_slots),
        }
    }

    /// Adds the number of boxes to such a plan.
    pub(super) fn add_count_to(
        &self,
        context: &Context,
        plan: &mut Plan<u32>,
    ) -> Result<CountSlot, SpatialError> {
        self.stage.count().add_to(context, plan, self.capacity())
    }

    /// The maximum number of boxes.
    pub(super) fn capacity(&self) -> u32 {
        self.stage.count.capacity
    }

    /// Checks that no walk over the tree is cut off by a software adapter.
    pub(super) fn check_walk(&self, device: &wgpu::Device) -> Result<(), SpatialError> {
        let need = self.tree.n_inner(self.capacity());
        let is_software = device.adapter_info().device_type == wgpu::DeviceType::Cpu;
        if is_software && need > MAX_SOFTWARE_ROUNDS {
            return Err(SpatialError::TooManyRounds { need, limit: MAX_SOFTWARE_ROUNDS });
        }
        Ok(())
    }

    /// Where the nodes are.
    pub fn tree(&self) -> PackedTree {
        self.tree
    }

    /// Out: the union of the boxes below each node, `array<vec4<f32>>`.
    pub fn node_boxes(&self) -> &wgpu::Buffer {
        &self.stage[self.nodes.node_boxes]
    }

    /// Out: the smallest and the largest index of a box below each node, `array<vec2<u32>>`. Empty
    /// boxes do not count. A node without boxes has `u32::MAX` and 0.
    pub fn node_spans(&self) -> &wgpu::Buffer {
        &self.stage[self.nodes.node_spans]
    }

    /// Out: the index of the box of each leaf, `array<u32>`, unless the leaves are in paint order.
    pub fn permutation(&self) -> Option<&wgpu::Buffer> {
        self.order.map(|order| &self.stage[order.sorted.values])
    }

    /// Out: the keys of the leaves in ascending order, `array<u32>`, unless the leaves are in paint
    /// order.
    pub fn sorted_keys(&self) -> Option<&wgpu::Buffer> {
        self.order.map(|order| &self.stage[order.sorted.keys])
    }

    /// Out: the union of all boxes, one `vec4<f32>`, unless the leaves are in paint order.
    pub fn bounds(&self) -> Option<&wgpu::Buffer> {
        self.order.map(|order| &self.stage[order.bounds])
    }
}

/// Adds the dispatches that sort the boxes along a curve.
fn plan_sort(plan: &mut Plan<u32>, counted: Counted, order: Order, config: &IndexConfig) -> LeafOrder {
    let Counted { items: boxes, count } = counted;
    let (IndexConfig { capacity, n_unions, .. }, item_counts) = (*config, count.buffer);
    let config = plan.uniform("index_config", config);
    let unions = plan.buffer::<Aabb>("unions", n_unions);
    let keys = plan.buffer::<u32>("keys", capacity);
    let bounds = plan.buffer::<Aabb>("bounds", 1_u32);
    plan.dispatch(IndexBounds { config, item_counts, boxes, unions }, n_unions);
    let is_morton = order == Order::Morton;
    let shader = if is_morton { &shaders::INDEX_KEYS_MORTON } else { &shaders::INDEX_KEYS_HILBERT };
    let find_keys = IndexKeys { config, item_counts, boxes, unions, keys, bounds };
    plan.dispatch_with(shader, find_keys, capacity.div_ceil(KEYS_PER_WORKGROUP).max(1));
    let sorted = Sort::plan(plan, count.of(keys), None, key_bits(capacity as usize));
    LeafOrder { sorted, bounds }
}

/// Adds the dispatches that pack the boxes into nodes.
fn plan_pack(
    plan: &mut Plan<u32>,
    counted: Counted,
    height: u32,
    NodeSlots { tree, node_boxes, node_spans }: NodeSlots,
    order: Option<LeafOrder>,
    config: &IndexConfig,
) {
    let Counted { items: boxes, count: CountSlot { buffer: item_counts, .. } } = counted;
    let mut n_nodes = config.capacity;
    for base_height in (0..height).step_by(PACKED_HEIGHTS as usize) {
        let config = plan.uniform("index_config", &IndexConfig { base_height, ..*config });
        n_nodes = n_nodes.div_ceil(PACKED_NODES).max(1);
        match order {
            // Only the first dispatch collects boxes. The others read nodes of the one before.
            _ if base_height > 0 => {
                plan.dispatch(IndexPackInner { config, item_counts, node_boxes, node_spans, tree }, n_nodes);
            }
            Some(LeafOrder { sorted: Sorted { values: permutation, .. }, .. }) => {
                let pack =
                    IndexPack { config, item_counts, node_boxes, node_spans, boxes, permutation, tree };
                plan.dispatch(pack, n_nodes);
            }
            None => {
                let pack = IndexPackPaint { config, item_counts, node_boxes, node_spans, boxes, tree };
                plan.dispatch(pack, n_nodes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_of_different_nodes_differ() {
        for capacity in [0_u32, 1, 3, 4, 5, 16, 17, 255, 256, 257, 1024, 1025, 5000] {
            let (tree, n_slots) = PackedTree::new(capacity);
            let mut slots = Vec::new();
            let mut n_nodes = capacity;
            for height in 0..=tree.height {
                // Siblings exist together.
                let n = if height == tree.height { 1 } else { n_nodes.max(1).next_multiple_of(4) };
                slots.extend((0..n).map(|place| tree.slot(height, place)));
                n_nodes = n_nodes.div_ceil(4);
            }
            let n = slots.len();
            slots.sort_unstable();
            slots.dedup();
            assert_eq!(slots.len(), n, "capacity {capacity}");
            assert!(u64::from(slots[n - 1]) < n_slots, "capacity {capacity}");
        }
    }
}
