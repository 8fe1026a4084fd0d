//! Stage *lbvh*: a binary tree over boxes along a curve, with ropes.
//!
//! Specification: `boxwood_cpu::specification::spatial::Lbvh`.

use boxwood_cpu::Aabb;
use boxwood_shaders::spatial::LbvhNodes;
use bytemuck::{Pod, Zeroable};

use super::error::SpatialError;
use super::index::{Index, IndexConfig, NodeSlots};
use super::stage::Stage;
use crate::core::context::Context;
use crate::core::limits::WORKGROUP_SIZE;
use crate::core::plan::{Plan, Slot};

/// A node of the binary tree that is not a leaf. Its place in the buffer is its id. The bit
/// [`LEAF`](boxwood_cpu::specification::spatial::LEAF) marks the id of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct LbvhLinks {
    /// The ids of the children.
    pub children: [u32; 2],
    /// The id of the next node in preorder that is not below this one, or `u32::MAX`.
    pub rope: u32,
    /// The leaf at one end of the range of leaves below the node. The other end is the leaf with
    /// the place of the node itself.
    pub other_end: u32,
}

/// A binary tree over the boxes of an [`Index`], with its buffers. Create it once per size. It
/// takes 36 bytes per box.
///
/// A traversal needs no stack. It goes to the first child if the box is hit. It follows the rope
/// after a miss or a leaf. Queries by the packed tree of the index itself are faster.
#[derive(Debug)]
pub struct Lbvh {
    stage: Stage,
    links: Slot,
    boxes: Slot,
    leaf_ropes: Slot,
}

impl Lbvh {
    /// Allocates and binds the buffers.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::PaintOrder`] if the leaves of the index are in paint order.
    /// - [`SpatialError::TooLarge`] if a result is larger than a storage binding of `device`.
    pub fn new(context: &Context, index: &Index) -> Result<Self, SpatialError> {
        let sorted_keys = index.sorted_keys().ok_or(SpatialError::PaintOrder)?;
        let mut plan = Plan::new("boxwood.spatial", ());
        let count = index.add_count_to(context, &mut plan)?;
        let NodeSlots { tree, node_boxes, .. } = index.add_to(&mut plan);
        let capacity = count.capacity;
        let sorted_keys = plan.given::<u32>("sorted_keys", sorted_keys, capacity);
        let lbvh_boxes = plan.buffer::<Aabb>("lbvh_boxes", capacity);
        let lbvh_links = plan.buffer::<LbvhLinks>("lbvh_links", capacity);
        let leaf_ropes = plan.buffer::<u32>("leaf_ropes", capacity);
        let config = IndexConfig { capacity, count_word: count.word, ..IndexConfig::zeroed() };
        let config = plan.uniform("index_config", &config);
        let item_counts = count.buffer;
        plan.begin("boxwood.lbvh");
        let build = LbvhNodes {
            config,
            item_counts,
            sorted_keys,
            node_boxes,
            lbvh_links,
            lbvh_boxes,
            leaf_ropes,
            tree,
        };
        plan.dispatch(build, capacity.div_ceil(WORKGROUP_SIZE));
        plan.end();
        let stage = Stage::new(context, plan, count)?;
        Ok(Self { stage, links: lbvh_links, boxes: lbvh_boxes, leaf_ropes })
    }

    /// Records the stage into a compute pass, after the index. This does not submit or wait.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.stage.program.record(pass);
    }

    /// Out: the nodes that are not leaves, the root first, `array<LbvhLinks>`: one less than boxes.
    pub fn links(&self) -> &wgpu::Buffer {
        &self.stage[self.links]
    }

    /// Out: the union of the boxes below each of these nodes, `array<vec4<f32>>`. The boxes of the
    /// leaves are those of the index.
    pub fn boxes(&self) -> &wgpu::Buffer {
        &self.stage[self.boxes]
    }

    /// Out: the rope of each leaf, `array<u32>`.
    pub fn leaf_ropes(&self) -> &wgpu::Buffer {
        &self.stage[self.leaf_ropes]
    }
}
