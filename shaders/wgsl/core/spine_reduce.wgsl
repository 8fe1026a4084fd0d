// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage spine, 1 of 3: the bicyclic sum of each group of 256 partitions.

#import bic
#import config
#import tree_search

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> partition_bics: array<Bic>;
@group(0) @binding(2) var<storage, read_write> group_bics: array<Bic>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
) {
    let part = workgroup.x * WORKGROUP_SIZE + local;
    var bic = Bic(0u, 0u);
    if part < config.n_partitions {
        bic = partition_bics[part];
    }
    build_tree(local, bic);
    if local == 0u {
        group_bics[workgroup.x] = tree[level_offset(LG_WORKGROUP_SIZE)];
    }
}
