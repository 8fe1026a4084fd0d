//! The clip stage: Boxwood's clip boxes in the layouts of Vello's buffers.

use boxwood::{Algorithm, Limits, LimitsError, Plan, SceneBoxes};
use boxwood_shaders::sizes;
use boxwood_shaders::vello::{
    self as shaders, VelloClipGather, VelloClipReduce, VelloClipResolve, VelloClipResolveDirect,
    VelloClipWalk,
};
use vello_encoding::{Clip, ClipBbox};

use super::kind::PassKind;
use super::{FrameSize, Grid, add_all};

/// The number of clip operations per workgroup, for up to 65,536 operations.
const SMALL_PARTITION_LENGTH: u32 = shaders::VELLO_CLIP_RESOLVE.shader().workgroup_size[0];

/// The largest number of these partitions: a workgroup sees one per invocation.
const MAX_SMALL_PARTITIONS: u32 = SMALL_PARTITION_LENGTH;

/// The largest input for [`ClipAlgorithm::Direct`]: a workgroup reads 16 operations per invocation.
const DIRECT_MAX: u32 = 16 * SMALL_PARTITION_LENGTH;

/// An algorithm of the clip stage. All of them compute the same boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClipAlgorithm {
    /// One dispatch, in which each workgroup reads all earlier operations itself. For up to 4,096
    /// operations.
    Direct,
    /// Two dispatches. For up to 65,536 operations.
    Small,
    /// The clipped boxes of a scene whose elements are the operations, in two levels. For up to
    /// 1,048,576 operations.
    TwoLevel,
    /// The same in as many levels as needed, for any number of operations.
    Hierarchical,
}

impl ClipAlgorithm {
    /// Every algorithm.
    pub const ALL: [Self; 4] = [Self::Direct, Self::Small, Self::TwoLevel, Self::Hierarchical];

    /// The maximum number of operations. A device may have a lower limit.
    pub fn max_operations(self) -> u64 {
        match self {
            Self::Direct => DIRECT_MAX.into(),
            Self::Small => Algorithm::Small.limits().max_elements,
            Self::TwoLevel => Algorithm::TwoLevel.limits().max_elements,
            Self::Hierarchical => Algorithm::Hierarchical.limits().max_elements,
        }
    }

    /// The fastest algorithm. The times are those of an NVIDIA H100.
    pub(super) fn for_operations(n: u32) -> Self {
        // `Direct` takes 7 to 11 µs up to here, and 12 and 13 µs for twice and four times as many.
        // `Small` takes 12 µs for any number up to twice as many.
        const DIRECT_IS_FASTEST: u32 = 1024;
        let candidates = [Self::Small, Self::TwoLevel];
        let can_hold = |algorithm: &Self| u64::from(n) <= algorithm.max_operations();
        match n {
            ..=DIRECT_IS_FASTEST => Self::Direct,
            _ => candidates.into_iter().find(can_hold).unwrap_or(Self::Hierarchical),
        }
    }

    /// The algorithm for the scene of the operations, if there is one.
    pub(super) fn of_scene(self) -> Option<Algorithm> {
        match self {
            Self::Direct | Self::Small => None,
            Self::TwoLevel => Some(Algorithm::TwoLevel),
            Self::Hierarchical => Some(Algorithm::Hierarchical),
        }
    }
}

/// Checks that an algorithm can hold `n_clips` operations.
///
/// # Panics
///
/// If the number of buffers is wrong, or if `clip_inp` or `clip_bboxes` has no room for the
/// operations.
pub(super) fn check(
    algorithm: ClipAlgorithm,
    n_clips: u32,
    buffers: &[wgpu::Buffer],
) -> Result<(), LimitsError> {
    let [_, clip_inp, _, _, clip_bboxes] = buffers else {
        panic!("the pass binds {:?}", PassKind::Clip.buffers());
    };
    for (name, buffer, stride) in
        [("clip_inp", clip_inp, size_of::<Clip>()), ("clip_bboxes", clip_bboxes, size_of::<ClipBbox>())]
    {
        let capacity = buffer.size() / stride as u64;
        assert!(
            capacity >= n_clips.into(),
            "{name} has no room for {n_clips} clip operations, only for {capacity}"
        );
    }
    let max_elements = algorithm.max_operations();
    Limits { max_elements, max_entries: max_elements }.check(n_clips as usize, n_clips as usize)
}

/// The dispatches over the operations: around the stages over a scene of them, or, without a scene,
/// one dispatch or two.
pub(super) fn plan(scene: Option<&SceneBoxes>, is_direct: bool, buffers: &[wgpu::Buffer]) -> Plan<Grid> {
    #[expect(unsafe_code, reason = "the checks take longer than the stage")]
    // SAFETY: the shaders compare each index that comes from a buffer of the caller with the length
    // of the buffer that it indexes. They also compare the number of operations in Vello's
    // configuration with the lengths of the buffers. `check` ensures that `clip_inp` and
    // `clip_bboxes` have room for the operations that a recording announces. The dispatches of the
    // same recording write the summaries and the scene, whose size the algorithm can hold: indices
    // from them are those of operations. All loops end after a number of rounds that constants or
    // the number of operations bound. Workgroup memory is written before it is read.
    let mut plan = unsafe { Plan::without_checks("boxwood.vello", FrameSize::default()) };
    let [vello_config, clip_inp, path_bboxes, draw_monoids, clip_bboxes] =
        add_all(&mut plan, PassKind::Clip.buffers(), buffers);
    if let Some(scene) = scene {
        let draw_tags = plan.whole("draw_tags", scene.draw_tags());
        let element_boxes = plan.whole("element_boxes", scene.element_boxes());
        let [summaries, crossings] = scene.stacks();
        let gather = VelloClipGather { vello_config, clip_inp, path_bboxes, draw_tags, element_boxes };
        plan.dispatch(gather, Grid::Items);
        let walk = VelloClipWalk {
            config: plan.whole("config", scene.config()),
            clip_inp,
            summaries: plan.whole("summaries", summaries),
            draw_monoids,
            clip_bboxes,
            element_boxes,
            crossings: plan.whole("crossings", crossings),
            clipped_boxes: plan.whole("clipped_boxes", scene.clipped_boxes()),
        };
        plan.dispatch(walk, Grid::Partitions);
    } else if is_direct {
        let direct =
            VelloClipResolveDirect { vello_config, clip_inp, path_bboxes, draw_monoids, clip_bboxes };
        plan.dispatch(direct, Grid::Items);
    } else {
        let small_summaries =
            plan.buffer::<[u8; sizes::SMALL_SUMMARY]>("small_summaries", MAX_SMALL_PARTITIONS);
        let small_partitions =
            plan.buffer::<[u8; sizes::SMALL_PARTITION]>("small_partitions", MAX_SMALL_PARTITIONS);
        let reduce =
            VelloClipReduce { vello_config, clip_inp, path_bboxes, small_summaries, small_partitions };
        plan.dispatch(reduce, Grid::Items);
        let resolve = VelloClipResolve {
            vello_config,
            clip_inp,
            path_bboxes,
            draw_monoids,
            clip_bboxes,
            small_summaries,
            small_partitions,
        };
        plan.dispatch(resolve, Grid::Items);
    }
    plan
}
