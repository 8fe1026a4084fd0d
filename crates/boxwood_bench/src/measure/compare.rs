//! Bit-exact comparison of results on the device with those of the specification.

use std::fmt::{self, Debug};

use boxwood::native::Gpu;
use boxwood::{Boxes, Buffers, ElementKind, Scene, Staging};
use bytemuck::Pod;

use crate::error::BenchError;

/// The size in bytes of the parts in which results are read. It bounds the memory for results of
/// any length.
const PART_SIZE: usize = 1 << 26;

/// A result that differs from that of the specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// The name of the array.
    pub(crate) field: &'static str,
    /// The first index that differs.
    pub(crate) index: usize,
    /// The item in the specification's results.
    pub(crate) expected: String,
    /// The item on the device.
    pub(crate) found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, index, expected, found } = self;
        write!(f, "{field}[{index}]: {expected} expected, {found} found")
    }
}

/// Compares results of a device.
#[derive(Debug)]
pub(crate) struct Comparer<'a> {
    gpu: &'a Gpu,
    staging: Staging,
}

impl<'a> Comparer<'a> {
    pub(crate) fn new(gpu: &'a Gpu) -> Self {
        Self { gpu, staging: Staging::new(&gpu.device, PART_SIZE) }
    }

    /// The first difference between `expected` and the items at the start of `buffer`.
    pub(crate) fn difference<T: Pod + Debug>(
        &self,
        field: &'static str,
        expected: &[T],
        buffer: &wgpu::Buffer,
    ) -> Result<Option<Difference>, BenchError> {
        self.difference_where(field, expected, buffer, |_| true)
    }

    /// The first difference at an index that `is_compared`.
    fn difference_where<T: Pod + Debug>(
        &self,
        field: &'static str,
        expected: &[T],
        buffer: &wgpu::Buffer,
        is_compared: impl Fn(usize) -> bool,
    ) -> Result<Option<Difference>, BenchError> {
        let Gpu { device, queue, .. } = self.gpu;
        let mut first = 0;
        for expected in expected.chunks(PART_SIZE / size_of::<T>()) {
            let items = first..first + expected.len();
            let found: Vec<T> = self.staging.copy_and_read(device, queue, buffer, items)?;
            if let Some(index) = first_difference(expected, &found, |index| is_compared(first + index)) {
                let [expected, found] = [expected, &found].map(|items| format!("{:?}", items[index]));
                return Ok(Some(Difference { field, index: first + index, expected, found }));
            }
            first += expected.len();
        }
        Ok(None)
    }

    /// The first difference between the results of all stages, in the order of the stages.
    ///
    /// Only leaves have a clipped leaf box, so the boxes of other elements are not compared.
    pub(crate) fn difference_of_boxes(
        &self,
        scene: &Scene,
        expected: &Boxes,
        buffers: &Buffers,
    ) -> Result<Option<Difference>, BenchError> {
        let is_leaf = |index| scene.kind(index) == ElementKind::Leaf;
        let differences = [
            self.difference("nodes", &expected.nodes, buffers.nodes())?,
            self.difference("node_ranks", &expected.node_ranks, buffers.node_ranks())?,
            self.difference("links", &expected.links, buffers.links())?,
            self.difference("clip_boxes", &expected.clip_boxes, buffers.clip_boxes())?,
            self.difference_where(
                "clipped_boxes",
                &expected.clipped_boxes,
                buffers.clipped_boxes(),
                is_leaf,
            )?,
            self.difference("group_boxes", &expected.group_boxes, buffers.group_boxes())?,
        ];
        Ok(differences.into_iter().flatten().next())
    }
}

/// The first index that `is_compared` and whose items differ in some bit.
fn first_difference<T: Pod>(
    expected: &[T],
    found: &[T],
    is_compared: impl Fn(usize) -> bool,
) -> Option<usize> {
    // Most results are equal, and comparing whole slices is much faster.
    if bytemuck::cast_slice::<T, u8>(expected) == bytemuck::cast_slice::<T, u8>(found) {
        return None;
    }
    let differs = |index: &usize| bytemuck::bytes_of(&expected[*index]) != bytemuck::bytes_of(&found[*index]);
    (0..expected.len()).find(|index| differs(index) && is_compared(*index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bit_is_a_difference() {
        let expected: Vec<i32> = (0..100_000).collect();
        let mut found = expected.clone();
        assert_eq!(first_difference(&expected, &found, |_| true), None);
        for index in [99_999, 50_001, 16_384, 0] {
            found[index] ^= i32::MIN;
            assert_eq!(first_difference(&expected, &found, |_| true), Some(index));
        }
        assert_eq!(first_difference(&expected, &found, |index| index > 16_384), Some(50_001));
        assert_eq!(first_difference(&expected, &found, |index| index == 1), None);
        // The numbers are equal, but their bits are not.
        assert_eq!(first_difference(&[0.0_f32], &[-0.0], |_| true), Some(0));
    }
}
