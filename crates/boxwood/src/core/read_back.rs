//! Copying buffers to the CPU, for tools and tests. A renderer leaves the results on the GPU.

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
    staging.copy_and_read(device, queue, buffer, count)
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
        encoder.copy_buffer_to_buffer(source, 0, &self.buffer, 0, (count * size_of::<T>()) as u64);
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

    /// Submits the copy of the first `count` items of `source`, waits, and reads them.
    pub(crate) fn copy_and_read<T: Pod>(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        source: &wgpu::Buffer,
        count: usize,
    ) -> Result<Vec<T>, ReadBackError> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("boxwood.read_back") };
        let mut encoder = device.create_command_encoder(&descriptor);
        self.record_copy::<T>(&mut encoder, source, count);
        queue.submit([encoder.finish()]);
        self.read(device, count)
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
