//! What resvg draws of a leaf, into pixels.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use kurbo::{Affine, Rect};
use resvg::tiny_skia::{
    FilterQuality, IntSize, Paint, Pattern as TileShader, Pixmap, PixmapPaint, Rect as PixelRect, SpreadMode,
    Transform,
};
use usvg::{Node, Opacity, Pattern, Tree};

use crate::filter_work::SEEN_PICTURES;
use crate::path::{affine, is_in_range, max_scale, rect};
use crate::work::{Work, Works};

/// The most pixels that a filter works on at once, its whole region or what is around a piece: 64 MiB an intermediate image.
const MAX_FILTER_PIXELS: f64 = (16 << 20) as f64;

/// The side of the pieces that a larger filter is drawn in. resvg lets a filter see as much as two images on each side of its
/// own, so that it works on 25 times a piece.
const PIECE: u32 = 800;

/// The most pixels of the tile of a pattern, and of those that are kept. A larger one is drawn coarser.
const MAX_TILE_PIXELS: f64 = (16 << 20) as f64;

/// What resvg draws of a leaf.
#[derive(Clone)]
pub(crate) enum Content {
    /// A group with a filter: all of its effects but its blend mode.
    Group {
        /// The group, as a node of its own.
        group: Node,
        scene_from_parent: Affine,
    },
    /// The plane of a pattern.
    Pattern { pattern: Arc<Pattern>, opacity: Opacity, scene_from_path: Affine },
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Group { .. } => "Group",
            Self::Pattern { .. } => "Pattern",
        })
    }
}

impl Content {
    /// What it is, for an error.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Group { .. } => "a filtered group of the drawing",
            Self::Pattern { .. } => "a pattern of the drawing",
        }
    }

    /// Which part of the pixels of its filters, or of those in its tile, is worked on to draw so many pixels of it.
    pub(crate) fn part_of_filters(&self, raster_from_scene: Affine, pixels: f64) -> f64 {
        let (region, raster_from_content, most) = match self {
            Self::Group { group: Node::Group(group), scene_from_parent } => {
                let Some(region) = group.filters_bounding_box() else { return 1.0 };
                let most = (SEEN_PICTURES * pixels).max(MAX_FILTER_PIXELS);
                (region, raster_from_scene * *scene_from_parent * affine(group.transform()), most)
            }
            Self::Group { .. } => return 1.0,
            Self::Pattern { pattern, scene_from_path, .. } => {
                let raster_from_pattern = raster_from_scene * *scene_from_path * affine(pattern.transform());
                (pattern.rect(), raster_from_pattern, MAX_TILE_PIXELS)
            }
        };
        let all = rect(region).area() * raster_from_content.determinant().abs();
        if all > most { most / all } else { 1.0 }
    }

    /// What resvg does for it, at most, at one pixel a unit of the scene.
    pub(crate) fn work(&self, works: &mut Works) -> Work {
        match self {
            Self::Group { group, scene_from_parent } => {
                works.of_node(group).scaled(max_scale(*scene_from_parent))
            }
            // The tile itself is drawn coarser where it is large.
            Self::Pattern { pattern, scene_from_path, .. } => {
                let scene_from_pattern = *scene_from_path * affine(pattern.transform());
                works.of_tile_contents(pattern).scaled(max_scale(scene_from_pattern))
            }
        }
    }
}

/// A rectangle of whole pixels, in some device space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) corner: [i32; 2],
    pub(crate) size: IntSize,
}

