//! The nodes of trees over boxes, as the specification and the device have them.

use boxwood::native::Gpu;
use boxwood::read_items;
use boxwood::spatial::{Index, Lbvh, LbvhLinks, Order};
use boxwood_cpu::Aabb;
use boxwood_cpu::specification::spatial::{self as cpu, LbvhNode, key_bits};

use crate::error::BenchError;

/// The nodes of an index, level by level, the leaves first.
#[derive(Debug, PartialEq)]
pub(crate) struct IndexNodes {
    pub(crate) boxes: Vec<Aabb>,
    pub(crate) spans: Vec<[u32; 2]>,
}

impl IndexNodes {
    pub(crate) fn specified(index: &cpu::Index) -> Self {
        let nodes = index.levels.iter().flatten();
        let (boxes, spans) = nodes.map(|node| (node.aabb, node.span)).unzip();
        Self { boxes, spans }
    }

    /// The nodes of an index over `n` boxes.
    pub(crate) fn read(gpu: &Gpu, index: &Index, n: usize) -> Result<Self, BenchError> {
        let Gpu { device, queue, .. } = gpu;
        let tree = index.tree();
        let n_slots = usize::try_from(index.node_spans().size() / 8).expect("it was allocated");
        let boxes: Vec<Aabb> = read_items(device, queue, index.node_boxes(), n_slots)?;
        let spans: Vec<[u32; 2]> = read_items(device, queue, index.node_spans(), n_slots)?;
        let mut n_nodes = n;
        let mut slots = Vec::new();
        for height in 0..=tree.height {
            slots.extend((0..count(n_nodes)).map(|place| tree.slot(height, place) as usize));
            if n_nodes <= 1 {
                break;
            }
            n_nodes = n_nodes.div_ceil(cpu::CHILDREN);
        }
        Ok(Self {
            boxes: slots.iter().map(|slot| boxes[*slot]).collect(),
            spans: slots.iter().map(|slot| spans[*slot]).collect(),
        })
    }
}

/// The nodes of a binary tree.
#[derive(Debug, PartialEq)]
pub(crate) struct LbvhNodes {
    pub(crate) links: Vec<LbvhLinks>,
    pub(crate) boxes: Vec<Aabb>,
    pub(crate) leaf_ropes: Vec<u32>,
}

impl LbvhNodes {
    /// The binary tree over the leaves of an index.
    pub(crate) fn specified(boxes: &[Aabb], order: Order, permutation: &[u32]) -> Self {
        let keys = cpu::curve_keys(boxes, order, key_bits(boxes.len()));
        let sorted_keys: Vec<u32> = permutation.iter().map(|item| keys[*item as usize]).collect();
        let sorted_boxes: Vec<Aabb> = permutation.iter().map(|item| boxes[*item as usize]).collect();
        let tree = cpu::Lbvh::new(&sorted_keys, &sorted_boxes);
        let link = |(place, node): (u32, &LbvhNode)| {
            let LbvhNode { range: [first, last], children, rope, .. } = *node;
            let other_end = if place == first { last } else { first };
            LbvhLinks { children, rope, other_end }
        };
        Self {
            links: (0..).zip(&tree.nodes).map(link).collect(),
            boxes: tree.nodes.iter().map(|node| node.aabb).collect(),
            leaf_ropes: tree.leaf_ropes,
        }
    }

    /// The binary tree over `n` leaves.
    pub(crate) fn read(gpu: &Gpu, lbvh: &Lbvh, n: usize) -> Result<Self, BenchError> {
        let Gpu { device, queue, .. } = gpu;
        let n_nodes = n.saturating_sub(1);
        Ok(Self {
            links: read_items(device, queue, lbvh.links(), n_nodes)?,
            boxes: read_items(device, queue, lbvh.boxes(), n_nodes)?,
            leaf_ropes: read_items(device, queue, lbvh.leaf_ropes(), n)?,
        })
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).expect("the sizes are u32")
}
