//! The algorithms that compute the boxes of a scene, and the scenes that each can hold.

use boxwood_shaders::Shader;
use wgpu::{AdapterInfo, DeviceType};

use super::outputs::Outputs;
use super::slots::{Inputs, Outcome};
#[cfg(feature = "papers")]
use super::three_stage;
use super::{compact, fused, small};
use crate::core::WORKGROUP_SIZE;
use crate::core::chunk::ChunkLengths;
use crate::core::config::Config;
use crate::core::context::Context;
use crate::core::grid::{Grid, PARTITION_LENGTH};
use crate::core::limits::{Limits, LimitsError, count, max_binding_size};
use crate::core::plan::Plan;

/// The maximum number of partitions per invocation where a workgroup sees all partitions.
pub const MAX_PARTITIONS_PER_INVOCATION: u32 = 4;

/// The largest scene for [`Algorithm::TwoLevel`].
pub const TWO_LEVEL_MAX_ELEMENTS: u32 = MAX_PARTITIONS_PER_INVOCATION * PARTITION_LENGTH * WORKGROUP_SIZE;

/// The largest scene for [`Algorithm::Small`]: a workgroup sees one partition per invocation.
pub const SMALL_MAX_ELEMENTS: u32 = WORKGROUP_SIZE * WORKGROUP_SIZE;

/// An algorithm that computes the boxes of a scene. All of them compute the same boxes.
///
/// [`SceneBoxes`](crate::SceneBoxes) choose the fastest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// Stage by stage in two levels, as in the paper. For node streams of up to 65,536 entries.
    ///
    /// Source: Levien 2022, sections 6 and 7.
    #[cfg(feature = "papers")]
    ThreeStage,
    /// All stages fused, one element per invocation, in three dispatches, or one for up to 256
    /// elements. For up to 65,536 elements.
    Small,
    /// Compaction, then the other stages fused in two levels. For up to 1,048,576 elements.
    TwoLevel,
    /// Compaction, then the other stages fused in as many levels as needed. For any number of
    /// elements.
    Hierarchical,
}

