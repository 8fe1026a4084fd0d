//! Leaves that a renderer of the encoding cannot draw by itself: what resvg draws of them becomes their image.

use std::sync::Arc;

use boxwood_cpu::Aabb;
use kurbo::{Affine, Point, Rect};
use peniko::{Blob, Extend, ImageAlphaType, ImageBrush, ImageData, ImageFormat, ImageQuality, ImageSampler};
use resvg::tiny_skia::{Pixmap, PixmapPaint, Transform as PixmapTransform};
use vello_encoding::{Encoding, Patch, Transform};

use crate::error::DrawError;
use crate::path::{area, max_scale};
use crate::patience::Patience;
use crate::rasterize::{Content, Rasterizer, Window};
use crate::stack;
use crate::work::{Work, Works};

/// The most pixels of all images together: a quarter of Vello's atlas, which keeps the images of two pictures before.
const MAX_PIXELS: f64 = (16 << 20) as f64;

/// The longest side of an image, in pixels without its border.
const MAX_SIDE: f64 = 4_096.0;

/// How many transparent pixels are around an image.
const BORDER: u32 = 1;

/// The leaves of a scene that resvg draws: groups with a filter, and what is painted with a pattern.
///
/// Each is an image in the encoding: an empty one, until [`draw_into`](Self::draw_into) draws it for a view.
#[derive(Debug, Default)]
pub struct RasterLeaves(Arc<[(RasterLeaf, Work)]>);

/// A leaf that resvg draws.
#[derive(Debug)]
pub(crate) struct RasterLeaf {
    pub(crate) content: Content,
    /// The clipped box of the leaf, in the scene.
    pub(crate) clipped_box: Aabb,
    pub(crate) slot: Slot,
}

/// Where the image of a leaf is in the streams of an encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    patch: usize,
    draw_data: usize,
    transform: usize,
}

impl RasterLeaves {
    pub(crate) fn new(leaves: Vec<RasterLeaf>, works: &mut Works) -> Self {
        let with_work = |leaf: RasterLeaf| {
            let work = leaf.content.work(works);
            (leaf, work)
        };
        Self(leaves.into_iter().map(with_work).collect())
    }

    /// Whether there are none, so that the encoding is complete as it is.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Draws what a view shows of the leaves, as images in the encoding of their scene or a clone of it.
    ///
    /// `device_from_scene` is the view, and `region` the part of the device, in pixels, that is to be seen. Images are aligned
    /// with the pixels of the device, so another scale needs another call; for a view that is moved by whole pixels these images
    /// do as far as the region reached.
    ///
    /// Memory is bounded whatever the sizes of filters and patterns are: the images have 16 Mi pixels together and 4,096 a side,
    /// beyond which all of them are coarser. A filter whose region is larger than 16 Mi pixels is drawn in pieces of 800 pixels a
    /// side, each of which sees 1,600 pixels around it.
    ///
    /// # Errors
    ///
    /// More than resvg is asked to draw, such as patterns in patterns without end; what resvg panics on; and more than there is
    /// patience for. The encoding then is as before, but after the patience has ended a thread may go on for a while.
    pub fn draw_into(
        &self,
        encoding: &mut Encoding,
        device_from_scene: Affine,
        region: Rect,
        patience: &Patience,
    ) -> Result<(), DrawError> {
        let shown: Vec<_> = self.shown(device_from_scene, region).collect();
        let scale = scale_of(&shown);
        let raster_from_scene = Affine::scale(scale) * device_from_scene;
        let work_of = |(leaf, work): &(RasterLeaf, Work), shown: Rect| {
            let part = leaf.content.part_of_filters(raster_from_scene, shown.area() * scale * scale);
            work.scaled(max_scale(raster_from_scene)).with_part_of_filters(part)
        };
        let of_shown = self.0.iter().zip(&shown).filter_map(|(leaf, shown)| Some(work_of(leaf, (*shown)?)));
        of_shown.fold(Work::default(), Work::and).check()?;
        let leaves = Arc::clone(&self.0);
        let images = stack::run(patience, move |abandoned| {
            let mut rasterizer = Rasterizer::default();
            let mut draw = |leaf: &RasterLeaf, shown: Rect| {
                let window = Window::around(Affine::scale(scale).transform_rect_bbox(shown))?;
                let pixmap = with_border(&rasterizer.draw(&leaf.content, raster_from_scene, window)?)?;
                let raster_from_image =
                    Affine::translate(window.rect().origin() - Point::new(BORDER.into(), BORDER.into()));
                Some((image_of(pixmap), raster_from_scene.inverse() * raster_from_image))
            };
            let wanted = leaves.iter().zip(&shown).take_while(|_| !abandoned.is_set());
            let images = wanted.map(|((leaf, _), shown)| {
                let draw = || shown.and_then(|shown| draw(leaf, shown));
                stack::caught(draw).map_err(|message| (leaf.content.name(), message))
            });
            images.collect::<Result<Vec<_>, _>>()
        });
        let images = images.map_err(|failure| DrawError::of("filters and patterns", failure))?;
        let images = images.map_err(|(part, message)| DrawError::Panicked { part, message })?;
        for ((leaf, _), image) in self.0.iter().zip(images) {
            let (image, scene_from_image) = image.unwrap_or_else(|| (no_image(), Affine::IDENTITY));
            leaf.slot.fill(encoding, &image, scene_from_image);
        }
        Ok(())
    }

