//! Draws SVG drawings with their boxes: on a texture, or as an image.
//!
//! | function | drawn with | result |
//! |---|---|---|
//! | [`render`] | Vello, on a GPU | an image of a whole drawing |
//! | [`Painter`] | Vello, on a GPU | images or textures of any views of a drawing |
//! | [`render_on_cpu`] | resvg or `vello_cpu`, on the CPU | an image of a whole drawing, without any adapter |
//! | [`render_changes`] | resvg, on the CPU | an image of what has changed in a drawing |
//!
//! ```no_run
//! use boxwood_render::{OverlayKinds, RenderOptions};
//!
//! # fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let drawing = boxwood_svg::load_file("drawing.svg".as_ref(), &boxwood_svg::Options::default())?;
//! let options = RenderOptions { overlay: OverlayKinds::CLIPPED, ..RenderOptions::default() };
//! let gpu = boxwood::native::Gpu::open(None)?;
//! boxwood_render::render(&gpu, &drawing, &options)?.save("drawing.png")?;
//! # Ok(()) }
//! ```
//!
//! # The overlay
//!
//! An overlay shows boxes of the kinds in [`OverlayKinds`], with the colours and lines of
//! [`OVERLAY_STYLES`]. They are the boxes of the scene, or those of the frame that the renderer
//! drew ([`OverlaySource`]). On a GPU they are drawn straight from the buffers in which the stage
//! left them.
//!
//! The outline of a box is one device pixel wide at any zoom. It runs inside the box, through the
//! outermost pixels that the box touches. A box that extends into a pixel by less than 1/256 of it
//! does not touch it. Outlines have the same pixels on every adapter and on the CPU.
//!
//! # Vello and resvg
//!
//! Vello has no filters and no patterns, and loses the close stops of gradients. So resvg draws
//! those parts of a picture on the GPU too.
//! The page `docs/pictures.md` of the repository measures the differences between the pictures of
//! both, and explains them.

mod changes;
mod color;
mod costs;
mod error;
mod gpu;
mod legend;
mod overlay;
mod picture;
mod running;
mod software;

pub use changes::{ChangeMark, render_changes};
pub use color::hex;
pub use costs::PictureCosts;
pub use error::{MAX_PIXELS, RenderError, with_sources};
pub use gpu::{FrameBoxes, Painter, PictureTextures, TILE, render};
pub use overlay::{
    CHANGE_STYLES, OVERLAY_STYLES, OverlayKinds, OverlaySource, OverlayStyle, UnknownKind, UnknownSource,
};
pub use picture::{
    Background, Emphasis, Frame, Legend, PictureSize, Preview, RenderOptions, UnknownBackground, backdrop_at,
};
pub use running::{Running, StageTime};
pub use software::{CpuRenderer, render_on_cpu};
