// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: masked_word, pop_entries, stack_of_word

// The effect of a word of 32 entries on the stack, as a bit mask.

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

// A word whose first entry is `first`, with begins in place of the entries from `n` on. These do
// not affect the results of the entries before them.
fn masked_word(word: u32, first: u32, n: u32) -> u32 {
    if first >= n {
        return 0xffffffffu;
    }
    if n - first < 32u {
        return word | (0xffffffffu << (n - first));
    }
    return word;
}
