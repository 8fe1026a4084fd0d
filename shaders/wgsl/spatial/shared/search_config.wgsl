// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: SearchConfig, config, n_keys

// The sizes of stage search. `boxwood::spatial::SearchConfig` has the same layout.

struct SearchConfig {
    // The number of queries that the buffers have room for, and the word of their number.
    capacity: u32,
    count_word: u32,
    // The same for the keys.
    key_capacity: u32,
    key_count_word: u32,
    // The number of levels of the rearranged keys, and for each, the root first: its first node,
    // its number of nodes, the distance of its keys in the order of the keys, and the last node of
    // the next level. In the last level, that is the number of keys.
    n_levels: u32,
    levels: array<vec4<u32>, 8>,
}

@group(0) @binding(0) var<uniform> config: SearchConfig;
@group(0) @binding(2) var<storage> key_counts: array<u32>;

fn n_keys() -> u32 {
    return min(key_counts[config.key_count_word], config.key_capacity);
}
