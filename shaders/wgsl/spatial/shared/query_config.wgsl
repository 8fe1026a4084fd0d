// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: QueryConfig, config

// The question of stage query. `boxwood::spatial::QueryConfig` has the same layout.

struct QueryConfig {
    capacity: u32,
    count_word: u32,
    output_capacity: u32,
    // -0, which a compiler does not know, so that it cannot fuse a product into a sum. The sum of
    // any x and -0 is x.
    minus_zero: f32,
    // Without a tree: the number of boxes that there is room for, the word of their number, and the
    // number of shares of the boxes.
    box_capacity: u32,
    box_count_word: u32,
    n_shares: u32,
}

@group(0) @binding(0) var<uniform> config: QueryConfig;
