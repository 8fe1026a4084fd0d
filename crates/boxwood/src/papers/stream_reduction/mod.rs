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

use std::sync::OnceLock;

pub use boxwood_cpu::specification::papers::StreamSearch;
use boxwood_shaders::{Shader, papers as shaders};
use bytemuck::{Pod, Zeroable};

use self::lines::Lines;
use crate::core::WORKGROUP_SIZE;
use crate::core::context::Context;
use crate::core::kernel::BoundKernel;
use crate::core::limits::max_binding_size;
use crate::core::program::{RESULT_USAGES, create_buffer, one_binding, uniform};
use crate::spatial::{Count, MAX_ITEMS, SpatialError, check_items, check_result, check_room};

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

/// The sizes of a stream. `reduction_config.wgsl` has the same layout.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ReductionConfig {
    /// The number of items.
    pub n_items: u32,
    /// The number of items of a block.
    pub block_length: u32,
    /// The number of prefix sums.
    pub n_sums: u32,
    /// The distance of the terms of one step of the prefix sum.
    pub distance: u32,
    /// The width of the texture.
    pub width: u32,
    /// The height of the texture.
    pub height: u32,
    /// The size of a uniform is a multiple of 16 bytes.
    pub padding: [u32; 2],
}

/// The compiled shaders of this module. Create them once per device. Each shader is compiled when
/// it is first used.
#[derive(Debug)]
pub struct StreamReductionPipelines {
    context: Context,
    lines_source: String,
    lines: OnceLock<wgpu::RenderPipeline>,
}

impl StreamReductionPipelines {
    /// The pipelines of the papers' variants, which include a render pipeline.
    pub fn new(context: &Context) -> Self {
        Self {
            context: context.clone(),
            lines_source: shaders::REDUCTION_LINES.source.to_owned(),
            lines: OnceLock::new(),
        }
    }

    /// The same pipelines from other sources, compiled with wgpu's runtime checks. The sources must
    /// bind the same resources. A shader that already has this source is not compiled again.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn with_changes(&self, source: impl Fn(&Shader) -> String) -> Self {
        let lines_source = source(&shaders::REDUCTION_LINES);
        Self { context: self.context.with_changes(source), lines_source, lines: OnceLock::new() }
    }
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
    dispatches: Vec<(BoundKernel, u32)>,
    lines: Option<Lines>,
    selected: wgpu::Buffer,
    n_selected: (wgpu::Buffer, u32),
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
        let binding = max_binding_size(&device.limits());
        // Buffers consist of whole words.
        check_room("mask", n.into(), 8 * (mask.size().min(binding) & !3))?;
        check_result::<u32>("selected", n, binding)?;
        check_items(n, MAX_ITEMS)?;
        let config = config_of(device, n, method)?;
        let mut own = Buffers::new(device, mask, &config, method);

        let n_workgroups = n.div_ceil(WORKGROUP_SIZE);
        let mut dispatches = Vec::new();
        let mut add =
            |shader, own: &Buffers, n: u32| dispatches.push((own.bind(device, pipelines, shader), n));
        match method {
            Method::Horn => add(&shaders::REDUCTION_REMOVED, &own, n_workgroups),
            Method::Blocks { search, .. } => {
                let shader = match search {
                    StreamSearch::Halving => &shaders::REDUCTION_BLOCK_HALVING,
                    StreamSearch::Contracting => &shaders::REDUCTION_BLOCK_CONTRACTING,
                };
                // The count of the only block of an empty stream is written too.
                add(shader, &own, n.div_ceil(MAX_BLOCK_LENGTH).max(1));
            }
        }
        let distances = std::iter::successors(Some(1), |distance: &u32| distance.checked_mul(2));
        for distance in distances.take_while(|distance| *distance < config.n_sums) {
            own.config = config_buffer(device, &ReductionConfig { distance, ..config });
            add(&shaders::REDUCTION_SUM, &own, config.n_sums.div_ceil(WORKGROUP_SIZE));
            own.sums.swap(0, 1);
        }
        let mut lines = None;
        match method {
            // The first workgroup writes the number of the kept items, even if there are no items.
            Method::Horn => add(&shaders::REDUCTION_SEARCH, &own, n_workgroups.max(1)),
            Method::Blocks { concatenation: Concatenation::Scatter, .. } => {
                add(&shaders::REDUCTION_CONCATENATE, &own, n_workgroups);
            }
            Method::Blocks { concatenation: Concatenation::Lines, .. } => {
                lines = Some(Lines::new(device, pipelines, &own, &config));
            }
        }
        let Buffers { sums: [sums, _], selected, n_selected, .. } = own;
        let n_selected = match method {
            Method::Horn => (n_selected, 0),
            Method::Blocks { .. } => (sums, config.n_sums - 1),
        };
        Ok(Self { dispatches, lines, selected, n_selected })
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
        self.dispatches.iter().for_each(|(kernel, n_workgroups)| kernel.record(&mut pass, *n_workgroups));
        drop(pass);
        if let Some(lines) = &self.lines {
            lines.record(encoder, render_timestamps);
        }
    }

    /// Out: the indices of the kept items. They are in a texture if lines are drawn.
    pub fn selected(&self) -> Selected<'_> {
        self.lines
            .as_ref()
            .map_or(Selected::Buffer(&self.selected), |lines| Selected::Texture(&lines.texture))
    }

    /// Out: the number of kept items, for the stage after this one.
    pub fn n_selected(&self) -> Count<'_> {
        let (buffer, word) = &self.n_selected;
        Count::Gpu { buffer, word: *word }
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

