// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: Planes, followed_by
// provides: Multibyte, bad_characters, multibyte_of

// Characters of several bytes in UTF-8 (RFC 3629).

struct Multibyte {
    // 80 to bf.
    continuation: u32,
    // 80 to 8f, and 90 to 9f.
    low: u32,
    middle: u32,
}

fn multibyte_of(p: Planes) -> Multibyte {
    let continuation = p.b7 & ~p.b6;
    return Multibyte(continuation, continuation & ~(p.b5 | p.b4), continuation & ~p.b5 & p.b4);
}

// The number of bytes that a byte begins: 1 to 4.
fn sequence_length(byte: u32) -> u32 {
    return 1u + u32(byte >= 0xc0u) + u32(byte >= 0xe0u) + u32(byte >= 0xf0u);
}

// The bytes that begin no character, and the continuation bytes that belong to none. `head` has the
// first bytes of the next word as in `heads`, `quad_before` is the four bytes before the word.
fn bad_characters(p: Planes, own: Multibyte, head: u32, quad_before: u32) -> u32 {
    if p.b7 == 0u {
        return 0u;
    }
    let lead = p.b7 & p.b6;
    let two = lead & ~p.b5;
    let three = lead & p.b5 & ~p.b4;
    let four = lead & p.b5 & p.b4;
    let next = followed_by(own.continuation, head >> 7u, 1u);
    let next_low = followed_by(own.low, head >> 10u, 1u);
    let next_middle = followed_by(own.middle, head >> 11u, 1u);
    let next_high = next & ~(next_low | next_middle);
    let second = followed_by(own.continuation, head >> 7u, 2u);
    let third = followed_by(own.continuation, head >> 7u, 3u);

    let low_nibble_0 = ~(p.b3 | p.b2 | p.b1 | p.b0);
    // c0 and c1 would begin a character of one byte.
    let good_two = two & ~(~p.b4 & ~(p.b3 | p.b2 | p.b1)) & next;
    // After e0 and ed, some characters would be too short, or surrogates.
    let is_ed = p.b3 & p.b2 & ~p.b1 & p.b0;
    let good_three = three & second & ((~low_nibble_0 & ~is_ed & next) | (low_nibble_0 & next_high) | (is_ed & ~next_high & next));
    // After f0 and f4, some would be too short, or above 10ffff, as after f5 to ff.
    let is_f4 = ~p.b3 & p.b2 & ~(p.b1 | p.b0);
    let is_f1_to_f3 = ~(p.b3 | p.b2) & (p.b1 | p.b0);
    let next_after_four = (is_f1_to_f3 & next) | (low_nibble_0 & (next_middle | next_high)) | (is_f4 & next_low);
    let good_four = four & third & second & next_after_four;

    // The continuation bytes that a sequence in the word or before it has.
    var expected = (lead << 1u) | ((three | four) << 2u) | (four << 3u);
    #repeat i 3
    // The byte at distance i + 1 before the word.
    let length = sequence_length((quad_before >> (24u - 8u * $i)) & 0xffu);
    expected |= (1u << (max(length, $i + 1u) - ($i + 1u))) - 1u;
    #endrepeat
    return (lead & ~(good_two | good_three | good_four)) | (own.continuation & ~expected);
}
