//! The layers of draws, and their batches, in memory that is kept from frame to frame.

use alloc::vec::Vec;

use crate::core::Aabb;
use crate::fault::{Fault, is_planted};
use crate::radix::RadixSort;
use crate::specification::spatial::Batch;
use crate::tree::{MAX_ITEMS, Places, Tree};

/// A search in the tree in paint order may visit this number of nodes per item. If it visits more,
/// neighbours in paint order are not close to each other. The tree in spatial order then visits 5
/// to 20 nodes per item.
const MAX_VISITS: usize = 12;

/// The number of items whose visits are free. A tree in another order does not pay for so few.
const N_FREE: usize = 64;

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
///   costs nothing to make. If the first items of a picture show that neighbours in paint order are
///   not close, a tree in spatial order takes its place.
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
    /// # Panics
    ///
    /// Panics if the numbers of boxes and scopes differ, or if there are 2^28 items or more.
    pub fn in_scopes(&mut self, boxes: &[Aabb], scopes: &[u32]) -> &[u32] {
        assert_eq!(boxes.len(), scopes.len(), "each item has a box and a scope");
        let Self { search, layers, items, boxes_of_scope, layers_of_scope, sort } = self;
        items.clear();
        items.extend(sort.sort(scopes.iter().copied()).map(|(_, item)| item));
        layers.clear();
        layers.resize(boxes.len(), 0);
        let scope = |item: u32| scopes[item as usize];
        for items in items.chunk_by(|a, b| scope(*a) == scope(*b) || is_planted(Fault::IgnoresScopes)) {
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
    /// Items by their places in paint order.
    in_paint_order: Tree,
    /// Items by their places in space, if that is faster.
    in_space: Tree,
    places: Places,
    /// Items each of which contains the next one. The last one is the item before the current one.
    containers: Vec<u32>,
}

impl Search {
    fn run(&mut self, boxes: &[Aabb], layers: &mut Vec<u32>) {
        assert!(boxes.len() <= MAX_ITEMS, "{} items are too many: the limit is {MAX_ITEMS}", boxes.len());
        layers.clear();
        self.containers.clear();
        self.in_paint_order.clear(boxes.len());
        let mut is_in_space = false;
        for (item, own) in boxes.iter().enumerate() {
            if !is_in_space && self.in_paint_order.n_visits() > MAX_VISITS * (item + N_FREE) {
                is_in_space = true;
                self.change_to_space(boxes, layers);
            }
            let mut layer = 1;
            // An empty box overlaps nothing. It does not end the containers around it.
            if !own.is_empty() {
                let (below, first) = self.container(boxes, layers, own);
                layer = 1 + if is_in_space {
                    self.in_space.largest_overlapping(own, below)
                } else {
                    self.in_paint_order.largest_overlapping_since(first, item, own, below)
                };
                if is_in_space {
                    self.in_space.insert(self.places.of(item), own, layer);
                } else {
                    self.in_paint_order.append(item, own, layer);
                }
                self.containers.push(as_u32(item));
            }
            if !is_in_space {
                self.in_paint_order.carry(item);
            }
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
            if contains || is_planted(Fault::KeepsContainers) {
                return (layers[last].cast_signed(), last + 1);
            }
            // The siblings that follow are probably not inside of it either.
            self.containers.pop();
        }
        (0, 0)
    }

    /// Makes the tree in space, with all items that have layers.
    fn change_to_space(&mut self, boxes: &[Aabb], layers: &[u32]) {
        self.places.find(boxes);
        self.in_space.clear(boxes.len());
        if is_planted(Fault::ForgetsOnChange) {
            return;
        }
        for (item, (own, layer)) in
            boxes.iter().zip(layers).enumerate().filter(|(_, (own, _))| !own.is_empty())
        {
            self.in_space.insert(self.places.of(item), own, layer.cast_signed());
        }
    }
}

/// The index of an item. There are fewer than 2^32 of them.
#[expect(clippy::cast_possible_truncation, reason = "the caller has checked the number of items")]
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
    /// Panics if the numbers of layers and keys differ, or if an item does not have a `u32` as its
    /// index.
    pub fn of(&mut self, layers: &[u32], keys: &[u32]) -> (&[u32], &[Batch]) {
        assert_eq!(layers.len(), keys.len(), "each item has a layer and a key");
        assert!(u32::try_from(keys.len()).is_ok(), "an item has a u32 as its index");
        let Self { by_key, order, batches, sort } = self;
        // The second sort keeps the order of the first one within a layer.
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
                Some(last) if last.layer == layer && (last.key == key || is_planted(Fault::IgnoresKeys)) => {
                    last.n_items += 1;
                }
                _ => batches.push(Batch { layer, key, first, n_items: 1 }),
            }
        }
        (order, batches)
    }
}

