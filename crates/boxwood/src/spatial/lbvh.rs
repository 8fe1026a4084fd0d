//! Stage *lbvh*: a binary tree over boxes along a curve, with ropes.
//!
//! Specification: `boxwood_cpu::specification::spatial::Lbvh`.

use boxwood_cpu::Aabb;
use boxwood_shaders::spatial as shaders;
use bytemuck::{Pod, Zeroable};

use super::SpatialError;
use super::check::check_result;
use super::index::{Index, IndexConfig};
use super::result::result_buffer;
use crate::core::context::Context;
use crate::core::kernel::BoundKernel;
use crate::core::limits::{WORKGROUP_SIZE, max_binding_size};
use crate::core::program::{one_binding, uniform};

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
    links: wgpu::Buffer,
    boxes: wgpu::Buffer,
    leaf_ropes: wgpu::Buffer,
    dispatch: (BoundKernel, u32),
}

impl Lbvh {
    /// Allocates and binds the buffers.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::PaintOrder`] if the leaves of the index are in paint order.
    /// - [`SpatialError::TooLarge`] if a result is larger than a storage binding of `device`.
    pub fn new(context: &Context, index: &Index) -> Result<Self, SpatialError> {
        let device = context.device();
        let sorted_keys = index.sorted_keys().ok_or(SpatialError::PaintOrder)?;
        let capacity = index.count.capacity();
        let binding = max_binding_size(&device.limits());
        check_result::<Aabb>("lbvh_boxes", capacity, binding)?;
        let links = result_buffer::<LbvhLinks>(device, "lbvh_links", capacity)?;
        let boxes = result_buffer::<Aabb>(device, "lbvh_boxes", capacity)?;
        let leaf_ropes = result_buffer::<u32>(device, "leaf_ropes", capacity)?;
        let config = IndexConfig { capacity, count_word: index.count.word, ..IndexConfig::zeroed() };
        let config = uniform(device, "boxwood.spatial.index_config", &config);
        let buffer = |variable: &str| match variable {
            "config" => &config,
            "item_counts" => &index.count.buffer,
            "sorted_keys" => sorted_keys,
            "lbvh_links" => &links,
            "lbvh_boxes" => &boxes,
            "leaf_ropes" => &leaf_ropes,
            other => index.buffer(other),
        };
        let kernel = context.kernel(&shaders::LBVH_NODES);
        let kernel = kernel.bind_parts(device, |name| one_binding(buffer(name), binding));
        Ok(Self { links, boxes, leaf_ropes, dispatch: (kernel, capacity.div_ceil(WORKGROUP_SIZE)) })
    }

    /// Records the stage into a compute pass, after the index. This does not submit or wait.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        let (kernel, n_workgroups) = &self.dispatch;
        pass.push_debug_group("boxwood.lbvh");
        kernel.record(pass, *n_workgroups);
        pass.pop_debug_group();
    }

    /// Out: the nodes that are not leaves, the root first, `array<LbvhLinks>`: one less than boxes.
    pub fn links(&self) -> &wgpu::Buffer {
        &self.links
    }

    /// Out: the union of the boxes below each of these nodes, `array<vec4<f32>>`. The boxes of the
    /// leaves are those of the index.
    pub fn boxes(&self) -> &wgpu::Buffer {
        &self.boxes
    }

    /// Out: the rope of each leaf, `array<u32>`.
    pub fn leaf_ropes(&self) -> &wgpu::Buffer {
        &self.leaf_ropes
    }
}
