// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: WORKGROUP_SIZE
// provides: WORDS_PER_ROW, coarser_word, next_run, row_word, rows

// A mask of up to 256 x 256 tiles in workgroup memory, and its runs of ones.

const WORDS_PER_ROW = 8u;

// The first words of all rows, then the second ones, and so on. Rows and columns beyond the picture
// are 0.
var<workgroup> rows: array<u32, WORDS_PER_ROW * WORKGROUP_SIZE>;

// A word of a row, or 0 for one that does not exist. A negative index is a large unsigned number.
// `&` has no branch. SwiftShader takes minutes to compile the calls of this function if they have
// one.
fn row_word(y: i32, word: i32) -> u32 {
    let is_some = (u32(y) < WORKGROUP_SIZE) & (u32(word) < WORDS_PER_ROW);
    let at = min(u32(word), WORDS_PER_ROW - 1u) * WORKGROUP_SIZE + min(u32(y), WORKGROUP_SIZE - 1u);
    return select(0u, rows[at], is_some);
}

// The ones of a word at, or next to, a bit that differs in another row. If a run has none, it is a
// run of the other row too.
fn ones_near_differences(y: i32, other: i32, word: i32) -> u32 {
    let before = row_word(y, word - 1) ^ row_word(other, word - 1);
    let own = row_word(y, word) ^ row_word(other, word);
    let after = row_word(y, word + 1) ^ row_word(other, word + 1);
    let near = own | (own << 1u) | (before >> 31u) | (own >> 1u) | (after << 31u);
    return row_word(y, word) & near;
}

// The run of a one: its first column, and the column after its last.
fn run_of(y: i32, column: u32) -> vec2<u32> {
    let below = (1u << (column % 32u)) - 1u;
    var word = i32(column / 32u);
    var zeros = ~row_word(y, word) & below;
    while zeros == 0u && word > 0 {
        word -= 1;
        zeros = ~row_word(y, word);
    }
    // The bit after the highest zero, or bit 0 if there is none.
    let first = 32u * u32(word) + (firstLeadingBit(zeros) + 1u);
    word = i32(column / 32u);
    zeros = ~row_word(y, word) & ~below;
    while zeros == 0u && word < i32(WORDS_PER_ROW) - 1 {
        word += 1;
        zeros = ~row_word(y, word);
    }
    return vec2(first, 32u * u32(word) + countTrailingZeros(zeros));
}

// The first run, starting at a column, that is not a run of another row, or an empty one if there is
// none.
fn next_run(y: i32, other: i32, column: u32) -> vec2<u32> {
    var word = i32(column / 32u);
    var ones = ones_near_differences(y, other, word) & (0xffffffffu << (column % 32u));
    while ones == 0u && word < i32(WORDS_PER_ROW) {
        word += 1;
        ones = ones_near_differences(y, other, word);
    }
    if ones == 0u {
        return vec2(0u);
    }
    return run_of(y, 32u * u32(word) + countTrailingZeros(ones));
}

// Bit i of the result is 1 if bit 2 i or 2 i + 1 is.
fn pairs_of_bits(bits: u32) -> u32 {
    var pairs = (bits | (bits >> 1u)) & 0x55555555u;
    pairs = (pairs | (pairs >> 1u)) & 0x33333333u;
    pairs = (pairs | (pairs >> 2u)) & 0x0f0f0f0fu;
    pairs = (pairs | (pairs >> 4u)) & 0x00ff00ffu;
    return (pairs | (pairs >> 8u)) & 0xffffu;
}

// A word of a row of the mask of tiles of twice the side.
fn coarser_word(y: i32, word: i32) -> u32 {
    let low = row_word(2 * y, 2 * word) | row_word(2 * y + 1, 2 * word);
    let high = row_word(2 * y, 2 * word + 1) | row_word(2 * y + 1, 2 * word + 1);
    return pairs_of_bits(low) | (pairs_of_bits(high) << 16u);
}
