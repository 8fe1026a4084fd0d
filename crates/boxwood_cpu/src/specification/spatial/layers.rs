//! Stage *layers*: the order of draws that may be batched.

use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::core::Aabb;

/// The layer of each item of a picture: 1 more than the largest layer of an earlier item whose box
/// overlaps its own, or 1 if there is none. Items are in paint order. Boxes that only touch do not
/// overlap.
///
/// Items of the same layer do not overlap, and overlapping items are in layers that ascend in paint
/// order. So the picture stays the same if it is drawn layer by layer, with the items of a layer in
/// any order. No assignment with this property has smaller layers. Boxes that only touch can have a
/// pixel in common: if edges are anti-aliased, round the boxes outward to whole pixels.
///
/// The items must be in one group: an isolated group is an item, with its group box. For items of
/// several groups, see [`layers_in_scopes`].
pub fn layers(boxes: &[Aabb]) -> Vec<u32> {
    let mut layers: Vec<u32> = Vec::with_capacity(boxes.len());
    for own in boxes {
        let below = boxes.iter().zip(&layers).filter(|(earlier, _)| earlier.overlaps(*own));
        layers.push(1 + below.map(|(_, layer)| *layer).max().unwrap_or(0));
    }
    layers
}

/// The layer of each item of a picture with groups: only items of the same scope are compared, as
/// if each scope were a picture. So the layers of each scope start at 1.
///
/// A scope stands for what an item is drawn onto: the picture, or an isolated group. Inside of its
/// scope, an isolated group is one item with its group box. Scopes can be any numbers, and their
/// items can alternate in paint order.
///
/// # Panics
///
/// Panics if the numbers of boxes and scopes differ.
pub fn layers_in_scopes(boxes: &[Aabb], scopes: &[u32]) -> Vec<u32> {
    assert_eq!(boxes.len(), scopes.len(), "each item has a box and a scope");
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by_key(|item| scopes[*item]);
    let mut layers = vec![0; boxes.len()];
    for items in order.chunk_by(|a, b| scopes[*a] == scopes[*b]) {
        let of_scope: Vec<Aabb> = items.iter().map(|item| boxes[*item]).collect();
        for (item, layer) in items.iter().zip(layers_by_tree(&of_scope)) {
            layers[*item] = layer;
        }
    }
    layers
}

/// The same as [`layers`], for many items: by a search in a tree of boxes, each with the largest
/// layer below it. GPUI's `BoundsTree` and other renderers search in this way.
pub fn layers_by_tree(boxes: &[Aabb]) -> Vec<u32> {
    let (mut tree, places) = LayerTree::new(boxes);
    let layer = |(own, place): (&Aabb, usize)| {
        let layer = 1 + tree.largest(tree.levels.len() - 1, 0, *own, 0);
        tree.set(place, layer);
        layer
    };
    boxes.iter().zip(places).map(layer).collect()
}

/// A tree whose nodes have four children, the items in order from left to right.
#[derive(Debug)]
struct LayerTree {
    /// The nodes of each level. The first level has the items, the last one has one node. The
    /// children of node i are the nodes from 4 i to 4 i + 3 of the level before.
    levels: Vec<Vec<LayerNode>>,
}

/// The union of the boxes below a node, and their largest layer. It is 0 if they have none yet.
#[derive(Clone, Copy, Debug)]
struct LayerNode {
    bounds: Aabb,
    layer: u32,
}

impl LayerTree {
    /// The tree, and the place of each item in its first level.
    fn new(boxes: &[Aabb]) -> (Self, Vec<usize>) {
        let mut order: Vec<usize> = (0..boxes.len()).collect();
        arrange(&mut order, boxes, true);
        let mut places = vec![0; boxes.len()];
        order.iter().enumerate().for_each(|(place, item)| places[*item] = place);
        let node = |bounds| LayerNode { bounds, layer: 0 };
        let mut levels = vec![order.iter().map(|item| node(boxes[*item])).collect::<Vec<_>>()];
        while let Some(level) = levels.last().filter(|level| level.len() != 1) {
            let union = |nodes: &[LayerNode]| nodes.iter().fold(Aabb::EMPTY, |all, n| all.union(n.bounds));
            // A tree without items has a root too.
            let n_nodes = level.len().div_ceil(4).max(1);
            let nodes = (0..n_nodes).map(|i| node(union(&level[children(i, level.len())]))).collect();
            levels.push(nodes);
        }
        (Self { levels }, places)
    }

