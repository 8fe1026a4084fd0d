// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage clip, 2 of 3: the clip box at every entry of the node stream. Inside its partition an entry gathers its
// ancestors by pointer jumping (Levien 2022, section 6.1); what encloses the partition comes from the slices, for any
// depth (section 9).

#import aabb
#import bic
#import config
#import node
#import ordered
#import suffix_bics

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> nodes: array<i32>;
@group(0) @binding(2) var<storage> element_boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage> partition_bics: array<Bic>;
@group(0) @binding(4) var<storage> slices: array<u32>;
@group(0) @binding(5) var<storage> slice_boxes: array<vec4<f32>>;
@group(0) @binding(6) var<storage> links: array<NodeLink>;
@group(0) @binding(7) var<storage, read_write> clip_boxes: array<vec4<f32>>;
// Emptied here for the next dispatch to fill.
@group(0) @binding(8) var<storage, read_write> run_boxes: array<vec4<i32>>;

#import slice_search

// Of each earlier partition, the intersection of all begins still open before the workgroup's own that stand in it or
// before it.
var<workgroup> entry_boxes: array<vec4<f32>, WORKGROUP_SIZE>;
var<workgroup> chain_boxes: array<vec4<f32>, WORKGROUP_SIZE>;
var<workgroup> chain_links: array<i32, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
) {
    let part = workgroup.x;
    var n_slice = 0u;
    if local < part {
        n_slice = partition_bics[local].b;
    }
    scan_partitions(part, local);
    workgroupBarrier();

    var n_closed = 0u;
    if local + 1u < WORKGROUP_SIZE {
        n_closed = suffix_bics[local + 1u].a;
    }
    var entry_box = PLANE;
    if n_slice > n_closed {
        entry_box = slice_boxes[slices[local * WORKGROUP_SIZE + n_slice - n_closed - 1u]];
    }
    entry_boxes[local] = entry_box;
    for (var stride = 1u; stride < config.n_partitions; stride <<= 1u) {
        workgroupBarrier();
        var below = PLANE;
        if local >= stride {
            below = entry_boxes[local - stride];
        }
        workgroupBarrier();
        entry_box = meet(below, entry_box);
        entry_boxes[local] = entry_box;
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
        box = meet(slice_boxes[link], box);
        let source = u32(link) / WORKGROUP_SIZE;
        if source > 0u {
            box = meet(entry_boxes[source - 1u], box);
        }
    }
    clip_boxes[index] = canonical(box);
    run_boxes[index] = ordered_from_f32(EMPTY);
}
