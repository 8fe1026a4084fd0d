// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage fused in many levels: the part of the tree of unions above the groups of 256 partitions. A
// single workgroup.

#import aabb
#import config
#import grid

@group(0) @binding(1) var<storage, read_write> union_tree: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32) {
    let n_groups = partitions_of(config.n_partitions);
    let n_leaves = config.n_tree_leaves / WORKGROUP_SIZE;
    for (var group = n_groups + local; group < n_leaves; group += WORKGROUP_SIZE) {
        union_tree[n_leaves + group] = EMPTY;
    }
    for (var width = n_leaves / 2u; width > 0u; width >>= 1u) {
        storageBarrier();
        for (var node = width + local; node < 2u * width; node += WORKGROUP_SIZE) {
            union_tree[node] = join(union_tree[2u * node], union_tree[2u * node + 1u]);
        }
    }
}
