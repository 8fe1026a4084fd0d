//! Vello's renderer with Boxwood as its clip stage.
//!
//! [Vello](https://docs.rs/vello) 0.11 draws 2D scenes with compute shaders. Its clip stage is
//! wrong, without an error, beyond 65,792 clip operations and beyond 256 levels of nesting. This
//! crate runs Vello's recordings with Vello's shaders and replaces the clip stage by Boxwood's, on
//! Vello's own buffers. A program changes one line:
//!
//! ```
//! // use vello::Renderer;
//! use boxwood_vello::Renderer;
//! # fn draw(
//! #     device: &wgpu::Device,
//! #     queue: &wgpu::Queue,
//! #     scene: &vello::Scene,
//! #     view: &wgpu::TextureView,
//! #     params: &vello::RenderParams,
//! # ) -> Result<(), boxwood_vello::Error> {
//!
//! let mut renderer = Renderer::new(device, vello::RendererOptions::default())?;
//! renderer.render_to_texture(device, queue, scene, view, params)?;
//! # Ok(())
//! # }
//! ```
//!
//! [`Renderer`] has all public methods of `vello::Renderer`. Only the error type differs, and
//! `use_cpu`, which it refuses. Where Vello is correct, pictures are byte-identical up to the ±1
//! that Vello itself shows between runs. In addition the renderer
//!
//! - reports a scene that does not fit Vello's buffers, or grows them ([`OnOverflow`]);
//! - can shrink layers to their contents ([`RendererOptions::tighten_layers`]);
//! - can leave out what later, opaque rectangles hide ([`RendererOptions::hide_occluded`]);
//! - can sample gradients at the centres of pixels ([`RendererOptions::centre_samples`]);
//! - can keep the boxes of all draw objects on the GPU ([`Renderer::set_frame_boxes`]).
//!
//! [`VelloPass`] is the stage without the renderer, for another engine with Vello's buffers, and
//! [`OcclusionPass`] hides what is occluded there. The
//! page [The stage, byte by byte](https://github.com/boxwood-rs/boxwood/blob/main/docs/stage.md)
//! documents every buffer, also for renderers that are not Vello.
//!
//! The crate is in maintenance: it stays correct for Vello 0.11, and gets no new features.
//! [In front of renderers](https://github.com/boxwood-rs/boxwood/blob/main/docs/renderers.md) lists
//! what other renderers can use.
//!
//! # When not to use it
//!
//! - If your scenes stay within Vello's limits and you can do without the reports,
//!   `vello::Renderer` does the same work. By default this renderer waits for the device in every
//!   frame; [`OverflowCheck::Deferred`] and [`OnOverflow::Ignore`] do not.
//! - It supports Vello 0.11 and no other version. It refuses the recordings of others.
//! - It has no stages on the CPU.
//!
//! # Features
//!
//! `debug_layers`, `wgpu-profiler`, and `hot_reload` are Vello's features of the same names, for
//! developers of Vello. All of them are off by default.

mod bump;
mod compile;
mod engine;
mod error;
mod memory;
mod options;
mod passes;
mod recording;
mod renderer;
/// Compiles the examples of the page.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/stage.md")]
mod stage {}

pub use bump::{BumpBuffer, Fill, Overflow, Usage};
// `boxwood_render` reports the errors of a device in the same way. Vello has no such function.
#[doc(hidden)]
pub use compile::checked;
pub use error::Error;
pub use options::{ClipStage, OnOverflow, OverflowCheck, RendererOptions, VELLO_MAX_CLIPS, VELLO_MAX_DEPTH};
pub use passes::{ClipAlgorithm, OcclusionPass, PassKind, VelloPass};
pub use renderer::Renderer;
