//! Vello's part of a picture, in as many parts as the renderer needs.
//!
//! Vello 0.11 has buffers of fixed sizes for what it allocates on the GPU: lines, tiles, commands, and layers that are
//! nested deeper than four. Where a drawing needs more, it is drawn again in smaller parts, of which each needs less.

use boxwood::Buffers;
use boxwood_svg::CancelToken;
use boxwood_vello::{BumpBuffer, Error, OnOverflow, Overflow, Renderer, RendererOptions};
use kurbo::Rect;
use vello::{AaConfig, AaSupport, RenderParams};

use crate::error::{RenderError, chain};

/// The format of pictures. The alpha is straight, not premultiplied.
pub(crate) const PICTURE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// The side of Vello's tiles, in pixels. Parts are made of whole tiles, so that they fit without seams.
const TILE: u32 = 16;

/// Where Vello draws.
pub(crate) struct Canvas {
    device: wgpu::Device,
    queue: wgpu::Queue,
    renderer: Renderer,
    picture: Option<wgpu::Texture>,
    part: Option<wgpu::Texture>,
    /// The largest side of a part that is known to do, in pixels.
    part_side: u32,
    stop: CancelToken,
}

/// A rectangle of a picture, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) corner: [u32; 2],
    pub(crate) size: [u32; 2],
}

impl Region {
    pub(crate) fn rect(self) -> Rect {
        let [left, top] = self.corner.map(f64::from);
        let [width, height] = self.size.map(f64::from);
        Rect::new(left, top, left + width, top + height)
    }
}

impl Canvas {
    pub(crate) fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        stop: CancelToken,
    ) -> Result<Self, RenderError> {
        let options = RendererOptions {
            antialiasing_support: AaSupport::area_only(),
            on_overflow: OnOverflow::Refuse,
            ..Default::default()
        };
        Ok(Self {
            device: device.clone(),
            queue: queue.clone(),
            renderer: Renderer::new(device, options).map_err(render_error)?,
            picture: None,
            part: None,
            part_side: u32::MAX,
            stop,
        })
    }

    /// Takes a texture to draw the next picture over.
    pub(crate) fn take_spare(&mut self, spare: Option<wgpu::Texture>) {
        self.picture = spare.or(self.picture.take());
    }

    #[cfg(test)]
    pub(crate) fn frame_boxes(&self) -> Option<&Buffers> {
        self.renderer.frame_boxes()
    }

    /// Draws no more over the last picture.
    pub(crate) fn give_away(&mut self) {
        self.picture = None;
    }

    /// Forgets what is known of the last drawing.
    pub(crate) fn forget_drawing(&mut self) {
        self.part_side = u32::MAX;
    }

    /// Draws a picture of this size. `compose` gives the drawing with the origin at the corner of a region of it, and `draw_over`
    /// draws over each region, once that is drawn, out of the boxes that it was drawn with, in its pixels.
    pub(crate) fn draw(
        &mut self,
        size: [u32; 2],
        base_color: peniko::Color,
        mut compose: impl FnMut(Region) -> vello::Scene,
        mut draw_over: Option<impl FnMut(Region, &wgpu::TextureView, &Buffers)>,
    ) -> Result<wgpu::Texture, RenderError> {
        let picture = texture_of(&self.device, self.picture.take(), size);
        self.picture = Some(picture.clone());
        let mut side = self.part_side.min(size[0].max(size[1]).next_multiple_of(TILE));
        self.renderer.set_frame_boxes(draw_over.is_some());
        let mut draw_over = |region: Region, target: &wgpu::TextureView, renderer: &Renderer| {
            if let (Some(draw_over), Some(boxes)) = (&mut draw_over, renderer.frame_boxes()) {
                draw_over(region, target, boxes);
            }
        };
        while !self.draw_in_parts(&picture, side, base_color, &mut compose, &mut draw_over)? {
            if side == TILE {
                return Err(RenderError::TooComplex);
            }
            side = (side / 2).next_multiple_of(TILE);
            self.part_side = side;
        }
        Ok(picture)
    }

    /// Draws a picture in squares of this side. False if one of them is too complex.
    fn draw_in_parts(
        &mut self,
        picture: &wgpu::Texture,
        side: u32,
        base_color: peniko::Color,
        compose: &mut impl FnMut(Region) -> vello::Scene,
        draw_over: &mut impl FnMut(Region, &wgpu::TextureView, &Renderer),
    ) -> Result<bool, RenderError> {
        let [width, height] = [picture.width(), picture.height()];
        for top in (0..height).step_by(side as usize) {
            for left in (0..width).step_by(side as usize) {
                let size = [(width - left).min(side), (height - top).min(side)];
                let region = Region { corner: [left, top], size };
                let drawing = compose(region);
                let is_whole = size == [width, height];
                let part =
                    if is_whole { picture.clone() } else { texture_of(&self.device, self.part.take(), size) };
                let target = part.create_view(&wgpu::TextureViewDescriptor::default());
                if !self.draw_part(&target, size, &drawing, base_color)? {
                    return Ok(false);
                }
                draw_over(region, &target, &self.renderer);
                if is_whole {
                    return Ok(true);
                }
                self.part = Some(part.clone());
                let mut encoder = self.encoder();
                let mut place = picture.as_image_copy();
                place.origin = wgpu::Origin3d { x: left, y: top, z: 0 };
                encoder.copy_texture_to_texture(part.as_image_copy(), place, part.size());
                self.queue.submit([encoder.finish()]);
            }
        }
        Ok(true)
    }

    /// Draws into a texture. False if the drawing is too complex; the texture then holds nothing.
    fn draw_part(
        &mut self,
        target: &wgpu::TextureView,
        [width, height]: [u32; 2],
        drawing: &vello::Scene,
        base_color: peniko::Color,
    ) -> Result<bool, RenderError> {
        if self.stop.is_set() {
            return Err(RenderError::Stopped);
        }
        let params = RenderParams { base_color, width, height, antialiasing_method: AaConfig::Area };
        match self.renderer.render_to_texture(&self.device, &self.queue, drawing, target, &params) {
            Ok(()) => Ok(true),
            // All lines of a drawing are in each part of it.
            Err(Error::Overflow(Overflow(fill))) if fill.buffer != BumpBuffer::Lines => Ok(false),
            Err(error) => Err(render_error(error)),
        }
    }

    fn encoder(&self) -> wgpu::CommandEncoder {
        self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("boxwood.picture") })
    }
}

