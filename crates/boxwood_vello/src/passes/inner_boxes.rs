//! The parts of a picture that draw objects surely replace.

use boxwood::Aabb;
use vello_encoding::{DrawBeginClip, DrawTag, Layout, PathTag, Style, Transform};

/// The tags of a path that is one closed polygon of four corners, after those of its transform and
/// style.
const RECTANGLE_TAGS: [u8; 5] = {
    let line = PathTag::LINE_TO_F32.0;
    [line, line, line, line | PathTag::SUBPATH_END_BIT, PathTag::PATH.0]
};

/// The corners of a rectangle as the path has them: the first is repeated at the end.
type Corners = [[f32; 2]; 5];

/// The number of words of the corners.
const RECTANGLE_WORDS: usize = size_of::<Corners>() / size_of::<u32>();

/// The blend word of a layer that is blended normally: peniko's `Mix::Normal` and
/// `Compose::SrcOver`.
const NORMAL_BLEND_MODE: u32 = 3;

/// The maximum distance of a corner from the origin, in pixels. Vello computes in `f32`, which
/// still has 8 bits for the fraction of a pixel there. It leaves out rectangles that are far
/// larger.
const MAX_DISTANCE: f32 = 32_768.0;

/// Two `f32` operations, a product and a sum, are off by at most this part of the larger operand.
const MAX_RELATIVE_ERROR: f64 = 2.0 * f32::EPSILON as f64;

/// The bits of a blend word with peniko's compose mode, and `Compose::SrcOver`.
const COMPOSE_BITS: u32 = 0xff;
const SRC_OVER: u32 = 3;

/// For each draw object of a packed scene, the pixels in which it surely replaces everything below
/// it, or [`Aabb::EMPTY`]. `None` if all of them are empty.
///
/// Only a filled, axis-aligned rectangle of one opaque colour has such pixels: those that it covers
/// completely, within the clips around it. Other clips than axis-aligned rectangles count as empty.
/// So do layers that are transparent or blended in another way than normally, because what they
/// cover depends on their backdrop. A mask can remove what was drawn before it in its layer, and so
/// can a layer with a compose mode other than `SrcOver`.
///
/// A scene that ends early has no such draw objects after its end.
pub(crate) fn inner_boxes(scene: &[u32], layout: &Layout) -> Option<Vec<Aabb>> {
    let tags_end = layout.draw_tag_base.checked_add(layout.n_draw_objects)?;
    let tags = stream(scene, layout.draw_tag_base, tags_end)?;
    let data = scene.get(layout.draw_data_base as usize..)?;
    let mut paths = Paths::new(scene, layout)?;
    let mut offset = 0;
    let mut layers = vec![Layer { clip: Aabb::PLANE, first: 0 }];
    let mut boxes = Vec::with_capacity(tags.len());
    for &tag in tags {
        let tag = DrawTag(tag);
        let mut own = Aabb::EMPTY;
        if tag != DrawTag::NOP {
            let Some(rectangle) = paths.next_path() else { break };
            let is_outermost = layers.len() == 1;
            let layer = layers.last_mut()?;
            let inner = |paths: &Paths<'_>| match rectangle {
                Some(corners) if !layer.clip.is_empty() => paths.filled_pixels(corners).intersect(layer.clip),
                _ => Aabb::EMPTY,
            };
            match tag {
                DrawTag::COLOR if data.get(offset).is_some_and(|rgba| rgba >> 24 == 0xff) => {
                    own = inner(&paths);
                }
                DrawTag::BEGIN_CLIP => {
                    let [blend, alpha] = *data.get(offset..offset + 2).unwrap_or(&[0, 0]) else { break };
                    let is_plain = [DrawBeginClip::CLIP_BLEND_MODE, NORMAL_BLEND_MODE].contains(&blend)
                        && f32::from_bits(alpha) == 1.0;
                    let clip = if is_plain { inner(&paths) } else { Aabb::EMPTY };
                    // It can remove what was drawn before it in the layer around it.
                    if !is_src_over(blend) && !is_outermost {
                        boxes[layer.first..].fill(Aabb::EMPTY);
                        layer.first = boxes.len();
                    }
                    layers.push(Layer { clip, first: boxes.len() });
                }
                DrawTag::END_CLIP if !is_outermost => _ = layers.pop(),
                _ => {}
            }
        }
        boxes.push(own);
        // Bits 2 to 4 of a tag are the number of its words of draw data.
        offset += ((tag.0 >> 2) & 7) as usize;
    }
    boxes.resize(tags.len(), Aabb::EMPTY);
    boxes.iter().any(|own| !own.is_empty()).then_some(boxes)
}

