//! Stage *index*: a tree over boxes.
//!
//! Specification: `boxwood_cpu::specification::spatial::Index`.

use boxwood_cpu::Aabb;
use boxwood_cpu::specification::spatial::{Order, key_bits};
use boxwood_shaders::{Shader, spatial as shaders};
use bytemuck::{Pod, Zeroable};

use super::SpatialError;
use super::check::{check_items, check_result};
use super::count::{CountBuffer, Items};
use super::result::{no_buffer, result_buffer};
use super::sort::Sort;
use crate::core::context::Context;
use crate::core::kernel::BoundKernel;
use crate::core::limits::max_binding_size;
use crate::core::program::{one_binding, uniform};

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
    pub(super) count: CountBuffer,
    tree: PackedTree,
    tree_config: wgpu::Buffer,
    bounds: wgpu::Buffer,
    node_boxes: wgpu::Buffer,
    node_spans: wgpu::Buffer,
    keys: Vec<(BoundKernel, u32)>,
    sort: Option<Sort>,
    pack: Vec<(BoundKernel, u32)>,
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
        let device = context.device();
        let capacity = boxes.capacity;
        let binding = max_binding_size(&device.limits());
        boxes.check::<Aabb>("boxes", binding)?;
        check_items(capacity, MAX_BOXES)?;
        let (tree, n_slots) = PackedTree::new(capacity);
        check_result::<Aabb>("node_boxes", n_slots, binding)?;
        let count = boxes.count_buffer(device)?;

        let node_boxes = result_buffer::<Aabb>(device, "node_boxes", n_slots)?;
        let node_spans = result_buffer::<[u32; 2]>(device, "node_spans", n_slots)?;
        let bounds = result_buffer::<Aabb>(device, "bounds", 1_u32)?;
        let tree_config = uniform(device, "boxwood.spatial.tree", &tree);
        let bits = key_bits(capacity as usize);
        let config = IndexConfig {
            capacity,
            count_word: count.word,
            key_shift: u32::BITS - bits,
            n_unions: capacity.div_ceil(UNITED_BOXES).clamp(1, MAX_UNIONS),
            base_height: 0,
            padding: [0; 3],
        };
        let mut index = Self {
            count,
            tree,
            tree_config,
            bounds,
            node_boxes,
            node_spans,
            keys: Vec::new(),
            sort: None,
            pack: Vec::new(),
        };
        if order != Order::Paint {
            index.bind_sort(context, boxes.buffer, order, &config)?;
        }
        index.bind_pack(context, boxes.buffer, &config);
        Ok(index)
    }

    /// Binds the dispatches that sort the boxes along a curve.
    fn bind_sort(
        &mut self,
        context: &Context,
        boxes: &wgpu::Buffer,
        order: Order,
        config: &IndexConfig,
    ) -> Result<(), SpatialError> {
        let device = context.device();
        let IndexConfig { capacity, n_unions, .. } = *config;
        let binding = max_binding_size(&device.limits());
        let unions = result_buffer::<Aabb>(device, "unions", n_unions)?;
        let keys = result_buffer::<u32>(device, "keys", capacity)?;
        let config = uniform(device, "boxwood.spatial.index_config", config);
        let buffer = |variable: &str| match variable {
            "config" => &config,
            "item_counts" => &self.count.buffer,
            "boxes" => boxes,
            "unions" => &unions,
            "keys" => &keys,
            "bounds" => &self.bounds,
            other => no_buffer(other),
        };
        let bind = |shader: &'static Shader| {
            context.kernel(shader).bind_parts(device, |name| one_binding(buffer(name), binding))
        };
        let n_key_workgroups = capacity.div_ceil(KEYS_PER_WORKGROUP).max(1);
        self.keys = vec![(bind(&shaders::INDEX_BOUNDS), n_unions), (bind(keys_of(order)), n_key_workgroups)];
        let bits = key_bits(capacity as usize);
        self.sort = Some(Sort::new(context, self.count.items(&keys), None, bits)?);
        Ok(())
    }

    /// Binds the dispatches that pack the boxes into nodes.
    fn bind_pack(&mut self, context: &Context, boxes: &wgpu::Buffer, config: &IndexConfig) {
        let device = context.device();
        let binding = max_binding_size(&device.limits());
        let mut n_nodes = config.capacity;
        for base_height in (0..self.tree.height).step_by(PACKED_HEIGHTS as usize) {
            let shader = match &self.sort {
                _ if base_height > 0 => &shaders::INDEX_PACK_INNER,
                Some(_) => &shaders::INDEX_PACK,
                None => &shaders::INDEX_PACK_PAINT,
            };
            let config =
                uniform(device, "boxwood.spatial.index_config", &IndexConfig { base_height, ..*config });
            let buffer = |variable: &str| match variable {
                "config" => &config,
                "item_counts" => &self.count.buffer,
                "node_boxes" => &self.node_boxes,
                "node_spans" => &self.node_spans,
                "boxes" => boxes,
                "permutation" => self.permutation().expect("only a sorted tree has it"),
                "tree" => &self.tree_config,
                other => no_buffer(other),
            };
            let kernel = context.kernel(shader);
            let kernel = kernel.bind_parts(device, |name| one_binding(buffer(name), binding));
            n_nodes = n_nodes.div_ceil(PACKED_NODES).max(1);
            self.pack.push((kernel, n_nodes));
        }
    }

    /// Sets the number of boxes.
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
        pass.push_debug_group("boxwood.index");
        self.keys.iter().for_each(|(kernel, n_workgroups)| kernel.record(pass, *n_workgroups));
        if let Some(sort) = &self.sort {
            sort.record(pass);
        }
        self.record_refit(pass);
        pass.pop_debug_group();
    }

    /// Records the last part of the stage, which computes the nodes again for boxes that have
    /// changed since [`record`](Self::record). The order of the leaves and the bounds stay the
    /// same, so that queries are right, but slower if boxes have moved far. The number of boxes
    /// must stay the same.
    pub fn record_refit(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.push_debug_group("boxwood.refit");
        self.pack.iter().for_each(|(kernel, n_workgroups)| kernel.record(pass, *n_workgroups));
        pass.pop_debug_group();
    }

    /// The buffer of a variable of `walk.wgsl` or `packed_tree.wgsl`, which must be one of theirs.
    pub(super) fn buffer(&self, variable: &str) -> &wgpu::Buffer {
        match variable {
            "tree" => &self.tree_config,
            "node_boxes" => &self.node_boxes,
            "node_spans" => &self.node_spans,
            other => no_buffer(other),
        }
    }

    /// Checks that no walk over the tree is cut off by a software adapter.
    pub(super) fn check_walk(&self, device: &wgpu::Device) -> Result<(), SpatialError> {
        let need = self.tree.n_inner(self.count.capacity());
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
        &self.node_boxes
    }

    /// Out: the smallest and the largest index of a box below each node, `array<vec2<u32>>`. Empty
    /// boxes do not count. A node without boxes has `u32::MAX` and 0.
    pub fn node_spans(&self) -> &wgpu::Buffer {
        &self.node_spans
    }

    /// Out: the index of the box of each leaf, `array<u32>`, unless the leaves are in paint order.
    pub fn permutation(&self) -> Option<&wgpu::Buffer> {
        self.sort.as_ref().map(Sort::sorted_values)
    }

    /// Out: the keys of the leaves in ascending order, `array<u32>`, unless the leaves are in paint
    /// order.
    pub fn sorted_keys(&self) -> Option<&wgpu::Buffer> {
        self.sort.as_ref().map(Sort::sorted_keys)
    }

    /// Out: the union of all boxes, one `vec4<f32>`, unless the leaves are in paint order.
    pub fn bounds(&self) -> Option<&wgpu::Buffer> {
        self.sort.as_ref().map(|_| &self.bounds)
    }
}

fn keys_of(order: Order) -> &'static Shader {
    if order == Order::Morton { &shaders::INDEX_KEYS_MORTON } else { &shaders::INDEX_KEYS_HILBERT }
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
