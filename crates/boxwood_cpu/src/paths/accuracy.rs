//! The numbers by which a path box may differ from the specification, in device space.
//!
//! The documentation and the tests use these constants. Derivations: `docs/strokes.md`, section 8.

/// A box contains everything that the path covers, except for this part of one pixel and of the largest term
/// of the transform: a coordinate times a number of the matrix, or the translation.
pub const CONTAINMENT: f64 = 1.0 / (1_u64 << 30) as f64;

/// The box of a fill exceeds the path by at most so many pixels, plus [`FILL_ULPS`].
pub const FILL_TIGHTNESS: f64 = 1.0 / 256.0;

/// Units in the last place, as `f32`, of the largest coordinate of the control points in device space.
pub const FILL_ULPS: f64 = 4.0;

/// The box of a stroke exceeds the path by at most so many pixels, or by [`STROKE_RELATIVE_TIGHTNESS`] if that
/// is more, plus [`STROKE_ROUNDING`].
///
/// There are two exceptions, which the upper bounds of the oracle include:
///
/// - If rounding decides whether a miter is within its limit, the box may contain it ([`MITER_ROUNDING`]).
/// - If a curve may turn around within 1/256 of its parameter range, as at a cusp, the box may contain the
///   whole brush there.
pub const STROKE_TIGHTNESS: f64 = 0.5;

/// A part of the width or the height of the box.
pub const STROKE_RELATIVE_TIGHTNESS: f64 = 0.01;

/// A part of the size of a segment: its legs after the transform, and its distance, in the path's space, from
/// the point that is at the origin of device space. That distance is large if the transform is nearly
/// singular.
pub const STROKE_ROUNDING: f64 = 1.0 / (1 << 18) as f64;

/// Rounding decides about a miter if its squared length differs from that of the limit by at most this part,
/// times 1 plus the length.
pub const MITER_ROUNDING: f64 = 1.0 / (1 << 16) as f64;
