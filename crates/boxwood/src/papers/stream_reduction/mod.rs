//! Stream reduction as published in 2007: the kept items of a stream, in order, without scattered
//! writes of items.
//!
//! Roger, Assarsson, Holzschuch, *Efficient Stream Reduction on the GPU*, reduce blocks on their
//! own and concatenate them. They compare this with Horn 2005, *Stream Reduction Operations for
//! GPGPU Applications*, which is the same for one block. The results equal those of
//! [`spatial::Select`](crate::spatial::Select) with a mask, which is faster, and which takes other
//! inputs too. This is here for comparison.
//!
//! Specification: `boxwood_cpu::specification::papers::reduce_stream`.

mod lines;
mod pipelines;

pub use boxwood_cpu::specification::papers::StreamSearch;
use boxwood_shaders::papers::{
    self as shaders, ReductionBlock, ReductionConcatenate, ReductionLines, ReductionRemoved, ReductionSearch,
    ReductionSum,
};

use self::lines::Lines;
pub use self::pipelines::{ReductionConfig, StreamReductionPipelines};
use crate::core::WORKGROUP_SIZE;
use crate::core::limits::max_binding_size;
use crate::core::plan::{NoRoom, Plan, Slot};
use crate::core::program::Program;
use crate::spatial::{Count, MAX_ITEMS, SpatialError, check_items};

/// The number of items of a workgroup of `reduction_block`, which is the maximum of a block.
const MAX_BLOCK_LENGTH: u32 = 1024;

/// How a stream is reduced. The results are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Blocks are reduced on their own, each by one workgroup or less, and concatenated.
    Blocks {
        /// The number of items of a block, a power of two from 2 to 1024.
        block_length: u32,
        /// How an output of a block searches its item.
        search: StreamSearch,
        /// How the reduced blocks get to their places.
        concatenation: Concatenation,
    },
    /// The stream is one block (Horn 2005), and outputs search by halving.
    Horn,
}

/// How reduced blocks get to their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Concatenation {
    /// Each item writes itself to its place.
    Scatter,
    /// A render pass draws each block as a line.
    Lines,
}

/// The error for a stream that cannot be reduced. Nothing has been allocated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StreamReductionError {
    /// The length of a block is not a power of two, or out of range.
    #[error("a block has {0} items: choose a power of two from 2 to {MAX_BLOCK_LENGTH}")]
    BlockLength(u32),
    /// There are too many items for the mask or the device.
    #[error(transparent)]
    TooLarge(#[from] SpatialError),
}

/// The kept items.
#[derive(Clone, Copy, Debug)]
pub enum Selected<'a> {
    /// Their indices in ascending order, `array<u32>`.
    Buffer(&'a wgpu::Buffer),
    /// Their indices in ascending order, row by row. The format is `R32Uint`.
    Texture(&'a wgpu::Texture),
}

/// A stream reduction with its buffers. Create it once per mask and size.
#[derive(Debug)]
pub struct StreamReduction {
    program: Program<u32>,
    lines: Option<Lines>,
    /// The indices of the kept items, unless lines are drawn.
    selected: Option<Slot>,
    n_selected: (Slot, u32),
}

impl StreamReduction {
    /// Allocates and binds the buffers for a stream of `n` items. Item i is kept if its bit in
    /// `mask` is 1. The mask is an `array<u32>` with the first item in the lowest bit, and its
    /// buffer needs the usage `STORAGE`.
    ///
    /// # Errors
    ///
    /// - [`StreamReductionError::TooLarge`] if the mask has no room for `n` items, or a buffer or
    ///   the texture is larger than `device` allows.
    /// - [`StreamReductionError::BlockLength`] for another length than the allowed ones.
    pub fn new(
        pipelines: &StreamReductionPipelines,
        mask: &wgpu::Buffer,
        n: u32,
        method: Method,
    ) -> Result<Self, StreamReductionError> {
        let device = pipelines.context.device();
        check_items(n, MAX_ITEMS)?;
        let config = config_of(device, n, method)?;
        let mut plan = Plan::new("boxwood.papers", ());
        let mask = plan.given::<u32>("mask", mask, n.div_ceil(u32::BITS));
        let reduction = match method {
            Method::Horn => plan_horn(&mut plan, &config, mask),
            Method::Blocks { search, concatenation, .. } => {
                plan_blocks(&mut plan, &config, mask, search, concatenation)
            }
        };
        plan.check(max_binding_size(&device.limits()))?;
        let program = Program::new(&pipelines.context, plan);
        let lines = reduction.drawn.map(|slots| {
            let [config_buffer, sums, reduced] =
                [slots.config, slots.sums, slots.reduced].map(|slot| &program[slot]);
            let buffers = ReductionLines { config: config_buffer, sums, reduced };
            Lines::new(device, pipelines, buffers, &config)
        });
        let Reduction { selected, n_selected, .. } = reduction;
        Ok(Self { program, lines, selected, n_selected })
    }

    /// Records the compute pass, and the render pass if lines are drawn. This does not submit or
    /// wait.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.record_timed(encoder, None);
    }

    /// The same, with timestamps at the begin of the first pass and the end of the last one.
    pub fn record_timed(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timestamps: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) {
        let render_timestamps = timestamps.as_ref().map(|both| wgpu::RenderPassTimestampWrites {
            query_set: both.query_set,
            beginning_of_pass_write_index: None,
            end_of_pass_write_index: both.end_of_pass_write_index,
        });
        let timestamp_writes = timestamps.map(|both| wgpu::ComputePassTimestampWrites {
            end_of_pass_write_index: both.end_of_pass_write_index.filter(|_| self.lines.is_none()),
            ..both
        });
        let label = Some("boxwood.stream_reduction");
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label, timestamp_writes });
        self.program.record(&mut pass);
        drop(pass);
        if let Some(lines) = &self.lines {
            lines.record(encoder, render_timestamps);
        }
    }

    /// Out: the indices of the kept items. They are in a texture if lines are drawn.
    pub fn selected(&self) -> Selected<'_> {
        match (&self.lines, self.selected) {
            (Some(lines), _) => Selected::Texture(&lines.texture),
            (None, Some(selected)) => Selected::Buffer(&self.program[selected]),
            (None, None) => unreachable!("the items are in a buffer, or drawn"),
        }
    }

    /// Out: the number of kept items, for the stage after this one.
    pub fn n_selected(&self) -> Count<'_> {
        let (buffer, word) = self.n_selected;
        Count::Gpu { buffer: &self.program[buffer], word }
    }
}

