//! The fast computation of the boxes of a scene.

mod close;
mod lanes;
#[cfg(feature = "parallel")]
mod parallel;
mod pass;
#[cfg(all(test, feature = "parallel"))]
mod tests;

use alloc::vec::Vec;

use self::close::{Crossing, close};
use self::pass::{Range, Stack};
use crate::boxes::Boxes;
use crate::core::{Aabb, Entry, EntryLink};
use crate::scene::{Scene, SceneError};

/// Computes the boxes of scenes on the CPU, as fast as it can.
///
/// Keep an engine from frame to frame. Its results and its stack keep their memory, so a frame
/// allocates nothing if an earlier one had as many elements, entries, and open nodes.
///
/// ```
/// use boxwood_cpu::{Aabb, Engine, Scene};
///
/// let (mut scene, mut engine) = (Scene::new(), Engine::new());
/// for frame in 0..3_u8 {
///     scene.clear();
///     scene.begin_clip([0.0, 0.0, 10.0, 10.0]);
///     let leaf = scene.leaf([f64::from(frame), 0.0, 20.0, 1.0]);
///     scene.end();
///     let boxes = engine.boxes(&scene)?;
///     assert_eq!(boxes.clipped_boxes[leaf], Aabb::try_from([f64::from(frame), 0.0, 10.0, 1.0])?);
/// }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// The engine makes one pass over the elements with a stack of the open nodes, and a box is one
/// vector. With the feature `parallel`, scenes from 2¹⁷ elements are computed in chunks on the
/// threads of the current pool of rayon. If the pool has only one thread, there are no chunks. The
/// results have the same bits in each case: those of [`specification::boxes`].
///
/// [`specification::boxes`]: crate::specification::boxes
#[derive(Clone, Debug, Default)]
pub struct Engine {
    boxes: Boxes,
    stack: Stack,
    crossing: Vec<Crossing>,
    #[cfg(feature = "parallel")]
    chunks: parallel::Chunks,
}

impl Engine {
    /// An engine without memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// The boxes of a scene. They are valid until the next call.
    ///
    /// # Errors
    ///
    /// [`SceneError::NotABox`] with the first element whose box was given with a NaN.
    ///
    /// # Panics
    ///
    /// Panics if the scene has more elements than an `i32` can index.
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
            self.chunks.pass(scene, &mut self.boxes, chunk_length);
            return Ok(&self.boxes);
        }
        self.stack.reset();
        let range = Range::whole(scene, &mut self.boxes);
        range.pass(&mut self.stack);
        close(core::iter::once(&self.stack), &mut self.crossing, &mut self.boxes);
        Ok(&self.boxes)
    }

    /// The boxes that the last call of [`boxes`](Self::boxes) has computed. They are empty before
    /// the first one.
    pub fn computed(&self) -> &Boxes {
        &self.boxes
    }
}

/// The boxes of a single scene. To compute those of every frame, keep an [`Engine`], which keeps
/// its memory.
///
/// # Errors
///
/// [`SceneError::NotABox`] with the first element whose box was given with a NaN.
///
/// # Panics
///
/// Panics if the scene has more elements than an `i32` can index.
pub fn boxes(scene: &Scene) -> Result<Boxes, SceneError> {
    let mut engine = Engine::new();
    engine.boxes(scene)?;
    Ok(engine.boxes)
}

/// Gives the results their lengths. Items that they have already keep their values: the pass writes
/// every item, so clearing them would only take time.
fn set_lengths(boxes: &mut Boxes, n_elements: usize, n_entries: usize) {
    boxes.entries.resize(n_entries, Entry(0));
    boxes.ranks.resize(n_elements, 0);
    boxes.links.resize(n_entries, EntryLink::NONE);
    boxes.clip_boxes.resize(n_entries, Aabb::EMPTY);
    boxes.clipped_boxes.resize(n_elements, Aabb::EMPTY);
    boxes.group_boxes.resize(n_entries, Aabb::EMPTY);
}
