//! The buffers of a scene that several stages bind.

use boxwood_cpu::{Aabb, EntryLink};

use crate::core::grid::{Grid, Per};
use crate::core::plan::{Plan, Slot};

/// The buffers that the host writes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inputs {
    pub(crate) config: Slot,
    pub(crate) draw_tags: Slot,
    pub(crate) element_boxes: Slot,
}

/// The results of stage *compact*.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeStream {
    /// The number of entries before each partition.
    pub(crate) partition_entries: Slot,
    pub(crate) ranks: Slot,
    pub(crate) entries: Slot,
}

/// The boxes and links.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Results {
    pub(crate) links: Slot,
    pub(crate) clip_boxes: Slot,
    pub(crate) clipped_boxes: Slot,
    pub(crate) group_boxes: Slot,
}

/// The results of a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) clipped_boxes: Slot,
    /// The results besides the clipped boxes, unless these are computed alone.
    pub(crate) of_entries: Option<EntryResults>,
    /// The stack before each partition, if the last dispatch reads it.
    pub(crate) stacks: Option<Stacks>,
}

/// The results besides the clipped boxes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryResults {
    pub(crate) entries: Slot,
    pub(crate) ranks: Slot,
    pub(crate) links: Slot,
    pub(crate) clip_boxes: Slot,
    pub(crate) group_boxes: Slot,
}

/// The facts about the partitions that `fused_clip` reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stacks {
    pub(crate) summaries: Slot,
    pub(crate) crossings: Slot,
}

impl Inputs {
    /// Adds the buffers.
    pub(crate) fn plan(plan: &mut Plan<Grid>) -> Self {
        Self {
            config: plan.size_uniform("config"),
            // Some shaders read four tags at a time.
            draw_tags: plan.per::<[u32; 4]>(Per::ElementQuad, "draw_tags"),
            element_boxes: plan.per::<Aabb>(Per::Element, "element_boxes"),
        }
    }
}

impl Results {
    /// Adds the buffers.
    pub(crate) fn plan(plan: &mut Plan<Grid>) -> Self {
        Self {
            links: plan.per::<EntryLink>(Per::Entry, "links"),
            clip_boxes: plan.per::<Aabb>(Per::Entry, "clip_boxes"),
            clipped_boxes: plan.per::<Aabb>(Per::Element, "clipped_boxes"),
            group_boxes: plan.per::<Aabb>(Per::Entry, "group_boxes"),
        }
    }
}

impl Outcome {
    /// All results.
    pub(crate) fn of(stream: NodeStream, results: Results) -> Self {
        let NodeStream { ranks, entries, .. } = stream;
        let Results { links, clip_boxes, clipped_boxes, group_boxes } = results;
        let of_entries = EntryResults { entries, ranks, links, clip_boxes, group_boxes };
        Self { clipped_boxes, of_entries: Some(of_entries), stacks: None }
    }
}
