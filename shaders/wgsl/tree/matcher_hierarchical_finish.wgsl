// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Matcher hierarchical, last dispatch: the top of the stack before every entry, an invocation for a word of 32.
//
// First an invocation lists what its word has below itself on the stack, as deep as the word reaches: a table of tops, the first
// for no end without a begin in the word yet, the next for one, and so on. Then it walks the word, and puts down a byte an entry:
// which begin of the word is the top, or which row of its table. Last, invocations turn bytes into matches, four at a time, each
// of whichever word it falls to it to store. So no invocation waits for its neighbours to search while it walks, and neighbours
// store side by side.
//
// Workgroup memory decides how many workgroups run at once: all of it is 12 KiB.

#import config
#import linked_depth
#import word_link
#import word_stack

@group(0) @binding(0) var<uniform> config: Config;
@group(0) @binding(1) var<storage> begin_bits: array<u32>;
@group(0) @binding(2) var<storage> linked_depths: array<LinkedDepth>;
@group(0) @binding(3) var<storage> depth_tree: array<i32>;
@group(0) @binding(4) var<storage> slices: array<u32>;
@group(0) @binding(5) var<storage> word_stacks: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> matches: array<vec4<i32>>;

const PARTITION_LENGTH = 32u * WORKGROUP_SIZE;

#import deep_search

// Where the stack goes on below each word's own begins: what is open there of another word, and which word that is; or no begins,
// and how many levels below the top of the stack before the partition. Later the bytes of eight entries of each word.
var<workgroup> links_then_bytes: array<vec2<u32>, WORKGROUP_SIZE>;
// The begins open before the partition, innermost first, as deep as it reaches; -1 below the bottom. A partition that reaches
// deeper than there is room is `deep`: it does not use them.
const N_BEFORE = 2u * WORKGROUP_SIZE;
var<workgroup> stack_before: array<i32, N_BEFORE>;
// The tables of all words. If there is no room for them all, some words take their turn later.
const N_TOPS = 1784u;
var<workgroup> tops: array<i32, N_TOPS>;
// Of each word, in the lowest 11 bits where its table is; in a deep partition, besides, in 6 bits how many rows it has, and in 15
// the level of the stack before the partition that it would have in the first row, if it had rows for such levels.
var<workgroup> tables: array<u32, WORKGROUP_SIZE>;
var<workgroup> n_used: atomic<u32>;
var<workgroup> n_wanted: u32;

// For a word whose turn it is not.
const NO_TABLE = 0x7ffu;
// From here on a byte is a row of the table.
const ROWS = 32u;

fn table_first(table: u32) -> u32 {
    return table & 0x7ffu;
}

fn deep_table(n_rows: u32, level: i32) -> u32 {
    return (n_rows << 11u) | (u32(level + i32(PARTITION_LENGTH)) << 17u);
}

// The match that a byte stands for. In a deep partition, a level of the stack before it becomes a number below -1.
fn match_of_byte(byte: u32, first: u32, table: u32) -> i32 {
    if byte < ROWS {
        return i32(first + byte);
    }
    let row = byte - ROWS;
    if row < ((table >> 11u) & 63u) {
        return tops[table_first(table) + row];
    }
    return -2 - (i32(row) + i32(table >> 17u) - i32(PARTITION_LENGTH));
}

// The same in a partition that is not deep.
fn matches_of_bytes(bytes: vec4<u32>, first: u32, table: u32) -> vec4<i32> {
    var found = vec4<i32>(vec4(first) + bytes);
    let row_0 = table_first(table) - ROWS;
    if bytes.x >= ROWS {
        found.x = tops[row_0 + bytes.x];
    }
    if bytes.y >= ROWS {
        found.y = tops[row_0 + bytes.y];
    }
    if bytes.z >= ROWS {
        found.z = tops[row_0 + bytes.z];
    }
    if bytes.w >= ROWS {
        found.w = tops[row_0 + bytes.w];
    }
    return found;
}

// Fills a table with what lies from `link` on down the stack.
fn fill_table(table: u32, n_rows: u32, part_first: u32, link: vec2<u32>) {
    var word = link.y;
    var mask = link.x;
    var row = table;
    let end = table + n_rows;
    while row < end && mask != 0u {
        let top = firstLeadingBit(mask);
        tops[row] = i32(part_first + 32u * word + top);
        mask ^= 1u << top;
        row += 1u;
        // Two a step: what takes long is that one step waits for another.
        if mask != 0u && row < end {
            let next = firstLeadingBit(mask);
            tops[row] = i32(part_first + 32u * word + next);
            mask ^= 1u << next;
            row += 1u;
        }
        if mask == 0u {
            let next = links_then_bytes[word];
            mask = next.x;
            word = next.y;
        }
    }
    // The rest is before the partition: `word` is a level.
    while row < end {
        tops[row] = stack_before[word];
        word += 1u;
        row += 1u;
    }
}

// How far a word has been walked.
struct Walk {
    // What it has pushed, bit i for entry i.
    stack: u32,
    // The next entry.
    bit: u32,
    // The byte for an empty stack.
    row: u32,
}

// The bytes of the next four entries.
fn walk_quad(word: u32, walk: ptr<function, Walk>) -> u32 {
    var state = *walk;
    var bytes = 0u;
    for (var shift = 0u; shift < 32u; shift += 8u) {
        // No bit is the largest number.
        let top = firstLeadingBit(state.stack);
        bytes += min(top, state.row) << shift;
        if (word & state.bit) != 0u {
            state.stack |= state.bit;
        } else {
            if state.stack == 0u {
                state.row += 1u;
            }
            state.stack &= ~(1u << (top & 31u));
        }
        state.bit <<= 1u;
    }
    *walk = state;
    return bytes;
}

