//! The layers of draws, and their batches, in memory that is kept from frame to frame.

use alloc::vec::Vec;

use crate::adaptive_tree::AdaptiveTree;
use crate::core::Aabb;
use crate::radix::RadixSort;
use crate::specification::spatial::Batch;
use crate::tree::check_number;

/// Finds the layer of each item of a picture, as
/// [`specification::spatial::layers`](crate::specification::spatial::layers()) does.
///
/// ```
/// use boxwood_cpu::{Aabb, Layers};
///
/// let panel = Aabb::new(0.0, 0.0, 100.0, 50.0)?;
/// let [left, right] = [Aabb::new(5.0, 5.0, 40.0, 45.0)?, Aabb::new(60.0, 5.0, 95.0, 45.0)?];
/// let mut layers = Layers::new();
/// assert_eq!(layers.of(&[panel, left, right]), [1, 2, 2]);
/// # Ok::<(), boxwood_cpu::NotABox>(())
/// ```
///
/// # Algorithm
///
/// Like `BoundsTree` of GPUI, it searches a tree of boxes in which each node has the largest layer
/// below it, and visits children from the largest layer down. Two facts make most searches short:
///
/// - If an earlier item contains an item, no item before the earlier one can have a larger layer
///   and overlap the item: it would overlap the earlier one too. So only the items since then are
///   searched. In a user interface, these are the siblings of a panel.
/// - Items of a panel are neighbours in paint order. So the tree is one over paint order, which
///   costs nothing to make. If searches show that neighbours in paint order are not close, a tree
///   in spatial order takes its place.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    search: Search,
    layers: Vec<u32>,
    /// Items by their scopes.
    items: Vec<u32>,
    /// The boxes of the items of a scope, and their layers.
    boxes_of_scope: Vec<Aabb>,
    layers_of_scope: Vec<u32>,
    sort: RadixSort,
}

impl Layers {
    /// A workspace without memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// The layer of each item of a picture, in paint order: 1 more than the largest layer of an
    /// earlier item whose box overlaps its own, or 1 if there is none.
    ///
    /// # Panics
    ///
    /// Panics if there are 2^28 items or more.
    pub fn of(&mut self, boxes: &[Aabb]) -> &[u32] {
        let Self { search, layers, .. } = self;
        search.run(boxes, layers);
        layers
    }

