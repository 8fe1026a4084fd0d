//! What is at a place of a scene: by boxes, or precisely.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::specification::spatial::Place;
use crate::{Boxes, ElementKind, Scene};

/// Finds what is at a place of a scene, the top-most first. Keep it: it keeps its memory.
///
/// [`pick`](Self::pick) tests boxes and equals [`specification::spatial::pick`]. A box is only a
/// candidate: it can contain a point that its element does not paint.
/// [`pick_precise`](Self::pick_precise) and [`top_most`](Self::top_most) ask a closure about each
/// candidate.
///
/// The walk is that of the [specification][`specification::spatial::pick`] in the other direction,
/// from the top down. So it can end at the first hit. From an end, it jumps to the begin if nothing
/// in between can be at the place.
///
/// ```
/// use boxwood_cpu::{Picker, Place, Scene, specification};
///
/// let mut scene = Scene::new();
/// let page = scene.leaf([0.0, 0.0, 90.0, 90.0]);
/// let disc = scene.leaf([10.0, 10.0, 30.0, 30.0]);
/// let boxes = specification::boxes(&scene);
///
/// let mut picker = Picker::new();
/// let at = Place::Point([11.0, 11.0]);
/// assert_eq!(picker.pick(&scene, &boxes, at), [disc, page]);
///
/// // The point is in a corner of the disc's box.
/// let is_hit = |element, _| element != disc || (11.0_f32 - 20.0).hypot(11.0 - 20.0) < 10.0;
/// assert_eq!(Picker::top_most(&scene, &boxes, at, is_hit), Some(page));
/// ```
///
/// [`specification::spatial::pick`]: crate::specification::spatial::pick()
#[derive(Clone, Debug, Default)]
pub struct Picker {
    found: Vec<usize>,
}

impl Picker {
    /// A picker without memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// The elements at a place, the top-most first: every leaf whose clipped box is there, and the
    /// begin of every node whose group box is there. A node comes after everything inside of it.
    /// `boxes` are those of the scene.
    ///
    /// # Panics
    ///
    /// Panics if the boxes have another number of elements, if they lack the links or the group
    /// boxes, or if a link cannot be one of this scene. Otherwise, with boxes of another scene,
    /// such as of the scene before a change, the result has no meaning.
    pub fn pick(&mut self, scene: &Scene, boxes: &Boxes, place: Place) -> &[usize] {
        self.found.clear();
        let walked = walk(
            scene,
            boxes,
            place,
            |_, _| true,
            |element| {
                self.found.push(element);
                ControlFlow::<()>::Continue(())
            },
        );
        debug_assert!(walked.is_continue(), "nothing ends the walk early");
        &self.found
    }

    /// The elements at a place that `is_hit` accepts, the top-most first: leaves, and the begin of
    /// every node with such a leaf inside of it.
    ///
    /// `is_hit` is called from the top down, and only for elements whose boxes are at the place. It
    /// is called with the begin of a node before everything inside of the node. If it refuses the
    /// begin, such as for a clip that does not contain the point, nothing inside of the node is
    /// found, and `is_hit` is not called for it. Otherwise, it is called for the leaves one by one,
    /// which need not test the clips around them. Nodes without an end are the exception: if
    /// several are open at the end of the scene, the inner ones come first.
    ///
    /// # Panics
    ///
    /// Panics if the boxes have another number of elements, if they lack the links or the group
    /// boxes, or if a link cannot be one of this scene. Otherwise, with boxes of another scene,
    /// such as of the scene before a change, the result has no meaning.
    pub fn pick_precise(
        &mut self,
        scene: &Scene,
        boxes: &Boxes,
        place: Place,
        is_hit: impl FnMut(usize, Place) -> bool,
    ) -> &[usize] {
        self.found.clear();
        // Leaves are found from the top down, so the last one is the first inside of a node, if
        // there is one.
        let mut last_leaf = None;
        let walked = walk(scene, boxes, place, is_hit, |element| {
            let is_leaf = scene.kind(element) == ElementKind::Leaf;
            if is_leaf {
                last_leaf = Some(element);
            }
            if is_leaf || last_leaf.is_some_and(|leaf| is_inside(leaf, element, boxes)) {
                self.found.push(element);
            }
            ControlFlow::<()>::Continue(())
        });
        debug_assert!(walked.is_continue(), "nothing ends the walk early");
        &self.found
    }

