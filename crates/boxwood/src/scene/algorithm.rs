//! The algorithms that compute the boxes of a scene, and the scenes that each can hold.

use boxwood_cpu::Aabb;
use wgpu::AdapterInfo;

use super::outputs::Outputs;
use super::{compact, fused, small};
use crate::core::WORKGROUP_SIZE;
use crate::core::chunk::ChunkLengths;
use crate::core::config::Config;
use crate::core::context::Context;
use crate::core::limits::{Limits, LimitsError, count, max_binding_size};
use crate::core::schedule::{BufferLayout, PARTITION_LENGTH, Per, Stage};
use crate::core::thresholds::{Task, Thresholds};
#[cfg(feature = "papers")]
use crate::papers::three_stage;

/// The buffers that the host uploads.
pub(super) const INPUTS: [BufferLayout; 2] = [
    // Some shaders read four tags at a time.
    BufferLayout::of::<[u32; 4]>("draw_tags", Per::ElementQuad),
    BufferLayout::of::<Aabb>("element_boxes", Per::Element),
];

/// The maximum number of partitions per invocation where a workgroup sees all partitions.
pub const MAX_PARTITIONS_PER_INVOCATION: u32 = 4;

/// The largest scene for [`Algorithm::TwoLevel`].
pub const TWO_LEVEL_MAX_ELEMENTS: u32 = MAX_PARTITIONS_PER_INVOCATION * PARTITION_LENGTH * WORKGROUP_SIZE;

/// The largest scene for [`Algorithm::Small`]: a workgroup sees one partition per invocation.
pub const SMALL_MAX_ELEMENTS: u32 = WORKGROUP_SIZE * WORKGROUP_SIZE;

/// The largest scene for [`Algorithm::Direct`]: a workgroup reads 16 elements per invocation.
pub const DIRECT_MAX_ELEMENTS: u32 = 16 * WORKGROUP_SIZE;

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
    /// All stages fused, one element per invocation, in two dispatches, or one for up to 256
    /// elements. For up to 4,096 elements.
    Direct,
    /// All stages fused, one element per invocation, in three dispatches, or two for up to 256
    /// elements. For up to 65,536 elements.
    Small,
    /// Compaction, then the other stages fused in two levels. For up to 1,048,576 elements.
    TwoLevel,
    /// Compaction, then the other stages fused in as many levels as needed. For any number of
    /// elements.
    Hierarchical,
}

/// What distinguishes an algorithm.
struct Properties {
    name: &'static str,
    max_elements: u32,
    max_entries: u32,
    partition_length: u32,
    stages: &'static [&'static Stage],
}

