// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage path bounds, 1 of 8: the counts of each group of 16 partitions of 256 words of path tags, and in it of what comes before
// each partition; and paths without ink, to begin with. A workgroup has a group, 16 invocations a partition, which read 16 words
// each.

#import key
#import path_config
#import tag

@group(0) @binding(0) var<uniform> config: PathConfig;
@group(0) @binding(1) var<storage> scene: array<u32>;
@group(0) @binding(2) var<storage, read_write> partition_counts: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> group_counts: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read_write> path_keys: array<vec4<i32>>;

const READERS = WORKGROUP_SIZE / PARTITIONS_PER_GROUP;

var<workgroup> sums: array<PackedCounts, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let group = workgroup.y * workgroups.x + workgroup.x;
    let n_workgroups = workgroups.x * workgroups.y;
    // Of strokes any path may have some. Some streams have more paths than tags.
    let n_paths = select(0u, config.n_paths, config.has_strokes != 0u);
    for (var path = group * WORKGROUP_SIZE + local; path < n_paths; path += n_workgroups * WORKGROUP_SIZE) {
        path_keys[path] = NO_INK;
    }
    let first_part = group * PARTITIONS_PER_GROUP;
    if first_part >= config.n_partitions {
        return;
    }
    let reader = local % READERS;
    let begin = (first_part + local / READERS) * WORKGROUP_SIZE + reader;
    var sum = PackedCounts(0u);
    if first_part + PARTITIONS_PER_GROUP < config.n_partitions {
        let at = config.path_tag_base + begin;
        for (var i = 0u; i < WORKGROUP_SIZE; i += 4u * READERS) {
            // Reads side by side.
            let words = vec4(
                scene[at + i],
                scene[at + i + READERS],
                scene[at + i + 2u * READERS],
                scene[at + i + 3u * READERS],
            );
            sum += packed_counts_of_word(words.x) + packed_counts_of_word(words.y);
            sum += packed_counts_of_word(words.z) + packed_counts_of_word(words.w);
        }
    } else {
        for (var i = begin; i < min(begin + WORKGROUP_SIZE, config.n_tag_words); i += READERS) {
            sum += packed_counts_of_word(scene[config.path_tag_base + i]);
        }
    }
    sums[local] = sum;
    for (var stride = READERS / 2u; stride > 0u; stride >>= 1u) {
        workgroupBarrier();
        if reader < stride {
            sums[local] += sums[local + stride];
        }
    }
    workgroupBarrier();
    // An invocation a partition, and one for the group.
    if local > PARTITIONS_PER_GROUP {
        return;
    }
    var before = Counts(0u);
    for (var i = 0u; i < local; i++) {
        before += unpacked(sums[i * READERS]);
    }
    if local == PARTITIONS_PER_GROUP {
        group_counts[group] = before;
    } else if first_part + local < config.n_partitions {
        partition_counts[first_part + local] = before;
    }
}
