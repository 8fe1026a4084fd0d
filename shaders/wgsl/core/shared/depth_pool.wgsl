// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: DEPTHS_AT, pool
// provides: build_depths, last_below

// A tree of minimum depths over the invocations of a workgroup, in `pool`, an array of vec4<i32> in
// workgroup memory. Each node has four children, which are one vector. Level 0, the leaves, begins
// at DEPTHS_AT; each level follows the one below it.

#import quad

// The index at which a level begins.
fn depths_at(level: u32) -> u32 {
    // 64 + 16 + 4 + 1
    return DEPTHS_AT + (256u - (256u >> (2u * level))) / 3u;
}

// Builds the tree, each invocation with its own depth. Ends with a barrier.
fn build_depths(local: u32, depth: i32) {
    pool[DEPTHS_AT + local / 4u][local % 4u] = depth;
    workgroupBarrier();
    #repeat level 3
    if local < (64u >> (2u * $level)) {
        let four = pool[depths_at($level) + local];
        pool[depths_at($level + 1u) + local / 4u][local % 4u] = min(min(four.x, four.y), min(four.z, four.w));
    }
    workgroupBarrier();
    #endrepeat
}

// The last invocation before `local` with a depth below `depth`, or -1.
fn last_below(local: u32, depth: i32) -> i32 {
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
