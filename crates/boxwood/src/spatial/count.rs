//! The number of items of an input.

use wgpu::util::{BufferInitDescriptor, DeviceExt as _};

use super::error::SpatialError;
use crate::core::limits::max_binding_size;

/// The maximum number of items, so that the sum of an index and the length of a partition is a
/// `u32`. A device may have a lower limit.
pub(crate) const MAX_ITEMS: u64 = u32::MAX as u64 / 2;

/// The number of items of an input.
#[derive(Clone, Copy, Debug)]
pub enum Count<'a> {
    /// The host knows it.
    Host(u32),
    /// It is a word of a buffer, which an earlier dispatch writes. The buffer needs the usage
    /// `STORAGE`. Items beyond the capacity do not count.
    Gpu {
        /// The buffer.
        buffer: &'a wgpu::Buffer,
        /// The index of the word.
        word: u32,
    },
}

/// The buffer that the shaders read the number of items from.
#[derive(Debug)]
pub(super) struct CountBuffer {
    pub(super) buffer: wgpu::Buffer,
    pub(super) word: u32,
    capacity: u32,
    is_own: bool,
}

impl CountBuffer {
    pub(super) fn new(device: &wgpu::Device, count: Count<'_>, capacity: u32) -> Result<Self, SpatialError> {
        match count {
            Count::Host(n) => {
                check("count", n.into(), capacity.into())?;
                let buffer = device.create_buffer_init(&BufferInitDescriptor {
                    label: Some("boxwood.spatial.count"),
                    contents: bytemuck::bytes_of(&n),
                    usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
                });
                Ok(Self { buffer, word: 0, capacity, is_own: true })
            }
            Count::Gpu { buffer, word } => {
                let bound = buffer.size().min(max_binding_size(&device.limits()));
                check("count", u64::from(word) + 1, bound / size_of::<u32>() as u64)?;
                Ok(Self { buffer: buffer.clone(), word, capacity, is_own: false })
            }
        }
    }

    /// The same number, for another stage.
    pub(super) fn shared(&self) -> Count<'_> {
        Count::Gpu { buffer: &self.buffer, word: self.word }
    }

    /// The maximum number of items.
    pub(super) fn capacity(&self) -> u32 {
        self.capacity
    }

    /// Sets the number of items.
    pub(super) fn set(&self, queue: &wgpu::Queue, n: u32) -> Result<(), SpatialError> {
        if !self.is_own {
            return Err(SpatialError::CountOfCaller);
        }
        check("count", n.into(), self.capacity.into())?;
        queue.write_buffer(&self.buffer, 0, bytemuck::bytes_of(&n));
        Ok(())
    }
}

/// Checks that a parameter is in its range.
pub(super) fn check_range(name: &'static str, value: u32, limit: u32) -> Result<(), SpatialError> {
    let [value, limit] = [value, limit].map(u64::from);
    if value > limit { Err(SpatialError::OutOfRange { name, value, limit }) } else { Ok(()) }
}

/// Checks that a buffer has room.
pub(crate) fn check(buffer: &'static str, need: u64, limit: u64) -> Result<(), SpatialError> {
    if need > limit { Err(SpatialError::TooLarge { buffer, need, limit }) } else { Ok(()) }
}
