//! The input of the stages: the flattened scene as tags and boxes.

use alloc::vec::Vec;

use crate::core::{Aabb, NotABox};

/// The draw tags that Boxwood interprets, with the values of `vello_encoding::DrawTag`. Every other
/// tag is a leaf.
pub mod tag {
    /// No operation: an element that paints nothing.
    pub const NOP: u32 = 0;
    /// A leaf: the tag of a solid fill, one of many that a leaf can have.
    pub const LEAF: u32 = 0x44;
    /// Begins a node, which clips to its shape, composites its contents as a group, or both.
    pub const BEGIN: u32 = 0x49;
    /// Ends the innermost open node.
    pub const END: u32 = 0x21;
}

/// The kind of an element, which follows from its draw tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementKind {
    /// Paints nothing.
    Nop,
    /// A draw object.
    Leaf,
    /// Begins a node.
    Begin,
    /// Ends a node.
    End,
}

impl ElementKind {
    /// The kind of the elements with this draw tag.
    pub fn of(draw_tag: u32) -> Self {
        match draw_tag {
            tag::NOP => Self::Nop,
            tag::BEGIN => Self::Begin,
            tag::END => Self::End,
            _ => Self::Leaf,
        }
    }
}

/// A flattened scene, in paint order: one draw tag and one box per element.
///
/// A scene is its own builder. Keep it from frame to frame: [`clear`](Self::clear) keeps its
/// memory.
///
/// ```
/// use boxwood_cpu::Scene;
///
/// let mut scene = Scene::with_capacity(4096);
/// scene.clear(); // at the start of each frame
/// scene.begin_clip([0.0, 0.0, 100.0, 100.0]);
/// let button = scene.leaf([80.0, 10.0, 150.0, 20.0]);
/// scene.end();
/// assert_eq!((scene.len(), button), (3, 1));
/// ```
///
/// The calls that build a scene return no errors. If a coordinate is NaN, the element gets
/// [`Aabb::EMPTY`] as its box, the scene remembers the element, and [`check`](Self::check) reports
/// it. The engine and the stages on a GPU call `check` first.
///
/// The elements need not be balanced. An end without a begin changes nothing. A begin without an
/// end extends to the end of the scene. [`check_balance`](Self::check_balance) reports both.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    tags: Vec<u32>,
    boxes: Vec<Aabb>,
    n_entries: usize,
    /// The elements whose box was given with a NaN. There are none as a rule.
    not_boxes: Vec<(usize, NotABox)>,
}

/// The reason why a scene has no boxes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SceneError {
    /// The two streams have different lengths.
    #[error("{tags} draw tags but {boxes} boxes: give each element one of both")]
    Lengths {
        /// The number of draw tags.
        tags: usize,
        /// The number of boxes.
        boxes: usize,
    },
    /// A box breaks the rules of [`Aabb`](Aabb#values), so that a GPU may compute any minimum or
    /// maximum of it.
    #[error(
        "the box {value:?} of element {element} has a coordinate that is NaN, infinite, subnormal, or -0.0: \
         make boxes with Aabb::new"
    )]
    Value {
        /// The index of the element.
        element: usize,
        /// Its box.
        value: Aabb,
    },
    /// The box of an element was given with a coordinate that is NaN.
    #[error("element {element} of the scene has no box: give it one with Scene::set_box, or clear the scene")]
    NotABox {
        /// The index of the first such element.
        element: usize,
        /// Its coordinates.
        #[source]
        source: NotABox,
    },
}

/// The first begin or end of a scene that has no partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unbalanced {
    /// An end closes nothing.
    #[error("element {element} is an end without a begin")]
    End {
        /// The index of the end element.
        element: usize,
    },
    /// A begin is never closed.
    #[error("element {element} is a begin without an end")]
    Begin {
        /// The index of the begin element.
        element: usize,
    },
}

impl Scene {
    /// An empty scene without memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty scene with memory for `n_elements` elements.
    pub fn with_capacity(n_elements: usize) -> Self {
        Self {
            tags: Vec::with_capacity(n_elements),
            boxes: Vec::with_capacity(n_elements),
            ..Self::default()
        }
    }

    /// The scene with these draw tags and boxes.
    ///
    /// The box of a leaf is its ink box. The box of a begin is the box of its shape, or
    /// [`Aabb::PLANE`] if the node does not clip. The boxes of other elements are not used, but
    /// must keep the rules of [`Aabb`](Aabb#values) too. All boxes are in one space, which is also
    /// the space of the results.
    ///
    /// # Errors
    ///
    /// [`SceneError`] if the streams have different lengths, or a coordinate has no defined order
    /// on a GPU.
    pub fn from_streams(tags: Vec<u32>, boxes: Vec<Aabb>) -> Result<Self, SceneError> {
        if tags.len() != boxes.len() {
            return Err(SceneError::Lengths { tags: tags.len(), boxes: boxes.len() });
        }
        if let Some(element) = boxes.iter().position(|b| !b.has_plain_values()) {
            return Err(SceneError::Value { element, value: boxes[element] });
        }
        let n_entries = tags.iter().filter(|&&t| matches!(t, tag::BEGIN | tag::END)).count();
        Ok(Self { tags, boxes, n_entries, not_boxes: Vec::new() })
    }

