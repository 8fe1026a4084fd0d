//! Copying buffers to the CPU, for tools and tests. A renderer leaves the results on the GPU.

use std::marker::PhantomData;
use std::ops::Range;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use bytemuck::Pod;

use super::program::create_buffer;

/// The reason why results could not be read back.
#[derive(Debug, thiserror::Error)]
pub enum ReadBackError {
    /// The device no longer answers.
    #[error("the device does not answer; it may be lost")]
    Poll(#[from] wgpu::PollError),
    /// The results could not be mapped.
    #[error("the results cannot be mapped; the device may be lost or out of memory")]
    Map(#[from] wgpu::BufferAsyncError),
    /// The mapped results could not be read.
    #[error("the mapped results cannot be read")]
    Range(#[from] wgpu::MapRangeError),
}

/// Waits for the device and copies the first `count` items of a buffer with the usage `COPY_SRC` to
/// the CPU.
///
/// # Errors
///
/// [`ReadBackError`] if the device is lost or has no memory for the copy.
///
/// # Panics
///
/// If the buffer has no such usage or fewer than `count` items, or if their bytes are not a
/// multiple of four.
pub fn read_items<T: Pod>(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    buffer: &wgpu::Buffer,
    count: usize,
) -> Result<Vec<T>, ReadBackError> {
    let staging = Staging::new(device, count * size_of::<T>());
    staging.copy_and_read(device, queue, buffer, 0..count)
}

/// Waits for the device and copies a two-dimensional texture with the usage `COPY_SRC` to the CPU.
///
/// The bytes are those of the texels, row by row, without padding.
///
/// # Errors
///
/// [`ReadBackError`] if the device is lost or has no memory for the copy.
///
/// # Panics
///
/// If the format of the texture has several aspects, such as depth and stencil, or if the texture
/// has no such usage, several layers, or several samples.
pub fn read_texels(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    texture: &wgpu::Texture,
) -> Result<Vec<u8>, ReadBackError> {
    let texel_size = texture.format().block_copy_size(None).expect("the format has one aspect");
    let row = texel_size * texture.width();
    let padded_row = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let size = padded_row as usize * texture.height() as usize;
    let staging = Staging::new(device, size);
    let descriptor = wgpu::CommandEncoderDescriptor { label: Some("boxwood.read_back") };
    let mut encoder = device.create_command_encoder(&descriptor);
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(padded_row), rows_per_image: None };
    let target = wgpu::TexelCopyBufferInfo { buffer: &staging.buffer, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), target, texture.size());
    let bytes: Vec<u8> = staging.read(device, queue.submit([encoder.finish()]), size)?;
    if padded_row == row {
        return Ok(bytes);
    }
    // Rows are copied as a whole, because copying byte by byte takes longer than reading.
    let mut texels = Vec::with_capacity(row as usize * texture.height() as usize);
    bytes.chunks_exact(padded_row as usize).for_each(|line| texels.extend_from_slice(&line[..row as usize]));
    Ok(texels)
}

/// A buffer that results are copied into and that the CPU reads.
///
/// Reuse it from frame to frame: a driver may take tens of milliseconds to allocate one.
#[derive(Debug)]
pub struct Staging {
    buffer: wgpu::Buffer,
}

impl Staging {
    /// A buffer of `size` bytes.
    pub fn new(device: &wgpu::Device, size: usize) -> Self {
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        Self { buffer: create_buffer(device, "boxwood.read_back", size as u64, usage) }
    }

    /// Records the copy of `items` of `source`, which has the usage `COPY_SRC`.
    ///
    /// wgpu reports a validation error if `source` does not contain the items, or if this buffer
    /// has no room for them.
    pub fn record_copy<T: Pod>(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        source: &wgpu::Buffer,
        items: Range<usize>,
    ) {
        let offset = (items.start * size_of::<T>()) as u64;
        let size = (items.len() * size_of::<T>()) as u64;
        encoder.copy_buffer_to_buffer(source, offset, &self.buffer, 0, size);
    }