/// The sizes of a stream.
fn config_of(device: &wgpu::Device, n: u32, method: Method) -> Result<ReductionConfig, StreamReductionError> {
    let (block_length, n_sums) = match method {
        Method::Horn => (n, n),
        Method::Blocks { block_length, .. } => {
            if !block_length.is_power_of_two() || !(2..=MAX_BLOCK_LENGTH).contains(&block_length) {
                return Err(StreamReductionError::BlockLength(block_length));
            }
            (block_length, n.div_ceil(block_length).max(1))
        }
    };
    let [width, height] = match method {
        Method::Blocks { concatenation: Concatenation::Lines, .. } => lines::texture_size(device, n)?,
        _ => [0; 2],
    };
    Ok(ReductionConfig { n_items: n, block_length, n_sums, distance: 0, width, height, padding: [0; 2] })
}

/// A stream reduction in a plan.
struct Reduction {
    selected: Option<Slot>,
    n_selected: (Slot, u32),
    /// The buffers of the lines, if they are drawn.
    drawn: Option<ReductionLines<Slot>>,
}

/// Adds Horn's method: the numbers of removed items before each item, and a search of each output.
fn plan_horn(plan: &mut Plan<u32>, config: &ReductionConfig, mask: Slot) -> Reduction {
    let n_workgroups = config.n_items.div_ceil(WORKGROUP_SIZE);
    let removed = plan.buffer::<u32>("sums", config.n_sums);
    let own = plan.uniform("reduction_config", config);
    plan.dispatch(ReductionRemoved { config: own, mask, removed }, n_workgroups);
    let sums = plan_sums(plan, config, removed);
    let selected = plan.buffer::<u32>("selected", config.n_items);
    let n_selected = plan.buffer::<u32>("n_selected", 1_u32);
    // The first workgroup writes the number of the kept items, even if there are no items.
    plan.dispatch(ReductionSearch { config: own, sums, selected, n_selected }, n_workgroups.max(1));
    Reduction { selected: Some(selected), n_selected: (n_selected, 0), drawn: None }
}

/// Adds the reduction of blocks, and their concatenation unless lines are drawn.
fn plan_blocks(
    plan: &mut Plan<u32>,
    config: &ReductionConfig,
    mask: Slot,
    search: StreamSearch,
    concatenation: Concatenation,
) -> Reduction {
    let n = config.n_items;
    let block_counts = plan.buffer::<u32>("sums", config.n_sums);
    // The indices of the kept items of each block, at the begin of the block.
    let reduced = plan.buffer::<u32>("reduced", n);
    let own = plan.uniform("reduction_config", config);
    let shader = match search {
        StreamSearch::Halving => &shaders::REDUCTION_BLOCK_HALVING,
        StreamSearch::Contracting => &shaders::REDUCTION_BLOCK_CONTRACTING,
    };
    let reduce = ReductionBlock { config: own, mask, reduced, block_counts };
    // The count of the only block of an empty stream is written too.
    plan.dispatch_with(shader, reduce, n.div_ceil(MAX_BLOCK_LENGTH).max(1));
    let sums = plan_sums(plan, config, block_counts);
    let n_selected = (sums, config.n_sums - 1);
    if concatenation == Concatenation::Lines {
        let drawn = ReductionLines { config: own, sums, reduced };
        return Reduction { selected: None, n_selected, drawn: Some(drawn) };
    }
    let selected = plan.buffer::<u32>("selected", n);
    plan.dispatch(ReductionConcatenate { config: own, sums, reduced, selected }, n.div_ceil(WORKGROUP_SIZE));
    Reduction { selected: Some(selected), n_selected, drawn: None }
}

/// Adds the steps of the prefix sum, each of which doubles the distance of its terms. Returns the
/// buffer with the sums.
fn plan_sums(plan: &mut Plan<u32>, config: &ReductionConfig, terms: Slot) -> Slot {
    let (mut sums_before, mut sums_after) = (terms, plan.buffer::<u32>("other_sums", config.n_sums));
    let n_workgroups = config.n_sums.div_ceil(WORKGROUP_SIZE);
    let distances = std::iter::successors(Some(1), |distance: &u32| distance.checked_mul(2));
    for distance in distances.take_while(|distance| *distance < config.n_sums) {
        let config = plan.uniform("reduction_config", &ReductionConfig { distance, ..*config });
        plan.dispatch(ReductionSum { config, sums_before, sums_after }, n_workgroups);
        (sums_before, sums_after) = (sums_after, sums_before);
    }
    sums_before
}

impl From<NoRoom> for StreamReductionError {
    fn from(error: NoRoom) -> Self {
        Self::TooLarge(error.into())
    }
}
