// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: Value, combine, identity

// The monoid of a tree scan: a type `Value`, and the functions `identity` and `combine`. `combine`
// is associative, but need not be commutative. The text between the two markers is a sample, affine
// maps modulo 2^32. The host replaces it with the caller's text.
// monoid: begin
// The map x -> scale * x + offset.
struct Value {
    scale: u32,
    offset: u32,
}

fn identity() -> Value {
    return Value(1u, 0u);
}

// The map x -> a(b(x)).
fn combine(a: Value, b: Value) -> Value {
    return Value(a.scale * b.scale, a.scale * b.offset + a.offset);
}
// monoid: end
