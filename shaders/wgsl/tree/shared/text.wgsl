// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: WORD_BYTES, config
// provides: SPACE, Word, byte_at, quad_at, quad_before_word, text, word_at

// The bytes of a text. Bytes beyond its end are spaces: they belong to no token, no escape
// sequence, and no character.

@group(0) @binding(1) var<storage> text: array<vec4<u32>>;

const SPACE = 0x20u;
const SPACES = 0x20202020u;

// The four bytes that begin at `first`, a multiple of 4.
fn quad_at(first: u32) -> u32 {
    if first >= config.n_bytes {
        return SPACES;
    }
    let bytes = text[first / 16u][(first / 4u) % 4u];
    let n = config.n_bytes - first;
    if n >= 4u {
        return bytes;
    }
    let is_inside = (1u << (8u * n)) - 1u;
    return (bytes & is_inside) | (SPACES & ~is_inside);
}

// The four bytes before a word.
fn quad_before_word(word: u32) -> u32 {
    return select(quad_at(WORD_BYTES * max(word, 1u) - 4u), SPACES, word == 0u);
}

fn byte_at(position: u32) -> u32 {
    return (quad_at(position & ~3u) >> (8u * (position % 4u))) & 0xffu;
}

// The 32 bytes of a word, four in each item.
struct Word {
    low: vec4<u32>,
    high: vec4<u32>,
}

fn word_at(word: u32) -> Word {
    let first = WORD_BYTES * word;
    if first < config.n_bytes && config.n_bytes - first >= WORD_BYTES {
        return Word(text[2u * word], text[2u * word + 1u]);
    }
    let low = vec4(quad_at(first), quad_at(first + 4u), quad_at(first + 8u), quad_at(first + 12u));
    let high = vec4(quad_at(first + 16u), quad_at(first + 20u), quad_at(first + 24u), quad_at(first + 28u));
    return Word(low, high);
}