    /// The layer of each item, if only items of the same scope are compared, as
    /// [`layers_in_scopes`](crate::specification::spatial::layers_in_scopes) describes.
    ///
    /// A scope stands for what an item is drawn onto: the picture, or an isolated group. Inside of
    /// its scope, an isolated group is one item with its group box. A scene does not record which
    /// nodes are isolated groups, because boxes do not depend on it, so the caller keeps a list.
    ///
    /// The items can be the elements of a scene, if begins and ends have empty boxes: empty boxes
    /// overlap nothing, and their layer is 1. In [`Boxes::clipped_boxes`](crate::Boxes), they are
    /// empty. It is faster to leave these elements out.
    ///
    /// ```
    /// use boxwood_cpu::{Engine, Layers, Scene};
    ///
    /// let mut scene = Scene::new();
    /// scene.leaf([0.0, 0.0, 90.0, 90.0]); // 0: a page
    /// scene.begin_clip([10.0, 10.0, 80.0, 80.0]); // 1: draws onto the page
    /// let group = scene.begin_group(); // 2: an isolated group, for example with an opacity
    /// scene.leaf([10.0, 10.0, 50.0, 50.0]); // 3
    /// scene.leaf([40.0, 40.0, 90.0, 90.0]); // 4
    /// scene.end();
    /// scene.leaf([70.0, 70.0, 90.0, 90.0]); // 6
    /// scene.end();
    /// let isolated = [group];
    ///
    /// let mut engine = Engine::new();
    /// let boxes = engine.boxes(&scene)?;
    ///
    /// // The scope inside of each node: 0 is the picture. A parent comes before its children.
    /// let mut inside: Vec<u32> = vec![0; boxes.entries.len()];
    /// for (node, entry) in boxes.entries.iter().enumerate() {
    ///     let parent = usize::try_from(boxes.links[node].parent);
    ///     let is_isolated = isolated.contains(&entry.element());
    ///     let outer = parent.map_or(0, |parent| inside[parent]);
    ///     inside[node] = if is_isolated { node as u32 + 1 } else { outer };
    /// }
    /// let scope = |element| boxes.parent(element).map_or(0, |node| inside[node]);
    /// let scopes: Vec<u32> = (0..scene.len()).map(scope).collect();
    /// assert_eq!(scopes[..5], [0, 0, 0, 2, 2]);
    ///
    /// // The begin of an isolated group stands for the group.
    /// let mut items = boxes.clipped_boxes.clone();
    /// for begin in isolated {
    ///     items[begin] = boxes.group_boxes[boxes.ranks[begin] as usize];
    /// }
    /// let mut layers = Layers::new();
    /// // The last leaf is on the group, which is on the page. In the group, layers start at 1.
    /// assert_eq!(layers.in_scopes(&items, &scopes), [1, 1, 2, 1, 2, 1, 3, 1]);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the numbers of boxes and scopes differ, or if there are 2^28 items or more.
    pub fn in_scopes(&mut self, boxes: &[Aabb], scopes: &[u32]) -> &[u32] {
        assert_eq!(boxes.len(), scopes.len(), "each item has a box and a scope");
        // A scope has fewer items than the picture, whose items are indices of 32 bits here.
        check_number(boxes.len());
        let Self { search, layers, items, boxes_of_scope, layers_of_scope, sort } = self;
        items.clear();
        items.extend(sort.sort(scopes.iter().copied()).map(|(_, item)| item));
        layers.clear();
        layers.resize(boxes.len(), 0);
        let scope = |item: u32| scopes[item as usize];
        // The sort is stable, so the items of a scope stay in paint order.
        for items in items.chunk_by(|a, b| scope(*a) == scope(*b)) {
            boxes_of_scope.clear();
            boxes_of_scope.extend(items.iter().map(|item| boxes[*item as usize]));
            search.run(boxes_of_scope, layers_of_scope);
            for (item, layer) in items.iter().zip(&*layers_of_scope) {
                layers[*item as usize] = *layer;
            }
        }
        layers
    }
}

/// The memory of a search.
#[derive(Clone, Debug, Default)]
struct Search {
    /// The items before the current one, with their layers as keys.
    tree: AdaptiveTree,
    /// Items each of which contains the next one. The last one is the item before the current one.
    containers: Vec<u32>,
}

impl Search {
    fn run(&mut self, boxes: &[Aabb], layers: &mut Vec<u32>) {
        self.tree.clear(boxes.len());
        self.containers.clear();
        layers.clear();
        for (item, own) in boxes.iter().enumerate() {
            // An empty box overlaps nothing. Its layer says nothing about the items inside of its
            // containers, so these stay.
            if own.is_empty() {
                self.tree.skip();
                layers.push(1);
                continue;
            }
            self.tree.adapt(&boxes.iter());
            let (below, first) = self.container(boxes, layers, own);
            let layer = 1 + self.tree.largest_overlapping(first, own, below);
            self.tree.insert(own, layer);
            self.containers.push(as_u32(item));
            layers.push(layer.cast_unsigned());
        }
    }

    /// The layer of the last known item that contains a box, and the first item after it. They are
    /// 0 if none is known.
    fn container(&mut self, boxes: &[Aabb], layers: &[u32], own: &Aabb) -> (i32, usize) {
        while let Some(last) = self.containers.last().map(|item| *item as usize) {
            let outer = boxes[last];
            // Both have an area: this is `Aabb::contains` with fewer instructions.
            let contains =
                outer.x0 <= own.x0 && outer.y0 <= own.y0 && own.x1 <= outer.x1 && own.y1 <= outer.y1;
            if contains {
                return (layers[last].cast_signed(), last + 1);
            }
            // Later items are probably not inside of it either. If one is, its search only takes
            // longer. So each item is removed at most once, and the stack costs constant time.
            self.containers.pop();
        }
        (0, 0)
    }
}

