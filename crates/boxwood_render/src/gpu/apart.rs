//! Pictures whose overlays have textures of their own.

use boxwood::Staging;
use boxwood_cpu::Aabb;
use boxwood_vello::checked;

use super::frame_boxes::FrameBoxes;
use super::kept::{BoxStaging, KeptPicture};
use super::painter::Painter;
use super::region::Region;
use super::texture::PictureTextures;
use crate::costs::PictureCosts;
use crate::error::RenderError;
use crate::picture::Frame;

impl Painter {
    /// The same as [`paint`](Self::paint), with the overlay in a texture of its own, if the frame
    /// has one. If only the overlay differs from that of the picture before, nothing else is drawn,
    /// and the costs have no parts.
    ///
    /// # Errors
    ///
    /// The same as [`paint`](Self::paint).
    pub fn paint_apart(&mut self, frame: &Frame) -> Result<PictureTextures, RenderError> {
        frame.check(self.max_side())?;
        let has_overlay = !frame.overlay.is_empty() && self.layers.drawing.is_some();
        let region = Region::whole(frame.size);
        if let Some(kept) = self.kept.as_ref().filter(|kept| !self.keeps_boxes && kept.serves(frame)) {
            let textures = PictureTextures::over(&self.device, kept.texture.clone(), has_overlay);
            self.costs = PictureCosts { usage: self.renderer.usage(), ..PictureCosts::default() };
            return checked(&self.device, RenderError::Device, || {
                self.draw_overlay(frame, region, &textures);
                Ok(textures)
            });
        }
        let textures = self.paint_textures(frame, region, &self.deadline(), has_overlay)?;
        let has_frame_boxes = self.renderer.frame_boxes().is_some() && self.costs.n_parts == 1;
        let texture = textures.picture.clone();
        self.kept = Some(KeptPicture { frame: frame.clone(), texture, has_frame_boxes });
        Ok(textures)
    }

    /// Paints like [`paint_apart`](Self::paint_apart), and reads back the boxes that the picture is
    /// drawn with. There are none without a drawing.
    ///
    /// # Errors
    ///
    /// The same as [`paint`](Self::paint).
    pub fn paint_with_boxes(
        &mut self,
        frame: &Frame,
    ) -> Result<(PictureTextures, Option<FrameBoxes>), RenderError> {
        self.keeps_boxes = true;
        let picture = self.paint_apart(frame);
        self.keeps_boxes = false;
        let picture = picture?;
        let (Some(drawing), Some(buffers)) = (&self.layers.drawing, self.renderer.frame_boxes()) else {
            return Ok((picture, None));
        };
        let elements = drawing.elements_in(frame);
        let n_boxes = elements.len().max(1);
        let staging = self.box_staging.take().filter(|staging| staging.n_boxes >= n_boxes);
        let staging = self.box_staging.insert(staging.unwrap_or_else(|| BoxStaging {
            n_boxes,
            staging: Staging::new(&self.device, n_boxes * size_of::<Aabb>()),
        }));
        let mut clipped_boxes: Vec<Aabb> =
            staging.staging.copy_and_read(&self.device, &self.queue, buffers.clipped_boxes(), elements)?;
        // The boxes are in pixels of the part that was drawn last.
        let [left, top] = self.last_corner.map(|edge| edge as f32);
        for bounds in &mut clipped_boxes {
            let Aabb { x0, y0, x1, y1 } = *bounds;
            *bounds = Aabb { x0: x0 + left, y0: y0 + top, x1: x1 + left, y1: y1 + top };
        }
        Ok((picture, Some(FrameBoxes { clipped_boxes, view: frame.view })))
    }
}