fn render_error(error: Error) -> RenderError {
    match error {
        Error::Overflow(_) | Error::Scene { .. } | Error::Info { .. } | Error::Limits(_) => {
            RenderError::TooComplex
        }
        error => RenderError::Gpu(chain(&error)),
    }
}

/// Waits for the device and copies what a buffer holds. It stays mapped.
pub(crate) fn read_buffer(device: &wgpu::Device, buffer: &wgpu::Buffer) -> Result<Vec<u8>, RenderError> {
    let (sender, receiver) = std::sync::mpsc::channel();
    buffer.map_async(wgpu::MapMode::Read, .., move |result| {
        // The receiver is gone only where the poll has failed, which is reported instead.
        let _ = sender.send(result);
    });
    let gpu_error = |error: &dyn std::fmt::Display| RenderError::Gpu(error.to_string());
    device.poll(wgpu::PollType::wait_indefinitely()).map_err(|e| gpu_error(&e))?;
    receiver.recv().unwrap_or(Err(wgpu::BufferAsyncError)).map_err(|e| gpu_error(&e))?;
    Ok(buffer.get_mapped_range(..).map_err(|e| gpu_error(&e))?.to_vec())
}

/// The old texture if it has this size, else another.
fn texture_of(device: &wgpu::Device, old: Option<wgpu::Texture>, [width, height]: [u32; 2]) -> wgpu::Texture {
    let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    old.filter(|old| old.size() == size).unwrap_or_else(|| {
        device.create_texture(&wgpu::TextureDescriptor {
            label: Some("boxwood.picture"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: PICTURE_FORMAT,
            usage: wgpu::TextureUsages::STORAGE_BINDING
                | wgpu::TextureUsages::RENDER_ATTACHMENT
                | wgpu::TextureUsages::COPY_SRC
                | wgpu::TextureUsages::COPY_DST
                | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        })
    })
}
