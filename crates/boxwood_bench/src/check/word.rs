//! A monoid in Rust and in WGSL that is exact and not commutative.

use boxwood_cpu::specification::tree::Monoid;
use bytemuck::{Pod, Zeroable};

use boxwood_inputs::Random;

/// A word over an alphabet, as a number modulo 2³², and the weight of a letter in front of it. The
/// combination of two words is their concatenation, so it reveals missing and reordered letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Word {
    weight: u32,
    number: u32,
}

impl Word {
    /// A word with an odd weight. Odd numbers are invertible, so a concatenation loses nothing.
    pub(super) fn random(random: &mut Random) -> Self {
        let [weight, number]: [u32; 2] = bytemuck::cast(random.bits());
        Self { weight: weight | 1, number }
    }
}

impl Monoid for Word {
    fn identity() -> Self {
        Self { weight: 1, number: 0 }
    }

    fn combine(self, next: Self) -> Self {
        Self {
            weight: self.weight.wrapping_mul(next.weight),
            number: self.number.wrapping_mul(next.weight).wrapping_add(next.number),
        }
    }
}

/// The same monoid in WGSL.
pub(super) const WORD: boxwood::tree::Monoid<'_> = boxwood::tree::Monoid {
    wgsl: "
struct Value { weight: u32, number: u32 }
fn identity() -> Value { return Value(1u, 0u); }
fn combine(a: Value, b: Value) -> Value {
    return Value(a.weight * b.weight, a.number * b.weight + b.number);
}",
    stride: size_of::<Word>(),
};
