//! Whose boxes an overlay shows.

use std::fmt;
use std::str::FromStr;

/// Whose boxes an overlay shows.
///
/// An element of a scene is one draw object of the frame, so that there are as many boxes of either. They differ by what a renderer
/// does: its paths are flattened at the size of the picture, and their boxes are whole pixels; a layer cuts what is in it to a rectangle
/// around that, which is no clip of the scene. And they differ where the loader knows more than is drawn: what shapes a mask has no
/// box in the scene, and what is in a filter has the filter's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OverlaySource {
    /// The scene's, in scene units: computed once, and the same on every adapter and on the CPU.
    #[default]
    Scene,
    /// Those that the renderer has drawn this very picture with, out of its buffers, in pixels. There are none on the CPU.
    Frame,
}

/// A word that is no source of boxes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown source of boxes `{0}`: take scene or frame")]
pub struct UnknownSource(pub String);

impl FromStr for OverlaySource {
    type Err = UnknownSource;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "scene" => Ok(Self::Scene),
            "frame" => Ok(Self::Frame),
            _ => Err(UnknownSource(text.to_owned())),
        }
    }
}

/// Writes what [`FromStr`] reads.
impl fmt::Display for OverlaySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scene => "scene",
            Self::Frame => "frame",
        })
    }
}