/// An open layer, or the picture.
struct Layer {
    /// The box that the clips around a draw object in it surely contain.
    clip: Aabb,
    /// The first draw object in it whose pixels no later layer in it can remove.
    first: usize,
}

/// Whether a layer leaves its backdrop opaque, given its blend word.
fn is_src_over(blend: u32) -> bool {
    blend & COMPOSE_BITS == SRC_OVER && blend & DrawBeginClip::LUMINANCE_MASK_BLEND_MODE == 0
}

fn stream(scene: &[u32], start: u32, end: u32) -> Option<&[u32]> {
    scene.get(start as usize..end as usize)
}

/// The paths of a packed scene, in order.
struct Paths<'a> {
    tags: &'a [u8],
    data: &'a [u32],
    transforms: &'a [Transform],
    styles: &'a [Style],
    n_transforms: usize,
    n_styles: usize,
}

impl<'a> Paths<'a> {
    fn new(scene: &'a [u32], layout: &Layout) -> Option<Self> {
        let whole = |words: &'a [u32], size: usize| &words[..words.len() / size * size];
        let transforms = stream(scene, layout.transform_base, layout.style_base)?;
        let styles = scene.get(layout.style_base as usize..)?;
        Some(Self {
            tags: bytemuck::cast_slice(stream(scene, layout.path_tag_base, layout.path_data_base)?),
            data: stream(scene, layout.path_data_base, layout.draw_tag_base)?,
            transforms: bytemuck::cast_slice(whole(transforms, 6)),
            styles: bytemuck::cast_slice(whole(styles, 2)),
            n_transforms: 0,
            n_styles: 0,
        })
    }

