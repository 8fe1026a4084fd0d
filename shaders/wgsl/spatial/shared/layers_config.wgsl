// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: BLOCK_LENGTH, GROUPS_PER_BLOCK, LayersConfig, SPANS_PER_GROUP, SPAN_LENGTH, config

// The division of the items of stage layers. `boxwood::spatial::LayersConfig` has the same layout.

#import grid

struct LayersConfig {
    capacity: u32,
    count_word: u32,
    // The first item of the block.
    first: u32,
    // The number of bits of a batch key.
    key_bits: u32,
}

@group(0) @binding(0) var<uniform> config: LayersConfig;

// A block has 8 groups of 256 items, one per invocation.
const GROUPS_PER_BLOCK = 8u;
const BLOCK_LENGTH = GROUPS_PER_BLOCK * WORKGROUP_SIZE;
// A span has 128 items: the bits of a vector of four words.
const SPAN_LENGTH = 128u;
const SPANS_PER_GROUP = WORKGROUP_SIZE / SPAN_LENGTH;
