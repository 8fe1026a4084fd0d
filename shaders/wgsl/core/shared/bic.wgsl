// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: Bic, bic_then, pack_bic, packed_then

// The bicyclic monoid (Levien 2022, section 3): the unmatched entries of a range of the node
// stream, `a` ends followed by `b` begins. Not commutative; the identity is Bic(0, 0).
// `boxwood_cpu::Bic` has the same layout.
struct Bic {
    a: u32,
    b: u32,
}

// `x` followed by `y`.
fn bic_then(x: Bic, y: Bic) -> Bic {
    let matched = min(x.b, y.a);
    return Bic(x.a + y.a - matched, x.b + y.b - matched);
}

// A bicyclic sum in one word: `a` in the high half, `b` in the low half. Both are at most the
// length of a partition, which is below 2^16. The identity is 0.

fn pack_bic(a: u32, b: u32) -> u32 {
    return (a << 16u) | b;
}

// `x` followed by `y`.
fn packed_then(x: u32, y: u32) -> u32 {
    let matched = min(x & 0xffffu, y >> 16u);
    return x + y - matched * 0x10001u;
}
