// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: IndexConfig, config

// The division of the boxes of stage index. `boxwood::spatial::IndexConfig` has the same layout.

struct IndexConfig {
    capacity: u32,
    count_word: u32,
    // A key has the upper bits of a place along the curve: 32 minus their number.
    key_shift: u32,
    // The number of workgroups that unite boxes.
    n_unions: u32,
    // The height of the lowest nodes that a dispatch packs.
    base_height: u32,
}

@group(0) @binding(0) var<uniform> config: IndexConfig;
