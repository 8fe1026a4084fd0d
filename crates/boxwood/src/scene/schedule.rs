//! The dispatches of a scene as data, for engines that do not use this crate's wgpu.

use boxwood_shaders::Shader;

use super::algorithm::{Algorithm, layouts};
use super::outputs::Outputs;
use crate::core::limits::{LimitsError, count};
use crate::core::schedule::buffer_of;

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
/// let schedule = Schedule::new(Algorithm::Direct, Outputs::CLIPPED, 3, 2)?;
/// let dispatch = &schedule.dispatches[0];
/// assert_eq!((dispatch.shader.name, dispatch.n_workgroups), ("small_clip_direct", 1));
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
        let (stages, is_clipped_alone) = algorithm.stages_for(outputs);
        let config = algorithm.config_for(is_clipped_alone, count(n_elements), count(n_entries));
        let buffer = |layout: &crate::core::schedule::BufferLayout| ScheduledBuffer {
            name: layout.name,
            bytes: layout.bytes(&config),
        };
        let mut dispatches = Vec::new();
        for dispatch in stages.iter().flat_map(|stage| stage.dispatches) {
            for renamed in (0..dispatch.repeats(&config)).flat_map(|_| dispatch.rounds()) {
                let bindings =
                    dispatch.shader.bindings.iter().map(|own| (own.index, buffer_of(renamed, own.name)));
                let n_workgroups = dispatch.grid.workgroups(&config);
                if n_workgroups > 0 {
                    let bindings = bindings.collect();
                    dispatches.push(ScheduledDispatch { shader: dispatch.shader, n_workgroups, bindings });
                }
            }
        }
        Ok(Self {
            config: bytemuck::cast(config),
            buffers: layouts(stages).map(buffer).collect(),
            dispatches,
        })
    }
}
