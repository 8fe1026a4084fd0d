//! The numbers by which a path box may differ from the specification, in device space.
//!
//! All tests use these constants. Section 8 of `docs/strokes.md` has the same values, which a test
//! compares, and their derivations.

/// The maximum distance in pixels of the covered area outside of the box, divided by 1 plus the
/// largest term of the transform. A term is a coordinate times a number of the matrix, or a number
/// of the translation.
pub const CONTAINMENT: f64 = 1.0 / (1_u64 << 30) as f64;

/// The maximum excess of the box of a fill in pixels, in addition to [`FILL_ULPS`].
pub const FILL_TIGHTNESS: f64 = 1.0 / 256.0;

/// Units in the last place, as `f32`, of the largest coordinate of the control points in device
/// space.
pub const FILL_ULPS: f64 = 4.0;

/// The maximum excess of the box of a stroke in pixels, in addition to [`STROKE_ROUNDING`].
/// [`STROKE_RELATIVE_TIGHTNESS`] applies instead if it is more.
///
/// There are two exceptions, which the upper bounds of the oracle include:
///
/// - If rounding decides whether a miter is within its limit, the box may contain it
///   ([`MITER_ROUNDING`]).
/// - If a curve may turn around within 1/256 of its parameter range, as at a cusp, the box may
///   contain the whole brush there.
pub const STROKE_TIGHTNESS: f64 = 0.5;

/// A part of the width or the height of the box.
pub const STROKE_RELATIVE_TIGHTNESS: f64 = 0.01;

/// A part of the size of a segment: its legs after the transform, and its distance, in the path's
/// space, from the point that is at the origin of device space. That distance is large if the
/// transform is nearly singular.
pub const STROKE_ROUNDING: f64 = 1.0 / (1 << 18) as f64;

/// Rounding decides whether a miter is drawn if its squared length differs from the squared limit
/// by at most this part, times 1 plus the tangent of half the turn.
pub const MITER_ROUNDING: f64 = 1.0 / (1 << 16) as f64;
