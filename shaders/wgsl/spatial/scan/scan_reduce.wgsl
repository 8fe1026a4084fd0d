// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage scan, 1 of 3: the sum of the counts of each whole partition. Nothing needs that of the
// rest.

#import grid
#import n_items
#import scan_config
#import saturating_sum

@group(0) @binding(2) var<storage> counted: array<u32>;
@group(0) @binding(3) var<storage, read_write> partition_sums: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= n_items() / PARTITION_LENGTH {
        return;
    }
    let first = part * PARTITION_LENGTH + local;
    var own = 0u;
    #repeat round 8
    own = saturating_add(own, counted[first + $round * WORKGROUP_SIZE]);
    #endrepeat
    saturating_sum_before(local, own);
    if local == 0u {
        partition_sums[part] = saturating_total();
    }
}