    /// Waits for the submission that made the copy, but not for later ones, and reads the first
    /// `count` items that were copied.
    ///
    /// # Errors
    ///
    /// [`ReadBackError`] if the device is lost or has no memory left.
    ///
    /// # Panics
    ///
    /// Panics if this buffer is shorter than `count` items.
    pub fn read<T: Pod>(
        &self,
        device: &wgpu::Device,
        submission: wgpu::SubmissionIndex,
        count: usize,
    ) -> Result<Vec<T>, ReadBackError> {
        let pending = self.start_read(count);
        device.poll(wgpu::PollType::Wait { submission_index: Some(submission), timeout: None })?;
        // If another thread polls the device too, that thread may be the one that reports the copy.
        pollster::block_on(pending)
    }

    /// Submits the copy of `items` of `source`, which has the usage `COPY_SRC`, waits for the
    /// device, and reads them.
    ///
    /// # Errors
    ///
    /// The same as [`read`](Self::read).
    ///
    /// # Panics
    ///
    /// Panics if this buffer has no room for the items.
    pub fn copy_and_read<T: Pod>(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        source: &wgpu::Buffer,
        items: Range<usize>,
    ) -> Result<Vec<T>, ReadBackError> {
        if items.is_empty() {
            return Ok(Vec::new());
        }
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("boxwood.read_back") };
        let mut encoder = device.create_command_encoder(&descriptor);
        self.record_copy::<T>(&mut encoder, source, items.clone());
        self.read(device, queue.submit([encoder.finish()]), items.len())
    }

    /// Begins to read the first `count` items that were copied, without waiting.
    ///
    /// Call this after the submission that makes the copy. The next copy into this buffer must be
    /// submitted after the read has ended.
    ///
    /// # Panics
    ///
    /// Panics if this buffer is shorter than `count` items.
    pub fn start_read<T: Pod>(&self, count: usize) -> PendingRead<T> {
        let size = (count * size_of::<T>()) as u64;
        let state = Arc::new(Mutex::new(MapState::Pending(None)));
        let mapped = Arc::clone(&state);
        self.buffer.map_async(wgpu::MapMode::Read, ..size, move |result| {
            let mut state = mapped.lock().unwrap_or_else(PoisonError::into_inner);
            if let MapState::Pending(Some(waker)) = std::mem::replace(&mut *state, MapState::Mapped(result)) {
                waker.wake();
            }
        });
        PendingRead { buffer: self.buffer.clone(), size, state, items: PhantomData }
    }
}

/// A read of items that the device may not have copied yet.
///
/// It makes progress only while the device is polled. Await it, or call
/// [`try_take`](Self::try_take) after a poll. Dropping it ends the read.
#[derive(Debug)]
pub struct PendingRead<T> {
    buffer: wgpu::Buffer,
    size: u64,
    state: Arc<Mutex<MapState>>,
    items: PhantomData<fn() -> T>,
}

#[derive(Debug)]
enum MapState {
    /// The device has not finished. The task to wake when it has.
    Pending(Option<Waker>),
    Mapped(Result<(), wgpu::BufferAsyncError>),
}

impl<T: Pod> PendingRead<T> {
    /// The items, or `None` if the device has not copied them yet. Call it no more after it has
    /// returned items or an error.
    pub fn try_take(&mut self) -> Option<Result<Vec<T>, ReadBackError>> {
        match Pin::new(self).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(items) => Some(items),
            Poll::Pending => None,
        }
    }
}

impl<T: Pod> Future for PendingRead<T> {
    type Output = Result<Vec<T>, ReadBackError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *state {
            MapState::Pending(waker) => {
                *waker = Some(context.waker().clone());
                Poll::Pending
            }
            MapState::Mapped(result) => {
                Poll::Ready(result.clone().map_err(ReadBackError::from).and_then(|()| {
                    let mapped = self.buffer.get_mapped_range(..self.size)?;
                    Ok(bytemuck::pod_collect_to_vec(&mapped))
                }))
            }
        }
    }
}

impl<T> Drop for PendingRead<T> {
    fn drop(&mut self) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_mapped = !matches!(*state, MapState::Mapped(Err(_)));
        // `unmap` may call back, and the callback locks the state.
        drop(state);
        if is_mapped {
            self.buffer.unmap();
        }
    }
}
