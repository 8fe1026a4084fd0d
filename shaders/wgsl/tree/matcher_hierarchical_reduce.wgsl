// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Matcher hierarchical, first dispatch: of each partition of 8192 entries, 32 an invocation, the stack slice, the bicyclic sum,
// and how the stacks of its words hang together. Workgroup memory is kept small: how much of it a workgroup has decides how many
// run at once.

#import bic
#import config
#import packed_bic
#import word_link
#import word_stack

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> begin_bits: array<u32>;
@group(0) @binding(2) var<storage, read_write> partition_bics: array<Bic>;
@group(0) @binding(3) var<storage, read_write> slices: array<u32>;
@group(0) @binding(4) var<storage, read_write> word_stacks: array<vec2<u32>>;

// Words are summed in groups of eight, which lie nine apart for the sake of the memory's banks.
const GROUP_LENGTH = 8u;
const N_GROUPS = WORKGROUP_SIZE / GROUP_LENGTH;
// Packed bicyclic sums from each word to the end of its group.
var<workgroup> word_sums: array<u32, WORKGROUP_SIZE + N_GROUPS>;
// And from each group to the end of the partition. Two of them in turn, each followed by identities.
var<workgroup> group_sums: array<u32, 4u * N_GROUPS>;

// The least depths in the words, counted from the start of the partition, and those of pairs, of pairs of pairs and so on, in
// heap order: the root at 1, the words from WORKGROUP_SIZE on.
var<workgroup> lowest: array<i32, 2u * WORKGROUP_SIZE>;

// A stretch of the slice on its way to storage, one left out after each 32.
const STAGED = 2u * WORKGROUP_SIZE;
var<workgroup> staged: array<u32, STAGED + STAGED / 32u>;

// The sums to the end of the partition from a word on, from the next word on, and from the first.
struct Suffix {
    own: u32,
    after: u32,
    all: u32,
}

fn suffix_sums(local: u32, sum: u32) -> Suffix {
    let group = local / GROUP_LENGTH;
    word_sums[local + group] = sum;
    workgroupBarrier();
    var suffix = 0u;
    if local < N_GROUPS {
        for (var i = GROUP_LENGTH; i > 0u; i--) {
            let index = (GROUP_LENGTH + 1u) * local + i - 1u;
            suffix = packed_then(word_sums[index], suffix);
            word_sums[index] = suffix;
        }
        group_sums[local] = suffix;
        group_sums[local + N_GROUPS] = 0u;
        group_sums[local + 3u * N_GROUPS] = 0u;
    }
    var half = 0u;
    for (var stride = 1u; stride < N_GROUPS; stride <<= 1u) {
        workgroupBarrier();
        if local < N_GROUPS {
            suffix = packed_then(suffix, group_sums[half + local + stride]);
            group_sums[(half ^ (2u * N_GROUPS)) + local] = suffix;
        }
        half ^= 2u * N_GROUPS;
    }
    let all = workgroupUniformLoad(&group_sums[half]);
    let after_group = group_sums[half + group + 1u];
    var after = after_group;
    if local % GROUP_LENGTH + 1u < GROUP_LENGTH {
        after = packed_then(word_sums[local + group + 1u], after_group);
    }
    return Suffix(packed_then(word_sums[local + group], after_group), after, all);
}

// Builds the heap, each invocation with the least depth in its word. Ends with a barrier.
fn build_heap(local: u32, low: i32) {
    lowest[WORKGROUP_SIZE + local] = low;
    for (var width = WORKGROUP_SIZE / 4u; width > 0u; width >>= 2u) {
        workgroupBarrier();
        if local < width {
            let node = width + local;
            let left = min(lowest[4u * node], lowest[4u * node + 1u]);
            let right = min(lowest[4u * node + 2u], lowest[4u * node + 3u]);
            lowest[2u * node] = left;
            lowest[2u * node + 1u] = right;
            lowest[node] = min(left, right);
        }
    }
    workgroupBarrier();
}

// Where the stack goes on below the own begins of word `local`, which starts at depth `start`: in the last word before it with a
// lesser least depth.
fn link_of_word(local: u32, start: i32, low: i32) -> u32 {
    var node = WORKGROUP_SIZE + local;
    // Of the partition before the word.
    var lowest_before = 0;
    while node > 1u {
        if (node & 1u) != 0u {
            let left = lowest[node - 1u];
            if left < low {
                break;
            }
            lowest_before = min(lowest_before, left);
        }
        node >>= 1u;
    }
    if node == 1u {
        return link_outside(u32(-low), u32(start - lowest_before));
    }
    node -= 1u;
    while node < WORKGROUP_SIZE {
        node = 2u * node + 1u;
        if lowest[node] >= low {
            node -= 1u;
        }
    }
    return link_to_word(node - WORKGROUP_SIZE, u32(low - lowest[node]));
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let part = workgroup.y * workgroups.x + workgroup.x;
    if part >= config.n_partitions {
        return;
    }
    let word_index = part * WORKGROUP_SIZE + local;
    let first = 32u * word_index;
    var word = 0u;
    if first < config.n_nodes {
        word = begin_bits[word_index];
    }
    let stack = stack_of_word(masked_word(word, first, config.n_nodes));
    let n_open = countOneBits(stack.mask);
    let suffix = suffix_sums(local, pack_bic(stack.a, n_open));
    let n_ends = suffix.all >> 16u;
    let n_begins = suffix.all & 0xffffu;
    if local == 0u {
        partition_bics[part] = Bic(n_ends, n_begins);
    }
    // The depth is that at the end of the partition less what comes until then.
    let start = i32(n_begins + (suffix.own >> 16u)) - i32(n_ends + (suffix.own & 0xffffu));
    let low = start - i32(stack.a);
    build_heap(local, low);
    if first < config.n_nodes {
        word_stacks[word_index] = vec2(stack.mask, link_of_word(local, start, low));
    }

    // The outermost begins of the word stay open: the lowest bits of its mask.
    var mask = stack.mask;
    var slot = n_begins - (suffix.own & 0xffffu);
    let slot_end = slot + n_open - min(n_open, suffix.after >> 16u);
    for (var stretch = 0u; stretch < n_begins; stretch += STAGED) {
        while slot < min(slot_end, stretch + STAGED) {
            let to = slot - stretch;
            staged[to + to / 32u] = first + firstTrailingBit(mask);
            mask &= mask - 1u;
            slot += 1u;
        }
        workgroupBarrier();
        for (var j = local; j < min(n_begins - stretch, STAGED); j += WORKGROUP_SIZE) {
            let index = part * 32u * WORKGROUP_SIZE + stretch + j;
            if index < config.n_nodes {
                slices[index] = staged[j + j / 32u];
            }
        }
        workgroupBarrier();
    }
}
