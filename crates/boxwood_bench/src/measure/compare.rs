//! Bit-exact comparison of results with those of the specification.

use std::fmt::Debug;

use boxwood::Boxes;
use bytemuck::Pod;

/// The first difference between the results of all stages, in the order of the stages.
pub(crate) fn boxes_difference(expected: &Boxes, found: &Boxes) -> Option<String> {
    difference("entries", &expected.entries, &found.entries)
        .or_else(|| difference("ranks", &expected.ranks, &found.ranks))
        .or_else(|| difference("links", &expected.links, &found.links))
        .or_else(|| difference("clip_boxes", &expected.clip_boxes, &found.clip_boxes))
        .or_else(|| difference("clipped_boxes", &expected.clipped_boxes, &found.clipped_boxes))
        .or_else(|| difference("group_boxes", &expected.group_boxes, &found.group_boxes))
}

/// The first item that differs in some bit, with the name of the array. Both have the same length.
pub(crate) fn difference<T: Pod + Debug>(field: &str, expected: &[T], found: &[T]) -> Option<String> {
    // Most results are equal, and comparing whole slices is much faster.
    if bytemuck::cast_slice::<T, u8>(expected) == bytemuck::cast_slice::<T, u8>(found) {
        return None;
    }
    let differs = |index: &usize| bytemuck::bytes_of(&expected[*index]) != bytemuck::bytes_of(&found[*index]);
    let index = (0..expected.len()).find(differs)?;
    Some(format!("{field}[{index}]: {:?} expected, {:?} found", expected[index], found[index]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bit_is_a_difference() {
        let expected: Vec<i32> = (0..100_000).collect();
        let mut found = expected.clone();
        assert_eq!(difference("items", &expected, &found), None);
        for index in [99_999, 50_001, 16_384, 0] {
            found[index] ^= i32::MIN;
            let difference = difference("items", &expected, &found).expect("a bit differs");
            assert!(difference.starts_with(&format!("items[{index}]: {index} expected, -")), "{difference}");
        }
        // The numbers are equal, but their bits are not.
        assert_eq!(
            difference("items", &[0.0_f32], &[-0.0]).as_deref(),
            Some("items[0]: 0.0 expected, -0.0 found")
        );
    }
}
