// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Matcher simple, 1 of 2: the stack slice of each partition of 256 entries, which is the begins that the partition leaves
// open, outermost first, and the bicyclic sum of the partition. Levien 2022, section 7.1.

#import begin_bits
#import bic
#import config

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> begin_bits: array<u32>;
@group(0) @binding(2) var<storage, read_write> partition_bics: array<Bic>;
@group(0) @binding(3) var<storage, read_write> slices: array<u32>;

#import slice_scatter

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
    leave_slice(part, local, is_begin, bic);
}
