//! Stage *layers*: the order of draws that may be batched.

use alloc::vec::Vec;

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
    let mut found = vec![0; boxes.len()];
    for items in order.chunk_by(|a, b| scopes[*a] == scopes[*b]) {
        let of_scope: Vec<Aabb> = items.iter().map(|item| boxes[*item]).collect();
        for (item, layer) in items.iter().zip(layers(&of_scope)) {
            found[*item] = layer;
        }
    }
    found
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
        let touching: Result<Vec<Aabb>, _> =
            (0..40).map(f64::from).map(|x| Aabb::new(x, 0.0, x + 1.0, 1.0)).collect();
        assert_eq!(layers(&touching?), [1; 40]);
        assert_eq!(layers(&[]), [0; 0]);
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
