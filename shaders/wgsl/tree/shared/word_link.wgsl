// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: LINKS_OUTSIDE, is_outside, link_outside, link_to_word, linked_level, linked_n_inner
// provides: linked_n_open, linked_word

// What a word of 32 entries leaves on the stack of its partition: `x` are the begins that it leaves open, as in
// shared/word_stack.wgsl, and `y` says where the stack goes on below them:
// - in a word of the same partition, with its `n_open` outermost begins; or
// - before the partition: so many levels below the top of the stack there. `n_inner` levels of those that the word has before its
//   first entry are in the partition all the same, if not more than 63.

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
