// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage paths, dispatch 1 of 8: the counts (`tag`) of each group of 16 partitions of the path tags,
// and the counts before each partition within its group. Also empties the keys of all paths.
//
// One workgroup per group. A partition of 256 words has 16 invocations, its readers.
//
// | phase            | sums                                       | barriers |
// |---|---|---|
// | `clear_keys`     | -                                          | 0 |
// | `count_words`    | counts of the words of each reader         | 0 |
// | `add_up_readers` | counts of each partition at its first reader | 5 |
// | `write_counts`   | the same                                   | 0 |

#import grid
#import path_config
#import path_keys
#import tag

@group(0) @binding(1) var<storage> scene: array<u32>;
@group(0) @binding(2) var<storage, read_write> partition_counts: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> group_counts: array<vec4<u32>>;

const READERS = WORKGROUP_SIZE / PARTITIONS_PER_GROUP;

var<workgroup> sums: array<PackedCounts, WORKGROUP_SIZE>;

// Strokes join the keys of any path, so all start empty. Without strokes, `path_fill` writes or
// skips the keys that matter. A scene may have more paths than tags.
fn clear_keys(first: u32, n_invocations: u32) {
    let n_paths = select(0u, config.n_paths, config.has_strokes != 0u);
    for (var path = first; path < n_paths; path += n_invocations) {
        path_keys[path] = EMPTY_KEYS;
    }
}

// The counts of every 16th word of a partition, starting at `begin`.
fn count_words(begin: u32, is_whole: bool) -> PackedCounts {
    var sum = PackedCounts(0u);
    if is_whole {
        let at = config.path_tag_base + begin;
        for (var i = 0u; i < WORKGROUP_SIZE; i += 4u * READERS) {
            // Four reads in flight.
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
    return sum;
}

fn add_up_readers(local: u32) {
    for (var stride = READERS / 2u; stride > 0u; stride >>= 1u) {
        workgroupBarrier();
        if local % READERS < stride {
            sums[local] += sums[local + stride];
        }
    }
    workgroupBarrier();
}

// One invocation per partition, and one for the group.
fn write_counts(local: u32, group: u32) {
    if local > PARTITIONS_PER_GROUP {
        return;
    }
    var before = Counts(0u);
    for (var i = 0u; i < local; i++) {
        before += unpacked(sums[i * READERS]);
    }
    let part = group * PARTITIONS_PER_GROUP + local;
    if local == PARTITIONS_PER_GROUP {
        group_counts[group] = before;
    } else if part < config.n_partitions {
        partition_counts[part] = before;
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let group = workgroup_index(grid);
    clear_keys(group * WORKGROUP_SIZE + local, n_workgroups(grid) * WORKGROUP_SIZE);
    let first_part = group * PARTITIONS_PER_GROUP;
    if first_part >= config.n_partitions {
        return;
    }
    let begin = (first_part + local / READERS) * WORKGROUP_SIZE + local % READERS;
    sums[local] = count_words(begin, first_part + PARTITIONS_PER_GROUP < config.n_partitions);
    add_up_readers(local);
    write_counts(local, group);
}
