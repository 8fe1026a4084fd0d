// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Matcher hierarchical, first dispatch: for each partition of 8192 entries, one word of 32 per
// invocation, the stack slice, the bicyclic sum, and the links between the stacks of its words.
//
// This is Levien 2022, section 8.1, with a bit mask as the stack of an invocation. The links are
// the list of section 8.2, step 3. They come from minimum depths in place of a tree of bicyclic
// sums. Workgroup memory is kept small, because it limits how many workgroups run at a time.
//
// Timeline of the workgroup memory:
//
// | phase                       | word_sums, group_sums | heap          | staged    | barriers |
// |-----------------------------|-----------------------|---------------|-----------|----------|
// | 1. sum_suffixes             | written               |               |           | 8        |
// | 2. build_heap, link_of_word | read                  | written, read |           | 5        |
// | 3. store_slice              | read                  |               | 512 slots | 2 each   |

#import bic
#import config
#import grid
#import word_stack

@group(0) @binding(1) var<storage> begin_bits: array<u32>;
@group(0) @binding(2) var<storage, read_write> partition_bics: array<Bic>;
@group(0) @binding(3) var<storage, read_write> slices: array<u32>;
// For each word, the begins that it leaves open, and its link.
@group(0) @binding(4) var<storage, read_write> word_stacks: array<vec2<u32>>;

// The words are summed in groups of eight.
const GROUP_LENGTH = 8u;
const N_GROUPS = WORKGROUP_SIZE / GROUP_LENGTH;
// Packed bicyclic sums from each word to the end of its group. An unused item after each group
// avoids bank conflicts.
var<workgroup> word_sums: array<u32, WORKGROUP_SIZE + N_GROUPS>;
// Packed bicyclic sums from each group to the end of the partition: two arrays for alternate
// rounds, each followed by as many identities.
var<workgroup> group_sums: array<u32, 4u * N_GROUPS>;
// The array that has the result: there are five rounds, so it is the second.
const GROUP_RESULTS = 2u * N_GROUPS;

// The minimum depths of the words, relative to the start of the partition.
alias HeapItem = i32;

fn join_items(left: i32, right: i32) -> i32 {
    return min(left, right);
}

#import heap

// A part of the slice on its way to storage. An unused item after each 32 avoids bank conflicts.
const STAGED = 2u * WORKGROUP_SIZE;
var<workgroup> staged: array<u32, STAGED + STAGED / 32u>;

// Fills `word_sums` and `group_sums`, each invocation with the sum of its own word. The caller's
// next barrier makes the result visible to other invocations.
fn sum_suffixes(local: u32, sum: u32) {
    word_sums[local + local / GROUP_LENGTH] = sum;
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
}

// The packed bicyclic sum from word `word` to the end of the partition.
fn suffix_sum(word: u32) -> u32 {
    if word == WORKGROUP_SIZE {
        return 0u;
    }
    let group = word / GROUP_LENGTH;
    return packed_then(word_sums[word + group], group_sums[GROUP_RESULTS + group + 1u]);
}

// The link of word `local`, before which the depth is `start`, and whose minimum depth is `low`:
// the stack continues in the last word before it with a lower minimum depth.
fn link_of_word(local: u32, start: i32, low: i32) -> u32 {
    var node = WORKGROUP_SIZE + local;
    // The minimum depth in the partition before the word, once the climb ends at the root.
    var lowest_before = 0;
    while node > 1u {
        if (node & 1u) != 0u {
            let left = heap[node - 1u];
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
        if heap[node] >= low {
            node -= 1u;
        }
    }
    return link_to_word(node - WORKGROUP_SIZE, u32(low - heap[node]));
}

// Stores the slice, of `n_slice` begins in all. The word has those in `mask`, the outermost first,
// for the slots slot..slot_end.
//
// The begins beyond the end of the input come last in the slice, and there is no room for them.
fn store_slice(part: u32, local: u32, word_mask: u32, word_slot: u32, slot_end: u32, n_slice: u32) {
    let part_first = part * 32u * WORKGROUP_SIZE;
    var mask = word_mask;
    var slot = word_slot;
    for (var batch = 0u; batch < n_slice; batch += STAGED) {
        while slot < min(slot_end, batch + STAGED) {
            let to = slot - batch;
            staged[to + to / 32u] = part_first + 32u * local + firstTrailingBit(mask);
            mask &= mask - 1u;
            slot += 1u;
        }
        workgroupBarrier();
        for (var j = local; j < min(n_slice - batch, STAGED); j += WORKGROUP_SIZE) {
            let index = part_first + batch + j;
            if index < config.n_entries {
                slices[index] = staged[j + j / 32u];
            }
        }
        workgroupBarrier();
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
    let word_index = part * WORKGROUP_SIZE + local;
    let first = 32u * word_index;
    var word = 0u;
    if first < config.n_entries {
        word = begin_bits[word_index];
    }
    let stack = stack_of_word(masked_word(word, first, config.n_entries));
    let n_open = countOneBits(stack.mask);
    sum_suffixes(local, pack_bic(stack.a, n_open));
    // The loop of `store_slice` has barriers, so its bound must be uniform.
    let partition_sum = workgroupUniformLoad(&group_sums[GROUP_RESULTS]);
    let n_ends = partition_sum >> 16u;
    let n_begins = partition_sum & 0xffffu;
    if local == 0u {
        partition_bics[part] = Bic(n_ends, n_begins);
    }

    // The depth before the word is that at the end of the partition minus the change over the word
    // and those after it.
    let from_word = suffix_sum(local);
    let start = i32(n_begins + (from_word >> 16u)) - i32(n_ends + (from_word & 0xffffu));
    let low = start - i32(stack.a);
    build_heap(local, low);
    if first < config.n_entries {
        word_stacks[word_index] = vec2(stack.mask, link_of_word(local, start, low));
    }

    let n_closed = min(n_open, suffix_sum(local + 1u) >> 16u);
    let slot = n_begins - (from_word & 0xffffu);
    store_slice(part, local, stack.mask, slot, slot + n_open - n_closed, n_begins);
}
