// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: PARTITION_WORDS, before_then, n_words
// provides: BEFORE, BRACKETS, QUOTES, ROWS, last_word_of, packed_before, packed_brackets, packed_counts
// provides: packed_rows, packed_then
// provides: word_starts_in_string

// What is known of each word. `words` has four arrays, one after the other, with an item per word:
//
// | array    | content                                                                      |
// |----------|------------------------------------------------------------------------------|
// | QUOTES   | the quotation marks that begin or end a string                               |
// | ROWS     | the first bytes of the rows                                                  |
// | BRACKETS | the brackets outside of strings                                              |
// | BEFORE   | what precedes the word in its partition, packed; bit 31 if it is in a string |
//
// Packed are, for a part of a partition:
//
// | bits   | content                                        |
// |--------|------------------------------------------------|
// | 0..13  | the number of rows, at most one per byte: 8160 |
// | 13..26 | the number of brackets                         |
// | 26..30 | the effect on the last token                   |

const QUOTES = 0u;
const ROWS = 1u;
const BRACKETS = 2u;
const BEFORE = 3u;

const COUNTS = 0x03ffffffu;

fn packed_counts(rows: u32, bracket: u32, before: u32) -> u32 {
    return countOneBits(rows) | (countOneBits(bracket) << 13u) | (before << 26u);
}

fn packed_then(x: u32, y: u32) -> u32 {
    return ((x & COUNTS) + (y & COUNTS)) | (before_then(packed_before(x), packed_before(y)) << 26u);
}

fn packed_rows(packed: u32) -> u32 {
    return packed & 0x1fffu;
}

fn packed_brackets(packed: u32) -> u32 {
    return (packed >> 13u) & 0x1fffu;
}

fn packed_before(packed: u32) -> u32 {
    return (packed >> 26u) & 15u;
}

// The last word of a partition, relative to its first one.
fn last_word_of(part: u32) -> u32 {
    return min(n_words() - part * PARTITION_WORDS, PARTITION_WORDS) - 1u;
}

fn word_starts_in_string(packed: u32) -> bool {
    return (packed >> 31u) != 0u;
}
