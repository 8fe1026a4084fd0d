//! Building a scene from calls in paint order.

use super::elements::{Scene, tag};
use crate::core::{Aabb, NotABox};

/// Builds a [`Scene`] from begins, leaves, and ends in paint order.
///
/// ```
/// use boxwood_cpu::SceneBuilder;
///
/// let mut scene = SceneBuilder::new();
/// scene.begin_clip([0.0, 0.0, 100.0, 100.0])?;
/// let button = scene.leaf([80.0, 10.0, 150.0, 20.0])?;
/// scene.end();
/// let scene = scene.finish();
/// assert_eq!((scene.len(), button), (3, 1));
/// # Ok::<(), boxwood_cpu::NotABox>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SceneBuilder {
    scene: Scene,
}

impl SceneBuilder {
    /// A builder for an empty scene.
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a node that clips its contents to a shape with this box. Returns the index of the
    /// begin element.
    ///
    /// The node can also composite its contents as a group: boxes do not depend on that.
    ///
    /// # Errors
    ///
    /// [`NotABox`] if a coordinate is NaN. The scene is unchanged then.
    pub fn begin_clip(
        &mut self,
        shape_box: impl TryInto<Aabb, Error: Into<NotABox>>,
    ) -> Result<usize, NotABox> {
        let shape_box = shape_box.try_into().map_err(Into::into)?;
        Ok(self.push_entry(tag::BEGIN, shape_box))
    }

    /// Begins a node that composites its contents as a group and does not clip. Returns the index
    /// of the begin element.
    pub fn begin_group(&mut self) -> usize {
        self.push_entry(tag::BEGIN, Aabb::PLANE)
    }

    /// Adds a draw object with this ink box. Returns the index of its element.
    ///
    /// # Errors
    ///
    /// [`NotABox`] if a coordinate is NaN. The scene is unchanged then.
    pub fn leaf(&mut self, ink_box: impl TryInto<Aabb, Error: Into<NotABox>>) -> Result<usize, NotABox> {
        let ink_box = ink_box.try_into().map_err(Into::into)?;
        Ok(self.push(tag::LEAF, ink_box))
    }

    /// Ends the innermost open node. Returns the index of the end element.
    ///
    /// An end without a begin has no effect on any box. [`Scene::check_balance`] reports it.
    pub fn end(&mut self) -> usize {
        self.push_entry(tag::END, Aabb::EMPTY)
    }

    /// The finished scene.
    pub fn finish(self) -> Scene {
        self.scene
    }

    fn push_entry(&mut self, tag: u32, aabb: Aabb) -> usize {
        self.scene.n_entries += 1;
        self.push(tag, aabb)
    }

    fn push(&mut self, tag: u32, aabb: Aabb) -> usize {
        self.scene.tags.push(tag);
        self.scene.boxes.push(aabb);
        self.scene.tags.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_built_scene_equals_its_streams() {
        let mut builder = SceneBuilder::new();
        let clip = Aabb::try_from([0.0, 0.0, 10.0, 10.0]).expect("no coordinate is NaN");
        assert_eq!(builder.begin_clip(clip), Ok(0));
        assert_eq!(builder.begin_group(), 1);
        assert_eq!(builder.leaf([1.0_f32, 2.0, 3.0, 4.0]), Ok(2));
        assert!(builder.leaf([f32::NAN, 2.0, 3.0, 4.0]).is_err());
        assert_eq!([builder.end(), builder.end()], [3, 4]);
        let leaf = Aabb::new(1.0, 2.0, 3.0, 4.0).expect("no coordinate is NaN");
        let tags = vec![tag::BEGIN, tag::BEGIN, tag::LEAF, tag::END, tag::END];
        let boxes = vec![clip, Aabb::PLANE, leaf, Aabb::EMPTY, Aabb::EMPTY];
        assert_eq!(builder.finish(), Scene::new(tags, boxes).expect("the boxes are canonical"));
    }
}