    /// Removes all elements and keeps the memory.
    pub fn clear(&mut self) {
        self.tags.clear();
        self.boxes.clear();
        self.n_entries = 0;
        self.not_boxes.clear();
    }

    /// Begins a node that clips its contents to a shape with this box. Returns the index of the
    /// begin element.
    ///
    /// The node can also composite its contents as a group: boxes do not depend on that.
    pub fn begin_clip(&mut self, shape_box: impl TryInto<Aabb, Error: Into<NotABox>>) -> usize {
        self.n_entries += 1;
        self.push(tag::BEGIN, shape_box)
    }

    /// Begins a node that composites its contents as a group and does not clip. Returns the index
    /// of the begin element.
    pub fn begin_group(&mut self) -> usize {
        self.begin_clip(Aabb::PLANE)
    }

    /// Adds a draw object with this ink box. Returns the index of its element.
    pub fn leaf(&mut self, ink_box: impl TryInto<Aabb, Error: Into<NotABox>>) -> usize {
        self.push(tag::LEAF, ink_box)
    }

    /// Ends the innermost open node. Returns the index of the end element.
    ///
    /// An end without a begin has no effect on any box. [`Self::check_balance`] reports it.
    pub fn end(&mut self) -> usize {
        self.n_entries += 1;
        self.push(tag::END, Aabb::EMPTY)
    }

    /// Replaces the box of an element: the ink box of a leaf, or the box of the shape of a begin.
    ///
    /// # Panics
    ///
    /// Panics if there is no such element.
    pub fn set_box(&mut self, element: usize, own_box: impl TryInto<Aabb, Error: Into<NotABox>>) {
        assert!(element < self.len(), "element {element} of a scene of {} elements", self.len());
        // The new box replaces the note about the old one. The list is empty as a rule.
        self.not_boxes.retain(|(other, _)| *other != element);
        self.boxes[element] = self.valid_box(element, own_box);
    }

    fn push(&mut self, tag: u32, own_box: impl TryInto<Aabb, Error: Into<NotABox>>) -> usize {
        let element = self.len();
        let own_box = self.valid_box(element, own_box);
        self.tags.push(tag);
        self.boxes.push(own_box);
        element
    }

    /// The box, or [`Aabb::EMPTY`] and a note for [`check`](Self::check).
    fn valid_box(&mut self, element: usize, own_box: impl TryInto<Aabb, Error: Into<NotABox>>) -> Aabb {
        let made = own_box.try_into().map_err(Into::into).and_then(|own| {
            // The fields of a box are public, so a caller can break its rules.
            let Aabb { x0, y0, x1, y1 } = own;
            if own.has_plain_values() { Ok(own) } else { Aabb::try_from([x0, y0, x1, y1]) }
        });
        made.unwrap_or_else(|error| {
            self.not_boxes.push((element, error));
            Aabb::EMPTY
        })
    }

    /// Checks that every element has a box.
    ///
    /// # Errors
    ///
    /// [`SceneError::NotABox`] with the first element whose box was given with a NaN.
    pub fn check(&self) -> Result<(), SceneError> {
        // Boxes may have been set in any order, so the first note need not be the first element.
        match self.not_boxes.iter().min_by_key(|(element, _)| element) {
            Some((element, not_a_box)) => Err(SceneError::NotABox { element: *element, source: *not_a_box }),
            None => Ok(()),
        }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.tags.len()
    }

    /// Whether the scene has no elements.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }

    /// The number of begins and ends: the length of the node stream.
    pub fn n_entries(&self) -> usize {
        self.n_entries
    }

    /// The draw tag of each element.
    pub fn tags(&self) -> &[u32] {
        &self.tags
    }

    /// The box of each element.
    pub fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }

    /// The kind of the element at `index`.
    ///
    /// # Panics
    ///
    /// Panics if there is no such element.
    pub fn kind(&self, index: usize) -> ElementKind {
        ElementKind::of(self.tags[index])
    }

    /// Checks that every begin has an end and every end a begin. The stages do not need this.
    ///
    /// # Errors
    ///
    /// [`Unbalanced`] with the first end that has no begin, or else the innermost begin that has no
    /// end.
    pub fn check_balance(&self) -> Result<(), Unbalanced> {
        let mut open = Vec::new();
        for element in 0..self.len() {
            match self.kind(element) {
                ElementKind::Begin => open.push(element),
                ElementKind::End if open.pop().is_none() => return Err(Unbalanced::End { element }),
                _ => {}
            }
        }
        open.pop().map_or(Ok(()), |element| Err(Unbalanced::Begin { element }))
    }
}

