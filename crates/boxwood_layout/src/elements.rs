//! What goes into the stage: the flattened scene as tags and boxes.

use crate::Aabb;

/// The draw tags that Boxwood tells apart, with the values of `vello_encoding::DrawTag`. Any other is a leaf.
pub mod tag {
    /// No operation: an element that draws nothing and stands for nothing.
    pub const NOP: u32 = 0;
    /// Begins a node, which clips to its shape, composites its contents as a group, or both.
    pub const BEGIN: u32 = 0x49;
    /// Ends the innermost open node.
    pub const END: u32 = 0x21;
}

/// What an element does, as its draw tag says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementKind {
    /// Draws nothing.
    Nop,
    /// Draws something.
    Leaf,
    /// Begins a node.
    Begin,
    /// Ends a node.
    End,
}

impl ElementKind {
    /// The kind of the element with this draw tag.
    pub fn of(draw_tag: u32) -> Self {
        match draw_tag {
            tag::NOP => Self::Nop,
            tag::BEGIN => Self::Begin,
            tag::END => Self::End,
            _ => Self::Leaf,
        }
    }
}

/// A flattened scene, in paint order, reduced to what decides its boxes: the input of every stage.
///
/// The elements need not be balanced. An end without a begin changes nothing; a begin without an end lasts to the end
/// of the scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Elements {
    tags: Vec<u32>,
    boxes: Vec<Aabb>,
    n_nodes: usize,
}

/// Why tags and boxes do not make a scene.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ElementsError {
    /// The two streams do not describe the same elements.
    #[error("{tags} draw tags but {boxes} boxes: give each element one of both")]
    Lengths {
        /// How many draw tags were given.
        tags: usize,
        /// How many boxes were given.
        boxes: usize,
    },
    /// A box breaks the rules of [`Aabb`](Aabb#values), so that its minima and maxima are not defined on a GPU.
    #[error(
        "the box {value:?} of element {element} holds a value that is NaN, infinite, subnormal or -0.0: \
         make boxes with Aabb::new"
    )]
    Value {
        /// The index of the element.
        element: usize,
        /// Its box.
        value: Aabb,
    },
}

impl Elements {
    /// The scene with these draw tags and these boxes.
    ///
    /// The box of a leaf is its ink box, that of a begin the box of its shape ([`Aabb::PLANE`] where it only
    /// composites); those of the others are not read. All are in one space, which is then the space of the results.
    ///
    /// # Errors
    ///
    /// Streams of different lengths; a box with a value that has no defined order on a GPU.
    pub fn new(tags: Vec<u32>, boxes: Vec<Aabb>) -> Result<Self, ElementsError> {
        if tags.len() != boxes.len() {
            return Err(ElementsError::Lengths { tags: tags.len(), boxes: boxes.len() });
        }
        if let Some(element) = boxes.iter().position(|b| !b.has_plain_values()) {
            return Err(ElementsError::Value { element, value: boxes[element] });
        }
        let n_nodes = tags.iter().filter(|&&t| matches!(t, tag::BEGIN | tag::END)).count();
        Ok(Self { tags, boxes, n_nodes })
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.tags.len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }

    /// How many entries the node stream has: the begins and ends.
    pub fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    /// The draw tag of each element.
    pub fn tags(&self) -> &[u32] {
        &self.tags
    }

    /// The box of each element.
    pub fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }

    /// What the element at `index` does.
    ///
    /// # Panics
    ///
    /// If there is no such element.
    pub fn kind(&self, index: usize) -> ElementKind {
        ElementKind::of(self.tags[index])
    }
}

#[cfg(test)]
mod tests {
    use vello_encoding::DrawTag;

    use super::*;

    #[test]
    fn tags_are_those_of_vello() {
        assert_eq!(
            [tag::NOP, tag::BEGIN, tag::END],
            [DrawTag::NOP.0, DrawTag::BEGIN_CLIP.0, DrawTag::END_CLIP.0]
        );
    }

    #[test]
    fn bad_streams_are_refused_with_their_place() {
        assert_eq!(
            Elements::new(vec![tag::BEGIN], vec![]),
            Err(ElementsError::Lengths { tags: 1, boxes: 0 })
        );
        for bad in [f32::NAN, f32::INFINITY, -0.0, 1e-40] {
            let value = Aabb { x0: bad, ..Aabb::PLANE };
            let error = Elements::new(vec![tag::BEGIN; 2], vec![Aabb::PLANE, value]);
            assert!(matches!(error, Err(ElementsError::Value { element: 1, .. })), "{bad} was taken");
        }
    }
}
