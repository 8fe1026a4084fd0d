//! The two sources of boxes for an overlay.

use std::str::FromStr;

/// The source of the boxes that an overlay shows.
///
/// Each element of a scene is one draw object of the frame, so both sources have the same number of
/// boxes. They differ in these points:
///
/// - The renderer flattens paths at the size of the picture, and rounds their boxes to whole
///   pixels.
/// - The renderer treats a layer as a clip to the rectangle around its contents. The scene has no
///   such clip.
/// - The contents of a mask are drawn, but have no box in the scene.
/// - The contents of a filtered group have the box of the filter's result in the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OverlaySource {
    /// The boxes of the scene, in scene units. They are computed once, and are the same on every
    /// adapter and on the CPU.
    #[default]
    Scene,
    /// The boxes that the renderer drew this picture with, in whole device pixels, read from its
    /// buffers. They exist only on the GPU.
    Frame,
}

/// A word that names no source of boxes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown source of boxes `{0}`: use scene or frame")]
pub struct UnknownSource(pub String);

/// Reads `scene` or `frame`.
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