impl Window {
    /// The pixels that a rectangle touches, `None` if there are none or too many.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "float to int casts saturate, and the size of what saturates is refused"
    )]
    pub(crate) fn around(area: Rect) -> Option<Self> {
        let area = area.expand();
        let is_in_range = area.width() > 0.0
            && area.height() > 0.0
            && [area.x0, area.y0, area.x1, area.y1].iter().all(|side| side.abs() < f64::from(i32::MAX / 8));
        let size = IntSize::from_wh(area.width() as u32, area.height() as u32).filter(|_| is_in_range)?;
        Some(Self { corner: [area.x0 as i32, area.y0 as i32], size })
    }

    pub(crate) fn rect(self) -> Rect {
        let [left, top] = self.corner.map(f64::from);
        Rect::new(left, top, left + f64::from(self.size.width()), top + f64::from(self.size.height()))
    }

    /// Squares of the side of pieces that cover it.
    fn pieces(self) -> impl Iterator<Item = Self> {
        let [left, top] = self.corner;
        let starts = |length: u32| (0..length).step_by(PIECE as usize);
        let size = IntSize::from_wh(PIECE, PIECE);
        starts(self.size.height()).flat_map(move |y| {
            starts(self.size.width()).filter_map(move |x| {
                let corner = [left.checked_add_unsigned(x)?, top.checked_add_unsigned(y)?];
                Some(Self { corner, size: size? })
            })
        })
    }
}

/// Draws with resvg, and keeps the last tiles of patterns.
#[derive(Default)]
pub(crate) struct Rasterizer {
    /// By the address of the pattern and the bits of its scale.
    tiles: HashMap<(usize, [u32; 2]), Option<Pixmap>>,
    /// How many pixels those have, at most [`MAX_TILE_PIXELS`].
    tile_pixels: f64,
}

impl Rasterizer {
    /// The pixels of a window, premultiplied. `None` if nothing can be drawn.
    pub(crate) fn draw(
        &mut self,
        content: &Content,
        device_from_scene: Affine,
        window: Window,
    ) -> Option<Pixmap> {
        match content {
            Content::Group { group, scene_from_parent } => {
                draw_group(group, device_from_scene * *scene_from_parent, window)
            }
            Content::Pattern { pattern, opacity, scene_from_path } => {
                self.draw_pattern(pattern, *opacity, device_from_scene * *scene_from_path, window)
            }
        }
    }

    /// Repeats the tile of a pattern, as resvg fills a path with it.
    fn draw_pattern(
        &mut self,
        pattern: &Arc<Pattern>,
        opacity: Opacity,
        device_from_path: Affine,
        window: Window,
    ) -> Option<Pixmap> {
        let device_from_pattern = device_from_path * affine(pattern.transform());
        let (mut across, mut down) = transform(device_from_pattern)?.get_scale();
        let mut pixels = rect(pattern.rect()).area() * f64::from(across) * f64::from(down);
        if pixels > MAX_TILE_PIXELS {
            #[expect(clippy::cast_possible_truncation, reason = "a number between 0 and 1")]
            let coarser = (MAX_TILE_PIXELS / pixels).sqrt() as f32;
            (across, down) = (across * coarser, down * coarser);
            pixels = MAX_TILE_PIXELS;
        }
        let key = (Arc::as_ptr(pattern).addr(), [across.to_bits(), down.to_bits()]);
        if !self.tiles.contains_key(&key) {
            self.tile_pixels += pixels;
            if self.tile_pixels > MAX_TILE_PIXELS {
                self.tiles.clear();
                self.tile_pixels = pixels;
            }
        }
        let tile = self.tiles.entry(key).or_insert_with(|| tile(pattern, across, down)).as_ref()?;
        let pattern_from_tile = Affine::translate((pattern.rect().x().into(), pattern.rect().y().into()))
            * Affine::scale_non_uniform(1.0 / f64::from(across), 1.0 / f64::from(down));
        let window_from_tile = transform(to(window) * device_from_pattern * pattern_from_tile)?;
        let paint = Paint {
            shader: TileShader::new(
                tile.as_ref(),
                SpreadMode::Repeat,
                FilterQuality::Bicubic,
                opacity.get(),
                window_from_tile,
            ),
            anti_alias: false,
            ..Paint::default()
        };
        let mut pixmap = Pixmap::new(window.size.width(), window.size.height())?;
        let all = PixelRect::from_xywh(0.0, 0.0, pixmap.width() as f32, pixmap.height() as f32)?;
        pixmap.fill_rect(all, &paint, Transform::identity(), None);
        Some(pixmap)
    }
}

