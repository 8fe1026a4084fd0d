//! Stage *occlusion*: the elements that later, opaque elements hide.
//!
//! Specification: `boxwood_cpu::specification::spatial::{visible, visible_by_boxes}`.

use boxwood_cpu::Aabb;
use boxwood_cpu::specification::spatial::TileGrid;
use boxwood_shaders::spatial::{
    OcclusionBoxes, OcclusionBoxesScopes, OcclusionCover, OcclusionLeast, OcclusionPushColumns,
    OcclusionPushRows, OcclusionTest,
};
use bytemuck::Zeroable as _;

use super::count::{CountSlot, Counted, Items};
use super::error::SpatialError;
use super::index::{Index, IndexConfig, NodeSlots, WALKS_PER_WORKGROUP};
use super::stage::{Stage, stage_methods};
use super::tiles::TilesConfig;
use crate::core::context::Context;
use crate::core::limits::WORKGROUP_SIZE;
use crate::core::plan::{Plan, Slot};

/// The inner boxes of later elements, which hide an element. The inner box of an element is the
/// part of its box where it surely replaces everything below it. It is the clipped rectangle of an
/// opaque element, and [`Aabb::EMPTY`] for most others. If edges are anti-aliased, round it inward
/// to whole pixels.
///
/// The two algorithms hide different elements.
#[derive(Clone, Copy, Debug)]
pub enum Covers<'a> {
    /// All later inner boxes together, of which only whole tiles count. The time depends on the
    /// size of the picture rather than on the boxes.
    Tiles {
        /// The inner boxes of the elements, `array<vec4<f32>>`, as many as there are elements.
        /// Elements of an isolated group must not cover anything outside of it.
        inner_boxes: Items<'a>,
        /// The tiles of the picture.
        grid: TileGrid,
    },
    /// A single later inner box that contains the box of the element, exactly. There is no picture,
    /// so elements outside of it must have empty boxes to be hidden.
    Boxes {
        /// A tree over the inner boxes of the elements, as many as there are elements. Record it
        /// before this stage.
        inner_boxes: &'a Index,
        /// The index of the first element of the innermost isolated group around each element, or 0
        /// without a group: `array<u32>`. The elements of a group must be in a row. An element
        /// covers nothing outside of its group. If an element stands for the group itself, such as
        /// a begin with the group box, it is outside of the group, which starts after it.
        scope_starts: Option<&'a wgpu::Buffer>,
    },
}

/// The stage with its buffers. Create it once per size.
///
/// It takes a bit per element. Tiles take 3.2 MB for 1920 x 1080 pixels or up to 42 MB for those of
/// 4096 x 4096 pixels.
#[derive(Debug)]
pub struct Occlusion {
    stage: Stage,
    visible: Slot,
}

impl Occlusion {
    /// Allocates and binds the buffers.
    ///
    /// `boxes` has the box of each element in paint order, `array<vec4<f32>>`. The box contains all
    /// pixels that the element paints. The number of elements is that of `covers`.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::TooLarge`] if a buffer of the caller has no room for its elements, or the
    ///   picture has more tiles than a shader can bind.
    /// - [`SpatialError::OutOfRange`] if the picture has more than [`TileGrid::MAX_TILES`] tiles or
    ///   2^24 pixels in a direction.
    /// - [`SpatialError::TooManyRounds`] on a software adapter, if the tree is so large that a walk
    ///   could be cut off there.
    pub fn new(context: &Context, boxes: &wgpu::Buffer, covers: Covers<'_>) -> Result<Self, SpatialError> {
        let mut plan = Plan::new("boxwood.spatial", ());
        plan.begin("boxwood.occlusion");
        let (count, visible) = match covers {
            Covers::Tiles { inner_boxes, grid } => {
                let inner_boxes = inner_boxes.add_to::<Aabb>(context, &mut plan, "inner_boxes")?;
                let tiles = TilesConfig::new(grid)?;
                let count = inner_boxes.count;
                let boxes = plan.given::<Aabb>("boxes", boxes, count.capacity);
                (count, plan_tiles(&mut plan, boxes, inner_boxes, tiles))
            }
            Covers::Boxes { inner_boxes, scope_starts } => {
                inner_boxes.check_walk(context.device())?;
                let count = inner_boxes.add_count_to(context, &mut plan)?;
                let nodes = inner_boxes.add_to(&mut plan);
                let boxes = plan.given::<Aabb>("boxes", boxes, count.capacity);
                let scope_starts =
                    scope_starts.map(|starts| plan.given::<u32>("scope_starts", starts, count.capacity));
                (count, plan_boxes(&mut plan, count.of(boxes), nodes, scope_starts))
            }
        };
        plan.end();
        Ok(Self { stage: Stage::new(context, plan, count)?, visible })
    }

