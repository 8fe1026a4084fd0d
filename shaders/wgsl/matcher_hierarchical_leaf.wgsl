// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Matcher hierarchical, last dispatch: the top of the stack before every entry. An invocation walks the 32 entries of its word.
// What it pushes is in a mask; below that, a cursor stands on the begins that earlier words of the partition leave open, and
// below those on a slot of an earlier partition's slice.

#import config
#import packed_search
#import spine
#import word_stack

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> begin_bits: array<u32>;
@group(0) @binding(2) var<storage> partition_depths: array<PartitionDepth>;
@group(0) @binding(3) var<storage> depth_tree: array<i32>;
@group(0) @binding(4) var<storage> slices: array<u32>;
@group(0) @binding(5) var<storage, read_write> matches: array<vec4<i32>>;

#import stack_search

const PARTITION_LENGTH = 32u * WORKGROUP_SIZE;

// The begins that each word leaves open.
var<workgroup> masks: array<u32, WORKGROUP_SIZE>;
// Where the stack goes on below each word's own begins: a word of the partition and those of its begins that are open; or, where
// these are none, how many levels below the top of the stack before the partition.
var<workgroup> link_masks: array<u32, WORKGROUP_SIZE>;
var<workgroup> links: array<u32, WORKGROUP_SIZE>;
// The begins open before the partition, innermost first, as deep as the partition reaches or as there is room; -1 below the
// bottom.
var<workgroup> stack_before: array<i32, WORKGROUP_SIZE>;
// Eight matches of every word on their way to storage, the words nine apart for the sake of the memory's banks: what neighbours
// write there is far apart, what they store from there is not.
const STAGED = 8u;
var<workgroup> staged: array<i32, WORKGROUP_SIZE * (STAGED + 1u)>;

// A begin outside of the partition, deeper than `stack_before`.
struct Outside {
    // The partition that has it, -1 for none.
    source: i32,
    // Its slot in the slice there.
    slot: i32,
}

fn outside_at(part: u32, level: i32) -> Outside {
    let source = partition_of_level(part, level);
    if source < 0 {
        return Outside(-1, 0);
    }
    return Outside(source, level - partition_depths[source].lowest);
}

fn begin_of(outside: Outside) -> i32 {
    if outside.source < 0 {
        return -1;
    }
    return i32(slices[u32(outside.source) * PARTITION_LENGTH + u32(outside.slot)]);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let part = workgroup.y * workgroups.x + workgroup.x;
    if part >= config.n_node_partitions {
        return;
    }
    let part_first = part * PARTITION_LENGTH;
    let first = part_first + 32u * local;
    var word = 0u;
    if first < config.n_nodes {
        word = begin_bits[first / 32u];
    }
    word = masked_word(word, first, config.n_nodes);
    let own = stack_of_word(word);
    masks[local] = own.mask;
    build_packed_tree(local, pack_bic(own.a, countOneBits(own.mask)));
    let link = search_words(local, own.a);
    links[local] = link.n_ends;
    link_masks[local] = 0u;
    if link.word_end > 0u {
        links[local] = link.word_end - 1u;
        link_masks[local] = pop_entries(masks[link.word_end - 1u], link.n_ends);
    }
    let top_level = partition_depths[part].start - 1;
    let reach = packed_tree[level_offset(LG_WORKGROUP_SIZE)] >> 16u;
    if local <= reach {
        stack_before[local] = begin_of(outside_at(part, top_level - i32(local)));
    }
    workgroupBarrier();

    // The cursor, on the top of the stack before the word, then down from there: `cursor_mask` holds the begins still open of the
    // word `cursor` that it stands in, its own the highest; where it is none, the cursor is `cursor` levels below the top of the
    // stack before the partition. The top before a word is what the word before leaves, or what that goes on with.
    var cursor = 0u;
    var cursor_mask = 0u;
    if local > 0u {
        cursor = local - 1u;
        cursor_mask = masks[cursor];
        if cursor_mask == 0u {
            cursor_mask = link_masks[cursor];
            cursor = links[cursor];
        }
    }
    var outside = Outside(-1, 0);
    var cursor_top = firstLeadingBit(cursor_mask);
    var top = i32(part_first + 32u * cursor + cursor_top);
    if cursor_mask == 0u {
        if cursor < WORKGROUP_SIZE {
            top = stack_before[cursor];
        } else {
            outside = outside_at(part, top_level - i32(cursor));
            top = begin_of(outside);
        }
    }

    // What the word itself has pushed, bit i for entry i.
    var stack = 0u;
    var bit = 1u;
    for (var round = 0u; round < 32u; round += STAGED) {
        for (var step = 0u; step < STAGED; step++) {
            let own_top = firstLeadingBit(stack);
            let is_empty = stack == 0u;
            staged[local * (STAGED + 1u) + step] = select(i32(first + own_top), top, is_empty);
            let is_begin = (word & bit) != 0u;
            stack = select(stack & ~(1u << (own_top & 31u)), stack | bit, is_begin);
            bit <<= 1u;
            if is_empty && !is_begin {
                // Down the stack before the word. `is_new`: whether the next begin is one to look up outside, rather than the
                // next of a slice.
                var is_new = true;
                if cursor_mask != 0u {
                    cursor_mask ^= 1u << cursor_top;
                    if cursor_mask == 0u {
                        cursor_mask = link_masks[cursor];
                        cursor = links[cursor];
                    }
                } else {
                    cursor += 1u;
                    outside.slot -= 1;
                    is_new = outside.slot < 0 || cursor == WORKGROUP_SIZE;
                }
                if cursor_mask != 0u {
                    cursor_top = firstLeadingBit(cursor_mask);
                    top = i32(part_first + 32u * cursor + cursor_top);
                } else if cursor < WORKGROUP_SIZE {
                    top = stack_before[cursor];
                } else {
                    if is_new {
                        outside = outside_at(part, top_level - i32(cursor));
                    }
                    top = begin_of(outside);
                }
            }
        }
        workgroupBarrier();
        // Four matches at a time: two stores for the eight of a word.
        for (var quad = local; quad < 2u * WORKGROUP_SIZE; quad += WORKGROUP_SIZE) {
            let in_word = 4u * (quad & 1u);
            let index = part_first + 32u * (quad / 2u) + round + in_word;
            let from_index = (quad / 2u) * (STAGED + 1u) + in_word;
            if index < config.n_nodes {
                matches[index / 4u] = vec4(
                    staged[from_index],
                    staged[from_index + 1u],
                    staged[from_index + 2u],
                    staged[from_index + 3u],
                );
            }
        }
        workgroupBarrier();
    }
}
