// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage path bounds, 2 of 8: what comes before each group of partitions: the exclusive prefix sum of their counts, in place, by
// one workgroup. Each invocation sums a run of groups, the workgroup scans the sums, each invocation then walks its run once
// more. After the last group stand the counts of all.

#import key
#import path_config

@group(0) @binding(0) var<uniform> config: PathConfig;
@group(0) @binding(1) var<storage, read_write> group_counts: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> path_keys: array<vec4<i32>>;
// Of strokes, none to begin with.
@group(0) @binding(3) var<storage, read_write> n_jobs: vec4<u32>;

var<workgroup> sums: array<vec4<u32>, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32) {
    let n_groups = (config.n_partitions + PARTITIONS_PER_GROUP - 1u) / PARTITIONS_PER_GROUP;
    let run_length = (n_groups + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
    let run_begin = min(local * run_length, n_groups);
    let run_end = min(run_begin + run_length, n_groups);
    var run_sum = vec4(0u);
    for (var group = run_begin; group < run_end; group++) {
        run_sum += group_counts[group];
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
    for (var group = run_begin; group < run_end; group++) {
        let counts = group_counts[group];
        group_counts[group] = counts_before;
        counts_before += counts;
    }
    if local == WORKGROUP_SIZE - 1u {
        group_counts[n_groups] = sum;
        n_jobs = vec4(0u);
        // The path that goes on after the last tag has no end that tells what of it is known.
        if sum.w < config.n_paths {
            path_keys[sum.w] = NO_INK;
        }
    }
}
