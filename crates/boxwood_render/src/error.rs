//! The reasons why there is no picture.

use std::error::Error;

use boxwood::{LimitsError, ReadBackError, UpdateError};

/// The maximum number of pixels of a picture: 256 MiB of them.
pub const MAX_PIXELS: u32 = 64 << 20;

/// The reason why a picture could not be drawn.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The scene is too large for the device.
    #[error(transparent)]
    Limits(#[from] LimitsError),
    /// The scene of the drawing is not valid.
    #[error("the drawing has no boxes")]
    Scene(#[source] UpdateError),
    /// The picture has no pixels, or more than the device or the renderer can draw.
    #[error(
        "a picture of {width} x {height} pixels is outside the limits of 1 to {limit} pixels per side \
         and {MAX_PIXELS} pixels in total"
    )]
    Size {
        /// The requested width in pixels.
        width: f64,
        /// The requested height in pixels.
        height: f64,
        /// The maximum number of pixels per side.
        limit: u32,
    },
    /// A zoom or a scale factor is zero, negative, infinite, or not a number.
    #[error("the {name} is {value}, but it must be a positive number")]
    NotPositive {
        /// The name of the quantity.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// The painter has no drawing.
    #[error("there is no drawing: call Painter::set_drawing first")]
    NoDrawing,
    /// The renderer's buffers are too small for even the smallest part of the picture.
    #[error("the drawing is too complex for the renderer on the GPU")]
    TooComplex(#[source] boxwood_vello::Error),
    /// An overlay of the frame's boxes was requested for a picture that is not drawn on a GPU.
    #[error("only a picture drawn on the GPU has boxes of the frame: show the boxes of the scene")]
    NoFrameBoxes,
    /// resvg could not draw its part of the picture, or the picture was cancelled.
    #[error(transparent)]
    Drawing(#[from] boxwood_svg::Error),
    /// The renderer refuses the drawing.
    #[error("the GPU cannot draw the picture")]
    Renderer(#[source] boxwood_vello::Error),
    /// The device reports an error.
    #[error("the graphics device reports an error: {0}")]
    Device(String),
    /// The device is lost, and another one was lost too.
    #[error(
        "the graphics device was lost twice while it drew ({0}): update its driver, or choose another adapter \
         with --adapter"
    )]
    DeviceLost(String),
    /// The picture could not be copied to the CPU.
    #[error("the picture cannot be copied from the GPU")]
    ReadBack(#[from] ReadBackError),
    /// The legend could not be laid out.
    #[error("the legend cannot be drawn")]
    Legend(#[source] boxwood_svg::Error),
}

/// The messages of an error and of its sources, separated by colons.
pub fn with_sources(error: &dyn Error) -> String {
    let chain = std::iter::successors(Some(error), |&error| error.source());
    chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

impl From<UpdateError> for RenderError {
    fn from(error: UpdateError) -> Self {
        match error {
            UpdateError::Limits(error) => Self::Limits(error),
            error => Self::Scene(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use boxwood::wgpu::BufferAsyncError;

    use super::*;

    #[test]
    fn a_chain_of_errors_has_each_message_once() {
        let error = RenderError::ReadBack(BufferAsyncError.into());
        let source = ReadBackError::from(BufferAsyncError);
        let expected = format!("{error}: {source}: {}", BufferAsyncError);
        assert_eq!(with_sources(&error), expected);
        assert!(
            expected.starts_with("the picture cannot be copied from the GPU: the results cannot be mapped")
        );
    }
}