    /// The top-most leaf at a place that `is_hit` accepts: the first one that
    /// [`pick_precise`](Self::pick_precise) finds. `is_hit` is called for nothing below it.
    ///
    /// # Panics
    ///
    /// Panics if the boxes have another number of elements, if they lack the links or the group
    /// boxes, or if a link cannot be one of this scene. Otherwise, with boxes of another scene,
    /// such as of the scene before a change, the result has no meaning.
    pub fn top_most(
        scene: &Scene,
        boxes: &Boxes,
        place: Place,
        is_hit: impl FnMut(usize, Place) -> bool,
    ) -> Option<usize> {
        let walked = walk(scene, boxes, place, is_hit, |element| match scene.kind(element) {
            ElementKind::Leaf => ControlFlow::Break(element),
            _ => ControlFlow::Continue(()),
        });
        walked.break_value()
    }
}

/// The message for links that cannot be those of the scene.
const OTHER_SCENE: &str =
    "the boxes are those of another scene: compute them again after the scene has changed";

/// Visits the leaves and begins at a place from the top down: those whose boxes are there, and that
/// `is_hit` accepts, inside of nodes of which the same is true. `is_hit` is called for a begin
/// before everything inside of its node.
fn walk<B>(
    scene: &Scene,
    boxes: &Boxes,
    place: Place,
    mut is_hit: impl FnMut(usize, Place) -> bool,
    mut visit: impl FnMut(usize) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let has_all = [boxes.ranks.len(), boxes.clipped_boxes.len()] == [scene.len(); 2]
        && [boxes.entries.len(), boxes.links.len(), boxes.group_boxes.len()] == [scene.n_entries(); 3];
    assert!(has_all, "a pick needs all boxes, ranks, and links of the same scene");
    let mut end = scene.len();
    // A node without an end extends to the end of the scene, so the walk would meet its begin last.
    let mut open = innermost_open(boxes);
    while let Some(node) = open {
        let begin = boxes.entries[node].element();
        if !(place.is_in(boxes.group_boxes[node]) && is_hit(begin, place)) {
            end = begin;
        }
        open = usize::try_from(boxes.links[node].parent).ok();
        // Otherwise, the walk would not end.
        assert!(open.is_none_or(|outer| outer < node), "{OTHER_SCENE}");
    }
    while let Some(element) = end.checked_sub(1) {
        end = element;
        match scene.kind(element) {
            ElementKind::Leaf => {
                if place.is_in(boxes.clipped_boxes[element]) && is_hit(element, place) {
                    visit(element)?;
                }
            }
            ElementKind::End => {
                let node = boxes.ranks[element] as usize;
                // An end without a begin has an empty box, but ends nothing.
                let Ok(partner) = usize::try_from(boxes.links[node].partner) else { continue };
                let begin = boxes.entries[partner].element();
                if !(place.is_in(boxes.group_boxes[node]) && is_hit(begin, place)) {
                    assert!(begin < element, "{OTHER_SCENE}");
                    end = begin;
                }
            }
            // The walk jumps over the begins that are not at the place.
            ElementKind::Begin => visit(element)?,
            ElementKind::Nop => {}
        }
    }
    ControlFlow::Continue(())
}

/// The innermost node that is open at the end of the scene, as an entry of the node stream.
fn innermost_open(boxes: &Boxes) -> Option<usize> {
    let last = boxes.entries.len().checked_sub(1)?;
    if boxes.entries[last].is_begin() { Some(last) } else { usize::try_from(boxes.links[last].parent).ok() }
}

