// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// The stack that a word of 32 entries leaves.
struct WordStack {
    // The begins left open, bit i for entry i. The top of the stack is the highest bit.
    mask: u32,
    // The ends without a begin.
    a: u32,
}

fn stack_of_word(word: u32) -> WordStack {
    // The mask the other way round, where `m & (m - 1u)` pops, also if there is nothing to pop.
    var reversed = 0u;
    for (var i = 0u; i < 32u; i++) {
        reversed = select(reversed & (reversed - 1u), reversed | (0x80000000u >> i), (word & (1u << i)) != 0u);
    }
    // Each begin that is not left open has closed an end.
    let n_begins = countOneBits(word);
    return WordStack(reverseBits(reversed), 32u - n_begins - (n_begins - countOneBits(reversed)));
}

// The mask without its `n` highest bits.
fn pop_entries(mask: u32, n: u32) -> u32 {
    var popped = mask;
    for (var i = 0u; i < n; i++) {
        popped ^= 1u << firstLeadingBit(popped);
    }
    return popped;
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
