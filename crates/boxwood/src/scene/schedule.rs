//! The dispatches of a scene as data, for engines that do not use this crate's wgpu.

use boxwood_shaders::Shader;

use super::algorithm::Algorithm;
use super::outputs::Outputs;
use crate::core::grid::Grid;
use crate::core::limits::{LimitsError, count};
use crate::core::plan::{Slot, Workgroups as _};

/// The dispatches that compute the boxes of a scene, and the buffers that they bind.
///
/// An engine that is not on wgpu 30 can run the WGSL itself: it allocates the
/// [`buffers`](Self::buffers), writes the inputs `draw_tags` and `element_boxes` and the uniform
/// `config`, and runs the [`dispatches`](Self::dispatches) in order, each after the writes of the
/// ones before. The results have the names of the accessors of [`SceneBoxes`](crate::SceneBoxes).
///
/// ```
/// use boxwood::{Algorithm, Outputs, Schedule};
///
/// let schedule = Schedule::new(Algorithm::Small, Outputs::CLIPPED, 3, 2)?;
/// let dispatch = &schedule.dispatches[0];
/// assert_eq!((dispatch.shader.name, dispatch.n_workgroups), ("small_clip", 1));
/// assert!(schedule.buffers.iter().any(|buffer| buffer.name == "clipped_boxes" && buffer.bytes == 48));
/// # Ok::<(), boxwood::LimitsError>(())
/// ```
///
/// The shaders index their buffers without checks of their own. They stay inside if the buffers
/// have these sizes and `config` has these contents.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The contents of the uniform `config`, four `u32`.
    pub config: [u32; 4],
    /// The storage buffers, each with a name of its own.
    pub buffers: Vec<ScheduledBuffer>,
    /// The dispatches, in order.
    pub dispatches: Vec<ScheduledDispatch>,
}

/// A storage buffer of a [`Schedule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledBuffer {
    /// Its name.
    pub name: &'static str,
    /// The smallest size, in bytes.
    pub bytes: u64,
}

/// A dispatch of a [`Schedule`].
#[derive(Clone, Debug)]
pub struct ScheduledDispatch {
    /// The shader, with its WGSL. Its entry point is `main`.
    pub shader: &'static Shader,
    /// The number of workgroups. If it fits in one dimension, dispatch exactly that many: some
    /// shaders do not test for an excess. Otherwise, dispatch rows. The excess of the last row is
    /// ignored.
    pub n_workgroups: u32,
    /// The index of each binding in group 0, and the name of its buffer, or `config`.
    pub bindings: Vec<(u32, &'static str)>,
}

impl Schedule {
    /// The schedule of an algorithm for a scene of exactly this size.
    ///
    /// [`Algorithm::for_elements`] returns the fastest algorithm. Buffers that are larger than a
    /// storage binding are not divided.
    ///
    /// # Errors
    ///
    /// [`LimitsError`] if the algorithm cannot hold such a scene.
    pub fn new(
        algorithm: Algorithm,
        outputs: Outputs,
        n_elements: usize,
        n_entries: usize,
    ) -> Result<Self, LimitsError> {
        algorithm.limits().check(n_elements, n_entries)?;
        let scene = algorithm.stages_for(outputs, count(n_elements), count(n_entries));
        let config = scene.plan.capacity;
        let name = |slot: &Slot| scene.plan.buffers()[slot.index()].name;
        let mut dispatches = Vec::new();
        for dispatch in scene.plan.dispatches() {
            let n_repeats = if dispatch.rounds.len() > 1 { Grid::n_repeats(&config) } else { 1 };
            let n_workgroups = dispatch.workgroups.workgroups(&config);
            for round in (0..n_repeats).flat_map(|_| &dispatch.rounds).filter(|_| n_workgroups > 0) {
                let bindings = dispatch.shader.bindings.iter().zip(round);
                let bindings = bindings.map(|(own, slot)| (own.index, name(slot))).collect();
                dispatches.push(ScheduledDispatch { shader: dispatch.shader, n_workgroups, bindings });
            }
        }
        let storage = scene.plan.buffers().iter().enumerate();
        let storage = storage.filter(|(index, _)| *index != scene.inputs.config.index());
        let buffers = storage.map(|(_, own)| ScheduledBuffer { name: own.name, bytes: own.bytes() });
        Ok(Self { config: bytemuck::cast(config), buffers: buffers.collect(), dispatches })
    }
}
