//! Stage *lbvh*: a binary tree over sorted keys, with ropes.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use crate::core::Aabb;

/// The bit of the id of a leaf. The other bits are its place in the order of the keys. The id of
/// another node is its index in [`Lbvh::nodes`].
pub const LEAF: u32 = 1 << 31;

/// The rope of nodes after which there are no others.
pub const NO_ROPE: u32 = u32::MAX;

/// A node of the tree that is not a leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LbvhNode {
    /// The places of the first and the last leaf below it.
    pub range: [u32; 2],
    /// The ids of its children.
    pub children: [u32; 2],
    /// The id of the next node in preorder that is not below this one.
    pub rope: u32,
    /// The union of the boxes below it.
    pub aabb: Aabb,
}

/// A binary tree over sorted keys: the radix tree of the keys, in which equal keys are told apart
/// by their places.
///
/// # Source
///
/// Karras, *Maximizing parallelism in the construction of BVHs, octrees, and k-d trees*, 2012.
/// Ropes: Prokopenko, Lebrun-Grandié, *Revising Apetrei's bounding volume hierarchy construction
/// algorithm to allow stackless traversal*, 2024,
/// [arXiv:2402.00665](https://arxiv.org/abs/2402.00665).
#[derive(Clone, Debug, PartialEq)]
pub struct Lbvh {
    /// The nodes that are not leaves: one less than leaves. The first one is the root.
    ///
    /// A child is a part of the range of its parent. The left child has the id of its last place.
    /// The right child has the id of its first place.
    pub nodes: Vec<LbvhNode>,
    /// The rope of each leaf.
    pub leaf_ropes: Vec<u32>,
}

impl Lbvh {
    /// The tree over boxes in the order of their keys.
    ///
    /// # Panics
    ///
    /// Panics if there are fewer boxes than keys, or more keys than 2^31.
    pub fn new(keys: &[u32], boxes: &[Aabb]) -> Self {
        let none = LbvhNode { range: [0; 2], children: [0; 2], rope: NO_ROPE, aabb: Aabb::EMPTY };
        let nodes = vec![none; keys.len().saturating_sub(1)];
        let mut tree = Self { nodes, leaf_ropes: vec![NO_ROPE; keys.len()] };
        if !keys.is_empty() {
            tree.build(keys, boxes, [0, keys.len() - 1], 0, NO_ROPE);
        }
        tree
    }

    /// Builds the node of a range, and returns its id. A key and a place have 63 bits together,
    /// which is the maximum depth.
    fn build(&mut self, keys: &[u32], boxes: &[Aabb], range: [usize; 2], place: usize, rope: u32) -> u32 {
        let id = |place: usize| u32::try_from(place).expect("a place is below 2^31");
        let [first, last] = range;
        if first == last {
            self.leaf_ropes[first] = rope;
            return id(first) | LEAF;
        }
        let split = (first..last).min_by_key(|at| common_bits(keys, *at)).expect("it has two leaves");
        let right_rope = id(split + 1) | if split + 1 == last { LEAF } else { 0 };
        let left = self.build(keys, boxes, [first, split], split, right_rope);
        let right = self.build(keys, boxes, [split + 1, last], split + 1, rope);
        let aabb = boxes[first..=last].iter().copied().fold(Aabb::EMPTY, Aabb::union);
        self.nodes[place] = LbvhNode { range: range.map(id), children: [left, right], rope, aabb };
        id(place)
    }
}

