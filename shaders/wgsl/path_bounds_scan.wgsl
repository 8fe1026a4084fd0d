// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage path bounds, 2 of 4: what comes before each partition: the exclusive prefix sum of their counts, in place, by one
// workgroup. Each invocation sums a run of partitions, the workgroup scans the sums, each invocation then walks its run once more. After the last partition stand the counts of all.

#import path_config

@group(0) @binding(0) var<uniform> config: PathConfig;
@group(0) @binding(1) var<storage, read_write> partition_counts: array<vec4<u32>>;

var<workgroup> sums: array<vec4<u32>, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32) {
    let run_length = (config.n_partitions + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
    let run_begin = min(local * run_length, config.n_partitions);
    let run_end = min(run_begin + run_length, config.n_partitions);
    var run_sum = vec4(0u);
    for (var part = run_begin; part < run_end; part++) {
        run_sum += partition_counts[part];
    }
    var sum = run_sum;
    sums[local] = sum;
    for (var stride = 1u; stride < WORKGROUP_SIZE; stride <<= 1u) {
        workgroupBarrier();
        var before = vec4(0u);
        if local >= stride {
            before = sums[local - stride];
        }
        workgroupBarrier();
        sum += before;
        sums[local] = sum;
    }
    var counts_before = sum - run_sum;
    for (var part = run_begin; part < run_end; part++) {
        let counts = partition_counts[part];
        partition_counts[part] = counts_before;
        counts_before += counts;
    }
    if local == WORKGROUP_SIZE - 1u {
        partition_counts[config.n_partitions] = sum;
    }
}
