// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: LINKS_OUTSIDE, is_outside, link_outside, link_to_word, linked_level, linked_n_inner
// provides: linked_n_open, linked_word, masked_word, pop_entries, stack_of_word

// Words of 32 entries: the effect of a word on the stack, and the stack below it.

// The effect of a word on the stack, as a bit mask.
struct WordStack {
    // The begins left open, bit i for entry i. The highest bit is the top of the stack.
    mask: u32,
    // The number of ends without a begin in the word.
    a: u32,
}

fn stack_of_word(word: u32) -> WordStack {
    // The masks are reversed, so that the top of the stack is the lowest bit. Subtracting the bit
    // of an end then clears the top and sets the bits between. The `&` drops the bits that it sets.
    // A begin subtracts nothing.
    let begins = reverseBits(word);
    var reversed = 0u;
    for (var bit = 0x80000000u; bit != 0u; bit >>= 1u) {
        let begin = begins & bit;
        reversed = (reversed & (reversed - bit + begin)) | begin;
    }
    // Each begin that is not left open has closed an end.
    let n_begins = countOneBits(word);
    return WordStack(reverseBits(reversed), 32u - n_begins - (n_begins - countOneBits(reversed)));
}

// The mask without its `n` highest set bits.
fn pop_entries(mask: u32, n: u32) -> u32 {
    var reversed = reverseBits(mask);
    for (var i = 0u; i < n; i++) {
        reversed &= reversed - 1u;
    }
    return reverseBits(reversed);
}

// A word whose first entry is `first`, with begins in place of the entries starting at entry `n`.
// These do not affect the results of the entries before them.
fn masked_word(word: u32, first: u32, n: u32) -> u32 {
    if first >= n {
        return 0xffffffffu;
    }
    if n - first < 32u {
        return word | (0xffffffffu << (n - first));
    }
    return word;
}

// The link of a word of 32 entries: the position of the stack below the begins of the word.
//
// | bits   | if that is in another word of the partition    | if it is before the partition |
// |--------|------------------------------------------------|-------------------------------|
// | 0..6   | the number of begins of that word on the stack | level                         |
// | 6..16  | the index of that word                         | level                         |
// | 16..22 | 0                                              | inner levels                  |
// | 31     | 0                                              | 1                             |
//
// - The level counts downwards from the top of the stack before the partition.
// - The inner levels are the number of begins of the partition on the stack before the word, at
//   most 63.

const LINKS_OUTSIDE = 0x80000000u;

fn link_to_word(word: u32, n_open: u32) -> u32 {
    return (word << 6u) | n_open;
}

fn link_outside(level: u32, n_inner: u32) -> u32 {
    return LINKS_OUTSIDE | (min(n_inner, 63u) << 16u) | level;
}

fn is_outside(link: u32) -> bool {
    return (link & LINKS_OUTSIDE) != 0u;
}

fn linked_word(link: u32) -> u32 {
    return link >> 6u;
}

fn linked_n_open(link: u32) -> u32 {
    return link & 63u;
}

fn linked_level(link: u32) -> u32 {
    return link & 0xffffu;
}

fn linked_n_inner(link: u32) -> u32 {
    return (link >> 16u) & 63u;
}