    /// The largest layer of the items that are below a node and overlap a box, or `best` if none is
    /// larger.
    fn largest(&self, level: usize, i: usize, own: Aabb, best: u32) -> u32 {
        let node = self.levels[level][i];
        if node.layer <= best || !node.bounds.overlaps(own) {
            return best;
        }
        let Some(below) = level.checked_sub(1) else { return node.layer };
        // A large layer, found early, excludes other nodes.
        let range = children(i, self.levels[below].len());
        let n_children = range.len();
        let mut sorted = [0; 4];
        sorted.iter_mut().zip(range).for_each(|(child, i)| *child = i);
        let sorted = &mut sorted[..n_children];
        sorted.sort_unstable_by_key(|child| Reverse(self.levels[below][*child].layer));
        sorted.iter().fold(best, |best, child| self.largest(below, *child, own, best))
    }

    fn set(&mut self, place: usize, layer: u32) {
        let mut i = place;
        for level in &mut self.levels {
            level[i].layer = level[i].layer.max(layer);
            i /= 4;
        }
    }
}

/// The children of a node, of `n` nodes.
fn children(i: usize, n: usize) -> core::ops::Range<usize> {
    4 * i..n.min(4 * i + 4)
}

/// Orders items so that neighbours are close. Splits the items by their centers, alternately in x
/// and y. The size of the first half is a power of two.
fn arrange(items: &mut [usize], boxes: &[Aabb], is_in_x: bool) {
    if items.len() <= 2 {
        return;
    }
    let half = items.len().next_power_of_two() / 2;
    let center = |item: &usize| {
        let Aabb { x0, y0, x1, y1 } = boxes[*item];
        if is_in_x { 0.5 * x0 + 0.5 * x1 } else { 0.5 * y0 + 0.5 * y1 }
    };
    items.select_nth_unstable_by(half, |a, b| center(a).total_cmp(&center(b)));
    let (low, high) = items.split_at_mut(half);
    arrange(low, boxes, !is_in_x);
    arrange(high, boxes, !is_in_x);
}

/// Items of one layer with one key, which can be drawn together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The layer.
    pub layer: u32,
    /// The key.
    pub key: u32,
    /// The place of the first item in the draw order.
    pub first: u32,
    /// The number of items.
    pub n_items: u32,
}