impl Algorithm {
    /// Every algorithm.
    pub const ALL: &'static [Self] = &[
        #[cfg(feature = "papers")]
        Self::ThreeStage,
        Self::Small,
        Self::TwoLevel,
        Self::Hierarchical,
    ];

    /// A short name, for tables.
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(feature = "papers")]
            Self::ThreeStage => "three_stage",
            Self::Small => "small",
            Self::TwoLevel => "two_level",
            Self::Hierarchical => "hierarchical",
        }
    }

    /// The fastest algorithm for scenes of `n_elements` on this adapter, according to the
    /// measurements in `tests/benches/record`.
    pub fn for_elements(n_elements: usize, adapter: &AdapterInfo) -> Self {
        // The largest scene for which `Small` is the fastest on a software adapter, where the time
        // is that of the work: llvmpipe, 2026-11-26.
        const SMALL_ON_CPU: usize = 1024;
        const SMALL: usize = SMALL_MAX_ELEMENTS as usize;
        const TWO_LEVEL: usize = TWO_LEVEL_MAX_ELEMENTS as usize;
        let is_software = adapter.device_type == DeviceType::Cpu;
        if is_software && n_elements > SMALL_ON_CPU {
            return Self::Hierarchical;
        }
        // On a GPU, each of these is the fastest wherever it can be used: NVIDIA H200, 2026-11-27.
        if n_elements <= SMALL {
            Self::Small
        } else if n_elements <= TWO_LEVEL {
            Self::TwoLevel
        } else {
            Self::Hierarchical
        }
    }

    /// The largest scene that the algorithm can hold. A device may have lower limits.
    pub fn limits(self) -> Limits {
        // An i32 holds the index of an element or its complement.
        const ANY: u32 = i32::MAX.unsigned_abs();
        let (max_elements, max_entries) = match self {
            #[cfg(feature = "papers")]
            Self::ThreeStage => (ANY, three_stage::MAX_ENTRIES),
            Self::Small => (SMALL_MAX_ELEMENTS, ANY),
            Self::TwoLevel => (TWO_LEVEL_MAX_ELEMENTS, ANY),
            Self::Hierarchical => (ANY, ANY),
        };
        Limits { max_elements: max_elements.into(), max_entries: max_entries.into() }
    }

    /// The largest scene that the algorithm can hold on a device with these limits.
    ///
    /// With [`Hierarchical`](Self::Hierarchical), each array must fit in a buffer. Arrays that are
    /// larger than a storage binding are bound in chunks. The other algorithms have
    /// [`limits_in_one_binding`](Self::limits_in_one_binding).
    pub fn limits_on(self, device: &wgpu::Limits) -> Limits {
        self.limits_where(|size| self.plan_all(size, device).is_some())
    }

    /// The largest scene whose arrays each fit in a storage binding on a device with these limits.
    /// This is the limit if you bind the buffers as a whole.
    pub fn limits_in_one_binding(self, device: &wgpu::Limits) -> Limits {
        self.limits_where(|size| self.stages(size).fits_bindings(device))
    }

    /// The largest scene that `fits`, which must be monotonic.
    fn limits_where(self, fits: impl Fn(Config) -> bool) -> Limits {
        let own = self.limits();
        let n_entries_of = |n_elements: u64| n_elements.min(own.max_entries);
        let fits = |n: u64| fits(self.config(count(n), count(n_entries_of(n))));
        // The bits of the largest number, the highest first.
        let max_elements = (0..u32::BITS).rev().fold(0, |n: u64, bit| {
            let larger = n | 1 << bit;
            if larger <= own.max_elements && fits(larger) { larger } else { n }
        });
        // Every begin and end is an element too.
        Limits { max_elements, max_entries: n_entries_of(max_elements) }
    }

    /// The plan for scenes of up to `n_elements` elements and `n_entries` begins and ends on a
    /// device with these limits.
    ///
    /// # Errors
    ///
    /// [`LimitsError`] if the scene exceeds a limit of the algorithm or the device.
    pub(crate) fn plan(
        self,
        outputs: Outputs,
        n_elements: usize,
        n_entries: usize,
        device: &wgpu::Limits,
    ) -> Result<ScenePlan, LimitsError> {
        if self.limits().check(n_elements, n_entries).is_ok() {
            let (n_elements, n_entries) = (count(n_elements), count(n_entries));
            let fitting = |plan: &ScenePlan| plan.is_clipped_alone() && plan.fits_bindings(device);
            let clipped = Some(self.stages_for(outputs, n_elements, n_entries)).filter(fitting);
            let all = || self.plan_all(self.config(n_elements, n_entries), device);
            if let Some(plan) = clipped.or_else(all) {
                return Ok(plan);
            }
        }
        self.limits_on(device).check(n_elements, n_entries)?;
        // Not even the empty scene fits.
        Err(LimitsError::Elements { need: n_elements as u64, limit: 0 })
    }

    /// The plan for all outputs, or `None` if the device cannot hold the scene.
    fn plan_all(self, size: Config, device: &wgpu::Limits) -> Option<ScenePlan> {
        let whole = self.stages(size);
        if whole.fits_bindings(device) {
            return Some(whole);
        }
        let mut chunked = self.chunked_stages(size)?;
        chunked.chunks = Some(ChunkLengths::new(&chunked.plan, device)?);
        let bound_whole = |index: usize| {
            let mut slots = chunked.plan.dispatches().flat_map(|dispatch| dispatch.slots());
            slots.any(|slot| slot.index() == index && slot.axis().is_none())
        };
        let binding = device.max_storage_buffer_binding_size;
        let fits = chunked.plan.buffers().iter().enumerate().all(|(index, buffer)| {
            let bytes = buffer.bytes();
            bytes <= device.max_buffer_size && (bytes <= binding || !bound_whole(index))
        });
        fits.then_some(chunked)
    }

    /// The configuration of a scene of this size.
    pub(crate) fn config(self, n_elements: u32, n_entries: u32) -> Config {
        let (n_divided, partition_length) = match self {
            #[cfg(feature = "papers")]
            Self::ThreeStage => (n_entries, WORKGROUP_SIZE),
            Self::Small => (n_elements, WORKGROUP_SIZE),
            Self::TwoLevel | Self::Hierarchical => (n_elements, PARTITION_LENGTH),
        };
        Config::new(n_elements, n_entries, n_divided.div_ceil(partition_length))
    }

    /// The same for the stages that compute the clipped boxes alone, or all outputs.
    pub(super) fn config_for(self, is_clipped_alone: bool, n_elements: u32, n_entries: u32) -> Config {
        // Nothing has one item per entry without the compaction, so that every element may be one.
        self.config(n_elements, if is_clipped_alone { n_elements } else { n_entries })
    }

    /// The stages for scenes up to this size, for arrays that each fit in a storage binding.
    pub(crate) fn stages(self, size: Config) -> ScenePlan {
        ScenePlan::new(size, |plan, inputs| match self {
            #[cfg(feature = "papers")]
            Self::ThreeStage => {
                let stream = compact::plan(plan, inputs);
                three_stage::plan(plan, inputs, stream)
            }
            Self::Small => small::plan(plan, inputs),
            Self::TwoLevel => {
                let stream = compact::plan(plan, inputs);
                fused::two_level(plan, inputs, stream)
            }
            Self::Hierarchical => {
                let stream = compact::plan(plan, inputs);
                fused::hierarchical(plan, inputs, stream)
            }
        })
    }

    /// The stages for these outputs, for arrays that each fit in a storage binding.
    pub(super) fn stages_for(self, outputs: Outputs, n_elements: u32, n_entries: u32) -> ScenePlan {
        let clipped = || self.clipped_stages(self.config_for(true, n_elements, n_entries));
        let clipped = if outputs.intersects(Outputs::OF_ENTRIES) { None } else { clipped() };
        clipped.unwrap_or_else(|| self.stages(self.config(n_elements, n_entries)))
    }

    /// The stages for arrays that are larger than a storage binding, if the algorithm has such
    /// stages.
    pub(crate) fn chunked_stages(self, size: Config) -> Option<ScenePlan> {
        let plan = |plan: &mut Plan<Grid>, inputs| {
            let chunk = plan.chunk_uniform();
            let stream = compact::plan_chunked(plan, inputs, chunk);
            fused::chunked(plan, inputs, stream, chunk)
        };
        (self == Self::Hierarchical).then(|| ScenePlan::new(size, plan))
    }

    /// The stages for the clipped boxes alone, if the algorithm has such stages.
    pub(crate) fn clipped_stages(self, size: Config) -> Option<ScenePlan> {
        match self {
            #[cfg(feature = "papers")]
            Self::ThreeStage => None,
            Self::Small => Some(ScenePlan::new(size, small::clipped)),
            Self::TwoLevel | Self::Hierarchical => {
                let is_two_level = self == Self::TwoLevel;
                Some(ScenePlan::new(size, |plan, inputs| fused::clipped(plan, inputs, is_two_level)))
            }
        }
    }
}