#[cfg(test)]
mod tests {
    use std::format;
    use std::string::String;

    use proptest::prelude::*;

    use super::*;
    use crate::families::{FAMILIES, Random};
    use crate::fault::with;
    use crate::specification::spatial as specification;

    /// Around the borders of nodes, of the free visits, and of the sorts. Large and small pictures
    /// alternate, so that memory of one is there for the next.
    const SIZES: [usize; 14] = [1500, 1, 0, 600, 8, 64, 9, 513, 7, 65, 512, 2, 63, 400];

    /// The first picture whose layers or batches are not those of the specification. All pictures
    /// share one workspace.
    fn difference() -> Option<String> {
        let (mut layers, mut batches) = (Layers::new(), Batches::new());
        for n in SIZES {
            for (seed, (name, generate)) in (0..).zip(FAMILIES) {
                let mut random = Random::new(seed);
                let mut boxes = generate(n, &mut random);
                boxes.truncate(n);
                let expected = specification::layers(&boxes);
                if layers.of(&boxes) != expected {
                    return Some(format!("layers of {n} {name}"));
                }
                let keys: Vec<u32> =
                    (0..n).map(|_| [0, 1, 5000, u32::MAX][random.below(4) as usize]).collect();
                let (order, found) = batches.of(&expected, &keys);
                if (order, found)
                    != (
                        &*specification::batches(&expected, &keys).0,
                        &*specification::batches(&expected, &keys).1,
                    )
                {
                    return Some(format!("batches of {n} {name}"));
                }
                if layers.in_scopes(&boxes, &keys) != specification::layers_in_scopes(&boxes, &keys) {
                    return Some(format!("layers of {n} {name} in scopes"));
                }
            }
        }
        None
    }

    #[test]
    fn layers_and_batches_are_those_of_the_specification() {
        assert_eq!(difference(), None);
    }

    #[test]
    fn planted_faults_are_caught() {
        for fault in [
            Fault::TouchingOverlaps,
            Fault::StopsBelowTheTop,
            Fault::DoesNotCarry,
            Fault::CarriesTheLastKey,
            Fault::VisitsOneChild,
            Fault::KeepsContainers,
            Fault::ForgetsOnChange,
            Fault::DoesNotExtend,
            Fault::KeepsTheTree,
            Fault::IgnoresScopes,
            Fault::IgnoresKeys,
        ] {
            assert!(with(Some(fault), difference).is_some(), "{fault:?} is not caught");
        }
    }

    /// Boxes with few distinct edges, so that many touch, contain each other, or are equal.
    fn some_boxes() -> impl Strategy<Value = Vec<Aabb>> {
        let one = prop_oneof![
            1 => Just(Aabb::EMPTY),
            1 => Just(Aabb::PLANE),
            30 => (0_u8..60, 0_u8..60, 1_u8..12, 1_u8..12).prop_map(|(x, y, width, height)| {
                let [x, y, width, height] = [x, y, width, height].map(f64::from);
                Aabb::new(x, y, x + width, y + height).expect("no NaN")
            }),
        ];
        proptest::collection::vec(one, 0..400)
    }

    proptest! {
        #[test]
        fn a_workspace_has_no_memory_of_pictures_before(
            pictures in proptest::collection::vec((some_boxes(), 1_u32..5), 1..5),
        ) {
            let (mut layers, mut batches) = (Layers::new(), Batches::new());
            for (boxes, n_scopes) in pictures {
                let numbers: Vec<u32> = (0..).map(|i| i % n_scopes).take(boxes.len()).collect();
                let expected = specification::layers(&boxes);
                prop_assert_eq!(layers.of(&boxes), &*expected);
                let (order, found) = specification::batches(&expected, &numbers);
                prop_assert_eq!(batches.of(&expected, &numbers), (&*order, &*found));
                let expected = specification::layers_in_scopes(&boxes, &numbers);
                prop_assert_eq!(layers.in_scopes(&boxes, &numbers), &*expected);
            }
        }

        #[test]
        fn batches_of_any_numbers_are_those_of_the_specification(
            items in proptest::collection::vec((any::<u32>(), 0_u32..3), 0..1200),
        ) {
            let (layers, keys): (Vec<u32>, Vec<u32>) = items.into_iter().unzip();
            let mut batches = Batches::new();
            for (layers, keys) in [(&layers, &keys), (&keys, &layers)] {
                let (order, found) = specification::batches(layers, keys);
                prop_assert_eq!(batches.of(layers, keys), (&*order, &*found));
            }
        }
    }
}
