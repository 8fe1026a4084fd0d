// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage compact, 3 of 3: the place of every element, and the begins and ends alone, in order.

#import config
#import node

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> draw_tags: array<u32>;
// How many entries of the node stream precede each partition of 256 elements.
@group(0) @binding(2) var<storage> partition_nodes: array<u32>;
@group(0) @binding(3) var<storage, read_write> places: array<u32>;
@group(0) @binding(4) var<storage, read_write> nodes: array<i32>;

var<workgroup> counts: array<u32, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let part = workgroup.y * workgroups.x + workgroup.x;
    if part >= partitions_of(config.n_elements) {
        return;
    }
    let element = part * WORKGROUP_SIZE + local;
    var tag = TAG_NOP;
    if element < config.n_elements {
        tag = draw_tags[element];
    }
    let is_node = tag == TAG_BEGIN || tag == TAG_END;
    var count = u32(is_node);
    counts[local] = count;
    for (var stride = 1u; stride < WORKGROUP_SIZE; stride <<= 1u) {
        workgroupBarrier();
        var before = 0u;
        if local >= stride {
            before = counts[local - stride];
        }
        workgroupBarrier();
        count += before;
        counts[local] = count;
    }
    if element < config.n_elements {
        let place = partition_nodes[part] + count - u32(is_node);
        places[element] = place;
        // The second condition only fails where the host has announced too few nodes.
        if is_node && place < config.n_nodes {
            nodes[place] = select(~i32(element), i32(element), tag == TAG_BEGIN);
        }
    }
}
