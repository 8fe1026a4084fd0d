// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stream reduction: one step of the prefix sum of Hillis and Steele over the whole input. It sums
// the counts of the blocks, or the removed items of a stream that is one block.

#import grid
#import reduction_config

@group(0) @binding(1) var<storage> sums_before: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums_after: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let i = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if i >= config.n_sums {
        return;
    }
    var sum = sums_before[i];
    if i >= config.distance {
        sum += sums_before[i - config.distance];
    }
    sums_after[i] = sum;
}
