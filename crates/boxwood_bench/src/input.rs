//! Inputs of any size.

use boxwood::{Aabb, Scene, tag};
use bytemuck::zeroed_vec;

use crate::parallel::fill;
use crate::{Family, Random};

/// The tag of Vello's solid fill.
const LEAF_TAG: u32 = 0x44;

/// What boxes the elements of a scene have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shapes {
    /// Large ones with whole numbers, as Vello's are, so that clips leave something of them however deep they are.
    Large,
    /// The same, but an eighth of them are the whole plane, and a few empty, inverted or without area.
    Odd,
}

/// The begins and ends of a family, `n` of them; none where it has hardly any.
pub(crate) fn begins(family: &Family, n: usize) -> Option<Vec<bool>> {
    let of = |length| first_begins(&family.bytes(length, 1), n);
    let found = of(n);
    if found.len() < n / 4 {
        return None;
    }
    // Leaves are no entries: a longer scene makes up for them.
    let begins = if found.len() < n { of(4 * n) } else { found };
    (begins.len() == n).then_some(begins)
}

/// The begins and ends of a stream, at most `n`.
pub(crate) fn first_begins(stream: &[u8], n: usize) -> Vec<bool> {
    let mut begins = Vec::with_capacity(n.min(stream.len()));
    begins.extend(stream.iter().filter(|&&b| b != b'.').map(|&b| b == b'(').take(n));
    begins
}

/// A bit for each, 32 a word, the first in the lowest bit.
pub(crate) fn bits(begins: &[bool]) -> Vec<u32> {
    let word = |bits: &[bool]| bits.iter().rev().fold(0, |word, &bit| word << 1 | u32::from(bit));
    begins.chunks(32).map(word).collect()
}

/// A scene of `n` elements of a family.
pub(crate) fn elements(family: &Family, n: usize, shapes: Shapes) -> Scene {
    elements_of(&family.bytes(n, 1), shapes)
}

/// The scene of a stream of elements.
pub(crate) fn elements_of(stream: &[u8], shapes: Shapes) -> Scene {
    let mut tags = zeroed_vec(stream.len());
    fill(&mut tags, |first, tags| {
        for (tag, &element) in tags.iter_mut().zip(&stream[first..]) {
            *tag = match element {
                b'(' => tag::BEGIN,
                b')' => tag::END,
                _ => LEAF_TAG,
            };
        }
    });
    let mut boxes = zeroed_vec(stream.len());
    fill(&mut boxes, |first, boxes| {
        let mut random = Random::new(2).skip(first);
        boxes.fill_with(|| shape(random.bits(), shapes));
    });
    Scene::new(tags, boxes).expect("the boxes have plain values")
}

fn shape(bits: u64, shapes: Shapes) -> Aabb {
    let number = |shift: u64| f32::from(u16::try_from(bits >> shift & 0xfff).expect("12 bits"));
    let (x0, y0) = (number(0) - 20_000.0, number(12) - 20_000.0);
    let (x1, y1) = (number(24) + 16_000.0, number(36) + 16_000.0);
    match bits >> 48 & 0xff {
        0..32 if shapes == Shapes::Odd => Aabb::PLANE,
        32 if shapes == Shapes::Odd => Aabb::EMPTY,
        33 if shapes == Shapes::Odd => Aabb { x0: x1, y0, x1: x0, y1 },
        34 if shapes == Shapes::Odd => Aabb { x0, y0, x1, y1: y0 },
        _ => Aabb { x0, y0, x1, y1 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_packed_from_the_lowest() {
        let mut begins = vec![false; 40];
        for index in [0, 5, 31, 33] {
            begins[index] = true;
        }
        assert_eq!(bits(&begins), [1 | 1 << 5 | 1 << 31, 1 << 1]);
    }

    #[test]
    fn a_scene_does_not_depend_on_how_it_is_shared_out() {
        let family =
            crate::families().into_iter().find(|f| f.name == "random with leaves").expect("it is one");
        let scene = elements(&family, 200_000, Shapes::Odd);
        let mut random = Random::new(2);
        assert!(scene.boxes().iter().all(|&b| b == shape(random.bits(), Shapes::Odd)));
    }
}
