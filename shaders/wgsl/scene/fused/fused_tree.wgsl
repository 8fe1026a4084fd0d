// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage fused in many levels: the tree of unions over the partitions, from the leaves, which
// fused_resolve has stored, up to each group of 256 partitions.

#import aabb
#import config
#import grid

@group(0) @binding(1) var<storage, read_write> union_tree: array<vec4<f32>>;

// In heap order: the root at 1, the leaves starting at WORKGROUP_SIZE.
var<workgroup> heap: array<vec4<f32>, 2u * WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let group = workgroup_index(grid);
    let part = group * WORKGROUP_SIZE + local;
    var box = EMPTY;
    if part < config.n_partitions {
        box = union_tree[config.n_tree_leaves + part];
    }
    heap[WORKGROUP_SIZE + local] = box;
    for (var width = WORKGROUP_SIZE / 2u; width > 0u; width >>= 1u) {
        workgroupBarrier();
        if local < width {
            let node = width + local;
            heap[node] = join(heap[2u * node], heap[2u * node + 1u]);
        }
    }
    workgroupBarrier();
    // The children of node i are 2i and 2i + 1. The root of the group is node `root` of the whole
    // tree.
    let root = config.n_tree_leaves / WORKGROUP_SIZE + group;
    for (var node = local; node < 2u * WORKGROUP_SIZE; node += WORKGROUP_SIZE) {
        if node > 0u {
            let level = firstLeadingBit(node);
            union_tree[(root << level) + node - (1u << level)] = heap[node];
        }
    }
}