/// The ranges of at least two leaves that have a node in common, by the construction with split
/// markers. They are the [ranges](LbvhNode::range) of the nodes.
///
/// There is a marker between any two neighbours, with the number of bits that their keys have in
/// common. The markers are sorted by this level. Markers of smaller levels separate the ranges of a
/// level.
///
/// # Source
///
/// Lauterbach, Garland, Sengupta, Luebke, Manocha, *Fast BVH construction on GPUs*, 2009.
///
/// # Panics
///
/// Panics if there are more keys than 2^31.
pub fn split_list(keys: &[u32]) -> BTreeSet<[u32; 2]> {
    let mut markers: Vec<(u32, usize)> =
        (1..keys.len()).map(|end| (common_bits(keys, end - 1), end)).collect();
    markers.sort_unstable();
    let mut ranges = BTreeSet::new();
    let mut ends = BTreeSet::from([keys.len()]);
    for level in markers.chunk_by(|a, b| a.0 == b.0) {
        let mut first = 0;
        for &end in &ends {
            if end - first > 1 {
                let place = |place: usize| u32::try_from(place).expect("a place is below 2^31");
                ranges.insert([place(first), place(end - 1)]);
            }
            first = end;
        }
        ends.extend(level.iter().map(|(_, end)| *end));
    }
    ranges
}

/// The number of upper bits that a key and the next one have in common. Equal keys are followed by
/// their places.
fn common_bits(keys: &[u32], at: usize) -> u32 {
    let (key, next) = (keys[at], keys[at + 1]);
    if key == next {
        let place = |place: usize| u32::try_from(place).expect("a place is below 2^31");
        u32::BITS + (place(at) ^ place(at + 1)).leading_zeros()
    } else {
        (key ^ next).leading_zeros()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sorted(mut keys: Vec<u32>) -> Vec<u32> {
        keys.sort_unstable();
        keys
    }

    fn any_keys() -> impl Strategy<Value = Vec<u32>> {
        let few = proptest::collection::vec(0_u32..9, 0..99).prop_map(sorted);
        let many = proptest::collection::vec(any::<u32>(), 0..99).prop_map(sorted);
        prop_oneof![few, many]
    }

    /// The ids that a traversal sees which follows the rope of some nodes, and otherwise the left
    /// child.
    fn traversal(tree: &Lbvh, is_skipped: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut seen = Vec::new();
        let mut id = match tree.leaf_ropes.len() {
            0 => NO_ROPE,
            1 => LEAF,
            _ => 0,
        };
        while id != NO_ROPE {
            seen.push(id);
            id = match id {
                leaf if leaf & LEAF != 0 => tree.leaf_ropes[(leaf & !LEAF) as usize],
                node if is_skipped(node) => tree.nodes[node as usize].rope,
                node => tree.nodes[node as usize].children[0],
            };
        }
        seen
    }

    proptest! {
        #[test]
        fn the_ranges_of_the_split_list_are_those_of_the_tree(keys in any_keys()) {
            let tree = Lbvh::new(&keys, &vec![Aabb::PLANE; keys.len()]);
            let ranges: BTreeSet<[u32; 2]> = tree.nodes.iter().map(|node| node.range).collect();
            prop_assert_eq!(ranges.len(), tree.nodes.len());
            prop_assert_eq!(ranges, split_list(&keys));
        }

        #[test]
        fn the_ranges_of_children_partition_that_of_the_parent(keys in any_keys()) {
            let tree = Lbvh::new(&keys, &vec![Aabb::PLANE; keys.len()]);
            for node in &tree.nodes {
                let [left, right] = node.children.map(|id| match id & LEAF {
                    0 => tree.nodes[id as usize].range,
                    _ => [id & !LEAF; 2],
                });
                prop_assert_eq!([left[0], right[1]], node.range);
                prop_assert_eq!(left[1] + 1, right[0]);
            }
        }

        #[test]
        fn ropes_lead_through_all_nodes_in_preorder(keys in any_keys()) {
            let tree = Lbvh::new(&keys, &vec![Aabb::PLANE; keys.len()]);
            let all = traversal(&tree, |_| false);
            prop_assert_eq!(all.len(), (2 * keys.len()).saturating_sub(1));
            let leaves = all.into_iter().filter(|id| id & LEAF != 0).map(|id| id & !LEAF);
            prop_assert!(leaves.eq((0..).take(keys.len())));
            prop_assert_eq!(traversal(&tree, |_| true).len(), keys.len().min(1));
        }
    }
}
