//! The last picture, moved and scaled to the current view until the next one is drawn.

use std::sync::Arc;

use egui::{Color32, ColorImage, Context, Painter, TextureHandle, TextureOptions};
use image::RgbaImage;
use kurbo::{Rect, TranslateScale};

use super::CanvasView;
use crate::data_views::DataPicture;

/// The pixels of a picture with premultiplied alpha.
pub(crate) fn pixels(image: &RgbaImage) -> ColorImage {
    let size = [image.width(), image.height()].map(|side| side as usize);
    ColorImage::new(size, bytemuck::pod_collect_to_vec(image.as_raw()))
}

/// A picture on the screen.
pub(crate) struct Picture {
    texture: TextureHandle,
    /// The view that it shows: the map from scene space to its pixels.
    device_from_scene: TranslateScale,
}

impl Picture {
    /// Uploads the pixels of a picture of a view.
    pub(crate) fn new(ctx: &Context, image: ColorImage, device_from_scene: TranslateScale) -> Self {
        let texture = ctx.load_texture("picture", image, TextureOptions::LINEAR);
        Self { texture, device_from_scene }
    }

    /// Uploads other pixels of the same view.
    pub(super) fn with_pixels(&self, ctx: &Context, image: Arc<ColorImage>) -> Self {
        let texture = ctx.load_texture("picture", image, TextureOptions::LINEAR);
        Self { texture, device_from_scene: self.device_from_scene }
    }

    /// Uploads the picture of a view of the data. It is transparent where there is nothing to show.
    pub(super) fn of_data(ctx: &Context, data: &DataPicture) -> Self {
        let texture = ctx.load_texture("data", data.image(), TextureOptions::NEAREST);
        Self { texture, device_from_scene: data.cell_from_scene }
    }

    /// Whether the picture covers the picture area.
    pub(super) fn covers(&self, place: CanvasView) -> bool {
        self.rect(place).contains_rect(place.area)
    }

    pub(super) fn paint(&self, painter: &Painter, place: CanvasView) {
        self.paint_with(painter, place, 1.0);
    }

    /// Paints the picture with an opacity from 0 to 1.
    pub(super) fn paint_with(&self, painter: &Painter, place: CanvasView, opacity: f32) {
        let whole = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
        let tint = Color32::WHITE.gamma_multiply(opacity);
        painter.image(self.texture.id(), self.rect(place), whole, tint);
    }

    /// The rectangle of the picture on the screen.
    pub(super) fn rect(&self, place: CanvasView) -> egui::Rect {
        let [width, height] = self.texture.size().map(|side| side as f64);
        let moved = place.device_from_scene * self.device_from_scene.inverse();
        place.screen(moved * Rect::new(0.0, 0.0, width, height))
    }
}
