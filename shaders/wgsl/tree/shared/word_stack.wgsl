// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: masked_word, pop_entries, stack_of_word

// The stack that a word of 32 entries leaves.
struct WordStack {
    // The begins left open, bit i for entry i. The top of the stack is the highest bit.
    mask: u32,
    // The ends without a begin.
    a: u32,
}

fn stack_of_word(word: u32) -> WordStack {
    // The other way round, so that the bit of an entry is below those of all entries before it, and the top of the stack is the
    // lowest bit. To subtract the bit of an end clears the top and sets what is between: `&` keeps the former alone. A begin
    // subtracts nothing.
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

// The mask without its `n` highest bits.
fn pop_entries(mask: u32, n: u32) -> u32 {
    var reversed = reverseBits(mask);
    for (var i = 0u; i < n; i++) {
        reversed &= reversed - 1u;
    }
    return reverseBits(reversed);
}

// The word of an invocation. Beyond the end of the input there are begins, which nothing sees.
fn masked_word(word: u32, first: u32, n: u32) -> u32 {
    if first >= n {
        return 0xffffffffu;
    }
    if n - first < 32u {
        return word | (0xffffffffu << (n - first));
    }
    return word;
}
