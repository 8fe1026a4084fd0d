//! The boxes of the paths of a packed scene, in device space.
//!
//! [`twin`] computes them with the same bits as the GPU. It is also the back end on the CPU. The
//! specification is an oracle in `f64`, in the tests of this crate (`tests/paths/oracle.rs`).
//! [`accuracy`] contains the numbers by which a box may differ from it.
//!
//! # What a box contains
//!
//! A path box contains everything that the path covers, without regard to clips.
//!
//! - A *fill* has the bounds of its lines and curves, not of their control points, for any fill
//!   rule. Lines whose ends `f32` can represent have exact bounds. A path that is flat along an
//!   axis has no area, so its box is empty. Any other subpath counts, even if it encloses nothing.
//! - A *stroke* has the bounds of its outline, which is constructed in the path's space and then
//!   transformed. It includes joins, miters within their limit, caps, and subpaths without length.
//! - Images, glyph runs, and blurred rectangles are paths too: a rectangle, the outlines of the
//!   glyphs, and the rectangle with the margin of the blur. The path of a begin is its shape. That
//!   of an end has no segments.
//!
//! # Exceptions
//!
//! - The stroke is the one that the packed streams describe. `vello_encoding` stores the direction
//!   in which a subpath starts as a point in `f32`. If the first line is short compared with its
//!   distance from the origin, its cap or join is rotated. A stroke without length gets a short
//!   line along x, beneath its caps.
//! - In fills, coordinates below 2⁻¹⁰² and subnormal numbers of the transform count as 0. In
//!   strokes, half widths and numbers of the transform below 2⁻⁶⁰ do.
//! - A segment covers nothing if one of its numbers is infinite or NaN, or if the streams lack its
//!   transform, style, or coordinates.
//! - The box is [`Aabb::PLANE`](crate::Aabb::PLANE) if numbers are out of range: for a fill, if its
//!   box may exceed about 2¹⁰⁰; for a stroke, if a coordinate, the width, or a number of the
//!   transform exceeds 2³⁰.

pub mod accuracy;
mod streams;
pub mod twin;

pub use self::streams::{PathStreams, RoundedBox, StreamLayout, StreamsError};
