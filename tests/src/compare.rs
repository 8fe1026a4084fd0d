//! Bit-exact comparison of results.

use std::fmt::Debug;

use boxwood::Boxes;
use bytemuck::Pod;

/// The first difference between two results, bit for bit, in the order of the stages, or `None` if
/// they are equal.
pub fn first_difference(expected: &Boxes, actual: &Boxes) -> Option<String> {
    differ("entries", &expected.entries, &actual.entries)
        .or_else(|| differ("ranks", &expected.ranks, &actual.ranks))
        .or_else(|| differ("links", &expected.links, &actual.links))
        .or_else(|| differ("clip_boxes", &expected.clip_boxes, &actual.clip_boxes))
        .or_else(|| differ("clipped_boxes", &expected.clipped_boxes, &actual.clipped_boxes))
        .or_else(|| differ("group_boxes", &expected.group_boxes, &actual.group_boxes))
}

/// Panics with the first difference between two results, and with a description of their scene.
///
/// # Panics
///
/// If the results differ.
#[track_caller]
pub fn assert_same(scene: impl Debug, expected: &Boxes, actual: &Boxes) {
    if let Some(difference) = first_difference(expected, actual) {
        panic!("{scene:?}: {difference}");
    }
}

/// The first difference between two slices, bit for bit.
pub(crate) fn differ<T: Pod + Debug>(name: &str, expected: &[T], actual: &[T]) -> Option<String> {
    if expected.len() != actual.len() {
        return Some(format!("{name}: {} items expected, {} found", expected.len(), actual.len()));
    }
    // Most slices are equal, and comparing whole slices is fast even without optimisation.
    if bytemuck::cast_slice::<T, u8>(expected) == bytemuck::cast_slice::<T, u8>(actual) {
        return None;
    }
    let same = |a: &T, b: &T| bytemuck::bytes_of(a) == bytemuck::bytes_of(b);
    let mut unequal = expected.iter().zip(actual).enumerate().filter(|(_, (a, b))| !same(a, b));
    let (index, (a, b)) = unequal.next()?;
    Some(format!("{name}[{index}]: {a:?} expected, {b:?} found, and {} more differ", unequal.count()))
}