impl Context {
    /// Compiles the shaders of an algorithm for these outputs now, so that the first
    /// [`SceneBoxes`](crate::SceneBoxes) that use it do not have to.
    ///
    /// The shaders for arrays that are larger than a storage binding are not among them.
    pub fn warm_up(&self, algorithm: Algorithm, outputs: Outputs) {
        for shader in algorithm.stages_for(outputs, 1, 1).shaders() {
            self.kernel(shader, false);
        }
    }
}

/// The stages for scenes of up to some size.
#[derive(Debug)]
pub(crate) struct ScenePlan {
    pub(crate) plan: Plan<Grid>,
    pub(crate) inputs: Inputs,
    pub(crate) outcome: Outcome,
    /// The lengths of the chunks, if arrays are larger than a storage binding.
    pub(crate) chunks: Option<ChunkLengths>,
}

impl ScenePlan {
    fn new(size: Config, stages: impl FnOnce(&mut Plan<Grid>, Inputs) -> Outcome) -> Self {
        let mut plan = Plan::new("boxwood.scene", size);
        let inputs = Inputs::plan(&mut plan);
        let outcome = stages(&mut plan, inputs);
        Self { plan, inputs, outcome, chunks: None }
    }

    /// Whether the stages compute the clipped boxes alone.
    pub(crate) fn is_clipped_alone(&self) -> bool {
        self.outcome.of_entries.is_none()
    }

