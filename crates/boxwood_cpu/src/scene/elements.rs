//! The input of the stages: the flattened scene as tags and boxes.

use crate::core::Aabb;

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
/// The elements need not be balanced. An end without a begin changes nothing. A begin without an
/// end extends to the end of the scene. [`check_balance`](Self::check_balance) reports both.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    pub(super) tags: Vec<u32>,
    pub(super) boxes: Vec<Aabb>,
    pub(super) n_entries: usize,
}

/// The reason why tags and boxes are not a scene.
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
    /// The scene with these draw tags and boxes.
    ///
    /// The box of a leaf is its ink box. The box of a begin is the box of its shape, or
    /// [`Aabb::PLANE`] if the node does not clip. The boxes of other elements are ignored. All
    /// boxes are in one space, which is also the space of the results.
    ///
    /// # Errors
    ///
    /// [`SceneError`] if the streams have different lengths, or a coordinate has no defined order
    /// on a GPU.
    pub fn new(tags: Vec<u32>, boxes: Vec<Aabb>) -> Result<Self, SceneError> {
        if tags.len() != boxes.len() {
            return Err(SceneError::Lengths { tags: tags.len(), boxes: boxes.len() });
        }
        if let Some(element) = boxes.iter().position(|b| !b.has_plain_values()) {
            return Err(SceneError::Value { element, value: boxes[element] });
        }
        let n_entries = tags.iter().filter(|&&t| matches!(t, tag::BEGIN | tag::END)).count();
        Ok(Self { tags, boxes, n_entries })
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
    fn bad_streams_are_refused_with_their_position() {
        assert_eq!(Scene::new(vec![tag::BEGIN], vec![]), Err(SceneError::Lengths { tags: 1, boxes: 0 }));
        for bad in [f32::NAN, f32::INFINITY, -0.0, 1e-40] {
            let value = Aabb { x0: bad, ..Aabb::PLANE };
            let error = Scene::new(vec![tag::BEGIN; 2], vec![Aabb::PLANE, value]);
            assert!(matches!(error, Err(SceneError::Value { element: 1, .. })), "{bad} was accepted");
        }
    }

    #[test]
    fn the_check_of_balance_reports_the_element() {
        let check = |tags: &[u32]| {
            let scene = Scene::new(tags.to_vec(), vec![Aabb::PLANE; tags.len()]);
            scene.expect("the boxes are canonical").check_balance()
        };
        assert_eq!(check(&[tag::BEGIN, tag::LEAF, tag::END]), Ok(()));
        assert_eq!(check(&[tag::BEGIN, tag::END, tag::END]), Err(Unbalanced::End { element: 2 }));
        assert_eq!(check(&[tag::BEGIN, tag::BEGIN, tag::END]), Err(Unbalanced::Begin { element: 0 }));
    }
}
