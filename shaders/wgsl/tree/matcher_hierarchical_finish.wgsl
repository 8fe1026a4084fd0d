// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Matcher hierarchical, last dispatch: the top of the stack before every entry, one word of 32
// entries per invocation.
//
// This is Levien 2022, section 8.2, with 32 entries per invocation, bit masks as the stacks of
// invocations, and minimum depths in place of bicyclic sums. It has two additions. The stack before
// the partition is found by depth, so the input may be of any length. And the walk over a word
// looks up nothing outside of the word: before it, each invocation lists the part of the stack
// before its word that the word reaches. So no invocation waits while its neighbours search.
//
// The list of a word is a table of tops. Row r is the top of the stack before the word after r
// further ends. The walk writes one byte per entry: a begin of the word, or a row of its table.
//
// Timeline of the workgroup memory, 12 KiB in all. Phases 2 and 3 repeat if there is not enough
// room for the tables of all words at once:
//
// | phase             | links_then_bytes           | stack_before | tops, tables | barriers |
// |-------------------|----------------------------|--------------|--------------|----------|
// | 1. load_stack     |                            | written      |              | 0        |
// | 2. fill_tables    | links of the words         | read         | written      | 2        |
// | 3. walk_and_store | eight bytes of each word   |              | read         | 2 x 4    |
// | 4. resolve_levels |                            |              |              | 0        |
//
// A partition is *deep* if it descends further below its start than `stack_before` has room for.
// Phase 3 then stores levels of the stack as numbers below -1, which phase 4 replaces by begins.
//
// Indices into buffers come from `begin_bits`, which may have any content, and from earlier
// dispatches of the same recording, which make them consistent. A slot of a slice is below the
// length of that slice, because the slice covers the level (see `partition_of_level`). A row of a
// table is below `n_rows`, because a word has at most `n_ends` ends without a begin.

#import config
#import grid
#import spine
#import word_stack

@group(0) @binding(1) var<storage> begin_bits: array<u32>;
@group(0) @binding(2) var<storage> linked_depths: array<LinkedDepth>;
@group(0) @binding(3) var<storage> slices: array<u32>;
@group(0) @binding(4) var<storage> word_stacks: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read_write> matches: array<vec4<i32>>;

const PARTITION_LENGTH = 32u * WORKGROUP_SIZE;

#import deep_search

// The position of the stack below the begins of each word: the open begins of another word and the
// index of that word, or 0 and a level that counts downwards from the top of the stack before the
// partition. Later, the bytes of eight entries of each word.
var<workgroup> links_then_bytes: array<vec2<u32>, WORKGROUP_SIZE>;
// The begins that are open before the partition, the top first, or -1 below the bottom.
const N_BEFORE = 2u * WORKGROUP_SIZE;
var<workgroup> stack_before: array<i32, N_BEFORE>;
// The tables of the words. They fill up the 12 KiB: four bytes per item of the arrays, and 32 bytes
// for the two variables and padding.
const N_TOPS = (12288u - 4u * (3u * WORKGROUP_SIZE + N_BEFORE) - 32u) / 4u;
var<workgroup> tops: array<i32, N_TOPS>;
// For each word:
//
// | bits   | content                                                                         |
// |--------|---------------------------------------------------------------------------------|
// | 0..11  | the index of row 0 of its table in `tops`, or NO_TABLE while the word waits     |
// | 11..17 | the number of rows                                                              |
// | 17..32 | PARTITION_LENGTH + the level of row 0, as if all rows were before the partition |
//
// Only deep partitions have bits 11..32.
var<workgroup> tables: array<u32, WORKGROUP_SIZE>;
var<workgroup> n_used: atomic<u32>;
var<workgroup> n_wanted: u32;

const NO_TABLE = 0x7ffu;
// Bytes below this are begins of the word itself, the others are rows of its table.
const ROWS = 32u;

fn table_first(table: u32) -> u32 {
    return table & 0x7ffu;
}

fn table_n_rows(table: u32) -> u32 {
    return (table >> 11u) & 63u;
}

fn table_level(table: u32) -> i32 {
    return i32(table >> 17u) - i32(PARTITION_LENGTH);
}

fn deep_table(n_rows: u32, level: i32) -> u32 {
    return (n_rows << 11u) | (u32(level + i32(PARTITION_LENGTH)) << 17u);
}

