//! What is made once a size: the buffers of a tree scan.

use boxwood_layout::{Config, LimitsError, Node, NodeLink, WORKGROUP_SIZE};
use bytemuck::Pod;

use super::stages::{NODES, STAGES, value_buffers};
use super::{TreeScan, TreeScanError};
use crate::gpu::max_binding_size;
use crate::program::Program;
use crate::stage::BufferLayout;

/// The buffers of a tree and its values, up to some length, and of what a scan gives.
///
/// Those with an accessor have the usages `STORAGE`, `COPY_SRC` and `VERTEX`. They may be longer than the input:
/// [`n`](Self::n) says how many items count. An entry takes 16 bytes and six values, and a little for each partition of 256.
#[derive(Debug)]
pub struct TreeScanBuffers {
    pub(super) program: Program,
    stride: usize,
    capacity: usize,
}

impl TreeScanBuffers {
    /// Buffers for up to `capacity` entries of the node stream. They hold none.
    ///
    /// # Errors
    ///
    /// More than a storage binding of `device` can hold, of a value or 8 bytes an entry. Nothing is allocated then.
    pub fn new(device: &wgpu::Device, scan: &TreeScan, capacity: usize) -> Result<Self, LimitsError> {
        let values = value_buffers(scan.stride);
        let limits = device.limits();
        let binding = max_binding_size(&limits);
        // The longest items: a value and the links of an entry, for whole partitions.
        let stride = scan.stride.max(size_of::<NodeLink>()) as u64;
        let partition = u64::from(WORKGROUP_SIZE);
        let limit = (binding / stride / partition * partition).min(i32::MAX as u64);
        if capacity as u64 > limit {
            return Err(LimitsError::Nodes { need: capacity as u64, limit });
        }
        let size = config(capacity);
        // The trees over the partitions have more nodes than a short input has entries.
        if values.iter().any(|layout| (layout.stride * layout.per.count(&size)) as u64 > binding) {
            return Err(LimitsError::Nodes { need: capacity as u64, limit: 0 });
        }
        let mut inputs: Vec<BufferLayout> = values.into();
        inputs.push(NODES);
        let program = Program::new(device, &scan.kernels, &STAGES, &inputs, &size, None);
        Ok(Self { program, stride: scan.stride, capacity })
    }

    /// Replaces the input: a node stream, of which only begins and ends count, not the elements they are; and a value an entry,
    /// of which only those at begins count.
    ///
    /// # Errors
    ///
    /// More entries than these buffers were made for, or not one value of the monoid's stride for each. The buffers keep their
    /// input then.
    pub fn upload<T: Pod>(
        &mut self,
        queue: &wgpu::Queue,
        nodes: &[Node],
        values: &[T],
    ) -> Result<(), TreeScanError> {
        let (n_nodes, n_bytes) = (nodes.len(), size_of_val(values));
        if n_nodes > self.capacity {
            return Err(LimitsError::Nodes { need: n_nodes as u64, limit: self.capacity as u64 }.into());
        }
        if n_nodes * self.stride != n_bytes {
            return Err(TreeScanError::Values { n_nodes, n_bytes, stride: self.stride });
        }
        self.program.set_config(queue, config(n_nodes));
        queue.write_buffer(self.nodes(), 0, bytemuck::cast_slice(nodes));
        queue.write_buffer(self.values(), 0, bytemuck::cast_slice(values));
        Ok(())
    }

    /// How many entries the node stream has.
    pub fn n(&self) -> u32 {
        self.program.config().n_nodes
    }

    /// In: the node stream, `array<i32>`, as [`Node`].
    pub fn nodes(&self) -> &wgpu::Buffer {
        self.program.buffer("nodes")
    }

    /// In: one value an entry, `array<Value>`. A host may write them here itself.
    pub fn values(&self) -> &wgpu::Buffer {
        self.program.buffer("values")
    }

    /// Out: one link an entry, `array<NodeLink>`, as [`NodeLink`].
    pub fn links(&self) -> &wgpu::Buffer {
        self.program.buffer("links")
    }

    /// Out: one product an entry, `array<Value>`. At a begin, that of the values of the begins that enclose it, from the root
    /// on, and then its own; at an end, that of the begins still open after it.
    pub fn down(&self) -> &wgpu::Buffer {
        self.program.buffer("down")
    }

    /// Out: one product an entry, `array<Value>`. At a begin and at its end, that of its value and those of all begins inside it,
    /// in order. A begin without an end holds all that follows; an end without a begin holds nothing.
    pub fn up(&self) -> &wgpu::Buffer {
        self.program.buffer("up")
    }
}

fn config(n_nodes: usize) -> Config {
    Config::of_nodes(u32::try_from(n_nodes).expect("the limits keep counts within u32"), WORKGROUP_SIZE)
}
