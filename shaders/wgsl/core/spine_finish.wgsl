// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage spine, 3 of 3: the depths of each partition, where asked for with its link, and the tree of
// least depths below each group of 256 partitions.

#import bic
#import config
#import spine

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> partition_bics: array<Bic>;
@group(0) @binding(2) var<storage> group_starts: array<i32>;
#ifdef linked
#import linked_depth
@group(0) @binding(3) var<storage, read_write> linked_depths: array<LinkedDepth>;
#else
@group(0) @binding(3) var<storage, read_write> partition_depths: array<PartitionDepth>;
#endif
@group(0) @binding(4) var<storage, read_write> depth_tree: array<i32>;

var<workgroup> sums: array<i32, WORKGROUP_SIZE>;
// In heap order: the root at 1, the leaves from WORKGROUP_SIZE on.
var<workgroup> heap: array<i32, 2u * WORKGROUP_SIZE>;

#ifdef linked
// The last partition before this one in the group whose least depth is less, -1 if there is none.
fn link_of_partition(group: u32, local: u32, lowest: i32) -> i32 {
    var node = WORKGROUP_SIZE + local;
    while node > 1u && ((node & 1u) == 0u || heap[node - 1u] >= lowest) {
        node >>= 1u;
    }
    if node == 1u {
        return -1;
    }
    node -= 1u;
    while node < WORKGROUP_SIZE {
        node = 2u * node + 1u;
        if heap[node] >= lowest {
            node -= 1u;
        }
    }
    return i32(group * WORKGROUP_SIZE + node - WORKGROUP_SIZE);
}
#endif

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
) {
    let group = workgroup.x;
    let part = group * WORKGROUP_SIZE + local;
    let is_in_scene = part < config.n_partitions;
    var bic = Bic(0u, 0u);
    if is_in_scene {
        bic = partition_bics[part];
    }
    let own_sum = i32(bic.b) - i32(bic.a);
    var sum = own_sum;
    sums[local] = sum;
    for (var stride = 1u; stride < WORKGROUP_SIZE; stride <<= 1u) {
        workgroupBarrier();
        var before = 0;
        if local >= stride {
            before = sums[local - stride];
        }
        workgroupBarrier();
        sum += before;
        sums[local] = sum;
    }
    let start = group_starts[group] + sum - own_sum;
    var lowest = DEEPEST;
    if is_in_scene {
        lowest = start - i32(bic.a);
    }
    heap[WORKGROUP_SIZE + local] = lowest;
    for (var width = WORKGROUP_SIZE / 2u; width > 0u; width >>= 1u) {
        workgroupBarrier();
        if local < width {
            let node = width + local;
            heap[node] = min(heap[2u * node], heap[2u * node + 1u]);
        }
    }
    workgroupBarrier();
    if is_in_scene {
#ifdef linked
        linked_depths[part] = LinkedDepth(start, lowest, link_of_partition(group, local, lowest));
#else
        partition_depths[part] = PartitionDepth(start, lowest);
#endif
    }
    // A node's children have twice its index; the group's root is node `root` of the whole tree.
    let root = config.n_tree_leaves / WORKGROUP_SIZE + group;
    for (var node = local; node < 2u * WORKGROUP_SIZE; node += WORKGROUP_SIZE) {
        if node > 0u {
            let level = firstLeadingBit(node);
            depth_tree[(root << level) + node - (1u << level)] = heap[node];
        }
    }
}
