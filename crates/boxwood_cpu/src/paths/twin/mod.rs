//! The bit-exact twin of the shaders of stage *paths*.
//!
//! The functions here and the shaders do the same `f32` operations in the same order, so their
//! results have the same bits on every device that rounds to nearest. The shaders compute exactly
//! only the curves that may decide a box. The twin computes all of them, one segment after the
//! other.
//!
//! [`paths`](super) and [`accuracy`](super::accuracy) document the meaning of the results.

use alloc::vec::Vec;

mod arithmetic;
mod brush;
mod caps_and_joins;
mod direction;
mod extremum;
mod offset_curve;
mod piece;
mod segment;
mod style;
mod thresholds;

pub use self::thresholds::THRESHOLDS;

use self::arithmetic::magnitude;
use self::brush::Brush;
use self::caps_and_joins::{Next, start_cap_box, stroke_box};
use self::direction::Direction;
use self::segment::{INFINITY, Segment, fill_box};
use self::style::{cap_of, join_of};
use self::thresholds::STROKE_RANGE;
use super::{PathStreams, RoundedBox};
use crate::core::Aabb;

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

/// The box of each path, in device space. [`Aabb::EMPTY`] for a path that covers nothing.
pub fn path_boxes(streams: &PathStreams<'_>) -> Vec<Aabb> {
    walk(streams).0.into_iter().map(|edges| with_one_zero(edges).canonical()).collect()
}

/// The same box without -0.0, which minima and maxima may return for 0.0.
fn with_one_zero(edges: Aabb) -> Aabb {
    let Aabb { x0, y0, x1, y1 } = edges;
    Aabb { x0: x0 + 0.0, y0: y0 + 0.0, x1: x1 + 0.0, y1: y1 + 0.0 }
}

/// The box of each path rounded outward to whole pixels, with the flags and the index of the
/// transform that Vello stores with it.
///
/// As in Vello, a path that is flat along only one axis has a box, which may have no area.
/// Coordinates saturate.
pub fn rounded_boxes(streams: &PathStreams<'_>) -> Vec<RoundedBox> {
    let (boxes, mut rounded) = walk(streams);
    for (rounded, edges) in rounded.iter_mut().zip(boxes) {
        if edges.x1 > edges.x0 || edges.y1 > edges.y0 {
            [rounded.x0, rounded.y0] = [edges.x0, edges.y0].map(floor);
            [rounded.x1, rounded.y1] = [edges.x1, edges.y1].map(ceil);
        }
    }
    rounded
}

/// The largest integer that is not above `v`, saturated. `f32::floor` needs the standard library.
#[expect(clippy::cast_possible_truncation, reason = "`as` drops the fraction, and saturates")]
fn floor(v: f32) -> i32 {
    let whole = v as i32;
    // Every i32 is exact in an f64.
    if f64::from(whole) > f64::from(v) { whole.saturating_sub(1) } else { whole }
}

/// The smallest integer that is not below `v`, saturated.
#[expect(clippy::cast_possible_truncation, reason = "`as` drops the fraction, and saturates")]
fn ceil(v: f32) -> i32 {
    let whole = v as i32;
    if f64::from(whole) < f64::from(v) { whole.saturating_add(1) } else { whole }
}

/// Walks over the path tags. Returns the edges of each path, and its flags and transform index in
/// an otherwise empty box.
fn walk(streams: &PathStreams<'_>) -> (Vec<Aabb>, Vec<RoundedBox>) {
    let n_paths = streams.layout().n_paths as usize;
    let (mut boxes, mut rounded) = (vec![Aabb::EMPTY; n_paths], vec![RoundedBox::EMPTY; n_paths]);
    let mut at = Position { streams: *streams, n_transforms: 0, n_styles: 0, data_at: 0 };
    let mut path = 0;
    let tags: Vec<u8> = streams.path_tag_words().iter().flat_map(|w| w.to_le_bytes()).collect();
    for (index, &tag) in tags.iter().enumerate() {
        if tag & tag::SEGMENT != 0
            && let Some(edges) = boxes.get_mut(path)
        {
            let next_tag = tags.get(index + 1).copied().unwrap_or(0);
            *edges = edges.union(at.segment_box(tag, next_tag));
        }
        if tag & tag::PATH != 0
            && let Some(rounded) = rounded.get_mut(path)
        {
            let [flags, _] = at.style().unwrap_or_default();
            rounded.draw_flags = u32::from(flags & EVEN_ODD != 0);
            rounded.trans_ix = u32::try_from(at.n_transforms).unwrap_or(0).wrapping_sub(1);
        }
        at.data_at = at.data_at.wrapping_add(n_words(tag));
        at.n_transforms += usize::from(tag & tag::TRANSFORM != 0);
        at.n_styles += usize::from(tag & tag::STYLE != 0);
        path += usize::from(tag & tag::PATH != 0);
    }
    (boxes, rounded)
}

