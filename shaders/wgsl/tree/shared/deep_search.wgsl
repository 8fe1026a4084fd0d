// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: PARTITION_LENGTH, linked_depths, slices
// provides: Source, begin_of_level, source_of_level

// The begins of the stack before a partition, by their levels. Needs the bindings `config`, `linked_depths`, `depth_tree` and
// `slices`, and PARTITION_LENGTH.

#import stack_search

// Levels of the stack, up to `highest`, whose begins are in the slice of one partition; -1 where there are none.
struct Source {
    part: i32,
    lowest: i32,
    highest: i32,
}

// How many links are followed before the tree is climbed: to near partitions they are the shorter way.
const MAX_LINKS = 8u;

fn source_of_level(part: u32, level: i32) -> Source {
    // No partition after `near` goes as low as `level`.
    var near = i32(part) - 1;
    for (var i = 0u; i < MAX_LINKS && near >= 0; i++) {
        let depth = linked_depths[near];
        if depth.lowest <= level {
            return Source(near, depth.lowest, level);
        }
        near = depth.link;
    }
    let far = partition_of_level(part, level);
    if far < 0 {
        return Source(-1, -0x7fffffff, level);
    }
    return Source(far, linked_depths[far].lowest, level);
}

fn begin_of_level(source: Source, level: i32) -> i32 {
    if source.part < 0 {
        return -1;
    }
    return i32(slices[u32(source.part) * PARTITION_LENGTH + u32(level - source.lowest)]);
}
