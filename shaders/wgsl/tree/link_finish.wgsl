// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage link, last dispatch, for node streams of any length: the parent and the partner of every
// entry.
//
// 1. Levien 2022, section 7.2, first step: the stack before the partition. The paper scans the sums
//    of all partitions. Here each level is found in the tree of minimum depths (core/spine_*.wgsl).
//    A partition with n unmatched ends needs n + 1 levels.
// 2. The other steps of section 7.2: a search of the tree of bicyclic sums for each entry.

#import bic
#import config
#import grid
#import entry
#import entry_begins
#import spine
#import stack_search

@group(0) @binding(2) var<storage> partition_bics: array<Bic>;
@group(0) @binding(3) var<storage> partition_depths: array<PartitionDepth>;
@group(0) @binding(4) var<storage> slices: array<u32>;
@group(0) @binding(5) var<storage, read_write> links: array<EntryLink>;

// The begins that are open before the partition, the top first, or -1 below the bottom.
var<workgroup> stack: array<i32, WORKGROUP_SIZE + 1u>;

fn begin_before(part: u32, depth: u32) -> i32 {
    return stack[depth];
}

#import link_entries

// Fills `stack`. The caller's next barrier makes it visible to other invocations.
//
// All inputs come from earlier dispatches of the same recording, which keeps each index in bounds.
// A partition has at most 256 unmatched ends. The slice of `source` starts at its minimum depth and
// covers `level`, because no partition between `source` and `part` descends to that level.
fn load_stack(part: u32, local: u32) {
    let n_ends = partition_bics[part].a;
    let top_level = partition_depths[part].start - 1;
    for (var depth = local; depth <= n_ends; depth += WORKGROUP_SIZE) {
        let level = top_level - i32(depth);
        let source = partition_of_level(part, level);
        var begin = -1;
        if source >= 0 {
            let slot = u32(level - partition_depths[source].lowest);
            begin = i32(slices[u32(source) * WORKGROUP_SIZE + slot]);
        }
        stack[depth] = begin;
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
    load_stack(part, local);
    link_entry(part, local);
}
