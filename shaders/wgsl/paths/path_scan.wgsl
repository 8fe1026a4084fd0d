// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage paths, dispatch 2 of 8: the exclusive prefix sum of the counts of all groups, in place, by
// one workgroup. The counts of the whole scene follow the last group.
//
// Each invocation adds up a run of groups, the workgroup scans these sums, and each invocation
// walks its run once more.
//
// | phase        | prefix_sums                     | barriers |
// |---|---|---|
// | `sum_run`    | -                               | 0 |
// | `prefix_sum` | sums of all runs up to each one | 5 |
// | `main`       | -                               | 0 |

#import grid
#import path_config
#import path_keys

@group(0) @binding(1) var<storage, read_write> group_counts: array<vec4<u32>>;
// The numbers of jobs, of piece jobs, and of deferred spans of strokes. Zero before the first.
@group(0) @binding(2) var<storage, read_write> n_jobs: vec4<u32>;

// The invocations of the workgroup, and the type of their counts.
const N_SUMMED = WORKGROUP_SIZE;
alias Summed = vec4<u32>;
#import prefix_sum

fn sum_run(begin: u32, end: u32) -> vec4<u32> {
    var sum = vec4(0u);
    for (var group = begin; group < end; group++) {
        sum += group_counts[group];
    }
    return sum;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32) {
    let n_groups = (config.n_partitions + PARTITIONS_PER_GROUP - 1u) / PARTITIONS_PER_GROUP;
    let run_length = (n_groups + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
    let run_begin = min(local * run_length, n_groups);
    let run_end = min(run_begin + run_length, n_groups);
    let run_sum = sum_run(run_begin, run_end);
    let sum = prefix_sum(local, run_sum);
    var counts_before = sum - run_sum;
    for (var group = run_begin; group < run_end; group++) {
        let counts = group_counts[group];
        group_counts[group] = counts_before;
        counts_before += counts;
    }
    if local == WORKGROUP_SIZE - 1u {
        group_counts[n_groups] = sum;
        n_jobs = vec4(0u);
        // The path that continues after the last tag does not end, so nothing else empties its
        // keys.
        if sum.w < config.n_paths {
            path_keys[sum.w] = EMPTY_KEYS;
        }
    }
}
