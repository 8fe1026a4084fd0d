//! The reasons why there is no window.

use boxwood::native::GpuError;
use boxwood_cli::FolderError;
use boxwood_render::{RenderError, with_sources};

use crate::capture::CaptureError;

/// The reason why a window could not be opened, or was closed.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// There are no inputs, or none of the folders among them has a drawing, for these reasons.
    #[error("there is nothing to view: {}", no_files(.0))]
    NoFiles(Vec<FolderError>),
    /// There is no display, or the windowing system refused the connection.
    #[error(
        "cannot open a window: {0}: a window needs an X11 or Wayland session, with DISPLAY or WAYLAND_DISPLAY set \
         (and on Debian with the packages libxkbcommon-x11-0, libxcursor1 and libxi6)"
    )]
    Window(String),
    /// There is no adapter for the window.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// A thread could not be started.
    #[error("cannot start a thread")]
    Thread(#[source] std::io::Error),
    /// A thread panicked. The panic hook has printed the reason.
    #[error("the thread {0} has panicked")]
    Panicked(&'static str),
    /// The surface of the window cannot be drawn to.
    #[error("cannot draw to the window: {0}")]
    Surface(String),
    /// A picture was to be captured, and cannot be.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// Files were not exported after the window was closed. There is one reason per line.
    #[error("{0}")]
    Export(String),
    /// The window has failed, and files were not exported.
    #[error("{}\n{exports}", with_sources(error))]
    WithExports {
        /// The reason why the window has failed.
        error: Box<Self>,
        /// The reasons why files were not exported, one per line.
        exports: String,
    },
    /// The device that presents the window is lost.
    #[error("the graphics device of the window was lost: {0}")]
    DeviceLost(String),
    /// The picture cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
}

fn no_files(reasons: &[FolderError]) -> String {
    if reasons.is_empty() {
        return "name SVG or SVGZ files".to_owned();
    }
    reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_without_files_are_named() {
        let error = |folders: &[&str]| {
            let reasons = folders.iter().map(|folder| FolderError::NoDrawings(folder.into()));
            ViewError::NoFiles(reasons.collect()).to_string()
        };
        assert_eq!(error(&[]), "there is nothing to view: name SVG or SVGZ files");
        assert_eq!(
            error(&["/a", "/b"]),
            "there is nothing to view: there is no .svg or .svgz file in /a\nthere is no .svg or .svgz file in /b"
        );
    }
}
