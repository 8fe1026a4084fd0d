// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stream reduction as one block, last dispatch: each output searches its item in the prefix sums of
// the whole stream. Horn 2005, *Stream Reduction Operations for GPGPU Applications*.

#import grid
#import reduction_config
#import stream_search

@group(0) @binding(1) var<storage> sums: array<u32>;
@group(0) @binding(2) var<storage, read_write> selected: array<u32>;
@group(0) @binding(3) var<storage, read_write> n_selected: array<u32>;

fn removed_sum(at: u32) -> u32 {
    return sums[at];
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let i = workgroup_index(grid) * WORKGROUP_SIZE + local;
    let n = config.n_items;
    // The sum of an empty stream is 0.
    let n_kept = n - removed_sum(max(n, 1u) - 1u);
    if i < n_kept {
        selected[i] = kept_item(0u, n, i);
    }
    if i == 0u {
        n_selected[0] = n_kept;
    }
}