    stage_methods!("elements");

    /// Out: one bit per element, 1 if it may be visible. It is the input of
    /// [`Predicate::Mask`](super::Predicate::Mask).
    ///
    /// | covers | an element may be visible if |
    /// |---|---|
    /// | [`Tiles`](Covers::Tiles) | it touches a tile of the picture that no later inner box covers |
    /// | [`Boxes`](Covers::Boxes) | its box is not empty, and no later inner box of its group or of one around it contains it |
    pub fn visible(&self) -> &wgpu::Buffer {
        &self.stage[self.visible]
    }
}

/// Adds the dispatches for all later inner boxes together. Returns the visible elements.
fn plan_tiles(plan: &mut Plan<u32>, boxes: Slot, inner_boxes: Counted, tiles: TilesConfig) -> Slot {
    let Counted { items: inner_boxes, count } = inner_boxes;
    let CountSlot { buffer: item_counts, word: count_word, capacity, .. } = count;
    let config = plan.uniform("tiles_config", &TilesConfig { capacity, count_word, ..tiles });
    let visible = plan.buffer::<u32>("visible", capacity.div_ceil(u32::BITS));
    let n_words = u64::from(tiles.n_level_rows()) * u64::from(tiles.n_columns);
    let [covers, least] = ["covers", "least"].map(|name| plan.buffer::<u32>(name, n_words));
    let n_element_workgroups = capacity.div_ceil(WORKGROUP_SIZE);
    let n_rows = tiles.n_row_levels * tiles.n_rows;
    plan.dispatch(OcclusionCover { config, item_counts, inner_boxes, covers }, n_element_workgroups);
    plan.dispatch(OcclusionPushColumns { config, covers }, n_rows);
    plan.dispatch(OcclusionPushRows { config, covers, least }, tiles.n_columns);
    plan.dispatch(OcclusionLeast { config, least }, n_rows);
    plan.dispatch(OcclusionTest { config, item_counts, boxes, least, visible }, n_element_workgroups);
    visible
}

/// Adds the dispatch for a single later inner box. Returns the visible elements.
fn plan_boxes(plan: &mut Plan<u32>, boxes: Counted, nodes: NodeSlots, scope_starts: Option<Slot>) -> Slot {
    let Counted { items: boxes, count } = boxes;
    let CountSlot { buffer: item_counts, word: count_word, capacity, .. } = count;
    let NodeSlots { tree, node_boxes, node_spans } = nodes;
    let config = plan.uniform("index_config", &IndexConfig { capacity, count_word, ..IndexConfig::zeroed() });
    let visible = plan.buffer::<u32>("visible", capacity.div_ceil(u32::BITS));
    let n_workgroups = capacity.div_ceil(WALKS_PER_WORKGROUP);
    if let Some(scope_starts) = scope_starts {
        let walk = OcclusionBoxesScopes {
            config,
            item_counts,
            boxes,
            visible,
            scope_starts,
            tree,
            node_boxes,
            node_spans,
        };
        plan.dispatch(walk, n_workgroups);
    } else {
        let walk = OcclusionBoxes { config, item_counts, boxes, visible, tree, node_boxes, node_spans };
        plan.dispatch(walk, n_workgroups);
    }
    visible
}
