// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: swizzled

// A permutation of the places of an array in workgroup memory. With it, 32 neighbouring invocations
// access 32 different banks, whether their items are next to each other or at a distance of eight,
// or in groups of four or more. For groups of two, the accesses take twice as long.
//
// The bank is the place modulo 32. The permutation changes it by a function of the block of 32
// places whose bits 0 to 2, and whose bits 2 to 4, differ for any eight blocks in a row.
//
// It is linear: `swizzled(a ^ b)` is `swizzled(a) ^ swizzled(b)`. For places without common bits, it
// is therefore enough to permute each part once.

fn swizzled(place: u32) -> u32 {
    let block = place >> 5u;
    return place ^ ((block ^ (block << 2u)) & 31u);
}
