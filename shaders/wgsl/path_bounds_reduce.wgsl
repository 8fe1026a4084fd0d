// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage path bounds, 1 of 4: the counts of each partition of 256 words of path tags; and paths without ink, to begin with.

#import path_config
#import path_tag
#import path_key

@group(0) @binding(0) var<uniform> config: PathConfig;
@group(0) @binding(1) var<storage> scene: array<u32>;
@group(0) @binding(2) var<storage, read_write> partition_counts: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> path_keys: array<vec4<i32>>;

var<workgroup> sums: array<vec4<u32>, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let part = workgroup.y * workgroups.x + workgroup.x;
    let n_workgroups = workgroups.x * workgroups.y;
    // Some streams have more paths than tags.
    for (var path = part * WORKGROUP_SIZE + local; path < config.n_paths; path += n_workgroups * WORKGROUP_SIZE) {
        path_keys[path] = NO_INK;
    }
    if part >= config.n_partitions {
        return;
    }
    let index = part * WORKGROUP_SIZE + local;
    var counts = vec4(0u);
    if index < config.n_tag_words {
        counts = counts_of_word(scene[config.path_tag_base + index]);
    }
    sums[local] = counts;
    for (var stride = WORKGROUP_SIZE / 2u; stride > 0u; stride >>= 1u) {
        workgroupBarrier();
        if local < stride {
            sums[local] += sums[local + stride];
        }
    }
    if local == 0u {
        partition_counts[part] = sums[0];
    }
}
