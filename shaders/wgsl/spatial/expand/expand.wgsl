// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage expand, after a scan of the counts: the owner and the rank of each output.

#import grid
#import n_items
#import expand_config
#import owners

// The sum of the counts before each item, and the total.
@group(0) @binding(2) var<storage> sums: array<u32>;
@group(0) @binding(3) var<storage, read_write> output_owners: array<u32>;
@group(0) @binding(4) var<storage, read_write> output_ranks: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = workgroup_index(grid) * OUTPUTS_PER_PARTITION;
    let n = n_items();
    let n_outputs = min(sums[n], config.output_capacity);
    if first >= n_outputs {
        return;
    }
    prepare_owners(local, first, n);
    // Loads before the first store are in flight at the same time.
    var owners: array<u32, 8>;
    var ranks: array<u32, 8>;
    #repeat round 8
    let output = min(first + $round * WORKGROUP_SIZE + local, n_outputs - 1u);
    owners[$round] = owner_of(output);
    ranks[$round] = output - sums[owners[$round]];
    #endrepeat
    #repeat round 8
    let output = first + $round * WORKGROUP_SIZE + local;
    if output < n_outputs {
        output_owners[output] = owners[$round];
        output_ranks[output] = ranks[$round];
    }
    #endrepeat
}
