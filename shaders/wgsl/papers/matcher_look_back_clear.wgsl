// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Matcher look_back, 1 of 2: resets the published words of all partitions, so that none is left
// from an earlier run.

#import config
#import grid

@group(0) @binding(1) var<storage, read_write> aggregates: array<u32>;
@group(0) @binding(2) var<storage, read_write> back_links: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if part < config.n_partitions {
        aggregates[part] = 0u;
        back_links[part] = 0u;
    }
}
