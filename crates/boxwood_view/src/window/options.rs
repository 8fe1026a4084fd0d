//! The options for a window.

use std::path::PathBuf;

use boxwood_cli::EditorCommand;
use boxwood_render::{Background, OverlayKinds, OverlaySource};

/// The initial state of a window, and the options for loading drawings.
#[derive(Clone, Debug, Default)]
pub struct WindowOptions {
    /// A part of the name of the adapter that draws. With `None`, the best adapter that can present
    /// to the window.
    pub adapter: Option<String>,
    /// The kinds of box that are shown at first.
    pub overlay: OverlayKinds,
    /// The source of these boxes.
    pub boxes: OverlaySource,
    /// The background at first.
    pub background: Background,
    /// The command that opens a file in an editor. With `None`, the window cannot do that.
    pub editor: Option<EditorCommand>,
    /// The options for loading drawings.
    pub load: boxwood_svg::Options,
    /// The folder of the shaders, which the window reads and watches instead of those that it is
    /// built with. It is the folder `shaders/wgsl` of the repository.
    pub shaders: Option<PathBuf>,
    /// The number of the picture that RenderDoc captures. The first one has number 1.
    pub capture_frame: Option<u32>,
    /// The number of times that the window presents before it loses its device, as by a driver that
    /// crashes. With `None`, it keeps the device.
    pub lose_device: Option<u32>,
}
