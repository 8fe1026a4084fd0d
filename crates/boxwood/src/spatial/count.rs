//! The number of items of an input.

use wgpu::util::{BufferInitDescriptor, DeviceExt as _};

use super::error::SpatialError;
use crate::core::limits::max_binding_size;

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
                check_count(n, capacity)?;
                let buffer = device.create_buffer_init(&BufferInitDescriptor {
                    label: Some("boxwood.spatial.count"),
                    contents: bytemuck::bytes_of(&n),
                    usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
                });
                Ok(Self { buffer, word: 0, capacity, is_own: true })
            }
            Count::Gpu { buffer, word } => {
                let bound = buffer.size().min(max_binding_size(&device.limits()));
                let n_words = bound / size_of::<u32>() as u64;
                if u64::from(word) >= n_words {
                    return Err(SpatialError::CountOutside { word, n_words });
                }
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
        check_count(n, self.capacity)?;
        queue.write_buffer(&self.buffer, 0, bytemuck::bytes_of(&n));
        Ok(())
    }
}

fn check_count(n: u32, capacity: u32) -> Result<(), SpatialError> {
    if n > capacity { Err(SpatialError::AboveCapacity { n, capacity }) } else { Ok(()) }
}