    /// Goes to the next path. Returns `None` after the last path, `Some(Some(corners))` for one
    /// closed polygon of four corners, and `Some(None)` for any other path.
    fn next_path(&mut self) -> Option<Option<&'a Corners>> {
        // A path can have parts with several transforms. Only the first tags count for it.
        self.skip_styles();
        let corners = self.tags.strip_prefix(&RECTANGLE_TAGS).and_then(|tags| {
            let (corners, data) = self.data.split_at_checked(RECTANGLE_WORDS)?;
            (self.tags, self.data) = (tags, data);
            bytemuck::try_from_bytes(bytemuck::cast_slice(corners)).ok()
        });
        if corners.is_some() {
            return Some(corners);
        }
        let mut n_words = 0;
        loop {
            let (&tag, tags) = self.tags.split_first()?;
            self.tags = tags;
            match PathTag(tag) {
                PathTag::TRANSFORM => self.n_transforms += 1,
                PathTag::STYLE => self.n_styles += 1,
                PathTag::PATH => break,
                tag => {
                    let n_points = usize::from(tag.path_segment_type().0) + usize::from(tag.is_subpath_end());
                    n_words += n_points * if tag.is_f32() { 2 } else { 1 };
                }
            }
        }
        self.data = self.data.get(n_words..)?;
        Some(None)
    }

    /// Skips the tags of transforms and styles before the segments of a path.
    fn skip_styles(&mut self) {
        while let Some((&tag, tags)) = self.tags.split_first() {
            match PathTag(tag) {
                PathTag::TRANSFORM => self.n_transforms += 1,
                PathTag::STYLE => self.n_styles += 1,
                _ => return,
            }
            self.tags = tags;
        }
    }

    /// The pixels that the last path fills completely, given its corners, if it is an axis-aligned
    /// rectangle, or [`Aabb::EMPTY`].
    fn filled_pixels(&self, corners: &Corners) -> Aabb {
        match self.filled_rectangle(corners) {
            Some([[x0, x1], [y0, y1]]) if x0 < x1 && y0 < y1 => Aabb { x0, y0, x1, y1 },
            _ => Aabb::EMPTY,
        }
    }

    /// The ends of these pixels in x and in y, in the wrong order if there are no pixels.
    fn filled_rectangle(&self, &[first, second, third, fourth, last]: &Corners) -> Option<[[f32; 2]; 2]> {
        let style = self.styles.get(self.n_styles.checked_sub(1)?)?;
        if style.flags_and_miter_limit & Style::FLAGS_STYLE_BIT != 0 {
            return None;
        }
        // The first and the third edge are along one axis, the others along the other.
        let is_along = |[a, b]: [usize; 2]| {
            first[b] == second[b] && second[a] == third[a] && third[b] == fourth[b] && fourth[a] == first[a]
        };
        if last != first || !(is_along([0, 1]) || is_along([1, 0])) {
            return None;
        }
        let Transform { matrix: [a, b, c, d], translation: [e, f] } =
            *self.transforms.get(self.n_transforms.checked_sub(1)?)?;
        // The first and the third corner are opposite to each other.
        let (x, y) = ([first[0], third[0]], [first[1], third[1]]);
        let ((x_scale, x), (y_scale, y)) = if [b, c] == [0.0; 2] {
            ((a, x), (d, y))
        } else if [a, d] == [0.0; 2] {
            ((c, y), (b, x))
        } else {
            return None;
        };
        Some([whole_pixels(x_scale, x, e)?, whole_pixels(y_scale, y, f)?])
    }
}

/// The whole pixels between `scale * end + offset` for two ends, whatever the device rounds. `None`
/// if they are too far from the origin, or not numbers.
#[inline]
fn whole_pixels(scale: f32, ends: [f32; 2], offset: f32) -> Option<[f32; 2]> {
    let (first, second) = (Coordinate::new(scale, ends[0], offset), Coordinate::new(scale, ends[1], offset));
    if !(first.rounded.abs() <= MAX_DISTANCE && second.rounded.abs() <= MAX_DISTANCE) {
        return None;
    }
    let (low, high) = if first.exact <= second.exact { (first, second) } else { (second, first) };
    // 0.0 minus an integer is never -0.0.
    Some([0.0 - floor(-low.exact - low.error), floor(high.exact - high.error)])
}

/// The largest integer up to a coordinate. `f64::floor` calls a function on many processors.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "it is a coordinate")]
fn floor(at: f64) -> f32 {
    let towards_zero = at as i32;
    (towards_zero - i32::from(f64::from(towards_zero) > at)) as f32
}

/// A coordinate.
struct Coordinate {
    /// Its value. The operations are exact in `f64`, except for the sum of numbers of very
    /// different magnitudes, and there is an error then.
    exact: f64,
    /// The maximum difference from it on a device.
    error: f64,
    /// Its value if each operation is rounded.
    rounded: f32,
}

impl Coordinate {
    /// The place `scale * end + offset`.
    #[inline]
    fn new(scale: f32, end: f32, offset: f32) -> Self {
        let product = scale * end;
        let rounded = product + offset;
        let exact_product = f64::from(scale) * f64::from(end);
        let exact = exact_product + f64::from(offset);
        let is_exact = f64::from(product) == exact_product && f64::from(rounded) == exact;
        let largest = f64::from(product.abs().max(offset.abs()));
        Self { exact, error: if is_exact { 0.0 } else { MAX_RELATIVE_ERROR * largest }, rounded }
    }
}

#[cfg(test)]
mod tests;