    /// The shaders of the dispatches.
    pub(crate) fn shaders(&self) -> impl Iterator<Item = &'static Shader> {
        self.plan.dispatches().map(|dispatch| dispatch.shader)
    }

    /// Whether each array fits in a storage binding.
    fn fits_bindings(&self, device: &wgpu::Limits) -> bool {
        self.plan.check(max_binding_size(device)).is_ok()
    }

    /// Whether the plan takes less time than another one for the same outputs: the stages for the
    /// clipped boxes alone are the fastest, and chunks are the slowest.
    pub(crate) fn is_better_than(&self, other: &Self) -> bool {
        let merits = |plan: &Self| (plan.is_clipped_alone(), plan.chunks.is_none());
        merits(self) > merits(other)
    }

    /// The largest scene.
    pub(crate) fn capacity(&self) -> Limits {
        let Config { n_elements, n_entries, .. } = self.plan.capacity;
        Limits { max_elements: n_elements.into(), max_entries: n_entries.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(max_storage_buffer_binding_size: u64, max_buffer_size: u64) -> wgpu::Limits {
        wgpu::Limits { max_storage_buffer_binding_size, max_buffer_size, ..wgpu::Limits::default() }
    }

    #[test]
    fn the_largest_scene_fits_and_a_larger_one_does_not() {
        let mega = 1 << 20;
        for (max_binding, max_buffer) in
            [(128, 128), (128, 256), (128, 1 << 20), (1, 1), (1, 7), (2047, 1 << 20), (1 << 20, 1 << 20)]
        {
            let device = device(max_binding * mega - 16 * 1500, max_buffer * mega);
            for &algorithm in Algorithm::ALL {
                let own = algorithm.limits();
                let limits = algorithm.limits_on(&device);
                let config = |n: u64| algorithm.config(count(n), count(n.min(own.max_entries)));
                let largest = algorithm.plan_all(config(limits.max_elements), &device);
                let plan = largest.unwrap_or_else(|| panic!("{algorithm:?}: {limits:?} on {device:?}"));
                let max_bytes = if plan.chunks.is_some() {
                    device.max_buffer_size
                } else {
                    device.max_storage_buffer_binding_size
                };
                for buffer in plan.plan.buffers() {
                    let bytes = buffer.bytes();
                    assert!(bytes <= max_bytes, "{algorithm:?}: {} takes {bytes} bytes", buffer.name);
                }
                if limits.max_elements < own.max_elements {
                    let larger = config(limits.max_elements + 1);
                    assert!(algorithm.plan_all(larger, &device).is_none(), "{algorithm:?}: {limits:?}");
                }
                assert_eq!(limits.max_entries, limits.max_elements.min(own.max_entries));
            }
        }
    }

    #[test]
    fn the_limits_are_those_of_buffers_or_bindings() {
        // WebGPU's defaults; 128 MiB bindings without a limit on buffers; bindings too small for
        // any chunk.
        for (device, in_chunks, in_one_binding) in [
            (wgpu::Limits::default(), 1 << 24, 1 << 23),
            (device(1 << 27, 1 << 40), u64::from(i32::MAX.unsigned_abs()), 1 << 23),
            (device((1 << 20) - 1, 1 << 30), (1 << 16) - 1024, (1 << 16) - 1024),
        ] {
            assert_eq!(Algorithm::Hierarchical.limits_on(&device).max_elements, in_chunks);
            let limits = Algorithm::Hierarchical.limits_in_one_binding(&device);
            assert_eq!(limits, Limits { max_elements: in_one_binding, max_entries: in_one_binding });
        }
    }
}
