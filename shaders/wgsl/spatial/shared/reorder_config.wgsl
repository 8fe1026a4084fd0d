// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: PACKET_LENGTH, ReorderConfig, config

// The sizes of stage reorder. `boxwood::spatial::ReorderConfig` has the same layout.

struct ReorderConfig {
    capacity: u32,
    // The word of the number of items, which are queries, runs, or keys.
    count_word: u32,
    // The word of the number of queries.
    query_count_word: u32,
}

@group(0) @binding(0) var<uniform> config: ReorderConfig;

// The maximum number of queries of a packet, as
// `boxwood_cpu::specification::spatial::PACKET_LENGTH`.
const PACKET_LENGTH = 256u;
