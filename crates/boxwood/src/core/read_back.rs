//! Copying buffers to the CPU, for tools and tests. A renderer leaves the results on the GPU.

use std::ops::Range;

use bytemuck::Pod;

/// The reason why results could not be read back.
#[derive(Debug, thiserror::Error)]
pub enum ReadBackError {
    /// Nothing has been recorded over the buffers since their last upload.
    #[error(
        "the buffers contain no results: record the stages after each upload, submit, and then read back"
    )]
    NotRecorded,
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
pub fn read_items<T: Pod>(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    buffer: &wgpu::Buffer,
    count: usize,
) -> Result<Vec<T>, ReadBackError> {
    let staging = Staging::new(device, count * size_of::<T>());
    staging.copy_and_read(device, queue, buffer, 0..count)
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
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("boxwood.read_back"),
            size: size as u64,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { buffer }
    }

    /// Records the copy of the first `count` items of `source`, which has the usage `COPY_SRC`.
    pub fn record_copy<T: Pod>(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        source: &wgpu::Buffer,
        count: usize,
    ) {
        self.record_copy_of::<T>(encoder, source, &(0..count));
    }

    /// Waits for the device, and reads the first `count` items that were copied.
    ///
    /// # Errors
    ///
    /// [`ReadBackError`] if the device is lost or has no memory left.
    pub fn read<T: Pod>(&self, device: &wgpu::Device, count: usize) -> Result<Vec<T>, ReadBackError> {
        self.read_when(device, wgpu::PollType::wait_indefinitely(), count)
    }

    /// Waits for the submission that made the copy, but not for later ones, and reads the first
    /// `count` items that were copied.
    ///
    /// # Errors
    ///
    /// The same as [`read`](Self::read).
    pub fn read_after<T: Pod>(
        &self,
        device: &wgpu::Device,
        submission: wgpu::SubmissionIndex,
        count: usize,
    ) -> Result<Vec<T>, ReadBackError> {
        let wait = wgpu::PollType::Wait { submission_index: Some(submission), timeout: None };
        self.read_when(device, wait, count)
    }

    /// Submits the copy of `items` of `source`, which has the usage `COPY_SRC`, waits for the
    /// device, and reads them.
    ///
    /// # Errors
    ///
    /// The same as [`read`](Self::read).
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
        self.record_copy_of::<T>(&mut encoder, source, &items);
        queue.submit([encoder.finish()]);
        self.read(device, items.len())
    }

    fn record_copy_of<T: Pod>(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        source: &wgpu::Buffer,
        items: &Range<usize>,
    ) {
        let offset = (items.start * size_of::<T>()) as u64;
        let size = (items.len() * size_of::<T>()) as u64;
        encoder.copy_buffer_to_buffer(source, offset, &self.buffer, 0, size);
    }

    fn read_when<T: Pod>(
        &self,
        device: &wgpu::Device,
        wait: wgpu::PollType,
        count: usize,
    ) -> Result<Vec<T>, ReadBackError> {
        let range = ..(count * size_of::<T>()) as u64;
        let (sender, receiver) = std::sync::mpsc::channel();
        self.buffer.map_async(wgpu::MapMode::Read, range, move |result| {
            // The receiver is gone only if the poll failed, and then that error is returned.
            let _ = sender.send(result);
        });
        device.poll(wait)?;
        receiver.recv().unwrap_or(Err(wgpu::BufferAsyncError))?;
        let items = bytemuck::pod_collect_to_vec(&self.buffer.get_mapped_range(range)?);
        self.buffer.unmap();
        Ok(items)
    }
}
