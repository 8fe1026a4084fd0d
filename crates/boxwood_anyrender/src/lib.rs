//! A stage in front of any renderer: the boxes of recorded commands, culling, damage, picking, and
//! draw order.
//!
//! [`Recorder`] is an [`anyrender::PaintScene`]: any code that draws with `anyrender` can draw into
//! it. Its [`Frame`] has the box of each command, and draws into any other `PaintScene`, such as
//! the back ends of `vello_cpu`, `vello_hybrid`, `vello`, and Skia.
//!
//! ```
//! use anyrender::{PaintScene, Scene};
//! use boxwood_anyrender::{Cull, Recorder};
//! use kurbo::{Affine, Rect};
//! use peniko::{Color, Fill};
//!
//! let mut recorder = Recorder::new([640, 480]); // keep it from frame to frame
//! let white = Color::WHITE;
//! for row in 0..100 {
//!     let card = Rect::new(0.0, 100.0 * f64::from(row), 200.0, 100.0 * f64::from(row) + 90.0);
//!     recorder.fill(Fill::NonZero, Affine::IDENTITY, white, None, &card);
//! }
//! let mut frame = recorder.finish()?;
//!
//! let mut backend = Scene::new(); // any `PaintScene`
//! frame.draw_into(&mut backend, Cull::ALL);
//! assert_eq!(backend.commands.len(), 5);
//! assert_eq!(
//!     frame.report(Cull::ALL).to_string(),
//!     "95 of 100 commands and 0 of 0 layers are not drawn"
//! );
//! recorder.recycle(frame); // its memory serves a later frame
//! # Ok::<(), boxwood_anyrender::RecordError>(())
//! ```
//!
//! | method of [`Frame`] | result |
//! |---|---|
//! | [`boxes`](Frame::boxes) | the pixels that each command may change, as a box |
//! | [`draw_into`](Frame::draw_into) | the same picture with fewer commands |
//! | [`damage_since`](Frame::damage_since) | rectangles that contain all changes since another frame |
//! | [`draw_parts_into`](Frame::draw_parts_into) | the commands that some parts of the picture depend on |
//! | [`pick`](Frame::pick) | the commands at a point |
//! | [`layers`](Frame::layers) | an order for drawing in batches |
//! | [`report`](Frame::report) | how many commands are left out |
//! | [`bounds`](Frame::bounds) | the box of the whole scene |
//!
//! # Commands that have no box of their own
//!
//! These count as large as the layers around them: glyphs that the font does not have, glyphs
//! without the feature `glyphs`, and filters that paint where their input is transparent, such as a
//! flood or turbulence. A layer with a backdrop filter reads what is below it, so nothing that it
//! may read is left out. A custom paint cannot be recorded and is refused.
//!
//! # Features
//!
//! | feature | contents |
//! |---|---|
//! | `glyphs` (default) | the boxes of glyphs, from the outlines in fonts |
//! | `encoding` | the module [`encoding`]: the commands of a `vello::Scene` |

mod bounds;
#[cfg(feature = "glyphs")]
mod color_glyphs;
mod cull;
mod damage;
#[cfg(feature = "encoding")]
pub mod encoding;
mod error;
mod frame;
#[cfg(feature = "glyphs")]
mod glyphs;
mod layers;
mod pick;
mod reach;
mod recorder;
mod recording;
mod report;
mod shape;
mod strokes;

pub use anyrender;
pub use boxwood_cpu::{Aabb, Rectangle};

pub use crate::cull::Cull;
pub use crate::error::{RecordError, Refused};
pub use crate::frame::Frame;
pub use crate::recorder::Recorder;
pub use crate::report::Report;
