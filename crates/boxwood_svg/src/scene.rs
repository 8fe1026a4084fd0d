//! The scene of a drawing, which keeps its boxes.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

use boxwood_cpu::{Boxes, Scene};

/// The scene of a drawing: the draw tag and the box of each element.
///
/// It is a [`Scene`] that keeps the results of [`Drawing::boxes`](crate::Drawing::boxes). A mutable
/// use of the scene discards them.
#[derive(Default)]
pub struct DrawingScene {
    scene: Scene,
    boxes: OnceLock<Boxes>,
}

impl DrawingScene {
    /// The boxes of all elements, which the first call computes.
    pub(crate) fn results(&self) -> &Boxes {
        if let Some(boxes) = self.boxes.get() {
            return boxes;
        }
        // Not inside of `get_or_init`: while the engine waits for its threads in a pool of rayon,
        // this thread may start a task of the caller that needs these boxes too.
        let boxes = boxwood_cpu::boxes(&self.scene).expect("the loader gives every element a box");
        self.boxes.get_or_init(|| boxes)
    }

    /// Keeps the boxes of all elements, unless they are known.
    pub(crate) fn keep(&self, boxes: Boxes) {
        let (n_elements, n_entries) = (self.scene.len(), self.scene.n_entries());
        let has_all = [boxes.ranks.len(), boxes.clipped_boxes.len()] == [n_elements; 2]
            && [boxes.entries.len(), boxes.links.len()] == [n_entries; 2]
            && [boxes.clip_boxes.len(), boxes.group_boxes.len()] == [n_entries; 2];
        assert!(has_all, "these are not the boxes of a scene of {n_elements} elements");
        self.boxes.get_or_init(|| boxes);
    }
}

impl From<Scene> for DrawingScene {
    fn from(scene: Scene) -> Self {
        Self { scene, boxes: OnceLock::new() }
    }
}

impl From<DrawingScene> for Scene {
    fn from(drawing: DrawingScene) -> Self {
        drawing.scene
    }
}

impl Deref for DrawingScene {
    type Target = Scene;

    fn deref(&self) -> &Scene {
        &self.scene
    }
}

impl DerefMut for DrawingScene {
    fn deref_mut(&mut self) -> &mut Scene {
        self.boxes.take();
        &mut self.scene
    }
}

impl fmt::Debug for DrawingScene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.scene.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use boxwood_cpu::Aabb;

    use super::*;

    /// A leaf of 20 by 20 in a clip of 10 by 10.
    fn clipped_leaf() -> DrawingScene {
        let mut scene = Scene::new();
        scene.begin_clip([0.0, 0.0, 10.0, 10.0]);
        scene.leaf([0.0, 0.0, 20.0, 20.0]);
        scene.end();
        scene.into()
    }

    fn square(side: f64) -> Aabb {
        Aabb::new(0.0, 0.0, side, side).expect("the side is a number")
    }

    #[test]
    fn boxes_are_computed_once_and_again_after_an_edit() {
        let mut scene = clipped_leaf();
        assert!(std::ptr::eq(scene.results(), scene.results()));
        assert_eq!(scene.results().clipped_boxes[1], square(10.0));
        scene.set_box(0, square(5.0));
        assert_eq!(scene.results().clipped_boxes[1], square(5.0));
        scene.leaf([0.0, 0.0, 1.0, 1.0]);
        assert_eq!(scene.results(), &boxwood_cpu::specification::boxes(&scene));
    }

    #[test]
    fn boxes_of_another_engine_are_kept_until_an_edit() {
        let mut scene = clipped_leaf();
        let mut others = boxwood_cpu::specification::boxes(&scene);
        others.clipped_boxes[1] = square(7.0);
        scene.keep(others.clone());
        assert_eq!(scene.results(), &others);
        scene.set_box(0, square(5.0));
        assert_eq!(scene.results().clipped_boxes[1], square(5.0));
    }

    #[test]
    #[should_panic(expected = "these are not the boxes of a scene of 3 elements")]
    fn boxes_of_another_scene_are_refused() {
        clipped_leaf().keep(Boxes::default());
    }
}
