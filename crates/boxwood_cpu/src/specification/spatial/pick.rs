//! What is at a place of a scene, with its clips and groups.

use alloc::vec::Vec;

use crate::core::Aabb;
use crate::{Boxes, ElementKind, Scene};

/// A place in scene space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// A point.
    Point([f32; 2]),
    /// A canonical box.
    Area(Aabb),
}

impl Place {
    /// Whether a canonical box contains the point, or overlaps the area. Boxes are half-open: a
    /// point at x1 or y1 is outside, and boxes that only touch do not overlap.
    pub fn is_in(self, own: Aabb) -> bool {
        match self {
            Self::Point([x, y]) => own.x0 <= x && x < own.x1 && own.y0 <= y && y < own.y1,
            Self::Area(area) => !area.intersect(own).is_empty(),
        }
    }
}

/// The elements at a place, the top-most first: every leaf whose clipped box is there, and the
/// begin of every node whose group box is there. A node comes after everything inside of it.
/// `boxes` are those of the scene.
///
/// This is the walk over a bounding volume hierarchy whose nodes have skip pointers: Smits,
/// *Efficiency Issues for Ray Tracing*, 1998. The scene itself is the hierarchy, and the partner of
/// a begin is its skip pointer. A group box contains the clipped boxes of all leaves inside of it,
/// so nothing in a group is at the place if its group box is not. The group box is inside of the
/// clip box, which therefore need not be tested.
///
/// # Panics
///
/// Panics if the boxes have another number of elements, or if a link cannot be one of this scene.
/// Otherwise, with boxes of another scene, the result has no meaning.
pub fn pick(scene: &Scene, boxes: &Boxes, place: Place) -> Vec<usize> {
    let is_entry = |i: &usize| matches!(scene.kind(*i), ElementKind::Begin | ElementKind::End);
    // The element of each entry of the node stream.
    let elements: Vec<usize> = (0..scene.len()).filter(is_entry).collect();
    let mut found = Vec::new();
    let mut i = 0;
    while i < scene.len() {
        let node = boxes.ranks[i] as usize;
        let mut next = i + 1;
        match scene.kind(i) {
            ElementKind::Leaf if place.is_in(boxes.clipped_boxes[i]) => found.push(i),
            ElementKind::Begin if place.is_in(boxes.group_boxes[node]) => found.push(i),
            ElementKind::Begin => {
                // A begin without an end extends to the end of the scene.
                let partner = usize::try_from(boxes.links[node].partner);
                next = partner.map_or(scene.len(), |partner| elements[partner] + 1);
                assert!(next > i, "the boxes are those of another scene");
            }
            ElementKind::Leaf | ElementKind::End | ElementKind::Nop => {}
        }
        i = next;
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::specification::boxes;
    use crate::tag;

    #[test]
    fn the_top_most_element_is_first_and_a_group_comes_after_its_contents() {
        let mut scene = Scene::new();
        scene.leaf([0.0, 0.0, 9.0, 9.0]); // 0
        scene.begin_clip([2.0, 2.0, 6.0, 6.0]); // 1
        scene.leaf([0.0, 0.0, 4.0, 4.0]); // 2
        scene.leaf([4.0, 4.0, 9.0, 9.0]); // 3
        scene.end(); // 4
        scene.begin_clip([20.0, 20.0, 30.0, 30.0]); // 5
        scene.leaf([0.0, 0.0, 9.0, 9.0]); // 6
        let boxes = boxes(&scene);
        let at = |x, y| pick(&scene, &boxes, Place::Point([x, y]));
        assert_eq!(at(3.0, 3.0), [2, 1, 0]);
        assert_eq!(at(4.0, 4.0), [3, 1, 0], "x1 and y1 are outside");
        assert_eq!(at(2.0, 5.0), [1, 0], "a group box can contain a point that none of its leaves does");
        assert_eq!(at(1.9, 3.0), [0], "the clip is to the right");
        assert_eq!(at(9.0, 3.0), []);
        let within = |edges: [f64; 4]| {
            let [x0, y0, x1, y1] = edges;
            pick(&scene, &boxes, Place::Area(Aabb::new(x0, y0, x1, y1).expect("no NaN")))
        };
        assert_eq!(within([3.0, 3.0, 5.0, 5.0]), [3, 2, 1, 0]);
        assert_eq!(within([9.0, 0.0, 20.0, 20.0]), []);
        assert_eq!(pick(&scene, &boxes, Place::Area(Aabb::PLANE)), [3, 2, 1, 0]);
        assert_eq!(pick(&scene, &boxes, Place::Area(Aabb::EMPTY)), []);
    }

    fn some_box() -> impl Strategy<Value = [f64; 4]> {
        (0_u8..12, 0_u8..12, 0_u8..7, 0_u8..7).prop_map(|(x, y, width, height)| {
            let [x, y, width, height] = [x, y, width, height].map(f64::from);
            [x, y, x + width, y + height]
        })
    }

    /// Leaves, begins, ends, and Nops in any order.
    fn some_scene() -> impl Strategy<Value = Scene> {
        let tags =
            prop::sample::select(vec![tag::BEGIN, tag::END, tag::NOP, tag::LEAF, tag::LEAF, tag::LEAF]);
        proptest::collection::vec((tags, some_box()), 0..60).prop_map(|elements| {
            let aabb = |[x0, y0, x1, y1]: [f64; 4]| Aabb::new(x0, y0, x1, y1).expect("no NaN");
            let (tags, boxes) = elements.into_iter().map(|(tag, own)| (tag, aabb(own))).unzip();
            Scene::from_streams(tags, boxes).expect("the values are plain")
        })
    }

    proptest! {
        #[test]
        fn the_walk_finds_what_a_test_of_every_box_finds(
            scene in some_scene(),
            [x, y, _, _] in some_box(),
            area in some_box(),
        ) {
            let boxes = boxes(&scene);
            let [x0, y0, x1, y1] = area;
            let area = Aabb::new(x0, y0, x1, y1).expect("no NaN").canonical();
            #[expect(clippy::cast_possible_truncation, reason = "they are small whole numbers")]
            let point = [x as f32, y as f32];
            for place in [Place::Point(point), Place::Area(area)] {
                let is_there = |i: &usize| match scene.kind(*i) {
                    ElementKind::Leaf => place.is_in(boxes.clipped_boxes[*i]),
                    ElementKind::Begin => place.is_in(boxes.group_boxes[boxes.ranks[*i] as usize]),
                    ElementKind::End | ElementKind::Nop => false,
                };
                let expected: Vec<usize> = (0..scene.len()).rev().filter(is_there).collect();
                prop_assert_eq!(pick(&scene, &boxes, place), expected);
            }
        }
    }
}
