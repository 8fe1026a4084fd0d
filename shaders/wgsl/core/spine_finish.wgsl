// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: spine_finish
// shader: spine_finish_linked: linked

// Spine over the partitions, 3 of 3: the depths of each partition, and the tree of minimum depths
// below each group of 256 partitions. With `linked`, each partition also gets a link to the last
// earlier partition in its group with a lower minimum depth.

#import bic
#import config
#import grid
#import spine

@group(0) @binding(1) var<storage> partition_bics: array<Bic>;
@group(0) @binding(2) var<storage> group_starts: array<i32>;
#ifdef linked
@group(0) @binding(3) var<storage, read_write> linked_depths: array<LinkedDepth>;
#else
@group(0) @binding(3) var<storage, read_write> partition_depths: array<PartitionDepth>;
#endif
// In heap order: the root at 1, the children of node i at 2i and 2i + 1.
@group(0) @binding(4) var<storage, read_write> depth_tree: array<i32>;

const N_SUMMED = WORKGROUP_SIZE;
alias Summed = u32;
#import prefix_sum

alias HeapItem = i32;

fn join_items(left: i32, right: i32) -> i32 {
    return min(left, right);
}

#import heap

#ifdef linked
#import previous

fn least_of(node: u32) -> i32 {
    return heap[node];
}
#endif

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let group = workgroup_index(grid);
    // There can be workgroups for more groups than the tree has room for.
    if group >= partitions_of(config.n_partitions) {
        return;
    }
    let part = group * WORKGROUP_SIZE + local;
    let is_in_scene = part < config.n_partitions;
    var bic = Bic(0u, 0u);
    if is_in_scene {
        bic = partition_bics[part];
    }
    let change = i32(bic.b) - i32(bic.a);
    let start = group_starts[group] + i32(prefix_sum(local, u32(change))) - change;
    var lowest = DEEPEST;
    if is_in_scene {
        lowest = start - i32(bic.a);
    }
    build_heap(local, lowest);
    if is_in_scene {
#ifdef linked
        var link = previous_at_most(WORKGROUP_SIZE, local, lowest - 1);
        if link >= 0 {
            link += i32(group * WORKGROUP_SIZE);
        }
        linked_depths[part] = LinkedDepth(start, lowest, link);
#else
        partition_depths[part] = PartitionDepth(start, lowest);
#endif
    }
    // The root of the group is node `root` of the whole tree, and the nodes below it that are on
    // one level of the heap are adjacent on a level of the whole tree.
    let root = config.n_tree_leaves / WORKGROUP_SIZE + group;
    for (var node = 1u + local; node < 2u * WORKGROUP_SIZE; node += WORKGROUP_SIZE) {
        let level = firstLeadingBit(node);
        depth_tree[(root << level) + node - (1u << level)] = heap[node];
    }
}