/// The index of an item. There are fewer than 2^32 of them.
#[expect(clippy::cast_possible_truncation, reason = "the tree has checked the number of items")]
fn as_u32(item: usize) -> u32 {
    item as u32
}

/// Finds the draw order of a picture and its batches, as
/// [`specification::spatial::batches`](crate::specification::spatial::batches()) does.
#[derive(Clone, Debug, Default)]
pub struct Batches {
    /// Items by their keys, and then by their layers.
    by_key: Vec<u32>,
    order: Vec<u32>,
    batches: Vec<Batch>,
    sort: RadixSort,
}

impl Batches {
    /// A workspace without memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// The items by layer, then by key, then in paint order, and the batches: the runs of items
    /// with the same layer and key. A key stands for what a draw call is bound to, such as a
    /// pipeline.
    ///
    /// # Panics
    ///
    /// Panics if the numbers of layers and keys differ, or if there are more than `u32::MAX` items.
    pub fn of(&mut self, layers: &[u32], keys: &[u32]) -> (&[u32], &[Batch]) {
        assert_eq!(layers.len(), keys.len(), "each item has a layer and a key");
        let Self { by_key, order, batches, sort } = self;
        // The key that decides last is sorted first: the second sort is stable, so it keeps the
        // order of the first one within a layer.
        by_key.clear();
        by_key.extend(sort.sort(keys.iter().copied()).map(|(_, item)| item));
        order.clear();
        batches.clear();
        let sorted = sort.sort(by_key.iter().map(|item| layers[*item as usize]));
        for (first, (layer, place)) in (0..).zip(sorted) {
            let item = by_key[place as usize];
            order.push(item);
            let key = keys[item as usize];
            match batches.last_mut() {
                Some(last) if last.layer == layer && last.key == key => last.n_items += 1,
                _ => batches.push(Batch { layer, key, first, n_items: 1 }),
            }
        }
        (order, batches)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::families::{Random, families};
    use crate::specification::spatial as specification;

    /// Around the borders of nodes. Large and small pictures alternate, so that memory of one is
    /// there for the next.
    const SIZES: [usize; 14] = [1500, 1, 0, 600, 8, 64, 9, 513, 7, 65, 512, 2, 63, 400];

    #[test]
    fn layers_are_those_of_the_specification() {
        let mut layers = Layers::new();
        let mut random = Random::new(5);
        for n in SIZES {
            for family in families() {
                let boxes = family.generate(n, random.bits());
                let is_equal = layers.of(&boxes) == specification::layers(&boxes);
                assert!(is_equal, "the layers of {n} {family:?} differ");
                let scopes: Vec<u32> = (0..n).map(|_| [0, 1, 5000, u32::MAX][random.below(4)]).collect();
                let is_equal =
                    layers.in_scopes(&boxes, &scopes) == specification::layers_in_scopes(&boxes, &scopes);
                assert!(is_equal, "the layers of {n} {family:?} in scopes differ");
            }
        }
    }

    proptest! {
        /// Lists on both sides of the size from which radix sorts are used.
        #[test]
        fn batches_are_those_of_the_specification(
            items in proptest::collection::vec((any::<u32>(), 0_u32..3), 0..1200),
        ) {
            let (layers, keys): (Vec<u32>, Vec<u32>) = items.into_iter().unzip();
            let mut batches = Batches::new();
            for (layers, keys) in [(&layers, &keys), (&keys, &layers)] {
                let (order, found) = specification::batches(layers, keys);
                prop_assert_eq!(batches.of(layers, keys), (&*order, &*found), "the batches differ");
            }
        }
    }
}
