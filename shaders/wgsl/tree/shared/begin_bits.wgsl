// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: is_begin_bit

// Entries of the node stream as bits, 32 per word, 1 for a begin, the first entry in the lowest
// bit.
fn is_begin_bit(word: u32, index: u32) -> bool {
    return ((word >> (index & 31u)) & 1u) != 0u;
}
