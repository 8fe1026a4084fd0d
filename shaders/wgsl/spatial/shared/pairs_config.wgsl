// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: PairsConfig, config

// The sizes of stage pairs. `boxwood::spatial::PairsConfig` has the same layout.

struct PairsConfig {
    capacity: u32,
    count_word: u32,
    // The number of pairs that the buffers have room for.
    output_capacity: u32,
    // The number of chunks of candidates.
    n_chunks: u32,
}

@group(0) @binding(0) var<uniform> config: PairsConfig;
