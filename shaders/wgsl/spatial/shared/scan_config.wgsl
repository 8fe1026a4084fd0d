// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: COUNTS_PER_INVOCATION, PARTITION_LENGTH, ScanConfig, config, n_partitions

// The division of the counts of stage scan. `boxwood::spatial::ScanConfig` has the same layout.

#import grid

struct ScanConfig {
    capacity: u32,
    count_word: u32,
}

@group(0) @binding(0) var<uniform> config: ScanConfig;

const COUNTS_PER_INVOCATION = 8u;
const PARTITION_LENGTH = COUNTS_PER_INVOCATION * WORKGROUP_SIZE;

// The number of partitions of n counts and a further one, before which the sum is the total.
fn n_partitions(n: u32) -> u32 {
    return n / PARTITION_LENGTH + 1u;
}
