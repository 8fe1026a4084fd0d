//! Raster images: the leaves and masks that a renderer of the encoding cannot draw, and resvg draws
//! for each view.

use std::sync::Arc;

use boxwood_cpu::Aabb;
use kurbo::{Affine, Point, Rect};
use peniko::{ImageAlphaType, ImageBrush};
use resvg::tiny_skia::{Pixmap, PixmapPaint, Transform as PixmapTransform};
use vello_encoding::{Encoding, Patch, Transform};

use crate::error::{Error, Work};
use crate::geometry::{area, max_scale, rgba8_image};
use crate::guard::deadline::Deadline;
use crate::guard::limits::{MAX_RASTER_PIXELS, MAX_RASTER_SIDE};
use crate::guard::thread;
use crate::raster::content::{Content, Rasterizer};
use crate::raster::cost::{Cost, Costs};
use crate::raster::region::{rect_of, region_around};

/// The width of the transparent border of an image, in pixels.
///
/// A renderer repeats the border beyond the image. The shape of a leaf may extend beyond its
/// clipped box where a mask hides it, so the border is transparent.
const BORDER: u32 = 1;

/// Parts of a drawing that resvg draws.
///
/// Those of [`Drawing::raster_images`](crate::Drawing::raster_images) are leaves: groups with a
/// filter, and fills and strokes with a pattern, or with a long gradient whose stops are close.
/// Each is an image in the encoding, which is empty until [`draw_into`](Self::draw_into) draws it
/// for a view.
#[derive(Debug, Default)]
pub struct RasterImages(Arc<[(Cost, RasterImage)]>);

/// A leaf or a mask that resvg draws.
#[derive(Debug)]
pub(crate) struct RasterImage {
    pub(crate) content: Content,
    /// The clipped box of the leaf, or the clip box of the mask, in scene space.
    pub(crate) clipped_box: Aabb,
    pub(crate) place: Place,
}

/// The place of an image in the encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// The brush of a leaf.
    Brush(Slot),
    /// The contents of the node with this begin.
    Node(usize),
}

/// An image that is drawn, with the transform from its pixels to the scene.
pub(crate) type PlacedImage = (ImageBrush, Affine);

/// The indices of an image in the streams of an encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    patch: usize,
    draw_data: usize,
    transform: usize,
}

