//! The overlay: which boxes are shown, how their outlines look, and which pixels they take.
//!
//! The rule for pixels is written twice: in [`outline`] for the CPU and in `overlay.wgsl`, which
//! [`pipeline`] runs, for the GPU. Both read the same [`uniforms`] and give the same pixels.

mod kinds;
pub(crate) mod outline;
mod pipeline;
mod shown;
mod source;
mod uniforms;

pub use kinds::{CHANGE_STYLES, OVERLAY_STYLES, OverlayKinds, OverlayStyle, UnknownKind};
pub(crate) use pipeline::{OverlayBoxes, OverlayPipeline};
pub(crate) use shown::ShownBoxes;
pub use source::{OverlaySource, UnknownSource};
pub(crate) use uniforms::{Hole, OverlayView, signed};
