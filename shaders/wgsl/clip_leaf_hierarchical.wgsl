// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage clip for node streams of any length, 4 of 5: the clip box at every entry of the node stream. Inside its partition an
// entry gathers its ancestors by pointer jumping (Levien 2022, section 6.1); beyond, one slice and what encloses that.

#import config
#import aabb
#import entry
#import node
#import ordered

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> nodes: array<i32>;
@group(0) @binding(2) var<storage> element_boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage> slice_boxes: array<vec4<f32>>;
@group(0) @binding(4) var<storage> entries: array<PartitionEntry>;
@group(0) @binding(5) var<storage> links: array<NodeLink>;
@group(0) @binding(6) var<storage, read_write> clip_boxes: array<vec4<f32>>;
// Emptied here for the next dispatch to fill.
@group(0) @binding(7) var<storage, read_write> run_boxes: array<vec4<i32>>;

var<workgroup> chain_boxes: array<vec4<f32>, WORKGROUP_SIZE>;
var<workgroup> chain_links: array<i32, WORKGROUP_SIZE>;

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
    let first = i32(part * WORKGROUP_SIZE);
    let index = part * WORKGROUP_SIZE + local;
    var box = PLANE;
    var link = -1;
    if index < config.n_nodes {
        let node = nodes[index];
        if node_is_begin(node) {
            box = element_boxes[node];
        }
        link = links[index].parent;
    }
    chain_boxes[local] = box;
    chain_links[local] = link;
    // After round r, `box` gathers 2^r entries of the chain of parents, and `link` is the next one.
    for (var round = 0u; round < LG_WORKGROUP_SIZE; round++) {
        workgroupBarrier();
        if link >= first {
            let ancestor = link - first;
            box = meet(chain_boxes[ancestor], box);
            link = chain_links[ancestor];
        }
        workgroupBarrier();
        chain_boxes[local] = box;
        chain_links[local] = link;
    }
    if index >= config.n_nodes {
        return;
    }
    if link >= 0 {
        box = meet(meet(entries[u32(link) / WORKGROUP_SIZE].clip_box, slice_boxes[link]), box);
    }
    clip_boxes[index] = canonical(box);
    run_boxes[index] = ordered_from_f32(EMPTY);
}
