//! Path boxes: the box of every path of a packed scene, in device space.

mod arithmetic;
mod curve;
mod direction;
mod offset;
mod pen;
mod segment;
mod streams;
mod stroke;
mod style;

pub use self::streams::{PathBbox, PathStreams, StreamLayout, StreamsError};
use crate::core::Aabb;

use self::direction::Direction;
use self::pen::{Ink, RANGE};
use self::segment::{INFINITY, Segment, fill_box, magnitude};
use self::stroke::{Next, start_cap_box, stroke_box};
use self::style::{cap_of, join_of};

/// The bits of a path tag, as in `vello_encoding::PathTag`.
mod tag {
    pub(super) const SEGMENT: u8 = 3;
    pub(super) const LINE: u8 = 1;
    pub(super) const SUBPATH_END: u8 = 4;
    pub(super) const F32: u8 = 8;
    pub(super) const PATH: u8 = 0x10;
    pub(super) const TRANSFORM: u8 = 0x20;
    pub(super) const STYLE: u8 = 0x40;
}

/// The bits of a style's flags, as in `vello_encoding::Style`.
const STROKE: u32 = 1 << 31;
const EVEN_ODD: u32 = 1 << 30;

/// The box of each path, in device space: what it inks, clips not counted. [`Aabb::EMPTY`] for one
/// without ink.
///
/// - A *fill* has the bounds of its lines and curves, not of their control points, whatever its
///   fill rule. They hold the curves but for 2⁻³⁰ of the largest term of the transform, and are
///   larger by at most 1/256 px and 4 units in the last place of the largest coordinate of the
///   segment's control points in device space. Lines whose ends `f32` holds have exact bounds. What
///   is flat along an axis has no area and is empty; any other subpath counts, though it encloses
///   nothing.
/// - A *stroke* has bounds of its outline, which is made in the path's space and then transformed:
///   pen, joins, miters within the limit, caps, subpaths without length. They hold the outline but
///   for 2⁻³⁰ of what the transform makes of a curve's legs, and are looser by no more than 0.5 px
///   or 1 % of the box, but where a miter is so close to its limit that rounding decides, where a
///   curve turns around within 1/256 of its parameter, as at a cusp (there it has the whole round
///   of the pen), and by 2⁻¹⁸ of what the transform makes at most of its curves' legs and of how
///   far the path is, in its own space, from the point that is drawn at the origin of device space:
///   far where the transform is nearly singular. The outline is that of what is packed: where a
///   subpath starts, `vello_encoding` keeps its direction as a point in `f32`, which turns a cap or
///   a join at a first line that is short beside its distance from the origin, and it gives a
///   stroke without length a short one along the x axis of its space, under the caps.
/// - Images, glyph runs and blurred rectangles are paths as well: a rectangle, the outlines of the
///   glyphs, the rectangle with the margin of the blur. The path of a begin is its shape, that of
///   an end has no segments.
///
/// Of fills, coordinates nearer to 0 than 2⁻¹⁰² and subnormal numbers of the transform count as 0,
/// of strokes half the width and numbers of the transform nearer than 2⁻⁶⁰. Segments with a number
/// that is infinite or NaN, or whose transform, style or coordinates the streams do not have, have
/// no ink. Where the box of a fill is beyond 2¹⁰⁰ or so, or a coordinate, the width or a number of
/// the transform of a stroke beyond 2³⁰, it could be anywhere: its path gets [`Aabb::PLANE`].
///
/// The results have the same bits on every device that rounds `f32` to nearest; see the arithmetic
/// of this module.
pub fn path_boxes(streams: &PathStreams<'_>) -> Vec<Aabb> {
    Walk::new(streams).run().boxes.into_iter().map(|edges| with_one_zero(edges).canonical()).collect()
}

/// The same box without -0.0, which minima and maxima may give for 0.0.
fn with_one_zero(edges: Aabb) -> Aabb {
    let Aabb { x0, y0, x1, y1 } = edges;
    Aabb { x0: x0 + 0.0, y0: y0 + 0.0, x1: x1 + 0.0, y1: y1 + 0.0 }
}

/// The same boxes rounded outward to whole pixels, with the flags and the transform's index that
/// Vello keeps beside them.
///
/// As in Vello, a path that is flat along one axis alone has a box, which may have no area.
/// Coordinates saturate.
pub fn path_bboxes(streams: &PathStreams<'_>) -> Vec<PathBbox> {
    let Walk { boxes, mut bboxes, .. } = Walk::new(streams).run();
    for (bbox, edges) in bboxes.iter_mut().zip(boxes) {
        if edges.x1 > edges.x0 || edges.y1 > edges.y0 {
            // `as` saturates.
            #[expect(clippy::cast_possible_truncation, reason = "they are whole, and saturate")]
            let rounded = [
                edges.x0.floor() as i32,
                edges.y0.floor() as i32,
                edges.x1.ceil() as i32,
                edges.y1.ceil() as i32,
            ];
            [bbox.x0, bbox.y0, bbox.x1, bbox.y1] = rounded;
        }
    }
    bboxes
}

/// A walk over the path tags.
struct Walk<'a> {
    streams: PathStreams<'a>,
    /// Where it is in the other streams.
    n_transforms: usize,
    n_styles: usize,
    data_at: u32,
    path: usize,
    boxes: Vec<Aabb>,
    bboxes: Vec<PathBbox>,
}

