//! Drawing with resvg into pixels.

use std::collections::HashMap;
use std::sync::Arc;

use kurbo::Affine;
use resvg::tiny_skia::{
    Color, FillRule, FilterQuality, IntRect, Mask as PixelMask, MaskType as PixelMaskType, Paint,
    PathBuilder, Pattern as TileShader, Pixmap, PixmapPaint, Rect as PixelRect, Shader, SpreadMode,
    Transform,
};
use usvg::{Mask, MaskType, Node, NonZeroRect, Opacity, Pattern, Tree};

use crate::geometry::{affine, is_in_range, max_scale, rect};
use crate::guard::limits::{FILTER_CANVASES, MAX_FILTER_PIXELS, MAX_TILE_PIXELS};
use crate::raster::cost::{Cost, Costs};
use crate::raster::gradient::gradient;
use crate::raster::region::{pieces, pixels_from_device, rect_of, region_around};

/// A part of a drawing that resvg draws.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// A group with a filter, with all of its effects except its blend mode.
    Group {
        /// The group, as a node.
        group: Node,
        scene_from_parent: Affine,
    },
    /// The plane of a pattern.
    Pattern { pattern: Arc<Pattern>, opacity: Opacity, scene_from_path: Affine },
    /// The plane of a gradient.
    Gradient { paint: usvg::Paint, opacity: Opacity, scene_from_path: Affine },
    /// The opacity that a mask leaves.
    Mask { layers: Vec<MaskLayer>, scene_from_user: Affine },
}

/// A mask, or one that is applied to a mask.
#[derive(Clone, Debug)]
pub(crate) struct MaskLayer {
    /// The contents, as a group.
    root: Node,
    rect: NonZeroRect,
    kind: MaskType,
}

impl Content {
    /// The opacity that a mask leaves, and the masks that are applied to it.
    pub(crate) fn mask(mask: &Mask, scene_from_user: Affine) -> Self {
        let layers = std::iter::successors(Some(mask), |mask| mask.mask()).map(|mask| MaskLayer {
            root: Node::Group(Box::new(mask.root().clone())),
            rect: mask.rect(),
            kind: mask.kind(),
        });
        Self::Mask { layers: layers.collect(), scene_from_user }
    }

    /// The name of the part in errors.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Group { .. } => "a filtered group",
            Self::Pattern { .. } => "a pattern",
            Self::Gradient { .. } => "a gradient",
            Self::Mask { .. } => "a mask",
        }
    }

    /// The fraction of its filters' pixels that resvg processes to draw this many pixels. For a
    /// pattern, its filters are those in its tile. For a mask, all of them count.
    pub(crate) fn share_of_filters(&self, raster_from_scene: Affine, pixels: f64) -> f64 {
        let (region, raster_from_content, most) = match self {
            Self::Group { group, scene_from_parent } => {
                let Node::Group(group) = group else { return 1.0 };
                let Some(region) = group.filters_bounding_box() else { return 1.0 };
                let most = (FILTER_CANVASES * pixels).max(MAX_FILTER_PIXELS);
                (region, raster_from_scene * *scene_from_parent * affine(group.transform()), most)
            }
            Self::Pattern { pattern, scene_from_path, .. } => {
                let raster_from_pattern = raster_from_scene * *scene_from_path * affine(pattern.transform());
                (pattern.rect(), raster_from_pattern, MAX_TILE_PIXELS)
            }
            Self::Gradient { .. } | Self::Mask { .. } => return 1.0,
        };
        let all = rect(region.to_rect()).area() * raster_from_content.determinant().abs();
        if all > most { most / all } else { 1.0 }
    }

    /// The cost of drawing it at one pixel per unit of the scene.
    pub(crate) fn cost(&self, costs: &mut Costs) -> Cost {
        match self {
            Self::Group { group, scene_from_parent } => {
                costs.of_node(group).scaled(max_scale(*scene_from_parent))
            }
            // A large tile is drawn at a lower resolution, so it does not count itself.
            Self::Pattern { pattern, scene_from_path, .. } => {
                let scene_from_pattern = *scene_from_path * affine(pattern.transform());
                costs.of_tile_contents(pattern).scaled(max_scale(scene_from_pattern))
            }
            Self::Gradient { .. } => Cost::default(),
            Self::Mask { layers, scene_from_user } => {
                let costs_of_layers = layers.iter().map(|layer| costs.of_node(&layer.root));
                costs_of_layers.fold(Cost::default(), Cost::and).scaled(max_scale(*scene_from_user))
            }
        }
    }
}

