// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: LINKS_OUTSIDE, is_outside, link_outside, link_to_word, linked_level, linked_n_inner
// provides: linked_n_open, linked_word

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