impl<'a> Walk<'a> {
    fn new(streams: &PathStreams<'a>) -> Self {
        let n_paths = streams.layout().n_paths as usize;
        Self {
            streams: *streams,
            n_transforms: 0,
            n_styles: 0,
            data_at: 0,
            path: 0,
            boxes: vec![Aabb::EMPTY; n_paths],
            bboxes: vec![PathBbox::EMPTY; n_paths],
        }
    }

    fn run(mut self) -> Self {
        let tags: Vec<u8> = self.streams.path_tag_words().iter().flat_map(|w| w.to_le_bytes()).collect();
        for (index, &tag) in tags.iter().enumerate() {
            if tag & tag::SEGMENT != 0
                && let Some(of_path) = self.boxes.get(self.path).copied()
            {
                let next_tag = tags.get(index + 1).copied().unwrap_or(0);
                self.boxes[self.path] = of_path.union(self.segment_box(tag, next_tag));
            }
            let [flags, _] = self.style().unwrap_or_default();
            if tag & tag::PATH != 0
                && let Some(bbox) = self.bboxes.get_mut(self.path)
            {
                bbox.draw_flags = u32::from(flags & EVEN_ODD != 0);
                bbox.trans_ix = u32::try_from(self.n_transforms).unwrap_or(0).wrapping_sub(1);
            }
            self.data_at = self.data_at.wrapping_add(n_words(tag));
            self.n_transforms += usize::from(tag & tag::TRANSFORM != 0);
            self.n_styles += usize::from(tag & tag::STYLE != 0);
            self.path += usize::from(tag & tag::PATH != 0);
        }
        self
    }

    /// The box of the segment of this tag, before which the walk is.
    fn segment_box(&self, tag: u8, next_tag: u8) -> Aabb {
        let Some(segment) = self.read(self.data_at, tag) else { return Aabb::EMPTY };
        let (Some(transform), Some([flags, width])) = (self.transform(), self.style()) else {
            return Aabb::EMPTY;
        };
        let greatest_of_transform = transform.iter().fold(0, |m, v| m.max(magnitude(*v)));
        if segment.greatest() >= INFINITY || greatest_of_transform >= INFINITY {
            return Aabb::EMPTY;
        }
        if flags & STROKE == 0 {
            return fill_box(&segment, transform);
        }
        let width = f32::from_bits(width);
        let is_end = tag & tag::SUBPATH_END != 0;
        let is_line = tag & tag::SEGMENT == tag::LINE;
        // The marker of a closed subpath draws nothing: the segment before is joined to what it
        // starts with.
        if magnitude(width) >= INFINITY || (is_end && is_line) {
            return Aabb::EMPTY;
        }
        let ink = Ink::new(transform, width).filter(|_| segment.greatest() < magnitude(RANGE));
        let Some(ink) = ink else { return Aabb::PLANE };
        if is_end {
            // The marker of an open one has the cap at its start.
            return if segment.n == 3 {
                start_cap_box(&segment, cap_of(flags >> 26), &ink)
            } else {
                Aabb::EMPTY
            };
        }
        stroke_box(&segment, &self.next(tag, next_tag, flags), &ink)
    }

    /// What follows a segment of a stroke.
    fn next(&self, tag: u8, next_tag: u8, flags: u32) -> Next {
        let cap = Next::Cap(cap_of(flags >> 24));
        if next_tag & tag::SEGMENT == 0 {
            // Neither another segment nor a marker: an end like any.
            return cap;
        }
        let next = self.read(self.data_at.wrapping_add(n_words(tag)), next_tag);
        match next.filter(|next| next.greatest() < magnitude(RANGE)) {
            None => Next::Nothing,
            Some(_) if next_tag & tag::SUBPATH_END != 0 && next_tag & tag::SEGMENT != tag::LINE => cap,
            Some(next) => Next::Join(Direction::at_start(&next), join_of(flags)),
        }
    }

    /// The control points that a tag has at an offset of the path data.
    fn read(&self, offset: u32, tag: u8) -> Option<Segment> {
        let n = usize::from(tag & tag::SEGMENT) + 1;
        let is_f32 = tag & tag::F32 != 0;
        let begin = offset as usize;
        let words = self.streams.path_data().get(begin..begin + if is_f32 { 2 * n } else { n })?;
        let mut segment = Segment { points: [[0.0; 2]; 4], n };
        for (i, point) in segment.points[..n].iter_mut().enumerate() {
            *point = if is_f32 {
                [f32::from_bits(words[2 * i]), f32::from_bits(words[2 * i + 1])]
            } else {
                #[expect(clippy::cast_possible_truncation, reason = "two of 16 bits")]
                let halves = [words[i] as i16, (words[i] >> 16) as i16];
                halves.map(f32::from)
            };
        }
        Some(segment)
    }

    /// The last transform.
    fn transform(&self) -> Option<[f32; 6]> {
        let begin = 6 * self.n_transforms.checked_sub(1)?;
        let words = self.streams.transforms().get(begin..begin + 6)?;
        Some(std::array::from_fn(|i| f32::from_bits(words[i])))
    }

    /// The last style.
    fn style(&self) -> Option<[u32; 2]> {
        let begin = 2 * self.n_styles.checked_sub(1)?;
        let words = self.streams.styles().get(begin..begin + 2)?;
        Some([words[0], words[1]])
    }
}

/// How many words of path data a tag takes: those up to the first of the next, which starts where
/// this ends but at the end of a subpath.
fn n_words(tag: u8) -> u32 {
    let n_points = u32::from(tag & tag::SEGMENT) + u32::from(tag & tag::SUBPATH_END != 0);
    if tag & tag::F32 != 0 { 2 * n_points } else { n_points }
}
