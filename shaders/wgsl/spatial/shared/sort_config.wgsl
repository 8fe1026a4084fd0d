// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: SortConfig, config

// The division of the items of stage sort. `boxwood::spatial::SortConfig` has the same layout.

struct SortConfig {
    capacity: u32,
    count_word: u32,
    // The bits of a key that count.
    key_mask: u32,
    // The lowest of the eight bits that a pass of the radix sort sorts by.
    shift: u32,
    // The number of chunks that the tiles of the radix sort are divided into.
    n_chunks: u32,
    // The length of the runs that a pass of the adaptive bitonic sort merges, a power of two.
    run_length: u32,
}

@group(0) @binding(0) var<uniform> config: SortConfig;
