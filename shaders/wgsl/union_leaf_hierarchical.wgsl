// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage union for node streams of any length, 4 of 4: the group box of every node, at its begin and at its end. All that lies
// in a node is a range of the node stream (Levien 2022, section 6.2): inside one partition it is read off a tree over the
// entries; across partitions it is the rest of the begin's partition, whole partitions, and the front of the end's.

#import config
#import aabb
#import node
#import ordered

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> nodes: array<i32>;
@group(0) @binding(2) var<storage> links: array<NodeLink>;
@group(0) @binding(3) var<storage> run_boxes: array<vec4<i32>>;
@group(0) @binding(4) var<storage> suffix_boxes: array<vec4<f32>>;
@group(0) @binding(5) var<storage> union_tree: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> group_boxes: array<vec4<f32>>;

// Over the entries of the partition, in heap order: the root at 1, the leaves from WORKGROUP_SIZE on.
var<workgroup> heap: array<vec4<f32>, 2u * WORKGROUP_SIZE>;

// The union of the entries low..high of the partition.
fn union_of_entries(low: u32, high: u32) -> vec4<f32> {
    var box = EMPTY;
    var l = low + WORKGROUP_SIZE;
    var h = high + WORKGROUP_SIZE;
    while l < h {
        if (l & 1u) != 0u {
            box = join(box, heap[l]);
            l += 1u;
        }
        if (h & 1u) != 0u {
            h -= 1u;
            box = join(box, heap[h]);
        }
        l >>= 1u;
        h >>= 1u;
    }
    return box;
}

// The union of the partitions low..high.
fn union_of_partitions(low: u32, high: u32) -> vec4<f32> {
    var box = EMPTY;
    var l = low + config.n_tree_leaves;
    var h = high + config.n_tree_leaves;
    while l < h {
        if (l & 1u) != 0u {
            box = join(box, union_tree[l]);
            l += 1u;
        }
        if (h & 1u) != 0u {
            h -= 1u;
            box = join(box, union_tree[h]);
        }
        l >>= 1u;
        h >>= 1u;
    }
    return box;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let part = workgroup.y * workgroups.x + workgroup.x;
    if part >= config.n_node_partitions {
        return;
    }
    let index = part * WORKGROUP_SIZE + local;
    var run_box = EMPTY;
    if index < config.n_nodes {
        run_box = f32_from_ordered(run_boxes[index]);
    }
    heap[WORKGROUP_SIZE + local] = run_box;
    for (var width = WORKGROUP_SIZE / 2u; width > 0u; width >>= 1u) {
        workgroupBarrier();
        if local < width {
            let node = width + local;
            heap[node] = join(heap[2u * node], heap[2u * node + 1u]);
        }
    }
    workgroupBarrier();

    if index >= config.n_nodes {
        return;
    }
    let partner = links[index].partner;
    if node_is_begin(nodes[index]) {
        if partner < 0 {
            // The node lasts to the end of the scene.
            group_boxes[index] =
                join(suffix_boxes[index], union_of_partitions(part + 1u, config.n_node_partitions));
        }
        return;
    }
    if partner < 0 {
        group_boxes[index] = EMPTY;
        return;
    }
    let begin = u32(partner);
    let source = begin / WORKGROUP_SIZE;
    var box = EMPTY;
    if source == part {
        box = union_of_entries(begin % WORKGROUP_SIZE, local);
    } else {
        box = join(suffix_boxes[begin], union_of_partitions(source + 1u, part));
        box = join(box, union_of_entries(0u, local));
    }
    group_boxes[index] = box;
    group_boxes[begin] = box;
}