#[cfg(test)]
mod tests {
    use vello_encoding::DrawTag;

    use super::*;

    #[test]
    fn tags_equal_those_of_vello() {
        assert_eq!(
            [tag::NOP, tag::LEAF, tag::BEGIN, tag::END],
            [DrawTag::NOP.0, DrawTag::COLOR.0, DrawTag::BEGIN_CLIP.0, DrawTag::END_CLIP.0]
        );
    }

    #[test]
    fn a_built_scene_equals_its_streams() {
        let mut scene = Scene::with_capacity(5);
        let clip = Aabb::try_from([0.0, 0.0, 10.0, 10.0]).expect("no coordinate is NaN");
        let leaf = Aabb::new(1.0, 2.0, 3.0, 4.0).expect("no coordinate is NaN");
        let tags = vec![tag::BEGIN, tag::BEGIN, tag::LEAF, tag::END, tag::END];
        let boxes = vec![clip, Aabb::PLANE, leaf, Aabb::EMPTY, Aabb::EMPTY];
        let expected = Scene::from_streams(tags, boxes).expect("the boxes are canonical");
        for _frame in 0..2 {
            scene.clear();
            assert_eq!(scene.begin_clip(clip), 0);
            assert_eq!(scene.begin_group(), 1);
            assert_eq!(scene.leaf([1.0_f32, 2.0, 3.0, 4.0]), 2);
            assert_eq!([scene.end(), scene.end()], [3, 4]);
            assert_eq!((scene.tags(), scene.boxes()), (expected.tags(), expected.boxes()));
            assert_eq!(scene.n_entries(), expected.n_entries());
        }
    }

    #[test]
    fn a_nan_is_reported_until_its_box_is_replaced() {
        let mut scene = Scene::new();
        let first_of = |scene: &Scene| match scene.check() {
            Err(SceneError::NotABox { element, .. }) => Some(element),
            other => other.map(|()| None).expect("no other error is possible"),
        };
        scene.begin_clip([0.0, 0.0, 1.0, 1.0]);
        scene.leaf([f32::NAN, 0.0, 1.0, 1.0]);
        scene.leaf([0.0, f64::NAN, 1.0, 1.0]);
        assert_eq!(scene.boxes()[1..], [Aabb::EMPTY; 2]);
        scene.set_box(0, [f32::NAN; 4]);
        assert_eq!(first_of(&scene), Some(0), "it is the first one, not the one that was given first");
        scene.set_box(0, [0.0, 0.0, 2.0, 2.0]);
        assert_eq!(first_of(&scene), Some(1));
        scene.set_box(1, [0.0, 0.0, 1.0, 1.0]);
        assert_eq!(first_of(&scene), Some(2));
        scene.clear();
        assert_eq!(scene.check(), Ok(()));
        scene.leaf(Aabb { x0: -0.0, ..Aabb::PLANE });
        assert_eq!(scene.boxes()[0].x0.to_bits(), 0, "a box that breaks the rules is made anew");
        scene.leaf(Aabb { x0: f32::NAN, ..Aabb::PLANE });
        assert_eq!(first_of(&scene), Some(1));
    }

    #[test]
    fn bad_streams_are_refused_with_their_position() {
        let error = Scene::from_streams(vec![tag::BEGIN], vec![]);
        assert!(matches!(error, Err(SceneError::Lengths { tags: 1, boxes: 0 })), "{error:?}");
        for bad in [f32::NAN, f32::INFINITY, -0.0, 1e-40] {
            let value = Aabb { x0: bad, ..Aabb::PLANE };
            let error = Scene::from_streams(vec![tag::BEGIN; 2], vec![Aabb::PLANE, value]);
            assert!(matches!(error, Err(SceneError::Value { element: 1, .. })), "{bad} was accepted");
        }
    }

    #[test]
    fn the_check_of_balance_reports_the_element() {
        let check = |tags: &[u32]| {
            let scene = Scene::from_streams(tags.to_vec(), vec![Aabb::PLANE; tags.len()]);
            scene.expect("the boxes are canonical").check_balance()
        };
        assert_eq!(check(&[tag::BEGIN, tag::LEAF, tag::END]), Ok(()));
        assert_eq!(check(&[tag::BEGIN, tag::END, tag::END]), Err(Unbalanced::End { element: 2 }));
        assert_eq!(check(&[tag::BEGIN, tag::BEGIN, tag::END]), Err(Unbalanced::Begin { element: 0 }));
    }
}
