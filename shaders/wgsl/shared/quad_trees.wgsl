// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Trees over the quads of a partition, in workgroup memory, of four children a node, the leaves first, then their parents, and so on.

#import aabb
#import quad

// For several purposes in turn, boxes and integers: how many workgroups a GPU runs at a time hangs on the memory that each takes.
// Among them trees of four children a node over the quads, the leaves first, then their parents, and so on, but for the root.
var<workgroup> pool: array<vec4<i32>, WORKGROUP_SIZE + 64u + 16u + 4u>;

fn pool_box(index: u32) -> vec4<f32> {
    return bitcast<vec4<f32>>(pool[index]);
}

fn set_pool_box(index: u32, box: vec4<f32>) {
    pool[index] = bitcast<vec4<i32>>(box);
}

// Places in the pool such that what neighbouring quads have is in different banks: of boxes in order, and of integers in order.
fn box_place(index: u32) -> u32 {
    return index ^ ((index >> 3u) & 3u);
}

fn integer_place(index: u32) -> u32 {
    return index ^ ((index >> 5u) & 3u);
}

// Where a level of the tree of depths begins, whose nodes are four a vector.
fn vectors_before(level: u32) -> u32 {
    // 64 + 16 + 4 + 1
    return (256u - (256u >> (2u * level))) / 3u;
}

// The last quad before `quad` whose least depth is below `depth`, -1 if there is none.
fn quad_below(quad: u32, depth: i32) -> i32 {
    var index = quad;
    var level = 0u;
    var found = set_of(pool[index / 4u] < vec4(depth)) & ((1u << (index % 4u)) - 1u);
    while found == 0u && level < 3u {
        index /= 4u;
        level += 1u;
        found = set_of(pool[vectors_before(level) + index / 4u] < vec4(depth)) & ((1u << (index % 4u)) - 1u);
    }
    if found == 0u {
        return -1;
    }
    index = (index & ~3u) + firstLeadingBit(found);
    while level > 0u {
        level -= 1u;
        found = set_of(pool[vectors_before(level) + index] < vec4(depth));
        index = 4u * index + firstLeadingBit(found);
    }
    return i32(index);
}

// The union of the leaves in the quads low..high, given in the pool in a tree of four children a node, the leaves first.
fn union_of_quads(low: u32, high: u32) -> vec4<f32> {
    var box = EMPTY;
    var l = low;
    var h = high;
    var level_begin = 0u;
    var n = WORKGROUP_SIZE;
    while l < h {
        while l < h && (l & 3u) != 0u {
            box = join(box, pool_box(level_begin + l));
            l += 1u;
        }
        while l < h && ((h & 3u) != 0u || n == 4u) {
            h -= 1u;
            box = join(box, pool_box(level_begin + h));
        }
        level_begin += n;
        n /= 4u;
        l /= 4u;
        h /= 4u;
    }
    return box;
}
