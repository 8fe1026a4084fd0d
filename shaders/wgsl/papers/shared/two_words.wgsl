// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: added, n_bits_of, shifted

// Integers of 64 bits, the lower word first. Negative ones are two's complements. Their sums wrap,
// so that the order of the additions does not matter.

fn added(sum: vec2<u32>, term: i32) -> vec2<u32> {
    let low = sum.x + bitcast<u32>(term);
    let sign = bitcast<u32>(term >> 31u);
    return vec2(low, sum.y + sign + u32(low < sum.x));
}

// The number of bits without leading zeros.
fn n_bits_of(v: vec2<u32>) -> u32 {
    // `firstLeadingBit(0u)` is the largest u32.
    return select(firstLeadingBit(v.x) + 1u, firstLeadingBit(v.y) + 33u, v.y != 0u);
}

// The lower word of a number that is shifted to the right by less than 64 bits. It is rounded down.
fn shifted(v: vec2<u32>, shift: u32) -> u32 {
    if shift >= 32u {
        return bitcast<u32>(bitcast<i32>(v.y) >> (shift - 32u));
    }
    // Two shifts in place of one by 32 bits, which WGSL does not have.
    return (v.x >> shift) | ((v.y << 1u) << (31u - shift));
}
