//! The stage: its buffers and its dispatches.

use boxwood_cpu::Aabb;
use boxwood_cpu::paths::RoundedBox;
use boxwood_shaders::paths::{
    self as shaders, PathFill, PathFinish, PathFinishRounded, PathInside, PathPieces, PathReduce, PathScan,
    PathSpans, PathSpansRounded, PathStroke,
};

use super::config::{MIN_ROW_TAGS, PARTITIONS_PER_GROUP, PathConfig, n_spans};
use super::descriptor::{Capacity, PathBuffersDescriptor};
use crate::core::limits::{WORKGROUP_SIZE, count, max_binding_size};
use crate::core::plan::{Plan, Slot, Workgroups};

/// The items that the workgroups of a dispatch share.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PathGrid {
    /// The groups of partitions. At least one workgroup, which clears the keys of the paths.
    Groups,
    /// A single workgroup.
    Single,
    /// The partitions, one per workgroup.
    Partitions,
    /// The spans, in workgroups of this size, if there are fills.
    Fills(u32),
    /// The spans, in workgroups of this size, if there are strokes.
    Strokes(u32),
    /// Jobs of strokes, in up to as many workgroups as one row of the device has.
    Jobs {
        /// The maximum number of jobs, given the number of spans.
        max_jobs: fn(u64) -> u64,
        max_in_row: u32,
    },
    /// The paths, 256 per workgroup.
    Paths,
}

impl Workgroups for PathGrid {
    type Size = PathConfig;

    fn workgroups(&self, size: &PathConfig) -> u32 {
        let of = |n: u64, workgroup_size: u32| count(n.div_ceil(workgroup_size.into()));
        match *self {
            Self::Groups => size.n_groups().max(1),
            Self::Single => 1,
            Self::Partitions => size.n_partitions,
            Self::Fills(_) if size.has_fills == 0 => 0,
            Self::Strokes(_) | Self::Jobs { .. } if size.has_strokes == 0 => 0,
            Self::Fills(workgroup_size) | Self::Strokes(workgroup_size) => of(size.n_spans(), workgroup_size),
            Self::Jobs { max_jobs, max_in_row } => {
                // Enough invocations to occupy a large GPU. They take several jobs each.
                let n = of(max_jobs(size.n_spans()), shaders::PATH_INSIDE.workgroup_size[0]);
                n.min(2048).min(max_in_row)
            }
            Self::Paths => size.n_paths.div_ceil(WORKGROUP_SIZE),
        }
    }
}

/// The stage, with its input and its results.
#[derive(Debug)]
pub(super) struct PathPlan {
    pub(super) plan: Plan<PathGrid>,
    pub(super) slots: PathSlots,
}

/// The uniform, the input, and the results of the stage.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathSlots {
    config: Slot,
    pub(super) scene: Slot,
    pub(super) path_boxes: Slot,
    pub(super) rounded_boxes: Option<Slot>,
}

impl PathPlan {
    /// The stage for scenes of up to a capacity, which has been checked.
    pub(super) fn new(
        descriptor: &PathBuffersDescriptor<'_>,
        capacity: &Capacity,
        limits: &wgpu::Limits,
    ) -> Self {
        let mut plan = Plan::new("boxwood.paths", PathConfig::default());
        let Capacity { n_words, n_paths, .. } = *capacity;
        let scene = match descriptor.scene {
            Some(scene) => plan.given::<u32>("scene", scene, n_words),
            None => plan.buffer::<u32>("scene", n_words),
        };
        let path_boxes = match descriptor.boxes {
            Some(boxes) => plan.given::<Aabb>("path_boxes", boxes, n_paths),
            None => plan.buffer::<Aabb>("path_boxes", n_paths),
        };
        let rounded_boxes =
            descriptor.has_rounded_boxes.then(|| plan.buffer::<RoundedBox>("rounded_boxes", n_paths));
        let slots = PathSlots { config: plan.size_uniform("config"), scene, path_boxes, rounded_boxes };
        plan.begin("boxwood.paths");
        add_dispatches(&mut plan, slots, capacity, limits);
        plan.end();
        Self { plan, slots }
    }
}

