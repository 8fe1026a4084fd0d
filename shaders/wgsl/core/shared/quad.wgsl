// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: ALL_OF_QUAD, DEPTH_BIAS, FEW_INVOCATIONS, PARTITION_LENGTH, QUAD_LENGTH, QuadStack, begins_of
// provides: ends_of, leaves_of, lowest_of, entries_of, pack_quad, rank_in_partition, set_of
// provides: stack_of_quad

// A quad: four consecutive elements. Most shaders process one quad per invocation. 256 quads make a
// partition. Sets of the elements of a quad are bit masks: bit i is element i.

#import grid

const QUAD_LENGTH = 4u;
const PARTITION_LENGTH = QUAD_LENGTH * WORKGROUP_SIZE;
const ALL_OF_QUAD = 0xfu;

// Makes depths non-negative: a partition of 1024 elements descends by at most 1024 levels.
const DEPTH_BIAS = 1024;

// Invocations per workgroup of dispatches in which few elements of a partition have work.
const FEW_INVOCATIONS = 64u;

// A quad in one word:
//
// | bits   | content |
// |--------|---------|
// | 0..4   | begins and leaves |
// | 4..8   | begins and ends |
// | 8..19  | entries of the node stream before the quad in its partition |
// | 19..32 | minimum depth in the quad and before it, relative to the partition, + DEPTH_BIAS |
fn pack_quad(begins: u32, ends: u32, leaves: u32, n_entries_before: u32, lowest: i32) -> u32 {
    return begins | leaves | ((begins | ends) << 4u) | (n_entries_before << 8u) | (u32(lowest + DEPTH_BIAS) << 19u);
}

fn entries_of(quad: u32) -> u32 {
    return (quad >> 4u) & ALL_OF_QUAD;
}

fn begins_of(quad: u32) -> u32 {
    return quad & (quad >> 4u) & ALL_OF_QUAD;
}

fn ends_of(quad: u32) -> u32 {
    return ~quad & (quad >> 4u) & ALL_OF_QUAD;
}

fn leaves_of(quad: u32) -> u32 {
    return quad & ~(quad >> 4u) & ALL_OF_QUAD;
}

fn lowest_of(quad: u32) -> i32 {
    return i32(quad >> 19u) - DEPTH_BIAS;
}

// The number of entries of the node stream before element `i` of the quad in its partition.
fn rank_in_partition(quad: u32, i: u32) -> u32 {
    return ((quad >> 8u) & 0x7ffu) + countOneBits(entries_of(quad) & ((1u << i) - 1u));
}

// The set of the four elements for which `is_in` is true.
fn set_of(is_in: vec4<bool>) -> u32 {
    let bits = select(vec4(0u), vec4(1u, 2u, 4u, 8u), is_in);
    return bits.x | bits.y | bits.z | bits.w;
}

// The effect of a quad on the stack: the begins that it leaves open, the top in the highest bit,
// and the number of ends without a begin in the quad.
struct QuadStack {
    open: u32,
    n_ends: u32,
}

fn stack_of_quad(begins: u32, ends: u32) -> QuadStack {
    var open = 0u;
    var n_ends = 0u;
    #repeat i 4
    if ((begins >> $i) & 1u) != 0u {
        open |= 1u << $i;
    }
    if ((ends >> $i) & 1u) != 0u {
        if open != 0u {
            open ^= 1u << firstLeadingBit(open);
        } else {
            n_ends += 1u;
        }
    }
    #endrepeat
    return QuadStack(open, n_ends);
}
