//! The reasons why an encoding cannot be drawn.

/// The reason why an encoding cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodingError {
    /// A stream ends within a draw object, or a resource of it is missing.
    #[error("draw object {draw_object} has no {part}: encode it with the methods of `vello_encoding`")]
    Incomplete {
        /// The index of the draw object.
        draw_object: usize,
        /// The part that is missing.
        part: &'static str,
    },
    /// A tag or a number does not exist in `vello_encoding` 0.11.
    #[error("draw object {draw_object} has an unknown {part}: encode it with `vello_encoding` 0.11")]
    Unknown {
        /// The index of the draw object.
        draw_object: usize,
        /// The part that is unknown.
        part: &'static str,
    },
    /// A run of glyphs has a gradient or an image with a transform of its own, which anyrender's
    /// command for glyphs does not have.
    #[error(
        "draw object {draw_object} has glyphs with a transformed brush, which anyrender cannot draw: fill their outlines"
    )]
    GlyphBrushTransform {
        /// The index of the draw object.
        draw_object: usize,
    },
}
