// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage compact, 2 of 3: replaces the count of each partition by the number of begins and ends
// before it. A single workgroup, in which each invocation processes a run of partitions, four at a
// time.

#import config
#import grid
#import quad

@group(0) @binding(1) var<storage, read_write> partition_entries: array<vec4<u32>>;

const N_SUMMED = WORKGROUP_SIZE;
alias Summed = u32;
#import prefix_sum

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32) {
    let n_partitions = (config.n_elements + PARTITION_LENGTH - 1u) / PARTITION_LENGTH;
    let n_vectors = (n_partitions + 3u) / 4u;
    let run_length = (n_vectors + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
    let run_begin = min(local * run_length, n_vectors);
    let run_end = min(run_begin + run_length, n_vectors);
    var in_run = vec4(0u);
    for (var i = run_begin; i < run_end; i++) {
        in_run += partition_entries[i];
    }
    let own = in_run.x + in_run.y + in_run.z + in_run.w;
    var n_before = prefix_sum(local, own) - own;
    for (var i = run_begin; i < run_end; i++) {
        let counts = partition_entries[i];
        let up_to = vec3(counts.x, counts.x + counts.y, counts.x + counts.y + counts.z);
        partition_entries[i] = n_before + vec4(0u, up_to);
        n_before += up_to.z + counts.w;
    }
}