/// Whether a leaf is inside of the node that begins at an element before it.
fn is_inside(leaf: usize, begin: usize, boxes: &Boxes) -> bool {
    let partner = boxes.links[boxes.ranks[begin] as usize].partner;
    usize::try_from(partner).map_or(true, |end| boxes.ranks[leaf] as usize <= end)
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use proptest::prelude::*;

    use super::*;
    use crate::specification::boxes;
    use crate::specification::spatial::pick;
    use crate::{Aabb, tag};

    fn some_box() -> impl Strategy<Value = [f64; 4]> {
        (0_u8..12, 0_u8..12, 0_u8..9, 0_u8..9).prop_map(|(x, y, width, height)| {
            let [x, y, width, height] = [x, y, width, height].map(f64::from);
            [x, y, x + width, y + height]
        })
    }

    /// Leaves, begins, ends, and Nops in any order.
    fn some_scene() -> impl Strategy<Value = Scene> {
        proptest::collection::vec((0_u8..9, some_box()), 0..70).prop_map(|elements| {
            // No function of a scene adds a Nop, but the draw tags of a renderer can have some.
            let own_box = |kind, [x0, y0, x1, y1]: [f64; 4]| match kind {
                0 => Aabb::PLANE,
                _ => Aabb::new(x0, y0, x1, y1).expect("no NaN"),
            };
            let tag = |kind| match kind {
                0 | 1 => tag::BEGIN,
                2 | 3 => tag::END,
                4 => tag::NOP,
                _ => tag::LEAF,
            };
            let (tags, boxes) =
                elements.into_iter().map(|(kind, own)| (tag(kind), own_box(kind, own))).unzip();
            Scene::from_streams(tags, boxes).expect("the values are plain")
        })
    }

    fn some_place() -> impl Strategy<Value = Place> {
        (any::<bool>(), some_box()).prop_map(|(is_point, [x0, y0, x1, y1])| {
            let area = Aabb::new(x0, y0, x1, y1).expect("no NaN").canonical();
            if is_point { Place::Point([area.x0, area.y0]) } else { Place::Area(area) }
        })
    }

    /// A test of elements that accepts three quarters of them.
    fn accepts(element: usize, seed: u64) -> bool {
        const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
        let mixed = (element as u64 ^ seed.wrapping_mul(GOLDEN)).wrapping_add(1).wrapping_mul(GOLDEN);
        (mixed ^ (mixed >> 29)).wrapping_mul(GOLDEN) >> 62 != 0
    }

    /// What is found precisely, by the definition: the leaves that the boxes and the test accept,
    /// if the test accepts the nodes around them, and those nodes.
    fn precise(scene: &Scene, boxes: &Boxes, place: Place, is_hit: impl Fn(usize) -> bool) -> Vec<usize> {
        let begins: Vec<usize> = (0..scene.len())
            .filter(|i| matches!(scene.kind(*i), ElementKind::Begin | ElementKind::End))
            .collect();
        let nodes_around = |element: usize| {
            let outward = |node: &usize| usize::try_from(boxes.links[*node].parent).ok();
            std::iter::successors(boxes.parent(element), outward).map(|node| begins[node]).collect::<Vec<_>>()
        };
        let is_leaf = |i: &usize| scene.kind(*i) == ElementKind::Leaf;
        let at_place = pick(scene, boxes, place);
        let leaves = at_place.iter().copied().filter(|i| is_leaf(i) && is_hit(*i));
        let leaves: Vec<_> = leaves.filter(|leaf| nodes_around(*leaf).into_iter().all(&is_hit)).collect();
        let nodes: Vec<_> = leaves.iter().flat_map(|leaf| nodes_around(*leaf)).collect();
        at_place.into_iter().filter(|i| leaves.contains(i) || nodes.contains(i)).collect()
    }

    proptest! {
        #[test]
        fn a_reused_picker_equals_the_specification(
            frames in proptest::collection::vec((some_scene(), some_place(), any::<u64>()), 1..5),
        ) {
            let mut picker = Picker::new();
            for (scene, place, seed) in frames {
                let boxes = boxes(&scene);
                let expected = pick(&scene, &boxes, place);
                prop_assert_eq!(picker.pick(&scene, &boxes, place), expected, "the elements differ");
                let expected = precise(&scene, &boxes, place, |i| accepts(i, seed));
                let found = picker.pick_precise(&scene, &boxes, place, |i, _| accepts(i, seed));
                prop_assert_eq!(found, &expected, "the precise elements differ");
                let top_most = Picker::top_most(&scene, &boxes, place, |i, _| accepts(i, seed));
                prop_assert_eq!(top_most, expected.first().copied(), "the top-most elements differ");
            }
        }

        #[test]
        fn the_test_is_called_from_the_top_down_and_for_candidates_only(
            scene in some_scene(), place in some_place(), seed in any::<u64>(),
        ) {
            let boxes = boxes(&scene);
            let (mut leaves, mut refused) = (Vec::new(), Vec::new());
            let candidates = pick(&scene, &boxes, place);
            let top_most = Picker::top_most(&scene, &boxes, place, |i, _| {
                assert!(candidates.contains(&i), "the box of {i} is not at the place");
                let is_leaf = scene.kind(i) == ElementKind::Leaf;
                if is_leaf { leaves.push(i) } else if !accepts(i, seed) { refused.push(i) }
                accepts(i, seed)
            });
            prop_assert!(leaves.is_sorted_by(|a, b| a > b), "{leaves:?}");
            prop_assert!(top_most.is_none_or(|i| leaves.last() == Some(&i)), "it goes on below the hit");
            for begin in refused {
                prop_assert!(!leaves.iter().any(|leaf| *leaf > begin && is_inside(*leaf, begin, &boxes)));
            }
        }
    }

    #[test]
    fn a_picker_keeps_its_memory() {
        let mut scene = Scene::new();
        (0..100).for_each(|_| _ = scene.leaf([0.0, 0.0, 9.0, 9.0]));
        let boxes = boxes(&scene);
        let mut picker = Picker::new();
        let memory = picker.pick(&scene, &boxes, Place::Point([1.0, 1.0])).as_ptr();
        assert!(picker.pick(&scene, &boxes, Place::Point([-1.0, 1.0])).is_empty());
        let found = picker.pick_precise(&scene, &boxes, Place::Point([1.0, 1.0]), |_, _| true);
        assert_eq!((found.len(), found.as_ptr()), (100, memory));
    }

    /// All balanced and unbalanced scenes of four elements, with the boxes of each other one. A
    /// pick may panic then, but it ends.
    #[test]
    fn a_pick_with_boxes_of_another_scene_ends() {
        let kinds = [tag::LEAF, tag::BEGIN, tag::END];
        let scene = |code: usize| {
            let tags = (0..4).map(|i| kinds[code / 3_usize.pow(i) % 3]).collect();
            Scene::from_streams(tags, vec![Aabb::PLANE; 4]).expect("the boxes are canonical")
        };
        let places = [Place::Point([1.0, 1.0]), Place::Point([f32::MAX, 0.0])];
        let mut n_refused = 0;
        for code in 0..81 {
            let boxes = boxes(&scene(code));
            for other in (0..81).map(scene) {
                for place in places {
                    let pick = || Picker::new().pick(&other, &boxes, place).len();
                    n_refused += usize::from(catch_unwind(AssertUnwindSafe(pick)).is_err());
                    let pick = || crate::specification::spatial::pick(&other, &boxes, place).len();
                    n_refused += usize::from(catch_unwind(AssertUnwindSafe(pick)).is_err());
                }
            }
        }
        assert!(n_refused > 0, "some links cannot be those of another scene");
    }
}