/// The draw order of a picture, and its batches: items by layer, then by key, then in paint order.
/// A key stands for what a draw call is bound to, such as a pipeline and a texture.
///
/// # Panics
///
/// Panics if the numbers of layers and keys differ, or exceed a `u32`.
pub fn batches(layers: &[u32], keys: &[u32]) -> (Vec<u32>, Vec<Batch>) {
    assert_eq!(layers.len(), keys.len(), "each item has a layer and a key");
    let of = |item: u32| (layers[item as usize], keys[item as usize]);
    let mut order: Vec<u32> =
        (0..u32::try_from(keys.len()).expect("an item has a u32 as its index")).collect();
    order.sort_by_key(|item| of(*item));
    let mut batches: Vec<Batch> = Vec::new();
    for (first, item) in (0..).zip(&order) {
        let (layer, key) = of(*item);
        match batches.last_mut() {
            Some(last) if (last.layer, last.key) == (layer, key) => last.n_items += 1,
            _ => batches.push(Batch { layer, key, first, n_items: 1 }),
        }
    }
    (order, batches)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn some_boxes() -> impl Strategy<Value = Vec<Aabb>> {
        let one = prop_oneof![
            1 => Just(Aabb::EMPTY),
            1 => Just(Aabb::PLANE),
            30 => (0_u8..60, 0_u8..60, 1_u8..12, 1_u8..12).prop_map(|(x, y, width, height)| {
                let [x, y, width, height] = [x, y, width, height].map(f64::from);
                Aabb::new(x, y, x + width, y + height).expect("no NaN")
            }),
        ];
        proptest::collection::vec(one, 0..90)
    }

    proptest! {
        #[test]
        fn layers_are_the_smallest_in_which_overlapping_items_ascend(boxes in some_boxes()) {
            let layers = layers(&boxes);
            for (i, own) in boxes.iter().enumerate() {
                let below: Vec<u32> =
                    (0..i).filter(|j| boxes[*j].overlaps(*own)).map(|j| layers[j]).collect();
                prop_assert!(below.iter().all(|layer| *layer < layers[i]));
                prop_assert!(layers[i] == 1 || below.contains(&(layers[i] - 1)));
            }
        }

        #[test]
        fn the_tree_has_the_same_layers(boxes in some_boxes()) {
            prop_assert_eq!(layers_by_tree(&boxes), layers(&boxes));
        }

        #[test]
        fn only_items_of_a_scope_are_compared(
            boxes in some_boxes(),
            scopes in proptest::collection::vec(0_u32..4, 90),
        ) {
            let scopes = &scopes[..boxes.len()];
            let found = layers_in_scopes(&boxes, scopes);
            for (i, own) in boxes.iter().enumerate() {
                let below = (0..i).filter(|j| scopes[*j] == scopes[i] && boxes[*j].overlaps(*own));
                prop_assert_eq!(found[i], 1 + below.map(|j| found[j]).max().unwrap_or(0));
            }
            prop_assert_eq!(layers_in_scopes(&boxes, &vec![7; boxes.len()]), layers(&boxes));
        }

        #[test]
        fn the_first_items_have_the_same_layers_without_the_others(boxes in some_boxes(), n in 0_usize..90) {
            let n = n.min(boxes.len());
            prop_assert_eq!(&layers(&boxes)[..n], layers(&boxes[..n]));
        }

        #[test]
        fn items_that_do_not_overlap_can_change_their_order(boxes in some_boxes(), at in any::<prop::sample::Index>()) {
            prop_assume!(boxes.len() > 1);
            let at = at.index(boxes.len() - 1);
            prop_assume!(!boxes[at].overlaps(boxes[at + 1]));
            let mut swapped = boxes.clone();
            swapped.swap(at, at + 1);
            let mut expected = layers(&boxes);
            expected.swap(at, at + 1);
            prop_assert_eq!(layers(&swapped), expected);
        }

        /// The picture is the law: each pixel has the number of the item that was drawn last.
        #[test]
        fn the_draw_order_gives_the_picture_of_the_paint_order(
            boxes in some_boxes(),
            keys in proptest::collection::vec(0_u32..4, 90),
        ) {
            let picture = |order: &mut dyn Iterator<Item = u32>| {
                let mut pixels = vec![None; 72 * 72];
                for item in order {
                    let b = boxes[item as usize];
                    let is_within = |i: usize, low: f32, high: f32| (low..high).contains(&(i as f32));
                    for (i, pixel) in pixels.iter_mut().enumerate() {
                        if is_within(i % 72, b.x0, b.x1) && is_within(i / 72, b.y0, b.y1) {
                            *pixel = Some(item);
                        }
                    }
                }
                pixels
            };
            let (order, batches) = batches(&layers(&boxes), &keys[..boxes.len()]);
            let paint_order = &mut (0..).take(boxes.len());
            prop_assert_eq!(picture(&mut order.iter().copied()), picture(paint_order));
            prop_assert_eq!(batches.iter().map(|batch| batch.n_items as usize).sum::<usize>(), boxes.len());
        }
    }

    #[test]
    fn copies_are_in_a_layer_each_and_touching_boxes_in_one() -> Result<(), crate::NotABox> {
        let copies = [Aabb::new(1.0, 1.0, 2.0, 2.0)?; 40];
        assert_eq!(layers(&copies), (1..=40).collect::<Vec<_>>());
        assert_eq!(layers_by_tree(&copies), layers(&copies));
        let touching: Result<Vec<Aabb>, _> =
            (0..40).map(f64::from).map(|x| Aabb::new(x, 0.0, x + 1.0, 1.0)).collect();
        assert_eq!(layers(&touching?), [1; 40]);
        assert_eq!(layers_by_tree(&[]), [0; 0]);
        Ok(())
    }

    #[test]
    fn a_batch_is_a_run_of_a_layer_and_a_key() {
        let (order, batches) = batches(&[1, 2, 1, 1, 2], &[7, 3, 5, 7, 5]);
        assert_eq!(order, [2, 0, 3, 1, 4]);
        let batch = |layer, key, first, n_items| Batch { layer, key, first, n_items };
        assert_eq!(batches, [batch(1, 5, 0, 1), batch(1, 7, 1, 2), batch(2, 3, 3, 1), batch(2, 5, 4, 1)]);
    }
}