impl Algorithm {
    /// Every algorithm.
    pub const ALL: &'static [Self] = &[
        #[cfg(feature = "papers")]
        Self::ThreeStage,
        Self::Direct,
        Self::Small,
        Self::TwoLevel,
        Self::Hierarchical,
    ];

    fn properties(self) -> Properties {
        // An i32 holds the index of an element or its complement.
        const ANY: u32 = i32::MAX.unsigned_abs();
        #[cfg(feature = "papers")]
        static THREE_STAGE: [&Stage; 4] =
            [&compact::STAGE, &three_stage::LINK, &three_stage::CLIP, &three_stage::UNION];
        static DIRECT: [&Stage; 1] = [&small::DIRECT];
        static SMALL: [&Stage; 1] = [&small::SMALL];
        static TWO_LEVEL: [&Stage; 2] = [&compact::STAGE, &fused::TWO_LEVEL];
        static HIERARCHICAL: [&Stage; 2] = [&compact::STAGE, &fused::HIERARCHICAL];
        let of_elements = |name, max_elements, partition_length, stages| Properties {
            name,
            max_elements,
            max_entries: ANY,
            partition_length,
            stages,
        };
        match self {
            #[cfg(feature = "papers")]
            Self::ThreeStage => Properties {
                name: "three_stage",
                max_elements: ANY,
                max_entries: three_stage::MAX_ENTRIES,
                partition_length: WORKGROUP_SIZE,
                stages: &THREE_STAGE,
            },
            Self::Direct => of_elements("direct", DIRECT_MAX_ELEMENTS, WORKGROUP_SIZE, &DIRECT),
            Self::Small => of_elements("small", SMALL_MAX_ELEMENTS, WORKGROUP_SIZE, &SMALL),
            Self::TwoLevel => of_elements("two_level", TWO_LEVEL_MAX_ELEMENTS, PARTITION_LENGTH, &TWO_LEVEL),
            Self::Hierarchical => of_elements("hierarchical", ANY, PARTITION_LENGTH, &HIERARCHICAL),
        }
    }

    /// A short name, for tables.
    pub fn name(self) -> &'static str {
        self.properties().name
    }

    /// The fastest algorithm for scenes of `n_elements` on this adapter, according to measurements.
    pub fn for_elements(n_elements: usize, adapter: &AdapterInfo) -> Self {
        let name = Thresholds::built_in().fastest(Task::Boxes, n_elements, adapter);
        let named = Self::ALL.iter().copied().find(|algorithm| name == Some(algorithm.name()));
        // The node stream is at most as long as the scene.
        let is_able = |algorithm: &Self| algorithm.limits().check(n_elements, n_elements).is_ok();
        named.filter(is_able).unwrap_or(Self::Hierarchical)
    }

    /// The largest scene that the algorithm can hold. A device may have lower limits.
    pub fn limits(self) -> Limits {
        let Properties { max_elements, max_entries, .. } = self.properties();
        Limits { max_elements: max_elements.into(), max_entries: max_entries.into() }
    }

    /// The largest scene that the algorithm can hold on a device with these limits.
    ///
    /// With [`Hierarchical`](Self::Hierarchical), each array must fit in a buffer. Arrays that are
    /// larger than a storage binding are bound in chunks. The other algorithms have
    /// [`limits_in_one_binding`](Self::limits_in_one_binding).
    pub fn limits_on(self, device: &wgpu::Limits) -> Limits {
        self.limits_where(|size| self.plan_on(size, device).is_some())
    }

    /// The largest scene whose arrays each fit in a storage binding on a device with these limits.
    /// This is the limit if you bind the buffers as a whole.
    pub fn limits_in_one_binding(self, device: &wgpu::Limits) -> Limits {
        self.limits_where(|size| fits_one_binding(self.stages(), size, device))
    }

    /// The largest scene that `fits`, which must be monotonic.
    fn limits_where(self, fits: impl Fn(&Config) -> bool) -> Limits {
        let own = self.limits();
        let n_entries_of = |n_elements: u64| n_elements.min(own.max_entries);
        let fits = |n: u64| fits(&self.config(count(n), count(n_entries_of(n))));
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
    ) -> Result<Plan, LimitsError> {
        if self.limits().check(n_elements, n_entries).is_ok() {
            let (n_elements, n_entries) = (count(n_elements), count(n_entries));
            if let (stages, true) = self.stages_for(outputs) {
                let size = self.config_for(true, n_elements, n_entries);
                if fits_one_binding(stages, &size, device) {
                    // Nothing has one item per entry, so every element may be one.
                    let n_entries = n_elements;
                    return Ok(Plan { stages, chunks: None, size, n_entries, is_clipped_alone: true });
                }
            }
            if let Some(plan) = self.plan_on(&self.config(n_elements, n_entries), device) {
                return Ok(plan);
            }
        }
        self.limits_on(device).check(n_elements, n_entries)?;
        // Not even the empty scene fits.
        Err(LimitsError::Elements { need: n_elements as u64, limit: 0 })
    }

    /// The plan for all outputs, or `None` if the device cannot hold the scene.
    fn plan_on(self, size: &Config, device: &wgpu::Limits) -> Option<Plan> {
        if fits_one_binding(self.stages(), size, device) {
            return Some(Plan::new(self.stages(), None, *size));
        }
        let stages = self.chunked_stages()?;
        let layouts: Vec<&BufferLayout> = layouts(stages).collect();
        let lengths = ChunkLengths::new(stages, &layouts, device)?;
        let binding = device.max_storage_buffer_binding_size;
        let is_bound_whole = |layout: &BufferLayout| {
            stages.iter().flat_map(|stage| stage.dispatches).any(|dispatch| dispatch.binds_whole(layout.name))
        };
        let fits = |layout: &BufferLayout| {
            let bytes = layout.bytes(size);
            bytes <= device.max_buffer_size && (bytes <= binding || !is_bound_whole(layout))
        };
        layouts.into_iter().all(fits).then(|| Plan::new(stages, Some(lengths), *size))
    }

    /// The configuration of a scene of this size.
    pub(crate) fn config(self, n_elements: u32, n_entries: u32) -> Config {
        let n_divided = match self {
            #[cfg(feature = "papers")]
            Self::ThreeStage => n_entries,
            _ => n_elements,
        };
        Config::new(n_elements, n_entries, n_divided.div_ceil(self.properties().partition_length))
    }

    /// The same for the stages that compute the clipped boxes alone, or all outputs.
    pub(super) fn config_for(self, is_clipped_alone: bool, n_elements: u32, n_entries: u32) -> Config {
        // Without the compaction, every element may be a begin or an end.
        self.config(n_elements, if is_clipped_alone { n_elements } else { n_entries })
    }

    /// The stages, in order, for arrays that each fit in a storage binding.
    pub(crate) fn stages(self) -> &'static [&'static Stage] {
        self.properties().stages
    }

    /// The stages for these outputs, for arrays that each fit in a storage binding, and whether
    /// they compute the clipped boxes alone.
    pub(super) fn stages_for(self, outputs: Outputs) -> (&'static [&'static Stage], bool) {
        match self.clipped_stages().filter(|_| !outputs.intersects(Outputs::OF_ENTRIES)) {
            Some(stages) => (stages, true),
            None => (self.stages(), false),
        }
    }

    /// The stages for arrays that are larger than a storage binding, if the algorithm has such
    /// stages.
    pub(crate) fn chunked_stages(self) -> Option<&'static [&'static Stage]> {
        (self == Self::Hierarchical).then_some(const { &[&compact::CHUNKED, &fused::CHUNKED] })
    }

    /// The stages for the clipped boxes alone, if the algorithm has such stages.
    pub(crate) fn clipped_stages(self) -> Option<&'static [&'static Stage]> {
        match self {
            #[cfg(feature = "papers")]
            Self::ThreeStage => None,
            Self::Direct => Some(const { &[&small::CLIPPED_DIRECT] }),
            Self::Small => Some(const { &[&small::CLIPPED] }),
            Self::TwoLevel => Some(const { &[&fused::CLIPPED_TWO_LEVEL] }),
            Self::Hierarchical => Some(const { &[&fused::CLIPPED] }),
        }
    }
}

