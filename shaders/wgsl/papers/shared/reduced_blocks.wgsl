// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: n_before, sums

// The places of the blocks in the output.

// The number of kept items of each block and those before it.
@group(0) @binding(1) var<storage> sums: array<u32>;

// The number of kept items before a block.
fn n_before(block: u32) -> u32 {
    return select(0u, sums[max(block, 1u) - 1u], block > 0u);
}