// Replaces a number below -1 by the begin at that level of the stack before the partition.
fn resolved(found: i32, part: u32, top_level: i32, source: ptr<function, Source>) -> i32 {
    if found >= -1 {
        return found;
    }
    let level = top_level + 2 + found;
    if level < (*source).lowest || level > (*source).highest {
        *source = source_of_level(part, level);
    }
    return begin_of_level(*source, level);
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
    let part_first = part * PARTITION_LENGTH;
    let first = part_first + 32u * local;
    let depth = linked_depths[part];
    let top_level = depth.start - 1;
    let is_deep = depth.start - depth.lowest >= i32(N_BEFORE);
    var word = 0u;
    var own = vec2(0u, LINKS_OUTSIDE);
    var mask_before = 0u;
    var is_waiting = first < config.n_nodes;
    if is_waiting {
        word = masked_word(begin_bits[first / 32u], first, config.n_nodes);
        own = word_stacks[first / 32u];
        if local > 0u {
            mask_before = word_stacks[first / 32u - 1u].x;
        }
    }
    if !is_deep {
        for (var level = top_level - i32(local); level >= depth.lowest - 1; level -= i32(WORKGROUP_SIZE)) {
            stack_before[top_level - level] = begin_of_level(source_of_level(part, level), level);
        }
    }

    // Each begin that is not left open has closed an end.
    let n_begins = countOneBits(word);
    let n_ends = 32u - n_begins - (n_begins - countOneBits(own.x));
    // Before the last entry there are at most 31 ends.
    var n_rows = min(n_ends + 1u, 32u);
    var table = 0u;
    var link = vec2(0u, linked_level(own.y));
    if !is_outside(own.y) {
        link.y = linked_word(own.y);
        link.x = word_stacks[part * WORKGROUP_SIZE + link.y].x;
        link.x = pop_entries(link.x, countOneBits(link.x) - linked_n_open(own.y));
        table = deep_table(n_rows, 0);
    } else if is_deep {
        n_rows = min(n_rows, linked_n_inner(own.y));
        table = deep_table(n_rows, i32(link.y) - i32(n_ends));
    }

    loop {
        if local == 0u {
            atomicStore(&n_used, 0u);
        }
        links_then_bytes[local] = link;
        workgroupBarrier();
        var from_row = NO_TABLE;
        if is_waiting {
            from_row = atomicAdd(&n_used, n_rows);
            if from_row + n_rows > N_TOPS {
                from_row = NO_TABLE;
            }
        }
        tables[local] = table | from_row;
        let is_turn = from_row != NO_TABLE;
        if is_turn {
            is_waiting = false;
            // The top before a word is what the word before leaves, or what that goes on with.
            var link_before = vec2(mask_before, local - 1u);
            if mask_before == 0u {
                link_before = vec2(0u);
                if local > 0u {
                    link_before = links_then_bytes[local - 1u];
                }
            }
            fill_table(from_row, n_rows, part_first, link_before);
        }
        workgroupBarrier();
        if local == 0u {
            n_wanted = atomicLoad(&n_used);
        }
        var walk = Walk(0u, 1u, ROWS);
        for (var round = 0u; round < 4u; round++) {
            if is_turn {
                let low = walk_quad(word, &walk);
                links_then_bytes[local] = vec2(low, walk_quad(word, &walk));
            }
            workgroupBarrier();
            for (var owner = local / 2u; owner < WORKGROUP_SIZE; owner += WORKGROUP_SIZE / 2u) {
                let of_word = part_first + 32u * owner;
                let index = of_word + 8u * round + 4u * (local & 1u);
                let from_table = tables[owner];
                if table_first(from_table) != NO_TABLE && index < config.n_nodes {
                    let packed = links_then_bytes[owner][local & 1u];
                    let bytes = vec4(packed & 255u, (packed >> 8u) & 255u, (packed >> 16u) & 255u, packed >> 24u);
                    if !is_deep {
                        matches[index / 4u] = matches_of_bytes(bytes, of_word, from_table);
                    } else {
                        matches[index / 4u] = vec4(
                            match_of_byte(bytes.x, of_word, from_table),
                            match_of_byte(bytes.y, of_word, from_table),
                            match_of_byte(bytes.z, of_word, from_table),
                            match_of_byte(bytes.w, of_word, from_table),
                        );
                    }
                }
            }
            workgroupBarrier();
        }
        if workgroupUniformLoad(&n_wanted) <= N_TOPS {
            break;
        }
    }

    // What an invocation has stored it may read again.
    if is_deep {
        var source = Source(-1, 0, -1);
        for (var owner = local / 2u; owner < WORKGROUP_SIZE; owner += WORKGROUP_SIZE / 2u) {
            for (var round = 0u; round < 4u; round++) {
                let index = part_first + 32u * owner + 8u * round + 4u * (local & 1u);
                if index < config.n_nodes {
                    let found = matches[index / 4u];
                    if any(found < vec4(-1)) {
                        matches[index / 4u] = vec4(
                            resolved(found.x, part, top_level, &source),
                            resolved(found.y, part, top_level, &source),
                            resolved(found.z, part, top_level, &source),
                            resolved(found.w, part, top_level, &source),
                        );
                    }
                }
            }
        }
    }
}
