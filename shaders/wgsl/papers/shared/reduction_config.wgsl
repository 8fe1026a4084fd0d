// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: ReductionConfig, config

// The sizes of a stream reduction. `boxwood::papers::stream_reduction::ReductionConfig` has the
// same layout.

struct ReductionConfig {
    n_items: u32,
    // The number of items of a block, a power of two.
    block_length: u32,
    // The number of prefix sums: one per block, or one per item if the stream is one block.
    n_sums: u32,
    // The distance of the terms of one step of the prefix sum.
    distance: u32,
    // The size of the texture, if lines are drawn.
    width: u32,
    height: u32,
}

@group(0) @binding(0) var<uniform> config: ReductionConfig;
