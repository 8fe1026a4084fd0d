//! What can go wrong.

use std::path::PathBuf;

use boxwood::LimitsError;
use boxwood::native::GpuError;
use boxwood_svg::DrawError;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The scene is too large for the stage.
    #[error(transparent)]
    Limits(#[from] LimitsError),
    /// The picture is wider or taller than the device can draw.
    #[error(
        "the picture would be {width} x {height} pixels, the limit is {limit} a side: \
         take a smaller width or zoom"
    )]
    Side {
        /// The width asked for, in pixels.
        width: f64,
        /// The height asked for, in pixels.
        height: f64,
        /// The most pixels a side.
        limit: u32,
    },
    /// The picture has too many pixels.
    #[error(
        "the picture would be {width} x {height} pixels, the limit is {limit} pixels in all: \
         take a smaller width or zoom"
    )]
    Area {
        /// The width asked for, in pixels.
        width: f64,
        /// The height asked for, in pixels.
        height: f64,
        /// The most pixels in all.
        limit: u64,
    },
    /// A width of nothing, or a zoom that is not a positive number.
    #[error("a picture cannot be made with {0}: it must be a positive number")]
    Size(String),
    /// The painter has no scene to draw.
    #[error("there is no scene to draw")]
    NoScene,
    /// The renderer's buffers do not hold what it needs to draw even the smallest part.
    #[error("the drawing is too complex for the renderer on the GPU, whose buffers have a fixed size")]
    TooComplex,
    /// An overlay was to show the boxes of the frame, of a picture that no GPU draws.
    #[error("only a picture drawn on the GPU has boxes of the frame: show those of the scene")]
    NoFrameBoxes,
    /// resvg draws nothing of the drawing.
    #[error(transparent)]
    Drawing(DrawError),
    /// The picture was not wanted any more before it was drawn.
    #[error("the drawing was stopped")]
    Stopped,
    /// The renderer or the device refused.
    #[error("the GPU cannot draw the picture: {0}")]
    Gpu(String),
    /// A panel over the picture could not be composed.
    #[error("the legend cannot be drawn: {0}")]
    Panel(String),
}

impl From<DrawError> for RenderError {
    fn from(error: DrawError) -> Self {
        match error {
            DrawError::Cancelled => Self::Stopped,
            error => Self::Drawing(error),
        }
    }
}

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// No file was named, or a folder holds none.
    #[error("there is nothing to view: name SVG or SVGZ files, or a folder that holds some{}", in_folders(.0))]
    NoFiles(Vec<PathBuf>),
    /// A folder cannot be listed.
    #[error("cannot list the folder: {error}: {}", path.display())]
    Folder {
        /// What the system says.
        error: std::io::Error,
        /// The folder.
        path: PathBuf,
    },
    /// There is no display, or the windowing system refused.
    #[error(
        "cannot open a window: {0}: a window needs an X11 or Wayland session, with DISPLAY or WAYLAND_DISPLAY set \
         (and on Debian with the packages libxkbcommon-x11-0, libxcursor1 and libxi6)"
    )]
    Window(String),
    /// No adapter can draw.
    #[error("cannot draw in a window")]
    Gpu(#[from] GpuError),
    /// No thread could be started to draw in.
    #[error("cannot start a thread to draw in")]
    Thread {
        /// Why.
        source: std::io::Error,
    },
    /// The window's surface cannot be drawn to.
    #[error("cannot draw to the window: {0}")]
    Surface(String),
    /// The picture cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
}

/// The message of an error, followed by those of its sources.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let messages = std::iter::successors(Some(error), |error| error.source()).map(ToString::to_string);
    messages.collect::<Vec<_>>().join(": ")
}

/// The folders that hold no file, for a message.
fn in_folders(folders: &[PathBuf]) -> String {
    match folders {
        [] => String::new(),
        [first, ..] => format!("; none is in {}", first.display()),
    }
}
