//! The spatial stages: what they are given, and their results on both sides.

mod input;
mod lists;
mod pictures;
mod trees;

use boxwood::Context;
use boxwood::native::Gpu;
use boxwood::papers::stream_reduction::StreamReductionPipelines;
use boxwood::read_items;
use boxwood::spatial::SpatialError;
use bytemuck::Pod;

pub(super) use self::input::Input;
use crate::error::BenchError;
use crate::measure::{difference, uploaded};

/// An array of a result, with its name. Items of every type are words.
#[derive(Clone, Debug)]
pub(super) struct Words {
    pub(super) name: &'static str,
    pub(super) words: Vec<u32>,
}

impl Words {
    fn new<T: Pod>(name: &'static str, items: &[T]) -> Self {
        Self { name, words: bytemuck::cast_slice(items).to_vec() }
    }
}

/// A stage, or a form of it with results of its own.
pub(super) struct Stage {
    /// The names of its algorithms, which have the same results.
    pub(super) algorithms: &'static [&'static str],
    /// The maximum number of items. The specification takes too long for more, or its results take
    /// too much memory.
    max_items: usize,
    /// The results of the specification.
    specified: fn(&Input) -> Vec<Words>,
    /// The results of the algorithm with this index.
    run: fn(&Device<'_>, &Input, usize) -> Result<Vec<Words>, BenchError>,
}

impl std::fmt::Debug for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.algorithms).finish()
    }
}

impl Stage {
    /// The error for an input beyond the maximum number of items.
    pub(super) fn too_large(&self, input: &Input) -> SpatialError {
        let (need, limit) = (input.boxes.len() as u64, self.max_items as u64);
        SpatialError::TooManyItems { need, limit }
    }
}

/// A number of items that no input reaches.
const ANY_NUMBER: usize = usize::MAX;

/// A family can have a pair for every two boxes: 8 million pairs of 4,097 boxes.
const MAX_BOXES_OF_PAIRS: usize = (1 << 12) + 1;

/// The time for layers grows with the square of the number of boxes.
const MAX_BOXES_OF_LAYERS: usize = (1 << 14) + 1;

/// Every stage.
pub(super) const STAGES: &[Stage] = &[
    Stage {
        algorithms: &["select"],
        max_items: ANY_NUMBER,
        specified: lists::select_specified,
        run: lists::select,
    },
    Stage {
        algorithms: &["scan"],
        max_items: ANY_NUMBER,
        specified: lists::scan_specified,
        run: lists::scan,
    },
    Stage {
        algorithms: &["expand"],
        max_items: ANY_NUMBER,
        specified: lists::expand_specified,
        run: lists::expand,
    },
    Stage {
        algorithms: &[
            "sort, odd_even",
            "sort, radix",
            "sort, adaptive_bitonic",
            "sort, base_bitonic",
            "sort, base_optimal",
        ],
        max_items: ANY_NUMBER,
        specified: lists::sort_specified,
        run: lists::sort,
    },
    Stage {
        algorithms: &["search, binary", "search, p_ary", "search, rearranged"],
        max_items: ANY_NUMBER,
        specified: lists::search_specified,
        run: lists::search,
    },
    Stage {
        algorithms: &[
            "reduction, halving_scatter",
            "reduction, halving_lines",
            "reduction, contracting_scatter",
            "reduction, contracting_lines",
            "reduction, horn",
        ],
        max_items: ANY_NUMBER,
        specified: lists::reduction_specified,
        run: lists::reduction,
    },
    Stage {
        algorithms: &["index, paint"],
        max_items: ANY_NUMBER,
        specified: trees::paint_specified,
        run: trees::paint,
    },
    Stage {
        algorithms: &["index, morton"],
        max_items: ANY_NUMBER,
        specified: trees::morton_specified,
        run: trees::morton,
    },
    Stage {
        algorithms: &["index, hilbert"],
        max_items: ANY_NUMBER,
        specified: trees::hilbert_specified,
        run: trees::hilbert,
    },
    Stage {
        algorithms: &["lbvh"],
        max_items: ANY_NUMBER,
        specified: trees::lbvh_specified,
        run: trees::lbvh,
    },
    Stage {
        algorithms: &["query, tree"],
        max_items: ANY_NUMBER,
        specified: trees::query_tree_specified,
        run: trees::query_tree,
    },
    Stage {
        algorithms: &["query, all boxes"],
        max_items: ANY_NUMBER,
        specified: trees::query_boxes_specified,
        run: trees::query_boxes,
    },
    Stage {
        algorithms: &["reorder"],
        max_items: ANY_NUMBER,
        specified: trees::reorder_specified,
        run: trees::reorder,
    },
    Stage {
        algorithms: &["pairs, sweep"],
        max_items: MAX_BOXES_OF_PAIRS,
        specified: pictures::pairs_of_sweep_specified,
        run: pictures::pairs_of_sweep,
    },
    Stage {
        algorithms: &["pairs, strips"],
        max_items: MAX_BOXES_OF_PAIRS,
        specified: pictures::pairs_of_strips_specified,
        run: pictures::pairs_of_strips,
    },
    Stage {
        algorithms: &["pairs, tree"],
        max_items: MAX_BOXES_OF_PAIRS,
        specified: pictures::pairs_of_tree_specified,
        run: pictures::pairs_of_tree,
    },
    Stage {
        algorithms: &["layers"],
        max_items: MAX_BOXES_OF_LAYERS,
        specified: pictures::layers_specified,
        run: pictures::layers,
    },
    Stage {
        algorithms: &["damage, by_index"],
        max_items: ANY_NUMBER,
        specified: pictures::damage_by_index_specified,
        run: pictures::damage_by_index,
    },
    Stage {
        algorithms: &["damage, by_partners"],
        max_items: ANY_NUMBER,
        specified: pictures::damage_by_partners_specified,
        run: pictures::damage_by_partners,
    },
    Stage {
        algorithms: &["occlusion, tiles"],
        max_items: ANY_NUMBER,
        specified: pictures::occlusion_by_tiles_specified,
        run: pictures::occlusion_by_tiles,
    },
    Stage {
        algorithms: &["occlusion, boxes"],
        max_items: ANY_NUMBER,
        specified: pictures::occlusion_by_boxes_specified,
        run: pictures::occlusion_by_boxes,
    },
];

