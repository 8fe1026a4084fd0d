// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: PARTITION_LENGTH, linked_depths, slices
// provides: Source, begin_of_level, source_of_level

// The begins on the stack before a partition, found by their levels.

#import stack_search

// The levels lowest..=highest of the stack have their begins in the slice of partition `part`. If
// `part` is -1, the stack has no such levels.
struct Source {
    part: i32,
    lowest: i32,
    highest: i32,
}

// The number of links that are followed before the tree is climbed. For near partitions, links take
// fewer steps.
const MAX_LINKS = 8u;

// The partition before `part` that holds the begin open at `level`.
fn source_of_level(part: u32, level: i32) -> Source {
    // No partition between `near` and `part` descends to `level`.
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

// The begin that is open at `level`, which must be a level of the source, or -1.
fn begin_of_level(source: Source, level: i32) -> i32 {
    if source.part < 0 {
        return -1;
    }
    return i32(slices[u32(source.part) * PARTITION_LENGTH + u32(level - source.lowest)]);
}
