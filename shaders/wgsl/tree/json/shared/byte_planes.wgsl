// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: Word
// provides: Planes, planes_of

// The bytes of a word as bit planes: plane b has bit b of each of the 32 bytes. A test of a byte is
// then a logical expression of the planes, for all bytes at the same time.
//
// Source: Cameron 2008, *A Case Study in SIMD Text Processing with Parallel Bit Streams*.

struct Planes {
    b0: u32,
    b1: u32,
    b2: u32,
    b3: u32,
    b4: u32,
    b5: u32,
    b6: u32,
    b7: u32,
}

struct Halves {
    a: vec4<u32>,
    b: vec4<u32>,
}

// Exchanges the bits `mask << shift` of the first half with the bits `mask` of the second one.
fn exchanged(a: vec4<u32>, b: vec4<u32>, shift: u32, mask: u32) -> Halves {
    let by = vec4(shift);
    return Halves((a & vec4(mask)) | ((b & vec4(mask)) << by), ((a >> by) & vec4(mask)) | (b & vec4(mask << shift)));
}

// Bit b of byte i of the four in item w of the word is bit 8i + b of the item. Each step exchanges
// one of the three bits of w with one of the five bits of i and b, so that in the end w is b. The
// items are divided into halves by that bit of w.
fn planes_of(word: Word) -> Planes {
    // Items 0 1 2 3 and 4 5 6 7: bit 2 of w and bit 1 of i.
    var halves = exchanged(word.low, word.high, 16u, 0x0000ffffu);
    // Items 0 1 4 5 and 2 3 6 7: bit 1 of w and bit 0 of i.
    halves = exchanged(vec4(halves.a.xy, halves.b.xy), vec4(halves.a.zw, halves.b.zw), 8u, 0x00ff00ffu);
    // Items 0 4 2 6 and 1 5 3 7: bit 0 of w and bit 2 of b.
    halves = exchanged(vec4(halves.a.xz, halves.b.xz), vec4(halves.a.yw, halves.b.yw), 4u, 0x0f0f0f0fu);
    // Items 0 2 1 3 and 4 6 5 7: bit 2 of w and bit 1 of b.
    halves = exchanged(vec4(halves.a.xz, halves.b.xz), vec4(halves.a.yw, halves.b.yw), 2u, 0x33333333u);
    // Items 0 1 4 5 and 2 3 6 7: bit 1 of w and bit 0 of b.
    halves = exchanged(vec4(halves.a.xz, halves.b.xz), vec4(halves.a.yw, halves.b.yw), 1u, 0x55555555u);
    // Bits 2, 1, and 0 of w are now bits 1, 0, and 2 of b.
    let a = halves.a;
    let b = halves.b;
    return Planes(a.x, b.x, a.z, b.z, a.y, b.y, a.w, b.w);
}
