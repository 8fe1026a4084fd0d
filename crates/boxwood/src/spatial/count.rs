//! The items of an input, and their number.

use wgpu::util::{BufferInitDescriptor, DeviceExt as _};

use super::check::check_input;
use super::error::SpatialError;
use crate::core::limits::max_binding_size;

/// A list of items in a buffer of the caller.
///
/// The results of one stage can be the items of the next, without waiting for their number. The
/// next one then counts items from the first of them: below, box `i` of the tree is box
/// `kept.selected()[i]` of all.
///
/// ```no_run
/// use boxwood::spatial::{Index, Items, Order, Predicate, Select};
/// # use boxwood::{Context, wgpu};
///
/// # fn example(context: &Context, boxes: &wgpu::Buffer, pass: &mut wgpu::ComputePass<'_>) -> Result<(), Box<dyn std::error::Error>> {
/// // The boxes with area, and a tree over them alone.
/// let kept = Select::with_boxes(context, Predicate::NotEmpty, Items::new(boxes, 10_000), boxes)?;
/// let kept_boxes = kept.selected_boxes().expect("they are asked for");
/// let items = Items { buffer: kept_boxes, count: kept.n_selected(), capacity: 10_000 };
/// let index = Index::new(context, items, Order::default())?;
///
/// kept.record(pass);
/// index.record(pass);
/// # Ok(()) }
/// ```
///
/// # Errors
///
/// A stage that takes items refuses these:
///
/// - [`SpatialError::TooLarge`] if the buffer has no room for `capacity` items, or for one item if
///   the capacity is 0.
/// - [`SpatialError::TooManyItems`] if the algorithm has no numbers for so many items.
/// - [`SpatialError::AboveCapacity`] if the host's count exceeds the capacity.
/// - [`SpatialError::CountOutside`] if the buffer of the count has no such word.
#[derive(Clone, Copy, Debug)]
pub struct Items<'a> {
    /// The items. The buffer needs the usage `STORAGE`, and is not changed.
    pub buffer: &'a wgpu::Buffer,
    /// The number of items.
    pub count: Count<'a>,
    /// The maximum number of items, for which a stage allocates its buffers.
    pub capacity: u32,
}

impl<'a> Items<'a> {
    /// The first `n` items of a buffer. The capacity is `n` too.
    pub fn new(buffer: &'a wgpu::Buffer, n: u32) -> Self {
        Self { buffer, count: Count::Host(n), capacity: n }
    }

    /// Checks that the buffer has room for the maximum number of items, in the `binding` bytes that
    /// a shader can bind.
    pub(super) fn check<Item>(&self, name: &'static str, binding: u64) -> Result<(), SpatialError> {
        check_input::<Item>(name, self.buffer, self.capacity, binding)
    }

    /// The buffer that the shaders read the number of items from.
    pub(super) fn count_buffer(&self, device: &wgpu::Device) -> Result<CountBuffer, SpatialError> {
        CountBuffer::new(device, self.count, self.capacity)
    }
}

/// The number of items of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

    /// This count, as the input of another stage.
    pub(super) fn shared(&self) -> Count<'_> {
        Count::Gpu { buffer: &self.buffer, word: self.word }
    }

    /// Items of `buffer` with this count and capacity.
    pub(super) fn items<'a>(&'a self, buffer: &'a wgpu::Buffer) -> Items<'a> {
        Items { buffer, count: self.shared(), capacity: self.capacity }
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
