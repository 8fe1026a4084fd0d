// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage compact, 2 of 3: the exclusive prefix sum of the partitions' counts, in place, by one workgroup. Each
// invocation sums a run of partitions, the workgroup scans the sums, each invocation then walks its run once more.

#import config

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage, read_write> partition_nodes: array<u32>;

var<workgroup> sums: array<u32, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32) {
    let n_partitions = partitions_of(config.n_elements);
    let run_length = partitions_of(n_partitions);
    let run_begin = min(local * run_length, n_partitions);
    let run_end = min(run_begin + run_length, n_partitions);
    var run_sum = 0u;
    for (var part = run_begin; part < run_end; part++) {
        run_sum += partition_nodes[part];
    }
    var sum = run_sum;
    sums[local] = sum;
    for (var stride = 1u; stride < WORKGROUP_SIZE; stride <<= 1u) {
        workgroupBarrier();
        var before = 0u;
        if local >= stride {
            before = sums[local - stride];
        }
        workgroupBarrier();
        sum += before;
        sums[local] = sum;
    }
    var nodes_before = sum - run_sum;
    for (var part = run_begin; part < run_end; part++) {
        let count = partition_nodes[part];
        partition_nodes[part] = nodes_before;
        nodes_before += count;
    }
}
