//! The results on the CPU, for tools and tests. A renderer leaves them on the GPU.

use boxwood_layout::{Aabb, Boxes, ElementKind, Node};
use bytemuck::Pod;

use crate::buffers::Buffers;

/// Why results could not be read back.
#[derive(Debug, thiserror::Error)]
pub enum ReadBackError {
    /// The device no longer answers.
    #[error("the device does not answer, it may be lost: {0}")]
    Poll(#[from] wgpu::PollError),
    /// The results could not be mapped.
    #[error("the results cannot be mapped, the device may be lost or out of memory: {0}")]
    Map(#[from] wgpu::BufferAsyncError),
    /// The mapped results could not be read.
    #[error("the mapped results cannot be read: {0}")]
    Range(#[from] wgpu::MapRangeError),
}

/// Waits for the device and copies every result of the last submitted recording to the CPU.
///
/// # Errors
///
/// A device that is lost, or has no memory left for the copy.
pub fn read_back(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    buffers: &Buffers,
) -> Result<Boxes, ReadBackError> {
    let (n_elements, n_nodes) = (buffers.n_elements() as usize, buffers.n_nodes() as usize);
    let staging = Staging::new(device, n_elements.max(n_nodes) * size_of::<Aabb>());
    let read = Reader { device, queue, staging: &staging };
    // What stands at other elements than leaves is left over from an earlier scene.
    let tags = read.items::<u32>(buffers.draw_tags(), n_elements)?;
    let mut clipped_boxes = read.items(buffers.clipped_boxes(), n_elements)?;
    for (clipped_box, &tag) in clipped_boxes.iter_mut().zip(&tags) {
        if ElementKind::of(tag) != ElementKind::Leaf {
            *clipped_box = Aabb::EMPTY;
        }
    }
    Ok(Boxes {
        nodes: read.items::<Node>(buffers.nodes(), n_nodes)?,
        places: read.items(buffers.places(), n_elements)?,
        links: read.items(buffers.links(), n_nodes)?,
        clip_boxes: read.items(buffers.clip_boxes(), n_nodes)?,
        clipped_boxes,
        group_boxes: read.items(buffers.group_boxes(), n_nodes)?,
    })
}

/// Waits for the device and copies the first `count` items of a buffer with the usage `COPY_SRC` to the CPU.
///
/// # Errors
///
/// A device that is lost, or has no memory left for the copy.
pub fn read_items<T: Pod>(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    buffer: &wgpu::Buffer,
    count: usize,
) -> Result<Vec<T>, ReadBackError> {
    let staging = Staging::new(device, count * size_of::<T>());
    Reader { device, queue, staging: &staging }.items(buffer, count)
}

/// A buffer to copy results into that the CPU reads. It may be kept from frame to frame: a driver may take tens of milliseconds to make
/// the only buffer of its kind.
#[derive(Debug)]
pub struct Staging {
    buffer: wgpu::Buffer,
}

impl Staging {
    /// One of so many bytes.
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
    /// A device that is lost, or has no memory left.
    pub fn read<T: Pod>(&self, device: &wgpu::Device, count: usize) -> Result<Vec<T>, ReadBackError> {
        self.read_when(device, wgpu::PollType::wait_indefinitely(), count)
    }

    /// Waits for the submission that made the copy, and for nothing after it, and reads the first `count` items that were copied.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn read_after<T: Pod>(
        &self,
        device: &wgpu::Device,
        submission: wgpu::SubmissionIndex,
        count: usize,
    ) -> Result<Vec<T>, ReadBackError> {
        let wait = wgpu::PollType::Wait { submission_index: Some(submission), timeout: None };
        self.read_when(device, wait, count)
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
            // The receiver is gone only where the poll has failed, which is reported instead.
            let _ = sender.send(result);
        });
        device.poll(wait)?;
        receiver.recv().unwrap_or(Err(wgpu::BufferAsyncError))?;
        let items = bytemuck::pod_collect_to_vec(&self.buffer.get_mapped_range(range)?);
        self.buffer.unmap();
        Ok(items)
    }
}

struct Reader<'a> {
    device: &'a wgpu::Device,
    queue: &'a wgpu::Queue,
    staging: &'a Staging,
}

impl Reader<'_> {
    fn items<T: Pod>(&self, source: &wgpu::Buffer, count: usize) -> Result<Vec<T>, ReadBackError> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let mut encoder = self
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("boxwood.read_back") });
        self.staging.record_copy::<T>(&mut encoder, source, count);
        self.queue.submit([encoder.finish()]);
        self.staging.read(self.device, count)
    }
}
