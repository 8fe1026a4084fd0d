// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: Value, combine, identity

// What is scanned over a tree: a type `Value` with the functions `identity` and `combine`, which is associative and need not be
// commutative. What stands between the two markers is a sample, affine maps modulo 2^32, for which a caller's text is put in.
// monoid: begin
// The map x -> scale * x + offset.
struct Value {
    scale: u32,
    offset: u32,
}

fn identity() -> Value {
    return Value(1u, 0u);
}

// Of a, then b inside it.
fn combine(a: Value, b: Value) -> Value {
    return Value(a.scale * b.scale, a.scale * b.offset + a.offset);
}
// monoid: end
