// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Spine over the partitions, 1 of 3: the bicyclic sum of each group of 256 partitions.
//
// The three dispatches replace the scan of Levien 2022, section 7.2, in which one workgroup sees
// all partitions. They find the stack before each partition by its depth, so the number of
// partitions has no limit.

#import bic
#import config
#import grid

@group(0) @binding(1) var<storage> partition_bics: array<Bic>;
@group(0) @binding(2) var<storage, read_write> group_bics: array<Bic>;

alias HeapItem = Bic;

fn join_items(left: Bic, right: Bic) -> Bic {
    return bic_then(left, right);
}

#import heap

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid) * WORKGROUP_SIZE + local;
    var bic = Bic(0u, 0u);
    if part < config.n_partitions {
        bic = partition_bics[part];
    }
    build_heap(local, bic);
    if local == 0u {
        group_bics[workgroup_index(grid)] = heap[1];
    }
}
