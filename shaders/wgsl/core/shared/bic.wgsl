// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: Bic, bic_then

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
