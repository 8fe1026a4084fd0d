// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage compact, 1 of 3: how many begins and ends each partition of 256 elements has.

#import config
#import node

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> draw_tags: array<u32>;
@group(0) @binding(2) var<storage, read_write> partition_nodes: array<u32>;

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
    var count = 0u;
    if element < config.n_elements {
        let tag = draw_tags[element];
        count = u32(tag == TAG_BEGIN || tag == TAG_END);
    }
    counts[local] = count;
    for (var stride = WORKGROUP_SIZE / 2u; stride > 0u; stride >>= 1u) {
        workgroupBarrier();
        if local < stride {
            counts[local] += counts[local + stride];
        }
    }
    if local == 0u {
        partition_nodes[part] = counts[0];
    }
}
