// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage select, 1 of 3, if the caller has a mask: the number of kept items in each partition. A
// workgroup counts four partitions, one word of the mask per invocation.

#import grid
#import n_items
#import select_config

@group(0) @binding(3) var<storage> mask: array<u32>;
@group(0) @binding(4) var<storage, read_write> partition_counts: array<u32>;

const PARTITIONS_PER_WORKGROUP = WORKGROUP_SIZE / WORDS_PER_PARTITION;

var<workgroup> n_kept: array<atomic<u32>, PARTITIONS_PER_WORKGROUP>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let index = workgroup_index(grid);
    let n = n_items();
    if index * PARTITIONS_PER_WORKGROUP >= n_partitions(n) {
        return;
    }
    if local < PARTITIONS_PER_WORKGROUP {
        atomicStore(&n_kept[local], 0u);
    }
    workgroupBarrier();
    let word = index * WORKGROUP_SIZE + local;
    if 32u * word < n {
        atomicAdd(&n_kept[local / WORDS_PER_PARTITION], countOneBits(mask[word] & valid_bits(word, n)));
    }
    workgroupBarrier();
    let part = index * PARTITIONS_PER_WORKGROUP + local;
    if local < PARTITIONS_PER_WORKGROUP && part < n_partitions(n) {
        partition_counts[part] = atomicLoad(&n_kept[local]);
    }
}