/// One tile of a pattern, so many pixels a unit of the pattern.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float to int casts saturate")]
fn tile(pattern: &Pattern, across: f32, down: f32) -> Option<Pixmap> {
    let size = [pattern.rect().width() * across, pattern.rect().height() * down].map(|v| v.round() as u32);
    let mut pixmap = Pixmap::new(size[0], size[1])?;
    draw_node(
        &Node::Group(Box::new(pattern.root().clone())),
        Affine::scale_non_uniform(across.into(), down.into()),
        &mut pixmap,
    );
    Some(pixmap)
}

/// Draws a group with a filter. The filter sees its whole region, or where that is huge, what is around each piece.
fn draw_group(group: &Node, device_from_parent: Affine, window: Window) -> Option<Pixmap> {
    let Node::Group(filtered) = group else { return None };
    let region = rect(filtered.filters_bounding_box()?);
    let region = (device_from_parent * affine(filtered.transform())).transform_rect_bbox(region);
    let mut pixmap = Pixmap::new(window.size.width(), window.size.height())?;
    if region.area() > MAX_FILTER_PIXELS {
        for piece in window.pieces() {
            draw_part(group, device_from_parent, piece, &mut pixmap, window)?;
        }
        return Some(pixmap);
    }
    // What resvg lets a filter see that is drawn into the window.
    let [width, height] = [window.size.width(), window.size.height()].map(f64::from);
    let seen = window.rect().inflate(2.0 * width, 2.0 * height);
    if seen.union(region) == seen {
        draw_node(group, to(window) * device_from_parent, &mut pixmap);
    } else {
        draw_part(group, device_from_parent, Window::around(region)?, &mut pixmap, window)?;
    }
    Some(pixmap)
}

/// Draws what is in `part` of a group, as far as it is in the window of the pixmap.
fn draw_part(
    group: &Node,
    device_from_parent: Affine,
    part: Window,
    pixmap: &mut Pixmap,
    window: Window,
) -> Option<()> {
    let mut drawn = Pixmap::new(part.size.width(), part.size.height())?;
    draw_node(group, to(part) * device_from_parent, &mut drawn);
    let [x, y] = [0, 1].map(|axis| part.corner[axis] - window.corner[axis]);
    pixmap.draw_pixmap(x, y, drawn.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
    Some(())
}

fn draw_node(node: &Node, pixmap_from_parent: Affine, pixmap: &mut Pixmap) {
    // `render_node` moves the corner of this box, whatever it is, to the origin.
    let Some(corner) = node.abs_layer_bounding_box() else { return };
    let corner = Affine::translate((corner.x().into(), corner.y().into()));
    if let Some(transform) = transform(pixmap_from_parent * corner) {
        // `None` is a node without a size, which inks nothing.
        let _ = resvg::render_node(node, transform, &mut pixmap.as_mut());
    }
}

/// Draws a document.
pub(crate) fn draw_tree(tree: &Tree, device_from_scene: Affine, pixmap: &mut Pixmap) {
    if let Some(transform) = transform(device_from_scene) {
        resvg::render(tree, transform, &mut pixmap.as_mut());
    }
}

/// The transform from the device to the pixels of a window.
fn to(window: Window) -> Affine {
    let [left, top] = window.corner.map(f64::from);
    Affine::translate((-left, -top))
}

/// kurbo's transform as resvg's, `None` if it is beyond the range of its numbers.
fn transform(transform: Affine) -> Option<Transform> {
    #[expect(clippy::cast_possible_truncation, reason = "checked by `is_in_range`")]
    let [sx, ky, kx, sy, tx, ty] = transform.as_coeffs().map(|c| c as f32);
    is_in_range(transform).then(|| Transform::from_row(sx, ky, kx, sy, tx, ty))
}