    /// Whether the images of a view are as fine as the pixels of the device.
    pub fn are_sharp(&self, device_from_scene: Affine, region: Rect) -> bool {
        let shown: Vec<_> = self.shown(device_from_scene, region).collect();
        scale_of(&shown) == 1.0
    }

    /// What is seen of each leaf, in whole pixels of the device. `None` where nothing is.
    fn shown(&self, device_from_scene: Affine, region: Rect) -> impl Iterator<Item = Option<Rect>> {
        self.0.iter().map(move |(leaf, _)| {
            let shown = device_from_scene.transform_rect_bbox(area(leaf.clipped_box)?).intersect(region);
            (shown.area() > 0.0).then(|| shown.expand())
        })
    }
}

/// How many pixels of an image a pixel of the device has, at most one, so that all images are within their limits.
fn scale_of(shown: &[Option<Rect>]) -> f64 {
    let pixels: f64 = shown.iter().flatten().map(|shown| shown.area()).sum();
    let sides = shown.iter().flatten().map(|shown| shown.width().max(shown.height()));
    (MAX_PIXELS / pixels).sqrt().min(MAX_SIDE / sides.fold(1.0, f64::max)).min(1.0)
}

impl Slot {
    /// Adds an image without ink as the brush of the path that was encoded last.
    pub(crate) fn encode(encoding: &mut Encoding) -> Self {
        // A transform of its own, which neither a path before nor one after shares.
        encoding.force_next_transform_and_style();
        encoding.encode_transform(Transform::IDENTITY);
        encoding.swap_last_path_tags();
        encoding.force_next_transform_and_style();
        let slot = Self {
            patch: encoding.resources.patches.len(),
            draw_data: encoding.draw_data.len(),
            transform: encoding.transforms.len() - 1,
        };
        encoding.encode_image(&no_image(), 1.0);
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

/// The same within transparent pixels, which a renderer repeats beyond the image: a mask can hide all that is outside of the
/// leaf's clipped box and inside of its shape.
fn with_border(pixmap: &Pixmap) -> Option<Pixmap> {
    let mut bordered = Pixmap::new(pixmap.width() + 2 * BORDER, pixmap.height() + 2 * BORDER)?;
    let [x, y] = [BORDER.cast_signed(); 2];
    bordered.draw_pixmap(x, y, pixmap.as_ref(), &PixmapPaint::default(), PixmapTransform::identity(), None);
    Some(bordered)
}

fn image_of(pixmap: Pixmap) -> ImageBrush {
    let (width, height) = (pixmap.width(), pixmap.height());
    image(pixmap.take(), [width, height])
}

fn no_image() -> ImageBrush {
    image(vec![0; 4], [1, 1])
}

fn image(premultiplied: Vec<u8>, [width, height]: [u32; 2]) -> ImageBrush {
    ImageBrush {
        image: ImageData {
            data: Blob::new(Arc::new(premultiplied)),
            format: ImageFormat::Rgba8,
            alpha_type: ImageAlphaType::AlphaPremultiplied,
            width,
            height,
        },
        sampler: ImageSampler {
            x_extend: Extend::Pad,
            y_extend: Extend::Pad,
            quality: ImageQuality::Medium,
            alpha: 1.0,
        },
    }
}