/// The results of the specification for each stage, or `None` beyond the maximum number of items.
pub(super) fn specified(input: &Input) -> Vec<Option<Vec<Words>>> {
    let of_stage = |stage: &Stage| (input.boxes.len() <= stage.max_items).then(|| (stage.specified)(input));
    STAGES.iter().map(of_stage).collect()
}

/// A device with the context of all stages.
#[derive(Debug)]
pub(super) struct Device<'a> {
    gpu: &'a Gpu,
    context: Context,
    reductions: StreamReductionPipelines,
}

impl<'a> Device<'a> {
    pub(super) fn new(gpu: &'a Gpu, context: &Context) -> Self {
        Self { gpu, context: context.clone(), reductions: StreamReductionPipelines::new(context) }
    }

    /// The first difference of the results of an algorithm.
    pub(super) fn check(
        &self,
        stage: &Stage,
        algorithm: usize,
        input: &Input,
        expected: &[Words],
    ) -> Result<Option<String>, BenchError> {
        let found = (stage.run)(self, input, algorithm)?;
        assert_eq!(found.len(), expected.len(), "{stage:?} has as many results as its specification");
        let mut arrays = expected.iter().zip(&found);
        Ok(arrays.find_map(|(expected, found)| {
            if expected.words.len() != found.words.len() {
                let (expected_len, found_len) = (expected.words.len(), found.words.len());
                return Some(format!("{}: {expected_len} words expected, {found_len} found", expected.name));
            }
            difference(expected.name, &expected.words, &found.words)
        }))
    }

    fn upload<T: Pod>(&self, items: &[T]) -> wgpu::Buffer {
        uploaded(self.gpu, items)
    }

    /// Runs what is recorded into a pass.
    fn run(&self, record: impl FnOnce(&mut wgpu::ComputePass<'_>)) {
        let Gpu { device, queue, .. } = self.gpu;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        record(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()));
        queue.submit([encoder.finish()]);
    }

    /// The first items of a buffer.
    fn read<T: Pod>(&self, buffer: &wgpu::Buffer, n: usize) -> Result<Vec<T>, BenchError> {
        Ok(read_items(&self.gpu.device, &self.gpu.queue, buffer, n)?)
    }
}

/// A count as stages take it.
fn count(n: usize) -> u32 {
    u32::try_from(n).expect("inputs have at most 2^30 + 1 items")
}