/// A position among the path tags: the numbers of transforms, styles, and words of path data
/// before it.
struct Position<'a> {
    streams: PathStreams<'a>,
    n_transforms: usize,
    n_styles: usize,
    data_at: u32,
}

impl Position<'_> {
    /// The box of the segment at this position.
    fn segment_box(&self, tag: u8, next_tag: u8) -> Aabb {
        let Some(segment) = self.read(self.data_at, tag) else { return Aabb::EMPTY };
        let (Some(transform), Some([flags, width])) = (self.transform(), self.style()) else {
            return Aabb::EMPTY;
        };
        let is_finite = |v: &f32| magnitude(*v) < INFINITY;
        if segment.greatest() >= INFINITY || !transform.iter().all(is_finite) {
            return Aabb::EMPTY;
        }
        if flags & STROKE == 0 {
            return fill_box(&segment, transform);
        }
        let width = f32::from_bits(width);
        let is_marker = tag & tag::SUBPATH_END != 0;
        let is_line = tag & tag::SEGMENT == tag::LINE;
        // The marker of a closed subpath draws nothing: the segment before it is joined to its
        // direction.
        if !is_finite(&width) || (is_marker && is_line) {
            return Aabb::EMPTY;
        }
        let brush = Brush::new(transform, width).filter(|_| segment.greatest() < magnitude(STROKE_RANGE));
        let Some(brush) = brush else { return Aabb::PLANE };
        if !is_marker {
            return stroke_box(&segment, &self.next(tag, next_tag, flags), &brush);
        }
        // The marker of an open subpath contains the cap at its start.
        if segment.n == 3 { start_cap_box(&segment, cap_of(flags >> 26), &brush) } else { Aabb::EMPTY }
    }

    /// The successor of a segment of a stroke.
    fn next(&self, tag: u8, next_tag: u8, flags: u32) -> Next {
        let cap = Next::Cap(cap_of(flags >> 24));
        if next_tag & tag::SEGMENT == 0 {
            return cap;
        }
        let next = self.read(self.data_at.wrapping_add(n_words(tag)), next_tag);
        match next.filter(|next| next.greatest() < magnitude(STROKE_RANGE)) {
            None => Next::Nothing,
            Some(_) if next_tag & tag::SUBPATH_END != 0 && next_tag & tag::SEGMENT != tag::LINE => cap,
            Some(next) => Next::Join(Direction::at_start(&next), join_of(flags)),
        }
    }

    /// The segment of a tag at an offset of the path data.
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
                #[expect(clippy::cast_possible_truncation, reason = "a word contains two i16")]
                let halves = [words[i] as i16, (words[i] >> 16) as i16];
                halves.map(f32::from)
            };
        }
        Some(segment)
    }

    /// The current transform.
    fn transform(&self) -> Option<[f32; 6]> {
        let begin = 6 * self.n_transforms.checked_sub(1)?;
        let words = self.streams.transforms().get(begin..begin + 6)?;
        Some(core::array::from_fn(|i| f32::from_bits(words[i])))
    }

    /// The current style.
    fn style(&self) -> Option<[u32; 2]> {
        let begin = 2 * self.n_styles.checked_sub(1)?;
        let words = self.streams.styles().get(begin..begin + 2)?;
        Some([words[0], words[1]])
    }
}

/// The number of words of path data that a tag consumes. The next segment starts at the last point
/// of this one, except at the end of a subpath.
fn n_words(tag: u8) -> u32 {
    let n_points = u32::from(tag & tag::SEGMENT) + u32::from(tag & tag::SUBPATH_END != 0);
    if tag & tag::F32 != 0 { 2 * n_points } else { n_points }
}
