//! The boxes of a scene, on the CPU.

use boxwood_cpu::{Aabb, Boxes, ElementKind, Entry};

use super::buffers::Buffers;
use crate::core::read_back::{ReadBackError, Staging};

/// Waits for the device and copies every result to the CPU.
///
/// The recording must have been submitted, which is not checked. What is read is what the
/// submissions before this call computed.
///
/// # Errors
///
/// - [`ReadBackError::NotRecorded`] if nothing was recorded over the buffers since the last upload.
/// - The other variants if the device is lost or has no memory for the copy.
pub fn read_back(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    buffers: &Buffers,
) -> Result<Boxes, ReadBackError> {
    if !buffers.is_recorded() {
        return Err(ReadBackError::NotRecorded);
    }
    let (n_elements, n_entries) = (buffers.n_elements() as usize, buffers.n_entries() as usize);
    let staging = Staging::new(device, n_elements.max(n_entries) * size_of::<Aabb>());
    let boxes = |buffer: &wgpu::Buffer, count| staging.copy_and_read(device, queue, buffer, 0..count);
    let words = |buffer: &wgpu::Buffer| staging.copy_and_read::<u32>(device, queue, buffer, 0..n_elements);
    let mut clipped_boxes = boxes(buffers.clipped_boxes(), n_elements)?;
    // The stages write only the boxes of leaves. The others are left over from an earlier scene.
    for (clipped_box, tag) in clipped_boxes.iter_mut().zip(words(buffers.draw_tags())?) {
        if ElementKind::of(tag) != ElementKind::Leaf {
            *clipped_box = Aabb::EMPTY;
        }
    }
    Ok(Boxes {
        entries: staging.copy_and_read::<Entry>(device, queue, buffers.entries(), 0..n_entries)?,
        ranks: words(buffers.ranks())?,
        links: staging.copy_and_read(device, queue, buffers.links(), 0..n_entries)?,
        clip_boxes: boxes(buffers.clip_boxes(), n_entries)?,
        clipped_boxes,
        group_boxes: boxes(buffers.group_boxes(), n_entries)?,
    })
}
