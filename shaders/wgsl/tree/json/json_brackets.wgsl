// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage json: for each bracket, a bit that is 1 if it opens, which is the input of the matcher, its
// row and its offset, and whether it is a brace.

#import grid
#import text_config
#import text
#import byte_planes
#import json_partitions
#import json_tokens
#import json_words
#import json_context

@group(0) @binding(2) var<storage> words: array<u32>;
@group(0) @binding(4) var<storage, read_write> begin_bits: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> brackets: array<u32>;

// The bits of the partition. There is at most one bracket per byte, and the first one can be at any
// bit of its word.
const N_BIT_WORDS = PARTITION_BYTES / 32u + 1u;
var<workgroup> bits: array<atomic<u32>, N_BIT_WORDS>;
// Brackets on their way to storage: items with rows of the partition, which have 13 bits, and from
// bit 13 on their offsets in the partition.
const STAGED = 4u * WORKGROUP_SIZE;
var<workgroup> staged: array<u32, STAGED>;
const STAGED_ROW = 0x1fffu;
var<workgroup> n_partition_brackets: u32;

// The brackets of an invocation's word that have not been staged.
struct Pending {
    in_word: u32,
    // The index of the first of them in the partition.
    index: u32,
    // The row of the word's first row in the partition.
    first_row: u32,
    rows: u32,
    opens: u32,
    braces: u32,
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    if part >= n_text_partitions() {
        return;
    }
    atomicStore(&bits[local], 0u);
    let first_bracket = partitions.items[part].n_brackets;
    let first_row = partitions.items[part].n_rows;
    let has_room = partitions.n_rows <= config.capacity;
    let word = part * PARTITION_WORDS + local;
    if local == last_word_of(part) {
        let n = packed_brackets(words[BEFORE * n_words() + word]) + countOneBits(words[BRACKETS * n_words() + word]);
        // The numbers of other partitions are wrong if the length of the text changes between the
        // recording and the execution.
        n_partition_brackets = select(0u, min(n, config.capacity - min(first_bracket, config.capacity)), has_room);
    }
    // The loop below has barriers, so its bound must be uniform.
    let n_brackets = workgroupUniformLoad(&n_partition_brackets);
    let end_bracket = first_bracket + n_brackets;

    var pending = Pending(0u, 0u, 0u, 0u, 0u, 0u);
    if local < PARTITION_WORDS && word < n_words() && has_room {
        pending = brackets_of_word(word, first_bracket % 32u);
    }
    for (var batch = 0u; batch < n_brackets; batch += STAGED) {
        while pending.in_word != 0u && pending.index < batch + STAGED {
            let bit = pending.in_word & (0u - pending.in_word);
            let row = pending.first_row + countOneBits(pending.rows & (bit - 1u));
            let item = bracket_item(row, (pending.opens & bit) != 0u, (pending.braces & bit) != 0u);
            let offset = WORD_BYTES * local + firstTrailingBit(bit);
            staged[pending.index - batch] = item | (offset << 13u);
            pending.in_word ^= bit;
            pending.index += 1u;
        }
        workgroupBarrier();
        for (var i = local; i < min(n_brackets - batch, STAGED); i += WORKGROUP_SIZE) {
            let own = staged[i];
            let bracket = first_bracket + batch + i;
            brackets[bracket] = (own & (STAGED_ROW | ~ROW)) + first_row;
            brackets[POSITIONS * config.capacity + bracket] =
                PARTITION_BYTES * part + ((own >> 13u) & STAGED_ROW);
        }
        workgroupBarrier();
    }
    workgroupBarrier();

    // Other partitions can have bits in the first and the last word, which `json_count` has
    // cleared: it clears the word of the first bracket of each partition.
    let n_own_words = (end_bracket + 31u) / 32u - first_bracket / 32u;
    if local < n_own_words && n_brackets > 0u {
        let own_bits = atomicLoad(&bits[local]);
        let to = first_bracket / 32u + local;
        let is_shared = local == 0u || (local + 1u == n_own_words && end_bracket % 32u != 0u);
        if is_shared {
            atomicOr(&begin_bits[to], own_bits);
        } else {
            atomicStore(&begin_bits[to], own_bits);
        }
    }
}

// The brackets of a word. Sets their bits. The first bracket of the partition is at bit
// `first_bit`.
fn brackets_of_word(word: u32, first_bit: u32) -> Pending {
    let bracket = words[BRACKETS * n_words() + word];
    if bracket == 0u {
        return Pending(0u, 0u, 0u, 0u, 0u, 0u);
    }
    let rows = words[ROWS * n_words() + word];
    let before = words[BEFORE * n_words() + word];
    let p = planes_of(word_at(word));
    let index = packed_brackets(before);
    var word_bits = 0u;
    var n = 0u;
    for (var rest = bracket; rest != 0u; rest &= rest - 1u) {
        word_bits |= u32((p.b1 & rest & (0u - rest)) != 0u) << n;
        n += 1u;
    }
    let at = first_bit + index;
    atomicOr(&bits[at / 32u], word_bits << (at % 32u));
    // A shift by 32 is not defined.
    let high = (word_bits >> 1u) >> (31u - at % 32u);
    if high != 0u {
        atomicOr(&bits[at / 32u + 1u], high);
    }
    return Pending(bracket, index, packed_rows(before), rows, bracket & p.b1, bracket & p.b5);
}
