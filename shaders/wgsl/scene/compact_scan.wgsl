// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage compact, 2 of 3: replaces the count of each partition by the number of begins and ends
// before it. A single workgroup scans the counts tile by tile, four partitions per invocation.

#import config
#import grid
#import quad

@group(0) @binding(1) var<storage, read_write> partition_nodes: array<vec4<u32>>;

const N_SUMMED = WORKGROUP_SIZE;
alias Summed = u32;
#import prefix_sum

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32) {
    let n_partitions = (config.n_elements + PARTITION_LENGTH - 1u) / PARTITION_LENGTH;
    let n_vectors = (n_partitions + 3u) / 4u;
    var n_before = 0u;
    for (var tile = 0u; tile < n_vectors; tile += WORKGROUP_SIZE) {
        var counts = vec4(0u);
        if tile + local < n_vectors {
            counts = partition_nodes[tile + local];
        }
        let own = counts.x + counts.y + counts.z + counts.w;
        let sum = prefix_sum(local, own);
        let first = n_before + sum - own;
        if tile + local < n_vectors {
            partition_nodes[tile + local] =
                vec4(first) + vec4(0u, counts.x, counts.x + counts.y, counts.x + counts.y + counts.z);
        }
        n_before += prefix_sums[WORKGROUP_SIZE - 1u];
        workgroupBarrier();
    }
}
