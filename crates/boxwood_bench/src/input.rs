//! Inputs of any size.

use boxwood::{Aabb, Elements, tag};

use crate::{Family, Random};

/// The tag of Vello's solid fill.
const LEAF_TAG: u32 = 0x44;

/// The begins and ends of a family, `n` of them; none where it has hardly any.
pub(crate) fn begins(family: &Family, n: usize) -> Option<Vec<bool>> {
    let of = |length| {
        let stream = family.generate(length, 1);
        let mut begins = Vec::with_capacity(n);
        begins.extend(stream.bytes().filter(|&b| b != b'.').map(|b| b == b'(').take(n));
        begins
    };
    let found = of(n);
    if found.len() < n / 4 {
        return None;
    }
    // Leaves are no entries: a longer scene makes up for them.
    let begins = if found.len() < n { of(4 * n) } else { found };
    (begins.len() == n).then_some(begins)
}

/// A bit for each, 32 a word, the first in the lowest bit.
pub(crate) fn bits(begins: &[bool]) -> Vec<u32> {
    let word = |bits: &[bool]| bits.iter().rev().fold(0, |word, &bit| word << 1 | u32::from(bit));
    begins.chunks(32).map(word).collect()
}

/// A scene of `n` elements of a family. Boxes have whole numbers, as Vello's do, and are large, so that clips leave something
/// of them however deep they are.
pub(crate) fn elements(family: &Family, n: usize) -> Elements {
    let mut random = Random::new(2);
    let tag = |c| match c {
        b'(' => tag::BEGIN,
        b')' => tag::END,
        _ => LEAF_TAG,
    };
    let tags: Vec<u32> = family.generate(n, 1).bytes().map(tag).collect();
    let boxes = (0..n)
        .map(|_| {
            let bits = random.bits();
            let low =
                |shift: u64| f32::from(u16::try_from(bits >> shift & 0xfff).expect("12 bits")) - 20_000.0;
            let high =
                |shift: u64| f32::from(u16::try_from(bits >> shift & 0xfff).expect("12 bits")) + 16_000.0;
            Aabb { x0: low(0), y0: low(12), x1: high(24), y1: high(36) }
        })
        .collect();
    Elements::new(tags, boxes).expect("the boxes have plain values")
}
