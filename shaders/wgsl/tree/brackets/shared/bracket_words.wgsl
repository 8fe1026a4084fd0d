// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: WORD_BYTES, Word, config
// provides: brackets_before_word, byte_in, bytes_in, state_before_word, word_item

// The words of the text.
//
// `words` has an item per word. First, it is the effect on the state of what is before the word in
// its partition. Then `bracket_count` replaces it by this:
//
// | component | bits  | content                                                |
// |-----------|-------|--------------------------------------------------------|
// | x         | 0..4  | the state before the word                              |
// | x         | 4..17 | the number of brackets before it in its partition      |
// | y         |       | the brackets of the word, bit i for its byte i         |

fn word_item(state: u32, n_before: u32, brackets: u32) -> vec2<u32> {
    return vec2(state | (n_before << 4u), brackets);
}

fn state_before_word(item: vec2<u32>) -> u32 {
    return item.x & 15u;
}

fn brackets_before_word(item: vec2<u32>) -> u32 {
    return item.x >> 4u;
}

// The number of bytes of the text in a word.
fn bytes_in(word: u32) -> u32 {
    let first = WORD_BYTES * word;
    if first >= config.n_bytes {
        return 0u;
    }
    return min(config.n_bytes - first, WORD_BYTES);
}

fn byte_in(bytes: Word, i: u32) -> u32 {
    let quads = select(bytes.high, bytes.low, i < 16u);
    return (quads[(i / 4u) % 4u] >> (8u * (i % 4u))) & 0xffu;
}
