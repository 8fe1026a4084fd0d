// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: CONTINUED, INDEX_MASK, PairsConfig, config

// The sizes of stage pairs. `boxwood::spatial::PairsConfig` has the same layout.

struct PairsConfig {
    // The number of items that the buffers have room for. These are boxes, or entries of strips.
    capacity: u32,
    count_word: u32,
    // The number of pairs that the buffers have room for.
    output_capacity: u32,
    // The number of chunks of candidates.
    n_chunks: u32,
    // Only for strips: the same two for boxes, and the logarithm of the number of strips.
    box_capacity: u32,
    box_count_word: u32,
    lg_strips: u32,
}

@group(0) @binding(0) var<uniform> config: PairsConfig;

// The bit of an index for a box in a strip that begins in an earlier strip. Without strips, it is 0.
const CONTINUED = 0x80000000u;
const INDEX_MASK = 0x7fffffffu;