impl Context {
    /// Compiles the shaders of an algorithm for these outputs now, so that the first
    /// [`SceneBoxes`](crate::SceneBoxes) that use it do not have to.
    ///
    /// The shaders for arrays that are larger than a storage binding are not among them.
    pub fn warm_up(&self, algorithm: Algorithm, outputs: Outputs) {
        for shader in algorithm.stages_for(outputs).0.iter().flat_map(|stage| stage.shaders()) {
            self.kernel(shader);
        }
    }
}

/// Whether each array of these stages fits in a storage binding.
fn fits_one_binding(stages: &'static [&'static Stage], size: &Config, device: &wgpu::Limits) -> bool {
    let binding = max_binding_size(device);
    layouts(stages).all(|layout| layout.bytes(size) <= binding)
}

/// The stages for scenes of up to some size.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) stages: &'static [&'static Stage],
    /// The lengths of the chunks, if arrays are larger than a storage binding.
    pub(crate) chunks: Option<ChunkLengths>,
    /// The configuration of the largest scene.
    pub(crate) size: Config,
    /// The number of begins and ends of the largest scene.
    n_entries: u32,
    /// Whether the stages compute the clipped boxes alone.
    pub(crate) is_clipped_alone: bool,
}

impl Plan {
    /// A plan for all outputs.
    fn new(stages: &'static [&'static Stage], chunks: Option<ChunkLengths>, size: Config) -> Self {
        Self { stages, chunks, size, n_entries: size.n_entries, is_clipped_alone: false }
    }

    /// Whether the plan takes less time than another one for the same outputs: the stages for the
    /// clipped boxes alone are the fastest, and chunks are the slowest.
    pub(crate) fn is_better_than(&self, other: &Self) -> bool {
        let merits = |plan: &Self| (plan.is_clipped_alone, plan.chunks.is_none());
        merits(self) > merits(other)
    }

    /// The largest scene.
    pub(crate) fn capacity(&self) -> Limits {
        Limits { max_elements: self.size.n_elements.into(), max_entries: self.n_entries.into() }
    }
}

/// The layouts of the buffers of a scene.
pub(crate) fn layouts<'a>(stages: &'a [&'static Stage]) -> impl Iterator<Item = &'a BufferLayout> {
    stages.iter().flat_map(|stage| stage.buffers).chain(&INPUTS)
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
                let largest = algorithm.plan_on(&config(limits.max_elements), &device);
                let plan = largest.unwrap_or_else(|| panic!("{algorithm:?}: {limits:?} on {device:?}"));
                let max_bytes = if plan.chunks.is_some() {
                    device.max_buffer_size
                } else {
                    device.max_storage_buffer_binding_size
                };
                for layout in layouts(plan.stages) {
                    let bytes = layout.bytes(&config(limits.max_elements));
                    assert!(bytes <= max_bytes, "{algorithm:?}: {} takes {bytes} bytes", layout.name);
                }
                if limits.max_elements < own.max_elements {
                    let larger = config(limits.max_elements + 1);
                    assert!(algorithm.plan_on(&larger, &device).is_none(), "{algorithm:?}: {limits:?}");
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
