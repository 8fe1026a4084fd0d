//! Vello's renderer with Boxwood as its clip stage.
//!
//! [Vello](https://docs.rs/vello) 0.11 draws 2D scenes in compute shaders. Its clip stage is silently wrong beyond 65,792 clip
//! operations and beyond 256 levels of nesting. This crate runs what Vello records, with Vello's shaders, and puts Boxwood's stage in
//! the place of that one, on Vello's own buffers. A program changes one line:
//!
//! ```
//! # fn draw(
//! #     device: &wgpu::Device,
//! #     queue: &wgpu::Queue,
//! #     scene: &vello::Scene,
//! #     view: &wgpu::TextureView,
//! #     params: &vello::RenderParams,
//! # ) -> Result<(), boxwood_vello::Error> {
//! // let mut renderer = vello::Renderer::new(device, vello::RendererOptions::default())?;
//! let mut renderer = boxwood_vello::Renderer::new(device, vello::RendererOptions::default())?;
//! renderer.render_to_texture(device, queue, scene, view, params)?;
//! # Ok(())
//! # }
//! ```
//!
//! Pictures are those of `vello::Renderer`, byte for byte, where that is right; from one drawing to the next its own are seldom a
//! unit apart. Beside that the renderer reports what does not fit Vello's buffers, or makes them larger ([`OnOverflow`]), and can
//! make layers as small as what is in them ([`RendererOptions::tighten_layers`]).
//!
//! [`ClipPass`] is the stage alone, for another engine with Vello's buffers; [`renderer_authors`] says what it reads and
//! writes, and how to put Boxwood into a renderer that is not Vello.

mod bump;
mod clip;
mod draw_info;
mod engine;
mod error;
mod frame_boxes;
mod options;
mod plan;
mod renderer;
#[doc = include_str!("renderer_authors.md")]
pub mod renderer_authors {}
mod resources;
mod scene_pass;
mod shaders;
mod sizes;
mod tighten;

pub use bump::{BumpBuffer, Fill, Overflow, Usage};
pub use clip::{CLIP_BUFFERS, ClipPass};
pub use error::Error;
pub use frame_boxes::{FRAME_BUFFERS, FramePass};
pub use options::{ClipStage, OnOverflow, RendererOptions, VELLO_MAX_CLIPS, VELLO_MAX_DEPTH};
pub use renderer::Renderer;
pub use tighten::{TIGHTEN_BUFFERS, TightenPass};
