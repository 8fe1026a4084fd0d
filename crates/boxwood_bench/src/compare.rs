//! Are results the same as those of the specification, bit for bit?

use std::cell::RefCell;
use std::fmt::Debug;
use std::ops::Range;

use boxwood::native::Gpu;
use boxwood::{Boxes, Buffers, ElementKind, ReadBackError, Scene};
use bytemuck::Pod;

use crate::error::BenchError;
use crate::parallel::find_first;

/// Bytes that are read at once: results are compared where they are mapped, and not kept.
const STAGING_SIZE: u64 = 1 << 26;

/// A result that is not as the specification says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// The result that it is in.
    pub(crate) field: &'static str,
    /// The first index that differs.
    pub(crate) index: usize,
    /// What the specification says there.
    pub(crate) expected: String,
    /// What is there instead.
    pub(crate) found: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { field, index, expected, found } = self;
        write!(f, "{field}[{index}]: {expected} expected, {found} found")
    }
}

/// Compares results where the device has them.
#[derive(Debug)]
pub(crate) struct Comparer<'a> {
    gpu: &'a Gpu,
    /// Made when first needed, and replaced when a result needs a larger one.
    staging: RefCell<Option<wgpu::Buffer>>,
}

impl<'a> Comparer<'a> {
    pub(crate) fn new(gpu: &'a Gpu) -> Self {
        Self { gpu, staging: RefCell::new(None) }
    }

    /// Where the first items of `buffer` first differ from `expected`, which are called `field`.
    pub(crate) fn difference<T: Pod + Sync + Debug>(
        &self,
        field: &'static str,
        expected: &[T],
        buffer: &wgpu::Buffer,
    ) -> Result<Option<Difference>, BenchError> {
        self.difference_where(field, expected, buffer, |_| true)
    }

    /// The same, of the items whose index `counts`.
    fn difference_where<T: Pod + Sync + Debug>(
        &self,
        field: &'static str,
        expected: &[T],
        buffer: &wgpu::Buffer,
        counts: impl Fn(usize) -> bool + Sync,
    ) -> Result<Option<Difference>, BenchError> {
        let n_at_once = usize::try_from(STAGING_SIZE).unwrap_or(usize::MAX) / size_of::<T>();
        let mut first = 0;
        for expected in expected.chunks(n_at_once) {
            let offset = (first * size_of::<T>()) as u64;
            let size = size_of_val(expected) as u64;
            let difference = self.with_bytes(buffer, offset, size, |found| {
                let index = first_difference(expected, found, |index| counts(first + index))?;
                let item: T =
                    bytemuck::pod_read_unaligned(&found[index * size_of::<T>()..][..size_of::<T>()]);
                let [expected, found] = [expected[index], item].map(|item| format!("{item:?}"));
                Some(Difference { field, index: first + index, expected, found })
            })?;
            if difference.is_some() {
                return Ok(difference);
            }
            first += expected.len();
        }
        Ok(None)
    }

    /// Where the results of all stages first differ, in the order of the stages. An element that is no leaf has no clipped leaf
    /// box, and what stands in its place does not count.
    pub(crate) fn difference_of_boxes(
        &self,
        elements: &Scene,
        expected: &Boxes,
        buffers: &Buffers,
    ) -> Result<Option<Difference>, BenchError> {
        if let Some(difference) = self.difference("nodes", &expected.nodes, buffers.nodes())? {
            return Ok(Some(difference));
        }
        if let Some(difference) = self.difference("node_ranks", &expected.node_ranks, buffers.node_ranks())? {
            return Ok(Some(difference));
        }
        if let Some(difference) = self.difference("links", &expected.links, buffers.links())? {
            return Ok(Some(difference));
        }
        if let Some(difference) = self.difference("clip_boxes", &expected.clip_boxes, buffers.clip_boxes())? {
            return Ok(Some(difference));
        }
        let (clipped_boxes, buffer) = (&expected.clipped_boxes, buffers.clipped_boxes());
        let is_leaf = |index| elements.kind(index) == ElementKind::Leaf;
        match self.difference_where("clipped_boxes", clipped_boxes, buffer, is_leaf)? {
            None => self.difference("group_boxes", &expected.group_boxes, buffers.group_boxes()),
            different => Ok(different),
        }
    }

    /// Waits for the device and gives some bytes of a buffer to `read`.
    fn with_bytes<R>(
        &self,
        source: &wgpu::Buffer,
        offset: u64,
        size: u64,
        read: impl FnOnce(&[u8]) -> R,
    ) -> Result<R, BenchError> {
        let Gpu { device, queue, .. } = self.gpu;
        let mut slot = self.staging.borrow_mut();
        let staging = match slot.take().filter(|staging| staging.size() >= size) {
            Some(staging) => staging,
            None => device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("boxwood.bench.compare"),
                size: size.next_power_of_two().max(1 << 16),
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
        };
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(source, offset, &staging, 0, size);
        queue.submit([encoder.finish()]);
        let (sender, receiver) = std::sync::mpsc::channel();
        staging.map_async(wgpu::MapMode::Read, ..size, move |result| {
            // The receiver is gone only where the poll has failed, which is reported instead.
            let _ = sender.send(result);
        });
        device.poll(wgpu::PollType::wait_indefinitely())?;
        receiver.recv().unwrap_or(Err(wgpu::BufferAsyncError)).map_err(ReadBackError::from)?;
        let mapped = staging.get_mapped_range(..size).map_err(ReadBackError::from)?;
        let result = read(&mapped);
        drop(mapped);
        staging.unmap();
        *slot = Some(staging);
        Ok(result)
    }
}

/// The first item whose index `counts` and that has other bits than those in `found`.
fn first_difference<T: Pod + Sync>(
    expected: &[T],
    found: &[u8],
    counts: impl Fn(usize) -> bool + Sync,
) -> Option<usize> {
    let size = size_of::<T>();
    let found_at = |range: Range<usize>| &found[range.start * size..range.end * size];
    find_first(expected.len(), |mut range| {
        // To compare them whole is many times as fast as to find a place.
        if bytemuck::cast_slice::<T, u8>(&expected[range.clone()]) == found_at(range.clone()) {
            return None;
        }
        range.find(|&index| {
            bytemuck::bytes_of(&expected[index]) != found_at(index..index + 1) && counts(index)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bit_is_a_difference() {
        let expected: Vec<i32> = (0..100_000).collect();
        let mut found: Vec<u8> = bytemuck::cast_slice(&expected).to_vec();
        assert_eq!(first_difference(&expected, &found, |_| true), None);
        for index in [99_999, 50_001, 16_384, 0] {
            found[4 * index + 3] ^= 0x80;
            assert_eq!(first_difference(&expected, &found, |_| true), Some(index));
        }
        assert_eq!(first_difference(&expected, &found, |index| index > 16_384), Some(50_001));
        assert_eq!(first_difference(&expected, &found, |index| index == 1), None);
        // Equal as numbers, but not the same.
        assert_eq!(first_difference(&[0.0_f32], bytemuck::bytes_of(&-0.0_f32), |_| true), Some(0));
    }
}