impl RasterImages {
    pub(crate) fn new(images: Vec<RasterImage>, costs: &mut Costs) -> Self {
        Self(images.into_iter().map(|image| (image.content.cost(costs), image)).collect())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Draws the visible parts of the images into the encoding of their drawing, or into a clone of
    /// it.
    ///
    /// `device_from_scene` is the view, and `region` the visible part of the device, in pixels. The
    /// images are aligned with the pixels of the device, so another scale needs another call. A
    /// view that is moved by whole pixels can reuse them inside of the region.
    ///
    /// Memory is bounded whatever the sizes of filters and patterns are. The images have at most 16
    /// Mi pixels in all and 4,096 a side; beyond that, all of them get a lower resolution. A filter
    /// region of more than 16 Mi pixels is drawn in pieces of 800 pixels a side, and the filter
    /// sees 1,600 pixels around each.
    ///
    /// # Errors
    ///
    /// - [`Error::Limit`] if drawing would exceed a limit, such as for nested patterns.
    /// - [`Error::Panicked`] if resvg panics.
    /// - [`Error::TimeLimit`] or [`Error::Cancelled`] at the deadline. A thread may then go
    ///   on for a while.
    /// - [`Error::Thread`] if no thread can be started.
    ///
    /// The encoding is unchanged after an error.
    pub fn draw_into(
        &self,
        encoding: &mut Encoding,
        device_from_scene: Affine,
        region: Rect,
        deadline: &Deadline,
    ) -> Result<(), Error> {
        for (place, (image, scene_from_image)) in self.draw(device_from_scene, region, deadline)? {
            if let Place::Brush(slot) = place {
                slot.fill(encoding, &image, scene_from_image);
            }
        }
        Ok(())
    }

    /// Draws the visible parts of the images. An image is transparent if no part is visible.
    ///
    /// # Errors
    ///
    /// As for [`draw_into`](Self::draw_into).
    pub(crate) fn draw(
        &self,
        device_from_scene: Affine,
        region: Rect,
        deadline: &Deadline,
    ) -> Result<Vec<(Place, PlacedImage)>, Error> {
        // Without images, no thread is needed.
        if self.is_empty() {
            return Ok(Vec::new());
        }
        let visible = self.visible(device_from_scene, region);
        let scale = scale_of(&visible);
        let raster_from_scene = Affine::scale(scale) * device_from_scene;
        let cost_of = |(cost, image): &(Cost, RasterImage), visible: Rect| {
            let share = image.content.share_of_filters(raster_from_scene, visible.area() * scale * scale);
            cost.scaled(max_scale(raster_from_scene)).with_filters_times(share)
        };
        let costs =
            self.0.iter().zip(&visible).filter_map(|(image, visible)| Some(cost_of(image, (*visible)?)));
        costs.fold(Cost::default(), Cost::and).check()?;
        let images = Arc::clone(&self.0);
        let drawn = thread::run(Work::Drawing, deadline, move |abandoned| {
            let mut rasterizer = Rasterizer::default();
            let mut draw = |image: &RasterImage, visible: Rect| {
                let region = region_around(Affine::scale(scale).transform_rect_bbox(visible))?;
                let pixmap = with_border(&rasterizer.draw(&image.content, raster_from_scene, region)?)?;
                let raster_from_image =
                    Affine::translate(rect_of(region).origin() - Point::new(BORDER.into(), BORDER.into()));
                Some((pixmap, raster_from_scene.inverse() * raster_from_image))
            };
            let wanted = images.iter().zip(&visible).take_while(|_| !abandoned.is_set());
            let drawn = wanted.map(|((_, image), visible)| {
                let draw = || visible.and_then(|visible| draw(image, visible));
                let part = image.content.name();
                thread::caught(draw).map_err(|message| Error::Panicked { program: "resvg", part, message })
            });
            drawn.collect::<Result<Vec<_>, _>>()
        })?;
        let placed = |((_, image), drawn): (&(Cost, RasterImage), Option<(Pixmap, Affine)>)| {
            let (pixmap, scene_from_image) = drawn.unzip();
            (image.place, (image_of(pixmap), scene_from_image.unwrap_or_default()))
        };
        Ok(self.0.iter().zip(drawn?).map(placed).collect())
    }

    /// Whether the images for a view have the resolution of the device.
    pub fn are_sharp(&self, device_from_scene: Affine, region: Rect) -> bool {
        scale_of(&self.visible(device_from_scene, region)) == 1.0
    }

    /// The visible part of each image in whole pixels of the device, `None` if there is none.
    fn visible(&self, device_from_scene: Affine, region: Rect) -> Vec<Option<Rect>> {
        let part = |(_, image): &(Cost, RasterImage)| {
            let visible = device_from_scene.transform_rect_bbox(area(image.clipped_box)?).intersect(region);
            (visible.area() > 0.0).then(|| visible.expand())
        };
        self.0.iter().map(part).collect()
    }
}

/// The number of pixels of an image per pixel of the device, at most one, with which all images are
/// within their limits.
fn scale_of(visible: &[Option<Rect>]) -> f64 {
    let pixels: f64 = visible.iter().flatten().map(|visible| visible.area()).sum();
    let sides = visible.iter().flatten().map(|visible| visible.width().max(visible.height()));
    (MAX_RASTER_PIXELS / pixels).sqrt().min(MAX_RASTER_SIDE / sides.fold(1.0, f64::max)).min(1.0)
}

impl Slot {
    /// Adds an empty image as the brush of the last path of an encoding.
    pub(crate) fn encode(encoding: &mut Encoding) -> Self {
        // The transform is not shared with the path before or after.
        encoding.force_next_transform_and_style();
        encoding.encode_transform(Transform::IDENTITY);
        encoding.swap_last_path_tags();
        encoding.force_next_transform_and_style();
        let slot = Self {
            patch: encoding.resources.patches.len(),
            draw_data: encoding.draw_data.len(),
            transform: encoding.transforms.len() - 1,
        };
        encoding.encode_image(&image_of(None), 1.0);
        slot
    }

    fn fill(self, encoding: &mut Encoding, image: &ImageBrush, scene_from_image: Affine) {
        let mut alone = Encoding::new();
        alone.encode_image(image, 1.0);
        let words = self.draw_data..self.draw_data + alone.draw_data.len();
        encoding.draw_data[words].copy_from_slice(&alone.draw_data);
        encoding.resources.patches[self.patch] =
            Patch::Image { draw_data_offset: self.draw_data, image: image.image.clone() };
        encoding.transforms[self.transform] = Transform::from_kurbo(&scene_from_image);
    }
}

fn with_border(pixmap: &Pixmap) -> Option<Pixmap> {
    let mut bordered = Pixmap::new(pixmap.width() + 2 * BORDER, pixmap.height() + 2 * BORDER)?;
    let [x, y] = [BORDER.cast_signed(); 2];
    bordered.draw_pixmap(x, y, pixmap.as_ref(), &PixmapPaint::default(), PixmapTransform::identity(), None);
    Some(bordered)
}

/// The image of a pixmap, a transparent pixel if there is none.
fn image_of(pixmap: Option<Pixmap>) -> ImageBrush {
    let size = pixmap.as_ref().map_or([1; 2], |pixmap| [pixmap.width(), pixmap.height()]);
    rgba8_image(pixmap.map_or(vec![0; 4], Pixmap::take), size, ImageAlphaType::AlphaPremultiplied)
}
