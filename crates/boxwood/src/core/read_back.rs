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
/// the CPU. In a browser, which cannot wait, there is [`read_items_async`] alone.
///
/// # Errors
///
/// [`ReadBackError`] if the device is lost or has no memory for the copy.
///
/// # Panics
///
/// If the buffer has no such usage or fewer than `count` items, or if their bytes are not a
/// multiple of four.
#[cfg(not(target_arch = "wasm32"))]
pub fn read_items<T: Pod>(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    buffer: &wgpu::Buffer,
    count: usize,
) -> Result<Vec<T>, ReadBackError> {
    let staging = Staging::new(device, count * size_of::<T>());
    staging.copy_and_read(device, queue, buffer, 0..count)
}

/// The same without waiting: the copy is submitted now. Outside of a browser, the future makes
/// progress only while the device is polled.
///
/// # Errors
///
/// The same as [`read_items`](https://docs.rs/boxwood/latest/boxwood/fn.read_items.html).
///
/// # Panics
///
/// If the buffer has no such usage or fewer than `count` items, or if their bytes are not a
/// multiple of four.
pub fn read_items_async<T: Pod>(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    buffer: &wgpu::Buffer,
    count: usize,
) -> impl Future<Output = Result<Vec<T>, ReadBackError>> + use<T> {
    let staging = Staging::new(device, count * size_of::<T>());
    let pending = (count > 0).then(|| {
        staging.submit_copy::<T>(device, queue, buffer, 0..count);
        staging.start_read(count)
    });
    async move {
        match pending {
            Some(pending) => pending.await,
            None => Ok(Vec::new()),
        }
    }
}

/// Waits for the device and copies a two-dimensional texture with the usage `COPY_SRC` to the CPU.
/// In a browser, which cannot wait, there is [`read_texels_async`] alone.
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
#[cfg(not(target_arch = "wasm32"))]
pub fn read_texels(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    texture: &wgpu::Texture,
) -> Result<Vec<u8>, ReadBackError> {
    let copy = TextureCopy::new(device, texture);
    let bytes = copy.staging.read(device, copy.submit(device, queue, texture), copy.size)?;
    Ok(copy.without_padding(bytes))
}

/// The same without waiting: the copy is submitted now. Outside of a browser, the future makes
/// progress only while the device is polled.
///
/// # Errors
///
/// [`ReadBackError`] if the device is lost or has no memory for the copy.
///
/// # Panics
///
/// If the format of the texture has several aspects, such as depth and stencil, or if the texture
/// has no such usage, several layers, or several samples.
pub fn read_texels_async(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    texture: &wgpu::Texture,
) -> impl Future<Output = Result<Vec<u8>, ReadBackError>> + use<> {
    let copy = TextureCopy::new(device, texture);
    copy.submit(device, queue, texture);
    let pending = copy.staging.start_read(copy.size);
    async move { Ok(copy.without_padding(pending.await?)) }
}

/// The copy of a texture into a buffer, where each row has padding.
struct TextureCopy {
    /// The bytes of a row in the texture, and in the buffer.
    row: usize,
    padded_row: usize,
    /// The bytes of the buffer.
    size: usize,
    staging: Staging,
}

impl TextureCopy {
    fn new(device: &wgpu::Device, texture: &wgpu::Texture) -> Self {
        let texel_size = texture.format().block_copy_size(None).expect("the format has one aspect");
        let row = (texel_size * texture.width()) as usize;
        let padded_row = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT as usize);
        let size = padded_row * texture.height() as usize;
        Self { row, padded_row, size, staging: Staging::new(device, size) }
    }

    fn submit(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        texture: &wgpu::Texture,
    ) -> wgpu::SubmissionIndex {
        let mut encoder = device.create_command_encoder(&ENCODER);
        let padded_row = u32::try_from(self.padded_row).expect("a row of a texture is short");
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(padded_row), rows_per_image: None };
        let target = wgpu::TexelCopyBufferInfo { buffer: &self.staging.buffer, layout };
        encoder.copy_texture_to_buffer(texture.as_image_copy(), target, texture.size());
        queue.submit([encoder.finish()])
    }

    fn without_padding(&self, bytes: Vec<u8>) -> Vec<u8> {
        if self.padded_row == self.row {
            return bytes;
        }
        // Rows are copied as a whole, because copying byte by byte takes longer than reading.
        let mut texels = Vec::with_capacity(bytes.len() / self.padded_row * self.row);
        bytes.chunks_exact(self.padded_row).for_each(|line| texels.extend_from_slice(&line[..self.row]));
        texels
    }
}

/// The encoder of a copy.
const ENCODER: wgpu::CommandEncoderDescriptor<'static> =
    wgpu::CommandEncoderDescriptor { label: Some("boxwood.read_back") };

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
    #[cfg(not(target_arch = "wasm32"))]
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
    #[cfg(not(target_arch = "wasm32"))]
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
        let submission = self.submit_copy::<T>(device, queue, source, items.clone());
        self.read(device, submission, items.len())
    }

    /// Submits the copy of `items` of `source`.
    fn submit_copy<T: Pod>(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        source: &wgpu::Buffer,
        items: Range<usize>,
    ) -> wgpu::SubmissionIndex {
        let mut encoder = device.create_command_encoder(&ENCODER);
        self.record_copy::<T>(&mut encoder, source, items);
        queue.submit([encoder.finish()])
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
/// It makes progress only while the device is polled, which a browser does itself. Await it, or
/// call [`try_take`](Self::try_take) after a poll. Dropping it ends the read.
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