fn config_buffer(device: &wgpu::Device, config: &ReductionConfig) -> wgpu::Buffer {
    uniform(device, "boxwood.papers.reduction_config", config)
}

/// The buffers that the shaders bind.
struct Buffers {
    config: wgpu::Buffer,
    mask: wgpu::Buffer,
    /// The indices of the kept items of each block, at the begin of the block.
    reduced: wgpu::Buffer,
    /// The prefix sums so far, and those after the next step.
    sums: [wgpu::Buffer; 2],
    selected: wgpu::Buffer,
    n_selected: wgpu::Buffer,
}

impl Buffers {
    fn new(device: &wgpu::Device, mask: &wgpu::Buffer, config: &ReductionConfig, method: Method) -> Self {
        // wgpu rejects empty bindings. A buffer that no shader binds has the least size.
        let create = |name: &str, is_used: bool, words: u32| {
            let size = if is_used { 4 * u64::from(words.max(1)) } else { 4 };
            create_buffer(device, &format!("boxwood.papers.{name}"), size, RESULT_USAGES)
        };
        let is_horn = method == Method::Horn;
        let is_drawn = config.width > 0;
        Self {
            config: config_buffer(device, config),
            mask: mask.clone(),
            reduced: create("reduced", !is_horn, config.n_items),
            sums: ["sums", "other_sums"].map(|name| create(name, true, config.n_sums)),
            selected: create("selected", !is_drawn, config.n_items),
            n_selected: create("n_selected", is_horn, 1),
        }
    }

    fn get(&self, variable: &str) -> &wgpu::Buffer {
        match variable {
            "config" => &self.config,
            "mask" => &self.mask,
            "reduced" => &self.reduced,
            "selected" => &self.selected,
            "n_selected" => &self.n_selected,
            "sums_after" => &self.sums[1],
            // The first dispatch writes the terms of the sums.
            "block_counts" | "removed" | "sums" | "sums_before" => &self.sums[0],
            _ => unreachable!("a shader binds `{variable}`, which is no buffer of a stream reduction"),
        }
    }

    fn bind(
        &self,
        device: &wgpu::Device,
        pipelines: &StreamReductionPipelines,
        shader: &'static Shader,
    ) -> BoundKernel {
        let binding = max_binding_size(&device.limits());
        pipelines.context.kernel(shader).bind_parts(device, |name| one_binding(self.get(name), binding))
    }
}
