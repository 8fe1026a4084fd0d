// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Spine over the partitions, 2 of 3: the depth at which each group of 256 partitions starts, and
// the upper levels of the tree of minimum depths, down to the groups. One workgroup, in which each
// invocation processes a run of groups.

#import bic
#import config
#import grid
#import spine

@group(0) @binding(1) var<storage> group_bics: array<Bic>;
@group(0) @binding(2) var<storage, read_write> group_starts: array<i32>;
// In heap order: the root at 1, the children of node i at 2i and 2i + 1.
@group(0) @binding(3) var<storage, read_write> depth_tree: array<i32>;

const N_SUMMED = WORKGROUP_SIZE;
alias Summed = u32;
#import prefix_sum

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32) {
    let n_groups = partitions_of(config.n_partitions);
    // The groups, padded to a power of two, are the leaves of the upper levels.
    let n_leaves = config.n_tree_leaves / WORKGROUP_SIZE;
    let run_length = (n_leaves + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
    let run_begin = min(local * run_length, n_leaves);
    let run_end = min(run_begin + run_length, n_leaves);
    var run_sum = 0;
    for (var group = run_begin; group < min(run_end, n_groups); group++) {
        let bic = group_bics[group];
        run_sum += i32(bic.b) - i32(bic.a);
    }
    var depth = i32(prefix_sum(local, u32(run_sum))) - run_sum;
    for (var group = run_begin; group < run_end; group++) {
        var lowest = DEEPEST;
        if group < n_groups {
            let bic = group_bics[group];
            group_starts[group] = depth;
            lowest = depth - i32(bic.a);
            depth += i32(bic.b) - i32(bic.a);
        }
        depth_tree[n_leaves + group] = lowest;
    }
    for (var width = n_leaves / 2u; width > 0u; width >>= 1u) {
        storageBarrier();
        for (var node = width + local; node < 2u * width; node += WORKGROUP_SIZE) {
            depth_tree[node] = min(depth_tree[2u * node], depth_tree[2u * node + 1u]);
        }
    }
}
