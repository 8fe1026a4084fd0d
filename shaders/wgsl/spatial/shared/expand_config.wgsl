// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: ExpandConfig, config

// The sizes of stage expand. `boxwood::spatial::ExpandConfig` has the same layout.

struct ExpandConfig {
    capacity: u32,
    count_word: u32,
    // The number of outputs that the buffers have room for.
    output_capacity: u32,
}

@group(0) @binding(0) var<uniform> config: ExpandConfig;