// Phase 1: loads the stack before a partition that is not deep.
fn load_stack(part: u32, local: u32, depth: LinkedDepth) {
    let top_level = depth.start - 1;
    for (var level = top_level - i32(local); level >= depth.lowest - 1; level -= i32(WORKGROUP_SIZE)) {
        stack_before[top_level - level] = begin_of_level(source_of_level(part, level), level);
    }
}

// A word, and its table.
struct Word {
    // Bit i is set if entry i is a begin.
    bits: u32,
    // The begins that the word before leaves open.
    mask_before: u32,
    // The position of the stack below the begins of the word, see `links_then_bytes`.
    link: vec2<u32>,
    n_rows: u32,
    // Its item of `tables`, except the index of row 0.
    table: u32,
}

// The word of an invocation, given its bits, its item of `word_stacks`, and `mask_before`.
fn word_with_table(part: u32, bits: u32, stack: vec2<u32>, mask_before: u32, is_deep: bool) -> Word {
    // Each begin that is not left open has closed an end.
    let n_begins = countOneBits(bits);
    let n_ends = 32u - n_begins - (n_begins - countOneBits(stack.x));
    // Before the last entry, there are at most 31 ends.
    var word = Word(bits, mask_before, vec2(0u, linked_level(stack.y)), min(n_ends + 1u, 32u), 0u);
    if !is_outside(stack.y) {
        let index = linked_word(stack.y);
        let open = word_stacks[part * WORKGROUP_SIZE + index].x;
        word.link = vec2(pop_entries(open, countOneBits(open) - linked_n_open(stack.y)), index);
        word.table = deep_table(word.n_rows, 0);
    } else if is_deep {
        word.n_rows = min(word.n_rows, linked_n_inner(stack.y));
        word.table = deep_table(word.n_rows, i32(word.link.y) - i32(n_ends));
    }
    return word;
}

