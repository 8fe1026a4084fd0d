// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: n_removed

// The items that are removed: those whose bit in the mask is 0, and those after the stream.

#import reduction_config

@group(0) @binding(1) var<storage> mask: array<u32>;

// 1 for a removed item, 0 for a kept one.
fn n_removed(item: u32) -> u32 {
    if item >= config.n_items {
        return 1u;
    }
    return 1u - ((mask[item / 32u] >> (item % 32u)) & 1u);
}
