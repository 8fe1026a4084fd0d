//! The thresholds that decide bits of the results.
//!
//! `shaders/wgsl/paths/shared/thresholds.wgsl` has the same names and values, and so has section 7
//! of `docs/strokes.md`, with the derivations. Tests compare all three.

macro_rules! thresholds {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $value:expr;)*) => {
        $($(#[$doc])* pub(super) const $name: $type = $value;)*

        /// Every threshold by name, to be compared with the constants of the shaders.
        pub const THRESHOLDS: &[(&str, f64)] = &[$((stringify!($name), $name as f64)),*];
    };
}

/// 2 to the power of `k`, for the exponent `k` of a normal number.
#[expect(clippy::cast_sign_loss, reason = "the biased exponent of a normal number is positive")]
pub(super) const fn power_of_two(k: i32) -> f32 {
    f32::from_bits(((k + 127) as u32) << 23)
}

thresholds! {
    /// The smallest magnitude of a device coordinate other than 0.
    MIN_COORDINATE: f32 = power_of_two(-40);
    /// The first guess of an inverse root, and the constants of two Newton steps.
    INVERSE_ROOT_SEED: u32 = 0x5f37_5a86;
    INVERSE_ROOT_FIRST: f32 = 1.500_879;
    INVERSE_ROOT_SECOND: f32 = 1.500_000_6;
    /// The first guess of a reciprocal, and the constants of two Newton steps.
    RECIPROCAL_SEED: u32 = 0x7ef3_3000;
    RECIPROCAL_FIRST: f32 = 2.001_250_5;
    RECIPROCAL_SECOND: f32 = 2.000_000_7;

    /// The range of the exponents by which coordinates of fills are scaled down.
    MIN_EXPONENT: i32 = -60;
    MAX_EXPONENT: i32 = 126;
    /// The largest exponent of a scaled matrix or of a translation. Beyond it, boxes are out of
    /// range.
    MAX_MATRIX_EXPONENT: i32 = 100;
    /// Scaled coordinates below this magnitude count as 0. The largest one is at least 1.
    COORDINATE_EPSILON: f32 = power_of_two(-42);
    /// Numbers of a scaled matrix and of a translation below this magnitude count as 0.
    MATRIX_EPSILON: f32 = power_of_two(-38);
    /// Bits of the scaled control values of a curve: 24 bits of an `f32` and 4 guard bits.
    EXTREMUM_BITS: i32 = 28;
    /// Bits that an extremum drops, so that it is exact as an `f32`.
    DROPPED_BITS: i32 = 4;
    /// An upper bound of the rounding error of an extremum.
    EXTREMUM_SLACK: i32 = 32;
    /// The maximum number of times that a curve is halved.
    MAX_HALVINGS: u32 = 14;

    /// Numbers of this magnitude or more are out of the range of strokes.
    STROKE_RANGE: f32 = power_of_two(30);
    /// The relative error of results for strokes.
    STROKE_ERROR: f32 = power_of_two(-21);
    /// Numbers of a transform, and half widths, below this magnitude count as 0.
    TRANSFORM_EPSILON: f32 = power_of_two(-60);
    /// The support of a brush is 0 if its square is below this.
    SUPPORT_EPSILON: f32 = power_of_two(-120);
    /// A transform with a smaller sine between its axes counts as singular for the origin of
    /// strokes.
    MIN_AXES_SINE: f32 = power_of_two(-10);
    /// So does one whose determinant has smaller terms.
    MIN_DETERMINANT_TERMS: f32 = power_of_two(-40);

    /// Control points at a smaller squared distance give no direction if others do.
    MIN_TANGENT_SQUARED: f32 = power_of_two(-40);
    /// Control points at a smaller squared distance give no direction at all.
    MIN_LENGTH_SQUARED: f32 = power_of_two(-80);
    /// Components of a direction up to this size have no certain sign.
    DIRECTION_EPSILON: f32 = power_of_two(-40);
    /// The relative error of the tangent of half a turn.
    MITER_ERROR: f32 = power_of_two(-18);
    /// Its additional error, as a part of its square: sines near 0 are rounded.
    MITER_SQUARE_ERROR: f32 = power_of_two(-22);
    /// The sine of a sharp turn below which its side is unknown.
    MIN_TURN_SINE: f32 = power_of_two(-19);
    /// Stands for miter limits that are infinite or NaN.
    MAX_MITER_LIMIT: f32 = power_of_two(24);

    /// The error of the values of a curve, in multiples of [`STROKE_ERROR`] of its legs.
    CURVE_ERROR: f32 = 8.0;
    /// Discriminants, divisors, and cubed speeds up to this count as 0.
    CURVE_EPSILON: f32 = power_of_two(-60);
    /// An extremum no farther than this from an end of the parameter range counts as the end.
    PARAMETER_ERROR: f32 = power_of_two(-16);
    /// The part of a curve at each end that may be gentle.
    END_PART: f32 = 0.125;
    /// Two thirds, rounded up: the factor of a half width that compares curvatures.
    GENTLE_FACTOR: f32 = 0.6675;
    /// Components of tangents below this part of the largest one count as 0.
    TANGENT_EPSILON: f32 = power_of_two(-40);
    /// The maximum number of pieces of a curve.
    N_PIECES: u32 = 256;
    /// The tolerance of bounds by pieces in pixels.
    PIECE_TOLERANCE: f32 = 0.4375;
    /// Their tolerance as a part of the distance between the ends of the curve.
    RELATIVE_PIECE_TOLERANCE: f32 = power_of_two(-7);
}
