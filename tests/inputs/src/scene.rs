//! Scenes and node streams of a family.

use boxwood::{Aabb, Scene, tag};

use super::{Family, Random};

/// The first `n` begins (`true`) and ends of a family. They are fewer if most elements are leaves.
pub fn node_stream(family: &Family, n: usize, seed: u64) -> Vec<bool> {
    let entries = |length| -> Vec<bool> {
        let elements = family.generate(length, seed).into_bytes().into_iter();
        elements.filter(|&element| element != b'.').map(|element| element == b'(').take(n).collect()
    };
    let found = entries(n);
    // Leaves are not entries, so a longer scene has more of them.
    if found.len() < n && found.len() >= n / 4 { entries(4 * n) } else { found }
}

/// One bit per begin or end, 32 per word, the first in the lowest bit.
pub fn bits(entries: &[bool]) -> Vec<u32> {
    let word = |bits: &[bool]| bits.iter().rev().fold(0, |word, &bit| word << 1 | u32::from(bit));
    entries.chunks(32).map(word).collect()
}

/// A scene with `n` elements of a family.
///
/// The boxes are large and have whole numbers, as in Vello. Their intersections have area at any
/// depth. With `has_odd`, an eighth are the whole plane, and a few are empty, inverted, or without
/// area.
///
/// # Panics
///
/// If the scene is too long for its indices.
pub fn scene(family: &Family, n: usize, seed: u64, has_odd: bool) -> Scene {
    let stream = family.generate(n, seed).into_bytes();
    let tags = stream.iter().map(|element| match element {
        b'(' => tag::BEGIN,
        b')' => tag::END,
        _ => tag::LEAF,
    });
    let mut random = Random::new(2);
    let boxes = stream.iter().map(|_| random_box(random.bits(), has_odd));
    Scene::from_streams(tags.collect(), boxes.collect()).expect("no coordinate is NaN")
}

fn random_box(bits: u64, may_be_odd: bool) -> Aabb {
    let number = |shift: u64| f32::from(u16::try_from(bits >> shift & 0xfff).expect("12 bits"));
    let (x0, y0) = (number(0) - 20_000.0, number(12) - 20_000.0);
    let (x1, y1) = (number(24) + 16_000.0, number(36) + 16_000.0);
    match bits >> 48 & 0xff {
        0..32 if may_be_odd => Aabb::PLANE,
        32 if may_be_odd => Aabb::EMPTY,
        33 if may_be_odd => Aabb { x0: x1, y0, x1: x0, y1 },
        34 if may_be_odd => Aabb { x0, y0, x1, y1: y0 },
        _ => Aabb { x0, y0, x1, y1 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_packed_from_the_lowest() {
        let mut entries = vec![false; 40];
        for index in [0, 5, 31, 33] {
            entries[index] = true;
        }
        assert_eq!(bits(&entries), [1 | 1 << 5 | 1 << 31, 1 << 1]);
    }
}
