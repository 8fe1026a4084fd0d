//! The fast computation of the boxes of a scene.

mod close;
mod lanes;
#[cfg(feature = "parallel")]
mod parallel;
mod pass;
#[cfg(all(test, feature = "parallel"))]
mod tests;

use alloc::vec::Vec;

use fearless_simd::{Level, dispatch};

use self::close::{Crossing, close};
use self::pass::{Range, Stack};
use crate::boxes::Boxes;
use crate::core::{Aabb, Entry, EntryLink};
use crate::scene::{Scene, SceneError};

/// Computes the boxes of scenes, in one pass over the elements.
#[derive(Clone, Debug)]
pub struct Engine {
    level: Level,
    boxes: Boxes,
    stack: Stack,
    crossing: Vec<Crossing>,
    #[cfg(feature = "parallel")]
    chunks: parallel::Chunks,
}

impl Engine {
    /// An engine without memory, for the processor that runs this.
    pub fn new() -> Self {
        Self {
            level: Level::try_detect().unwrap_or(Level::baseline()),
            boxes: Boxes::default(),
            stack: Stack::default(),
            crossing: Vec::new(),
            #[cfg(feature = "parallel")]
            chunks: parallel::Chunks::default(),
        }
    }

    /// The boxes of a scene.
    pub fn boxes(&mut self, scene: &Scene) -> Result<&Boxes, SceneError> {
        scene.check()?;
        assert!(
            i32::try_from(scene.len()).is_ok(),
            "{} elements are more than an i32 can index",
            scene.len()
        );
        set_lengths(&mut self.boxes, scene.len(), scene.n_entries());
        #[cfg(feature = "parallel")]
        if let Some(chunk_length) = parallel::chunk_length(scene.len()) {
            self.chunks.pass(self.level, scene, &mut self.boxes, chunk_length);
            return Ok(&self.boxes);
        }
        self.stack.reset();
        let range = Range::whole(scene, &mut self.boxes);
        let stack = &mut self.stack;
        dispatch!(self.level, simd => range.pass(simd, stack));
        close(core::iter::once(&self.stack), &mut self.crossing, &mut self.boxes);
        Ok(&self.boxes)
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

fn set_lengths(boxes: &mut Boxes, n_elements: usize, n_entries: usize) {
    boxes.entries.resize(n_entries, Entry(0));
    boxes.ranks.resize(n_elements, 0);
    boxes.links.resize(n_entries, EntryLink::NONE);
    boxes.clip_boxes.resize(n_entries, Aabb::EMPTY);
    boxes.clipped_boxes.resize(n_elements, Aabb::EMPTY);
    boxes.group_boxes.resize(n_entries, Aabb::EMPTY);
}
