// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: swizzled

// A permutation of the places of an array in workgroup memory. With it, 32 neighbouring invocations
// access 32 different banks, whether their items are next to each other or at a distance of eight,
// or in groups of four or more. For groups of two, the accesses take twice as long.
//
// The bank is the place modulo 32, and a block is 32 places. The permutation XORs the bank with
// f(block) = block ^ (block << 2). Bits 0 to 2 of f differ for any eight blocks in a row. Bits 2 to
// 4 differ for eight blocks in a row that start at a multiple of eight.
//
// It is linear: `swizzled(a ^ b)` is `swizzled(a) ^ swizzled(b)`. For places without common bits,
// it is therefore enough to permute each part once.

fn swizzled(place: u32) -> u32 {
    let block = place >> 5u;
    return place ^ ((block ^ (block << 2u)) & 31u);
}
