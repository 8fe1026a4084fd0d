//! Stage *damage* on the leaves of two drawings.

use anyhow::{Result, bail};
use boxwood::spatial::{Count, Damage as Stage, FrameBuffers, Items};
use boxwood::wgpu::util::{BufferInitDescriptor, DeviceExt as _};
use boxwood::wgpu::{Buffer, BufferUsages, CommandEncoderDescriptor, ComputePassDescriptor};
use boxwood::{Context, native::Gpu, read_items};
use boxwood_cpu::{Aabb, Damage, Frame, Rectangle, TileGrid};
use boxwood_svg::{Comparison, Drawing};
use bytemuck::Pod;
use kurbo::Size;

use crate::device::{Backend, Device};
use crate::report::Report;

/// The largest canvas, in px: up to here, every whole number is an `f32`, which boxes consist of.
pub(super) const MAX_SIDE: u32 = 1 << 24;

/// The difference of the leaves.
pub(super) struct Damaged {
    /// One bit per leaf of the new drawing.
    pub(super) changed: Vec<u32>,
    /// One bit per leaf of the old drawing.
    pub(super) vanished: Vec<u32>,
    pub(super) rectangles: Vec<Rectangle>,
}

/// The size of both drawings together, in whole pixels.
///
/// # Errors
///
/// A side is too long.
pub(super) fn canvas(drawings: [&Drawing; 2]) -> Result<[u32; 2]> {
    let Size { width, height } = union(drawings);
    let side = |length: f64| {
        let pixels = length.ceil();
        if pixels > f64::from(MAX_SIDE) {
            bail!("a drawing of {width} × {height} px is too large to compare: the limit is {MAX_SIDE} px");
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a size is not negative")]
        Ok(pixels as u32)
    };
    Ok([side(width)?, side(height)?])
}

/// The larger size in each direction.
pub(super) fn union(drawings: [&Drawing; 2]) -> Size {
    let [old, new] = drawings.map(|drawing| drawing.size);
    old.max(new)
}

/// Computes the damage on the GPU if it is required, and otherwise on the CPU, which is faster for
/// two drawings that are not on the GPU.
///
/// # Errors
///
/// The device is lost, or there are too many leaves for it.
pub(super) fn damage(
    backend: &Backend,
    comparison: &Comparison<'_>,
    grid: TileGrid,
    max_rectangles: u32,
    report: &mut Report,
) -> Result<Damaged> {
    if let Some(device) = backend.requires_gpu().then(|| backend.device(report)).flatten() {
        return on_gpu(device, comparison, grid, max_rectangles);
    }
    let (frames, partners) = (comparison.frames(), comparison.partners());
    let mut damage = Damage::new();
    let found = damage.between(frames, partners, grid, max_rectangles as usize);
    Ok(Damaged {
        changed: found.changed.to_vec(),
        vanished: found.vanished.to_vec(),
        rectangles: found.rectangles.to_vec(),
    })
}

fn on_gpu(
    Device { gpu: Gpu { device, queue, .. }, .. }: &Device,
    comparison: &Comparison<'_>,
    grid: TileGrid,
    max_rectangles: u32,
) -> Result<Damaged> {
    let pipelines = Context::new(device);
    let frames = comparison.frames();
    let buffers = frames.map(|Frame { boxes, signatures }| {
        (buffer(device, boxes, Aabb::EMPTY), buffer(device, signatures, 0))
    });
    let partners = buffer(device, comparison.partners(), 0);
    let [n_old, n_new] = frames.map(|frame| u32::try_from(frame.boxes.len()).unwrap_or(u32::MAX));
    let [old, new] = [(&buffers[0], n_old), (&buffers[1], n_new)]
        .map(|((boxes, signatures), n)| FrameBuffers { boxes: Items::new(boxes, n), signatures });
    let stage = Stage::new(&pipelines, [old, new], Some(&partners), grid, max_rectangles)?;
    let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor::default());
    stage.record(&mut encoder.begin_compute_pass(&ComputePassDescriptor::default()));
    queue.submit([encoder.finish()]);
    let Count::Gpu { buffer: n_rectangles, .. } = stage.n_rectangles() else {
        bail!("the number of rectangles is not on the GPU")
    };
    let n_rectangles: Vec<u32> = read_items(device, queue, n_rectangles, 1)?;
    let words = |n: u32| n.div_ceil(u32::BITS) as usize;
    Ok(Damaged {
        changed: read_items(device, queue, stage.changed(), words(n_new))?,
        vanished: read_items(device, queue, stage.vanished(), words(n_old))?,
        rectangles: read_items(device, queue, stage.rectangles(), n_rectangles[0] as usize)?,
    })
}

/// A buffer with these items, or with one if there are none: wgpu refuses empty bindings.
fn buffer<T: Pod>(device: &boxwood::wgpu::Device, items: &[T], one: T) -> Buffer {
    let contents = if items.is_empty() { bytemuck::bytes_of(&one) } else { bytemuck::cast_slice(items) };
    device.create_buffer_init(&BufferInitDescriptor {
        label: Some("boxwood.diff.frame"),
        contents,
        usage: BufferUsages::STORAGE,
    })
}
