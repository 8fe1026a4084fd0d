// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: KEPT_PARTITIONS, PARTITION_LENGTH, ROUNDS, SelectConfig, WORDS_PER_PARTITION, config, n_partitions, valid_bits

// The items that stage select keeps, and their division. `boxwood::spatial::SelectConfig` has the
// same layout.

#import grid

struct SelectConfig {
    // Boxes that overlap this one are kept.
    region: vec4<f32>,
    // Values from `low` to `high` are kept.
    low: u32,
    high: u32,
    capacity: u32,
    count_word: u32,
    // The first word of the arguments of an indirect draw.
    n_vertices: u32,
}

@group(0) @binding(0) var<uniform> config: SelectConfig;

// A partition has 2048 items, eight per invocation: 64 words of the mask.
const ROUNDS = 8u;
const PARTITION_LENGTH = ROUNDS * WORKGROUP_SIZE;
const WORDS_PER_PARTITION = PARTITION_LENGTH / 32u;

// The number of partitions in a row that a workgroup of the last dispatch has.
#ifdef wide
const KEPT_PARTITIONS = 4u;
#else
const KEPT_PARTITIONS = 1u;
#endif

fn n_partitions(n: u32) -> u32 {
    return (n + PARTITION_LENGTH - 1u) / PARTITION_LENGTH;
}

// The bits of a word of the mask that belong to the first `n` items. The word must have one.
fn valid_bits(word: u32, n: u32) -> u32 {
    return 0xffffffffu >> (31u - min(n - 32u * word - 1u, 31u));
}