// Fills rows first_row..first_row + n_rows with the stack from `link` downwards.
fn fill_table(first_row: u32, n_rows: u32, part_first: u32, link: vec2<u32>) {
    var mask = link.x;
    var word = link.y;
    var row = first_row;
    let end = first_row + n_rows;
    while row < end && mask != 0u {
        let top = firstLeadingBit(mask);
        tops[row] = i32(part_first + 32u * word + top);
        mask ^= 1u << top;
        row += 1u;
        // Two rows per iteration, because each iteration waits for the one before.
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
    // The rest lies before the partition: `word` is a level.
    while row < end {
        tops[row] = stack_before[word];
        word += 1u;
        row += 1u;
    }
}

// Phase 2: fills the tables of as many waiting words as there is room for. Returns whether that of
// the invocation is among them. Sets `n_wanted` to the number of rows of all waiting words, for the
// caller to load after a barrier.
fn fill_tables(part_first: u32, local: u32, word: Word, is_waiting: bool) -> bool {
    if local == 0u {
        atomicStore(&n_used, 0u);
    }
    links_then_bytes[local] = word.link;
    workgroupBarrier();
    var first_row = NO_TABLE;
    if is_waiting {
        first_row = atomicAdd(&n_used, word.n_rows);
        if first_row + word.n_rows > N_TOPS {
            first_row = NO_TABLE;
        }
    }
    tables[local] = word.table | first_row;
    let has_table = first_row != NO_TABLE;
    if has_table {
        // The top before a word is a begin of the word before, or lies below the begins of that
        // word.
        var link_before = vec2(word.mask_before, local - 1u);
        if word.mask_before == 0u {
            link_before = vec2(0u);
            if local > 0u {
                link_before = links_then_bytes[local - 1u];
            }
        }
        fill_table(first_row, word.n_rows, part_first, link_before);
    }
    workgroupBarrier();
    if local == 0u {
        n_wanted = atomicLoad(&n_used);
    }
    return has_table;
}

// The state of the walk over a word.
struct Walk {
    // The begins of the word on the stack, bit i for entry i.
    stack: u32,
    // The bit of the next entry.
    bit: u32,
    // The byte for an empty stack.
    row: u32,
}

// Walks four entries, and returns their bytes.
fn walk_quad(word: u32, walk: ptr<function, Walk>) -> u32 {
    var state = *walk;
    var bytes = 0u;
    for (var shift = 0u; shift < 32u; shift += 8u) {
        // For an empty stack, firstLeadingBit returns the largest number.
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

// The matches for four bytes of a word in a partition that is not deep.
fn matches_of_bytes(bytes: vec4<u32>, first: u32, table: u32) -> vec4<i32> {
    var found = vec4<i32>(vec4(first) + bytes);
    let row_0 = table_first(table) - ROWS;
    #repeat i 4
    if bytes[$i] >= ROWS {
        found[$i] = tops[row_0 + bytes[$i]];
    }
    #endrepeat
    return found;
}

// The same in a deep partition. A match below the table is a level, as a number below -1.
fn deep_matches_of_bytes(bytes: vec4<u32>, first: u32, table: u32) -> vec4<i32> {
    var found = vec4<i32>(vec4(first) + bytes);
    #repeat i 4
    if bytes[$i] >= ROWS {
        let row = bytes[$i] - ROWS;
        if row < table_n_rows(table) {
            found[$i] = tops[table_first(table) + row];
        } else {
            found[$i] = -2 - (i32(row) + table_level(table));
        }
    }
    #endrepeat
    return found;
}

// Phase 3: walks the words that have a table, and stores their matches.
//
// In each round, an invocation walks eight entries of its word. Then the invocations store the
// matches of all words, four matches at a time, so that adjacent invocations store adjacent
// matches.
fn walk_and_store(part_first: u32, local: u32, bits: u32, has_table: bool, is_deep: bool) {
    var walk = Walk(0u, 1u, ROWS);
    for (var round = 0u; round < 4u; round++) {
        if has_table {
            let low = walk_quad(bits, &walk);
            links_then_bytes[local] = vec2(low, walk_quad(bits, &walk));
        }
        workgroupBarrier();
        for (var word = local / 2u; word < WORKGROUP_SIZE; word += WORKGROUP_SIZE / 2u) {
            let first = part_first + 32u * word;
            let index = first + 8u * round + 4u * (local & 1u);
            let table = tables[word];
            if table_first(table) != NO_TABLE && index < config.n_entries {
                let packed = links_then_bytes[word][local & 1u];
                let bytes = vec4(packed & 255u, (packed >> 8u) & 255u, (packed >> 16u) & 255u, packed >> 24u);
                if !is_deep {
                    matches[index / 4u] = matches_of_bytes(bytes, first, table);
                } else {
                    matches[index / 4u] = deep_matches_of_bytes(bytes, first, table);
                }
            }
        }
        workgroupBarrier();
    }
}

// Phase 4: replaces levels by begins. An invocation reads only matches that it has stored itself.
fn resolve_levels(part: u32, local: u32, top_level: i32) {
    // The source of the last level.
    var source = Source(-1, 0, -1);
    for (var word = local / 2u; word < WORKGROUP_SIZE; word += WORKGROUP_SIZE / 2u) {
        for (var round = 0u; round < 4u; round++) {
            let index = part * PARTITION_LENGTH + 32u * word + 8u * round + 4u * (local & 1u);
            if index < config.n_entries {
                var found = matches[index / 4u];
                if any(found < vec4(-1)) {
                    #repeat i 4
                    if found[$i] < -1 {
                        let level = top_level + 2 + found[$i];
                        if level < source.lowest || level > source.highest {
                            source = source_of_level(part, level);
                        }
                        found[$i] = begin_of_level(source, level);
                    }
                    #endrepeat
                    matches[index / 4u] = found;
                }
            }
        }
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= config.n_partitions {
        return;
    }
    let part_first = part * PARTITION_LENGTH;
    let first = part_first + 32u * local;
    let depth = linked_depths[part];
    let is_deep = depth.start - depth.lowest >= i32(N_BEFORE);
    var bits = 0u;
    var stack = vec2(0u, LINKS_OUTSIDE);
    var mask_before = 0u;
    var is_waiting = first < config.n_entries;
    if is_waiting {
        bits = masked_word(begin_bits[first / 32u], first, config.n_entries);
        stack = word_stacks[first / 32u];
        if local > 0u {
            mask_before = word_stacks[first / 32u - 1u].x;
        }
    }
    if !is_deep {
        load_stack(part, local, depth);
    }
    let word = word_with_table(part, bits, stack, mask_before, is_deep);
    loop {
        let has_table = fill_tables(part_first, local, word, is_waiting);
        is_waiting = is_waiting && !has_table;
        walk_and_store(part_first, local, bits, has_table, is_deep);
        if workgroupUniformLoad(&n_wanted) <= N_TOPS {
            break;
        }
    }
    if is_deep {
        resolve_levels(part, local, depth.start - 1);
    }
}
