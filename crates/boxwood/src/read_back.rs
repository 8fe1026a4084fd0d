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
    let read = Reader { device, queue };
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
    Reader { device, queue }.items(buffer, count)
}

struct Reader<'a> {
    device: &'a wgpu::Device,
    queue: &'a wgpu::Queue,
}

impl Reader<'_> {
    fn items<T: Pod>(&self, source: &wgpu::Buffer, count: usize) -> Result<Vec<T>, ReadBackError> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let size = (count * size_of::<T>()) as u64;
        let staging = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("boxwood.read_back"),
            size,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = self
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("boxwood.read_back") });
        encoder.copy_buffer_to_buffer(source, 0, &staging, 0, size);
        self.queue.submit([encoder.finish()]);

        let (sender, receiver) = std::sync::mpsc::channel();
        staging.map_async(wgpu::MapMode::Read, .., move |result| {
            // The receiver is gone only where the poll has failed, which is reported instead.
            let _ = sender.send(result);
        });
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        receiver.recv().unwrap_or(Err(wgpu::BufferAsyncError))?;
        let items = bytemuck::pod_collect_to_vec(&staging.get_mapped_range(..)?);
        Ok(items)
    }
}
