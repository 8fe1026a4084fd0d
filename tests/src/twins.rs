//! Monoids in Rust and in WGSL, which are exact and not commutative.

use boxwood_cpu::specification::tree::Monoid;
use bytemuck::{Pod, Zeroable};

use crate::Random;

/// A monoid in both languages.
///
/// Its random values have inverses, so a product depends on each of its factors.
pub trait Twin: Monoid + Pod + PartialEq + std::fmt::Debug {
    /// The monoid as WGSL.
    const WGSL: &str;

    /// A random value.
    fn random(random: &mut Random) -> Self;
}

fn word(random: &mut Random) -> u32 {
    u32::try_from(random.bits() >> 32).expect("the upper half has 32 bits")
}

/// The map x → scale · x + offset modulo 2³².
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Affine {
    scale: u32,
    offset: u32,
}

impl Monoid for Affine {
    fn identity() -> Self {
        Self { scale: 1, offset: 0 }
    }

    fn combine(self, next: Self) -> Self {
        let offset = self.scale.wrapping_mul(next.offset).wrapping_add(self.offset);
        Self { scale: self.scale.wrapping_mul(next.scale), offset }
    }
}

impl Twin for Affine {
    const WGSL: &str = "
        struct Value { scale: u32, offset: u32 }
        fn identity() -> Value { return Value(1u, 0u); }
        fn combine(a: Value, b: Value) -> Value {
            return Value(a.scale * b.scale, a.scale * b.offset + a.offset);
        }";

    fn random(random: &mut Random) -> Self {
        Self { scale: word(random) | 1, offset: word(random) }
    }
}

/// A 2 × 2 matrix modulo 2³², row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Matrix([u32; 4]);

impl Monoid for Matrix {
    fn identity() -> Self {
        Self([1, 0, 0, 1])
    }

    fn combine(self, next: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, next.0);
        let dot = |x: u32, y: u32, z: u32, w: u32| x.wrapping_mul(y).wrapping_add(z.wrapping_mul(w));
        Self([dot(a, e, b, g), dot(a, f, b, h), dot(c, e, d, g), dot(c, f, d, h)])
    }
}

impl Twin for Matrix {
    const WGSL: &str = "
        alias Value = vec4<u32>;
        fn identity() -> Value { return Value(1u, 0u, 0u, 1u); }
        fn combine(a: Value, b: Value) -> Value {
            return a.xxzz * b.xyxy + a.yyww * b.zwzw;
        }";

    fn random(random: &mut Random) -> Self {
        // The determinant is 1, so there is an inverse.
        let (lower, upper) = (word(random), word(random));
        Self([1, 0, lower, 1]).combine(Self([1, upper, 0, 1]))
    }
}

/// An affine map in three dimensions modulo 2³², as three rows of four: a value of 48 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Affine3([[u32; 4]; 3]);

impl Monoid for Affine3 {
    fn identity() -> Self {
        Self([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]])
    }

    fn combine(self, next: Self) -> Self {
        Self(self.0.map(|row| {
            let mut combined = [0, 0, 0, row[3]];
            for (factor, other) in row.iter().zip(&next.0) {
                for (sum, value) in combined.iter_mut().zip(other) {
                    *sum = factor.wrapping_mul(*value).wrapping_add(*sum);
                }
            }
            combined
        }))
    }
}

impl Twin for Affine3 {
    const WGSL: &str = "
        struct Value { x: vec4<u32>, y: vec4<u32>, z: vec4<u32> }
        fn identity() -> Value {
            return Value(vec4(1u, 0u, 0u, 0u), vec4(0u, 1u, 0u, 0u), vec4(0u, 0u, 1u, 0u));
        }
        fn row(a: vec4<u32>, b: Value) -> vec4<u32> {
            return a.x * b.x + a.y * b.y + a.z * b.z + vec4(0u, 0u, 0u, a.w);
        }
        fn combine(a: Value, b: Value) -> Value { return Value(row(a.x, b), row(a.y, b), row(a.z, b)); }";

    fn random(random: &mut Random) -> Self {
        // The product of a lower and an upper triangular matrix with ones on their diagonals has an
        // inverse.
        let (a, b, c) = (word(random), word(random), word(random));
        let lower = Self([[1, 0, 0, a], [b, 1, 0, c], [c, a, 1, b]]);
        lower.combine(Self([[1, a, b, 0], [0, 1, c, 0], [0, 0, 1, 0]]))
    }
}