/// Draws with resvg, and keeps the last pattern tiles.
#[derive(Default)]
pub(crate) struct Rasterizer {
    /// By the address of the pattern and the bits of its scale.
    tiles: HashMap<(usize, [u32; 2]), Option<Pixmap>>,
    /// The number of pixels of the tiles, at most [`MAX_TILE_PIXELS`].
    tile_pixels: f64,
}

impl Rasterizer {
    /// The premultiplied pixels of a region. `None` if nothing can be drawn.
    pub(crate) fn draw(
        &mut self,
        content: &Content,
        device_from_scene: Affine,
        region: IntRect,
    ) -> Option<Pixmap> {
        match content {
            Content::Group { group, scene_from_parent } => {
                draw_group(group, device_from_scene * *scene_from_parent, region)
            }
            Content::Pattern { pattern, opacity, scene_from_path } => {
                self.draw_pattern(pattern, *opacity, device_from_scene * *scene_from_path, region)
            }
            Content::Gradient { paint, opacity, scene_from_path } => {
                let pixels_from_path = pixels_from_device(region) * device_from_scene * *scene_from_path;
                filled(region, gradient(paint, *opacity, pixels_from_path)?)
            }
            Content::Mask { layers, scene_from_user } => {
                draw_mask(layers, device_from_scene * *scene_from_user, region)
            }
        }
    }

    /// Repeats the tile of a pattern, as resvg does to fill a path with it.
    fn draw_pattern(
        &mut self,
        pattern: &Arc<Pattern>,
        opacity: Opacity,
        device_from_path: Affine,
        region: IntRect,
    ) -> Option<Pixmap> {
        let device_from_pattern = device_from_path * affine(pattern.transform());
        let (mut sx, mut sy) = transform(device_from_pattern)?.get_scale();
        let mut pixels = rect(pattern.rect().to_rect()).area() * f64::from(sx) * f64::from(sy);
        if pixels > MAX_TILE_PIXELS {
            #[expect(clippy::cast_possible_truncation, reason = "a number between 0 and 1")]
            let reduction = (MAX_TILE_PIXELS / pixels).sqrt() as f32;
            (sx, sy) = (sx * reduction, sy * reduction);
            pixels = MAX_TILE_PIXELS;
        }
        let key = (Arc::as_ptr(pattern).addr(), [sx.to_bits(), sy.to_bits()]);
        if !self.tiles.contains_key(&key) {
            self.tile_pixels += pixels;
            if self.tile_pixels > MAX_TILE_PIXELS {
                self.tiles.clear();
                self.tile_pixels = pixels;
            }
        }
        let tile = self.tiles.entry(key).or_insert_with(|| tile(pattern, sx, sy)).as_ref()?;
        let pattern_from_tile = Affine::translate((pattern.rect().x().into(), pattern.rect().y().into()))
            * Affine::scale_non_uniform(1.0 / f64::from(sx), 1.0 / f64::from(sy));
        let region_from_tile =
            transform(pixels_from_device(region) * device_from_pattern * pattern_from_tile)?;
        let quality = FilterQuality::Bicubic;
        let shader =
            TileShader::new(tile.as_ref(), SpreadMode::Repeat, quality, opacity.get(), region_from_tile);
        filled(region, shader)
    }
}

/// The pixels of a region that is filled with a shader.
fn filled(region: IntRect, shader: Shader<'_>) -> Option<Pixmap> {
    let paint = Paint { shader, anti_alias: false, ..Paint::default() };
    let mut pixmap = Pixmap::new(region.width(), region.height())?;
    let all = PixelRect::from_xywh(0.0, 0.0, pixmap.width() as f32, pixmap.height() as f32)?;
    pixmap.fill_rect(all, &paint, Transform::identity(), None);
    Some(pixmap)
}

