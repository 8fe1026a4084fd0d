// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stream reduction as one block, first dispatch: 1 for each removed item. Horn 2005, *Stream
// Reduction Operations for GPGPU Applications*.

#import grid
#import reduction_config
#import reduction_mask

@group(0) @binding(2) var<storage, read_write> removed: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let item = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if item < config.n_items {
        removed[item] = n_removed(item);
    }
}
