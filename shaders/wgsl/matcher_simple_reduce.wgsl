// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Matcher simple, 1 of 2: the stack slice of each partition of 256 entries, which is the begins that the partition leaves
// open, outermost first, and the bicyclic sum of the partition. Levien 2022, section 7.1.

#import config
#import bic
#import begin_bits

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> begin_bits: array<u32>;
@group(0) @binding(2) var<storage, read_write> partition_bics: array<Bic>;
@group(0) @binding(3) var<storage, read_write> slices: array<u32>;

// Bic of the entries from this one to the end of the partition.
var<workgroup> suffix_bics: array<Bic, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let part = workgroup.y * workgroups.x + workgroup.x;
    if part >= config.n_partitions {
        return;
    }
    let index = part * WORKGROUP_SIZE + local;
    var is_begin = false;
    var bic = Bic(0u, 0u);
    if index < config.n_nodes {
        is_begin = is_begin_bit(begin_bits[index / 32u], index);
        bic = Bic(u32(!is_begin), u32(is_begin));
    }
    suffix_bics[local] = bic;
    for (var stride = 1u; stride < WORKGROUP_SIZE; stride <<= 1u) {
        workgroupBarrier();
        var after = Bic(0u, 0u);
        if local + stride < WORKGROUP_SIZE {
            after = suffix_bics[local + stride];
        }
        workgroupBarrier();
        bic = bic_then(bic, after);
        suffix_bics[local] = bic;
    }
    workgroupBarrier();
    let partition_bic = suffix_bics[0];
    if local == 0u {
        partition_bics[part] = partition_bic;
    }
    var ends_after = 0u;
    if local + 1u < WORKGROUP_SIZE {
        ends_after = suffix_bics[local + 1u].a;
    }
    if is_begin && ends_after == 0u {
        slices[part * WORKGROUP_SIZE + partition_bic.b - bic.b] = index;
    }
}