/// One tile of a pattern, at this many pixels per unit of the pattern.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float to int casts saturate")]
fn tile(pattern: &Pattern, sx: f32, sy: f32) -> Option<Pixmap> {
    let size = [pattern.rect().width() * sx, pattern.rect().height() * sy].map(|v| v.round() as u32);
    let mut pixmap = Pixmap::new(size[0], size[1])?;
    let root = Node::Group(Box::new(pattern.root().clone()));
    draw_node(&root, Affine::scale_non_uniform(sx.into(), sy.into()), &mut pixmap);
    Some(pixmap)
}

/// Draws a group with a filter. The filter sees its whole region or, if that is huge, only the
/// surroundings of each piece.
fn draw_group(group: &Node, device_from_parent: Affine, region: IntRect) -> Option<Pixmap> {
    let Node::Group(filtered) = group else { return None };
    let filter_region = rect(filtered.filters_bounding_box()?.to_rect());
    let filter_region =
        (device_from_parent * affine(filtered.transform())).transform_rect_bbox(filter_region);
    // resvg lets a filter see two regions on each side of this one: `FILTER_CANVASES`.
    let seen = rect_of(region);
    let seen = seen.inflate(2.0 * seen.width(), 2.0 * seen.height());
    let parts = if filter_region.area() > MAX_FILTER_PIXELS {
        pieces(region).collect()
    } else if seen.union(filter_region) == seen {
        vec![region]
    } else {
        vec![region_around(filter_region)?]
    };
    let mut pixmap = Pixmap::new(region.width(), region.height())?;
    for part in parts {
        let mut drawn = Pixmap::new(part.width(), part.height())?;
        draw_node(group, pixels_from_device(part) * device_from_parent, &mut drawn);
        let (x, y) = (part.x() - region.x(), part.y() - region.y());
        pixmap.draw_pixmap(x, y, drawn.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
    }
    Some(pixmap)
}

/// Draws the opacity that masks leave.
fn draw_mask(layers: &[MaskLayer], device_from_user: Affine, region: IntRect) -> Option<Pixmap> {
    let pixmap_from_user = pixels_from_device(region) * device_from_user;
    let mut pixmap = Pixmap::new(region.width(), region.height())?;
    pixmap.fill(Color::BLACK);
    for MaskLayer { root, rect, kind } in layers {
        let mut drawn = Pixmap::new(region.width(), region.height())?;
        draw_node(root, pixmap_from_user, &mut drawn);
        let mut inside = PixelMask::new(region.width(), region.height())?;
        let path = PathBuilder::from_rect(rect.to_rect());
        inside.fill_path(&path, FillRule::Winding, true, transform(pixmap_from_user)?);
        drawn.apply_mask(&inside);
        let kind = match kind {
            MaskType::Luminance => PixelMaskType::Luminance,
            MaskType::Alpha => PixelMaskType::Alpha,
        };
        pixmap.apply_mask(&PixelMask::from_pixmap(drawn.as_ref(), kind));
    }
    Some(pixmap)
}

fn draw_node(node: &Node, pixmap_from_parent: Affine, pixmap: &mut Pixmap) {
    // `render_node` moves the corner of this box to the origin.
    let Some(corner) = node.abs_layer_bounding_box() else { return };
    let corner = Affine::translate((corner.x().into(), corner.y().into()));
    if let Some(transform) = transform(pixmap_from_parent * corner) {
        // `None` is returned for a node without a size, which paints nothing.
        let _ = resvg::render_node(node, transform, &mut pixmap.as_mut());
    }
}

/// Draws a document.
pub(crate) fn draw_tree(tree: &Tree, device_from_scene: Affine, pixmap: &mut Pixmap) {
    if let Some(transform) = transform(device_from_scene) {
        resvg::render(tree, transform, &mut pixmap.as_mut());
    }
}

/// kurbo's transform as resvg's, `None` if it is out of range.
pub(super) fn transform(transform: Affine) -> Option<Transform> {
    #[expect(clippy::cast_possible_truncation, reason = "checked by `is_in_range`")]
    let [sx, ky, kx, sy, tx, ty] = transform.as_coeffs().map(|c| c as f32);
    is_in_range(transform).then(|| Transform::from_row(sx, ky, kx, sy, tx, ty))
}
