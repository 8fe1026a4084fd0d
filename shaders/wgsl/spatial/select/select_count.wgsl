// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: select_count
// shader: select_count_wide: wide

// Stage select, 1 of 3, if the caller has a mask: the number of kept items in each partition, or in
// every four of them. A workgroup counts 16 partitions, four words of the mask per invocation.

#import grid
#import n_items
#import select_config

@group(0) @binding(3) var<storage> mask: array<u32>;
@group(0) @binding(4) var<storage, read_write> partition_counts: array<u32>;

const WORDS_PER_INVOCATION = 4u;
const WORDS_PER_WORKGROUP = WORDS_PER_INVOCATION * WORKGROUP_SIZE;
const WORDS_PER_COUNT = KEPT_PARTITIONS * WORDS_PER_PARTITION;
const COUNTS_PER_WORKGROUP = WORDS_PER_WORKGROUP / WORDS_PER_COUNT;

var<workgroup> n_kept: array<atomic<u32>, COUNTS_PER_WORKGROUP>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let index = workgroup_index(grid);
    let n = n_items();
    let n_counts = (n_partitions(n) + KEPT_PARTITIONS - 1u) / KEPT_PARTITIONS;
    if index * COUNTS_PER_WORKGROUP >= n_counts {
        return;
    }
    if local < COUNTS_PER_WORKGROUP {
        atomicStore(&n_kept[local], 0u);
    }
    workgroupBarrier();
    // Loads without conditions are in flight at the same time.
    var words: array<u32, WORDS_PER_INVOCATION>;
    #repeat i 4
    words[$i] = mask[min(index * WORDS_PER_WORKGROUP + $i * WORKGROUP_SIZE + local, (n - 1u) / 32u)];
    #endrepeat
    #repeat i 4
    let word = index * WORDS_PER_WORKGROUP + $i * WORKGROUP_SIZE + local;
    if 32u * word < n {
        let count = ($i * WORKGROUP_SIZE + local) / WORDS_PER_COUNT;
        atomicAdd(&n_kept[count], countOneBits(words[$i] & valid_bits(word, n)));
    }
    #endrepeat
    workgroupBarrier();
    let count = index * COUNTS_PER_WORKGROUP + local;
    if local < COUNTS_PER_WORKGROUP && count < n_counts {
        partition_counts[count] = atomicLoad(&n_kept[local]);
    }
}
