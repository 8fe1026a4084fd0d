// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: leaf_depth
// provides: build_depths, last_below

// A tree of minimum depths over the invocations of a workgroup. The importing file declares the
// leaves: `leaf_depth(i)` returns the depth of invocation i. Each node has four children, which are
// adjacent.
//
// The depths are not components of vectors, because four invocations write the children of a node:
// a write to a component may write the whole vector.

#import quad

// Levels 1, 2, and 3 above the leaves: 64, 16, and 4 nodes.
var<workgroup> depths: array<i32, 84>;

// The depths of the four children with index `four` on a level.
fn four_depths(level: u32, four: u32) -> vec4<i32> {
    if level == 0u {
        let first = 4u * four;
        return vec4(leaf_depth(first), leaf_depth(first + 1u), leaf_depth(first + 2u), leaf_depth(first + 3u));
    }
    // The number of nodes on the levels from 1 to level - 1.
    let n_before = (256u - (1024u >> (2u * level))) / 3u;
    let first = n_before + 4u * four;
    return vec4(depths[first], depths[first + 1u], depths[first + 2u], depths[first + 3u]);
}

// Builds the tree. Starts with a barrier, after which all leaves are known, and ends with one.
fn build_depths(local: u32) {
    workgroupBarrier();
    var first = 0u;
    #repeat level 3
    if local < (64u >> (2u * $level)) {
        let four = four_depths($level, local);
        depths[first + local] = min(min(four.x, four.y), min(four.z, four.w));
    }
    first += 64u >> (2u * $level);
    workgroupBarrier();
    #endrepeat
}

// The last invocation before `local` with a depth below `depth`, or -1.
fn last_below(local: u32, depth: i32) -> i32 {
    var index = local;
    var level = 0u;
    var found = set_of(four_depths(0u, index / 4u) < vec4(depth)) & ((1u << (index % 4u)) - 1u);
    while found == 0u && level < 3u {
        index /= 4u;
        level += 1u;
        found = set_of(four_depths(level, index / 4u) < vec4(depth)) & ((1u << (index % 4u)) - 1u);
    }
    if found == 0u {
        return -1;
    }
    index = (index & ~3u) + firstLeadingBit(found);
    while level > 0u {
        level -= 1u;
        found = set_of(four_depths(level, index) < vec4(depth));
        index = 4u * index + firstLeadingBit(found);
    }
    return i32(index);
}
