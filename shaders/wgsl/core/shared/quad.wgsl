// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: ALL_OF_QUAD, FEW_INVOCATIONS, PARTITION_LENGTH, QUAD_LENGTH, QuadStack, begins_of
// provides: ends_of, leaves_of, lowest_of, nodes_of, pack_quad, rank_in_partition, set_of
// provides: stack_of_quad

// Four elements in a row, the share of one invocation; 256 quads make a partition. Bit i of a set stands for element i.

#import config

const QUAD_LENGTH = 4u;
const PARTITION_LENGTH = QUAD_LENGTH * WORKGROUP_SIZE;
const ALL_OF_QUAD = 0xfu;

// Invocations of a workgroup for what few elements of a partition need.
const FEW_INVOCATIONS = 64u;

// A quad in one word. Bits 0 to 3: begins and leaves; 4 to 7: begins and ends; 8 to 18: how many entries of the node stream precede
// it in its partition; from 19 on: the least depth in it, that before it included, relative to the depth before the partition and
// to -1024.
fn pack_quad(begins: u32, ends: u32, leaves: u32, n_nodes_before: u32, lowest: i32) -> u32 {
    return begins | leaves | ((begins | ends) << 4u) | (n_nodes_before << 8u) | (u32(lowest + 1024) << 19u);
}

fn nodes_of(quad: u32) -> u32 {
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
    return i32(quad >> 19u) - 1024;
}

// How many entries of the node stream precede element `i` of the quad in its partition.
fn rank_in_partition(quad: u32, i: u32) -> u32 {
    return ((quad >> 8u) & 0x7ffu) + countOneBits(nodes_of(quad) & ((1u << i) - 1u));
}

// Which of four are in it.
fn set_of(is_in: vec4<bool>) -> u32 {
    let bits = select(vec4(0u), vec4(1u, 2u, 4u, 8u), is_in);
    return bits.x | bits.y | bits.z | bits.w;
}

// The stack that a quad leaves: the begins left open, the top the highest, and how many ends have no begin in it.
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
