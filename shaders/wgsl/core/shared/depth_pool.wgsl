// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: DEPTHS_AT, leaf_depth, pool
// provides: build_depths, last_below

// A tree of minimum depths over the invocations of a workgroup, in `pool`, an array of vec4<i32> in
// workgroup memory. The importing file declares the leaves: `leaf_depth(i)` returns the depth of
// invocation i. Each node has four children, which are one vector. The vectors of the leaves begin
// at DEPTHS_AT. Each level is stored after the level of its children.
//
// One invocation writes a whole vector, because a write to a component may write all of it.

#import quad

// The index at which a level begins.
fn depths_at(level: u32) -> u32 {
    // 64 + 16 + 4 + 1 vectors.
    return DEPTHS_AT + (256u - (256u >> (2u * level))) / 3u;
}

fn lowest_of_four(four: vec4<i32>) -> i32 {
    return min(min(four.x, four.y), min(four.z, four.w));
}

fn four_leaves(four: u32) -> vec4<i32> {
    let first = 4u * four;
    return vec4(leaf_depth(first), leaf_depth(first + 1u), leaf_depth(first + 2u), leaf_depth(first + 3u));
}

// Builds the tree. Starts with a barrier, after which all leaves are known, and ends with one.
// Level 1 is computed together with the vectors of the leaves, which saves a barrier.
fn build_depths(local: u32) {
    workgroupBarrier();
    if local < 64u {
        pool[DEPTHS_AT + local] = four_leaves(local);
    } else if local < 80u {
        let first = 4u * (local - 64u);
        pool[DEPTHS_AT + local] = vec4(
            lowest_of_four(four_leaves(first)),
            lowest_of_four(four_leaves(first + 1u)),
            lowest_of_four(four_leaves(first + 2u)),
            lowest_of_four(four_leaves(first + 3u)),
        );
    }
    workgroupBarrier();
    #repeat i 2
    {
        let level = $i + 2u;
        if local < (64u >> (2u * level)) {
            let first = depths_at(level - 1u) + 4u * local;
            pool[depths_at(level) + local] = vec4(
                lowest_of_four(pool[first]),
                lowest_of_four(pool[first + 1u]),
                lowest_of_four(pool[first + 2u]),
                lowest_of_four(pool[first + 3u]),
            );
        }
        workgroupBarrier();
    }
    #endrepeat
}

// The last invocation before `local` with a depth below `depth`, or -1.
fn last_below(local: u32, depth: i32) -> i32 {
    // Climbs until an earlier sibling is low enough, and then descends to the last such invocation.
    var index = local;
    var level = 0u;
    var found = set_of(pool[DEPTHS_AT + index / 4u] < vec4(depth)) & ((1u << (index % 4u)) - 1u);
    while found == 0u && level < 3u {
        index /= 4u;
        level += 1u;
        found = set_of(pool[depths_at(level) + index / 4u] < vec4(depth)) & ((1u << (index % 4u)) - 1u);
    }
    if found == 0u {
        return -1;
    }
    index = (index & ~3u) + firstLeadingBit(found);
    while level > 0u {
        level -= 1u;
        found = set_of(pool[depths_at(level) + index] < vec4(depth));
        index = 4u * index + firstLeadingBit(found);
    }
    return i32(index);
}