/// Adds the buffers between the dispatches, and the dispatches.
fn add_dispatches(plan: &mut Plan<PathGrid>, slots: PathSlots, capacity: &Capacity, limits: &wgpu::Limits) {
    let PathSlots { config, scene, path_boxes, rounded_boxes } = slots;
    let Capacity { n_tag_words, n_paths, .. } = *capacity;
    let n_partitions = n_tag_words.div_ceil(WORKGROUP_SIZE.into());
    let n_groups = n_partitions.div_ceil(PARTITIONS_PER_GROUP.into());
    let max_spans = n_spans(n_paths, n_tag_words, MIN_ROW_TAGS);
    let [fill_size, stroke_size] =
        [&*shaders::PATH_FILL, &*shaders::PATH_STROKE].map(|shader| shader.workgroup_size[0]);
    let whole_workgroups = max_spans.next_multiple_of(stroke_size.into());
    let path_keys = plan.buffer::<[u32; 4]>("path_keys", n_paths);
    let spans = plan.buffer::<[u32; 4]>("spans", max_spans);
    // A list may be shorter.
    let most_jobs = max_binding_size(limits) / size_of::<[u32; 2]>() as u64;
    let jobs = plan.buffer::<[u32; 2]>("jobs", max_jobs(max_spans).min(most_jobs));
    let piece_jobs = plan.buffer::<[u32; 2]>("piece_jobs", max_piece_jobs(max_spans));
    let n_jobs = plan.buffer::<u32>("n_jobs", 4_u32);
    let deferred_spans = plan.buffer::<u32>("deferred_spans", whole_workgroups);
    let partition_counts = plan.buffer::<[u32; 4]>("partition_counts", n_partitions);
    let group_counts = plan.buffer::<[u32; 4]>("group_counts", n_groups + 1);
    let rounded = rounded_boxes.map(|boxes| (boxes, plan.buffer::<[u32; 2]>("path_draws", n_paths)));
    // Shaders read a point as a pair of words of the scene.
    let scene_pairs = scene;

    plan.dispatch(PathReduce { config, scene, partition_counts, group_counts, path_keys }, PathGrid::Groups);
    plan.dispatch(PathScan { config, group_counts, n_jobs, path_keys }, PathGrid::Single);
    if let Some((_, path_draws)) = rounded {
        let divide =
            PathSpansRounded { config, scene, partition_counts, group_counts, spans, path_draws, path_keys };
        plan.dispatch(divide, PathGrid::Partitions);
    } else {
        let divide = PathSpans { config, scene, partition_counts, group_counts, spans, path_keys };
        plan.dispatch(divide, PathGrid::Partitions);
    }
    let fill = PathFill { config, scene, spans, path_keys, scene_pairs, path_boxes };
    plan.dispatch(fill, PathGrid::Fills(fill_size));
    let stroke = PathStroke { config, scene, spans, path_keys, scene_pairs, jobs, n_jobs, deferred_spans };
    plan.dispatch(stroke, PathGrid::Strokes(stroke_size));
    let max_in_row = limits.max_compute_workgroups_per_dimension;
    let inside =
        PathInside { config, scene, spans, path_keys, scene_pairs, jobs, n_jobs, piece_jobs, deferred_spans };
    plan.dispatch(inside, PathGrid::Jobs { max_jobs: |n_spans| n_spans, max_in_row });
    let pieces = PathPieces { config, scene, spans, path_keys, scene_pairs, piece_jobs, n_jobs };
    plan.dispatch(pieces, PathGrid::Jobs { max_jobs: max_piece_jobs, max_in_row });
    if let Some((rounded_boxes, path_draws)) = rounded {
        let finish =
            PathFinishRounded { config, path_keys, path_boxes, group_counts, path_draws, rounded_boxes };
        plan.dispatch(finish, PathGrid::Paths);
    } else {
        plan.dispatch(PathFinish { config, path_keys, path_boxes, group_counts }, PathGrid::Paths);
    }
}

/// The room for stroke jobs: several times as many as among random curves, and some for small
/// scenes. If they do not fit, spans are deferred, which takes longer.
fn max_jobs(n_spans: u64) -> u64 {
    n_spans + 8192
}

/// The room for jobs that need pieces, which are few. If they do not fit, they are computed
/// earlier.
fn max_piece_jobs(n_spans: u64) -> u64 {
    n_spans / 8 + 256
}
